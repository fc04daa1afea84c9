"""Kinds of pairing: the groups of players that play each other in a match, round by round.

Players are numbers from 0. A kind of pairing is a generator: it yields the groups of a round, receives the points of
their members by send(), and returns the players, best first. A pairing plays no games and draws no random numbers.
"""

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal

Kind = Literal["round_robin", "gauntlet", "swiss", "ladder", "elimination"]
Group = tuple[int, ...]
Points = Sequence[Sequence[float]]  # for each group, the points of its members; more is better
Rounds = Generator[list[Group], Points, list[int]]

BYE: Final = 1.0  # points of a player with a bye, as for winning all games of a round
SWISS_TRIES: Final = 2000  # attempts to pair a round so that no two players meet again


def rounds(kind: Kind, players: int, seats: int) -> Rounds:
    """Return the generator of a kind of pairing. Raises ValueError if there are fewer players than seats."""
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
    """Return the pairing in which every group plays, in one round."""
    return at_once(list(combinations(range(players), seats)), players)


def gauntlet(players: int, seats: int) -> Rounds:
    """Return the pairing in which every group with the first player plays, in one round."""
    others = combinations(range(1, players), seats - 1)
    return at_once([(0, *group) for group in others], players)


def swiss(players: int, seats: int) -> Rounds:
    """Pair players of similar points, who have not met if possible, in as many rounds as an elimination has.

    Players left over have a bye: those with the fewest byes, of these those with the fewest points. So no player has
    two byes before all have had one.
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
    """Let neighbours on the ladder play, and order them by their points; the last player can climb to the top.

    For two seats this is odd-even transposition sort, which needs as many rounds as there are players.
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
    """Return the pairing of an elimination, drawn in the order of numbers. Raises ValueError unless seats are 2."""
    if seats != 2:
        raise ValueError(f"an elimination needs games of two seats, not {seats}")
    return elimination_of(range(players))


def elimination_of(drawn: Sequence[int]) -> Rounds:
    """Let neighbours in the drawn order play, then the winners, until one player is left.

    The last of an odd number of players waits, and is first in the next round. If points are equal, the player with
    the lower number stays, so players should be numbered from the best to the worst by what is known before.
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
    """Return the player of a pair that stays in an elimination: the lower number if points are equal."""
    return min(pair) if points[0] == points[1] else pair[points[0] < points[1]]


KINDS: Final[Mapping[Kind, Callable[[int, int], Rounds]]] = {
    "round_robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    "ladder": ladder,
    "elimination": elimination,
}


def at_once(groups: list[Group], players: int) -> Rounds:
    """Yield one round of the given groups."""
    points = [0.0] * players
    results = yield groups
    _add(points, groups, results)
    return _best_first(points)


def unmet_pairs(order: Sequence[int], met: Counter[Group]) -> list[Group]:
    """Return pairs of players who have not met, if possible neighbours in the order.

    The list is empty if no such pairing of all players exists, or if none is found in SWISS_TRIES attempts: a
    complete search could take time exponential in the number of players.
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
    """Return groups formed from the top of the order, each filled with players that its members have met least."""
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
