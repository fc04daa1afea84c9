"""Who meets whom: round robin, gauntlet, Swiss system and ladder, as rounds of groups of players.

Players are numbers from 0. A kind of pairing is a generator: it yields the groups of a round, is sent what
their members made of it, and returns the players, best first. It plays no game and draws no number.
"""

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal

Kind = Literal["round_robin", "gauntlet", "swiss", "ladder"]
Group = tuple[int, ...]
Points = Sequence[Sequence[float]]  # of each group, one for each of its members; more is better
Rounds = Generator[list[Group], Points, list[int]]

BYE: Final = 1.0  # what who sits a round out is given, as for winning everything


def rounds(kind: Kind, players: int, seats: int) -> Rounds:
    """The rounds of a tournament with tables of so many seats. ValueError if there are too few players."""
    if not 2 <= seats <= players:
        raise ValueError(f"{seats} seats need as many players, not {players}")
    return ROUNDS[kind](players, seats)


def count(kind: Kind, players: int, seats: int) -> int:
    """How many groups all rounds have together; it does not depend on what comes of them."""
    course, total = rounds(kind, players, seats), 0
    groups = next(course)
    while True:
        total += len(groups)
        try:
            groups = course.send([[0.0] * seats for _ in groups])
        except StopIteration:
            return total


def round_robin(players: int, seats: int) -> Rounds:
    """Every group meets, in one round."""
    return _at_once(list(combinations(range(players), seats)), players)


def gauntlet(players: int, seats: int) -> Rounds:
    """Every group with the first player meets, in one round."""
    others = combinations(range(1, players), seats - 1)
    return _at_once([(0, *group) for group in others], players)


def swiss(players: int, seats: int) -> Rounds:
    """Equals meet: so many rounds as single knock-out would take, each time with neighbours not met before.

    Who is left over has a bye, the last one first, and nobody twice before everybody had one.
    """
    points, byes = [0.0] * players, [0] * players
    met: Counter[Group] = Counter()
    for _ in range((players - 1).bit_length()):
        resting = sorted(range(players), key=lambda each: (byes[each], points[each], -each))[
            : players % seats
        ]
        order = sorted(set(range(players)).difference(resting), key=lambda each: (-points[each], each))
        groups = _strangers(order, met) if seats == 2 else []
        groups = groups or _neighbours(order, met, seats)
        results = yield groups
        _add(points, groups, results)
        for player in resting:
            points[player] += BYE
            byes[player] += 1
        met.update(pair for group in groups for pair in combinations(sorted(group), 2))
    return _best_first(points)


def ladder(players: int, seats: int) -> Rounds:
    """Neighbours meet and change rungs by what they made of it; the last named can climb to the top.

    For two seats this is sorting by odd-even transposition, whose rounds are as many as players.
    """
    order = list(range(players))
    for number in range(players):
        first = number % 2 * (seats // 2)
        rungs = range(first, players - seats + 1, seats)
        if not rungs:
            continue
        results = yield [tuple(order[rung : rung + seats]) for rung in rungs]
        for rung, made in zip(rungs, results, strict=True):
            group = order[rung : rung + seats]
            by_points = sorted(range(seats), key=lambda member: -made[member])
            order[rung : rung + seats] = [group[member] for member in by_points]
    return order


ROUNDS: Final[Mapping[Kind, Callable[[int, int], Rounds]]] = {
    "round_robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    "ladder": ladder,
}


# -- Helpers ---------------------------------------------------------------------------------------


def _at_once(groups: list[Group], players: int) -> Rounds:
    points = [0.0] * players
    results = yield groups
    _add(points, groups, results)
    return _best_first(points)


def _add(points: list[float], groups: Sequence[Group], results: Points) -> None:
    for group, made in zip(groups, results, strict=True):
        for player, own in zip(group, made, strict=True):
            points[player] += own


def _best_first(points: Sequence[float]) -> list[int]:
    return sorted(range(len(points)), key=lambda player: -points[player])


def _strangers(order: Sequence[int], met: Counter[Group]) -> list[Group]:
    """Pairs who have not met, neighbours where possible; none if there are no such pairs for all."""
    if not order:
        return []
    first, *others = order
    for partner in others:
        if not met[min(first, partner), max(first, partner)]:
            rest = [other for other in others if other != partner]
            pairs = _strangers(rest, met)
            if pairs or not rest:
                return [(first, partner), *pairs]
    return []


def _neighbours(order: Sequence[int], met: Counter[Group], seats: int) -> list[Group]:
    """Groups from the top, of those who have met least."""
    left, groups = list(order), []
    while left:
        group = [left.pop(0)]
        while len(group) < seats:
            known = [sum(met[min(one, each), max(one, each)] for one in group) for each in left]
            group.append(left.pop(known.index(min(known))))
        groups.append(tuple(group))
    return groups
