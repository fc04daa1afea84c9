"""Kinds of pairing: who meets whom in a match, round by round.

Players are numbers from 0. A kind of pairing is a generator: it yields the groups of a round, is sent the points that
their members made, and returns the players, best first. It plays no game and draws no number.
"""

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal

Kind = Literal["round_robin", "gauntlet", "swiss", "ladder", "elimination"]
Group = tuple[int, ...]
Points = Sequence[Sequence[float]]  # of each group, one for each of its members; more is better
Rounds = Generator[list[Group], Points, list[int]]

BYE: Final = 1.0  # points of a player who sits a round out, as for winning everything
SWISS_TRIES: Final = 2000  # to pair a round of players who have not met


def rounds(kind: Kind, players: int, seats: int) -> Rounds:
    """Return the rounds of a match with games of so many seats. Raises ValueError if there are too few players."""
    if not 2 <= seats <= players:
        raise ValueError(f"{seats} seats need as many players, not {players}")
    return KINDS[kind](players, seats)


def count(kind: Kind, players: int, seats: int) -> int:
    """Return the number of groups in all rounds together; it does not depend on the results."""
    pairing, total = rounds(kind, players, seats), 0
    groups = next(pairing)
    while True:
        total += len(groups)
        try:
            groups = pairing.send([[0.0] * seats for _ in groups])
        except StopIteration:
            return total


def round_robin(players: int, seats: int) -> Rounds:
    """Every group meets, in one round."""
    return at_once(list(combinations(range(players), seats)), players)


def gauntlet(players: int, seats: int) -> Rounds:
    """Every group with the first player meets, in one round."""
    others = combinations(range(1, players), seats - 1)
    return at_once([(0, *group) for group in others], players)


def swiss(players: int, seats: int) -> Rounds:
    """Equals meet, in as many rounds as an elimination would take, each time with neighbours not met before.

    Players who are left over have a bye, the last one first, and nobody twice before everybody had one.
    """
    points, byes = [0.0] * players, [0] * players
    met: Counter[Group] = Counter()
    for _ in range((players - 1).bit_length()):
        by_need = sorted(range(players), key=lambda player: (byes[player], points[player], -player))
        resting = by_need[: players % seats]
        order = sorted(set(range(players)).difference(resting), key=lambda player: (-points[player], player))
        groups = unmet_pairs(order, met) if seats == 2 else []
        groups = groups or _neighbours(order, met, seats)
        results = yield groups
        _add(points, groups, results)
        for player in resting:
            points[player] += BYE
            byes[player] += 1
        met.update(pair for group in groups for pair in combinations(sorted(group), 2))
    return _best_first(points)


def ladder(players: int, seats: int) -> Rounds:
    """Neighbours meet and change rungs by their points; the last named can climb to the top.

    For two seats this is sorting by odd-even transposition, whose rounds are as many as players.
    """
    order = list(range(players))
    for number in range(players):
        first = number % 2 * (seats // 2)
        rungs = range(first, players - seats + 1, seats)
        if not rungs:
            continue
        results = yield [tuple(order[rung : rung + seats]) for rung in rungs]
        for rung, points in zip(rungs, results, strict=True):
            group = order[rung : rung + seats]
            order[rung : rung + seats] = [group[member] for member in _best_first(points)]
    return order


def elimination(players: int, seats: int) -> Rounds:
    """Return the rounds of an elimination of the players in the order in which they are named."""
    if seats != 2:
        raise ValueError(f"an elimination is of pairs, not of {seats} at once")
    return elimination_of(range(players))


def elimination_of(drawn: Sequence[int]) -> Rounds:
    """Neighbours in the order drawn meet, and the winners meet again, until one is left.

    The last of an odd number waits, and comes first in the next round. Of equal points the player with the lower
    number goes on, so number them from the best to the worst by what is known before.
    """
    left, out = list(drawn), list[int]()
    while len(left) > 1:
        pairs = list(zip(left[::2], left[1::2], strict=False))
        results = yield list(pairs)
        winners = [winner_of(pair, points) for pair, points in zip(pairs, results, strict=True)]
        out = sorted(player for pair in pairs for player in pair if player not in winners) + out
        left = [left[-1], *winners] if len(left) % 2 else winners
    return left + out


def winner_of(pair: Group, points: Sequence[float]) -> int:
    """Return the player of a pair that stays in an elimination."""
    return min(pair) if points[0] == points[1] else pair[points[0] < points[1]]


KINDS: Final[Mapping[Kind, Callable[[int, int], Rounds]]] = {
    "round_robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    "ladder": ladder,
    "elimination": elimination,
}


def at_once(groups: list[Group], players: int) -> Rounds:
    """Yield one round of these groups."""
    points = [0.0] * players
    results = yield groups
    _add(points, groups, results)
    return _best_first(points)


def unmet_pairs(order: Sequence[int], met: Counter[Group]) -> list[Group]:
    """Return pairs of players who have not met, neighbours in the order where possible.

    Empty if there are no such pairs for all, or none are found in SWISS_TRIES: a search to the end could take
    time that is exponential in the players.
    """
    tries = SWISS_TRIES

    def paired(left: Sequence[int]) -> list[Group] | None:
        nonlocal tries
        if not left:
            return []
        tries -= 1
        first, *others = left
        for partner in others:
            if tries <= 0:
                return None
            if not met[min(first, partner), max(first, partner)]:
                rest = paired([other for other in others if other != partner])
                if rest is not None:
                    return [(first, partner), *rest]
        return None

    return paired(order) or []


def _neighbours(order: Sequence[int], met: Counter[Group], seats: int) -> list[Group]:
    """Return groups from the top, of players who have met least."""
    left, groups = list(order), []
    while left:
        group = [left.pop(0)]
        while len(group) < seats:
            meetings = [sum(met[min(one, other), max(one, other)] for one in group) for other in left]
            group.append(left.pop(meetings.index(min(meetings))))
        groups.append(tuple(group))
    return groups


def _add(points: list[float], groups: Sequence[Group], results: Points) -> None:
    for group, result in zip(groups, results, strict=True):
        for player, own in zip(group, result, strict=True):
            points[player] += own


def _best_first(points: Sequence[float]) -> list[int]:
    return sorted(range(len(points)), key=lambda player: -points[player])
