"""Who plays whom in a generation: pairs of slots, the one who joins first at the front.

Reference: "Evolving Board Evaluation Functions", section 3.2.2: ten opponents, at random and without
replacement; both are credited, and who has ten games already is skipped. How many games that makes depends on
how it is read.
"""

from collections.abc import Callable, Iterator
from typing import Final

from core.random import Random
from engines.evolution.selection import pairs, shuffled

Pair = tuple[int, int]


def exact(size: int, games: int, rng: Random) -> Iterator[Pair]:
    """So many games for everybody, against as many others; an even `size` of 2 * games or more.

    Perfect matchings, in which those who have met before change partners with another pair.
    """
    met: list[set[int]] = [set() for _ in range(size)]
    for _ in range(games):
        matching = _new_matching(size, met, rng)
        for one, other in matching:
            met[one].add(other)
            met[other].add(one)
        yield from matching


def top_up(size: int, games: int, rng: Random) -> Iterator[Pair]:
    """In order, everybody plays until it has so many games; its opponents may have more."""
    played = [0] * size
    for slot in range(size):
        for other in _others(slot, size, games - played[slot], rng):
            played[slot] += 1
            played[other] += 1
            yield slot, other


def all_more(size: int, games: int, rng: Random) -> Iterator[Pair]:
    """In order, everybody who has not so many games yet plays so many more."""
    played = [0] * size
    for slot in range(size):
        if played[slot] < games:
            for other in _others(slot, size, games, rng):
                played[slot] += 1
                played[other] += 1
                yield slot, other


PAIRINGS: Final[dict[str, Callable[[int, int, Random], Iterator[Pair]]]] = {
    "exact": exact, "top up": top_up, "all more": all_more,
}  # fmt: skip


def alternated(games: list[Pair], size: int) -> Iterator[Pair]:
    """The same games; of two, the one joins first who has done so less often."""
    first = [0] * size
    for one, other in games:
        pair = (one, other) if first[one] <= first[other] else (other, one)
        first[pair[0]] += 1
        yield pair


def _others(slot: int, size: int, count: int, rng: Random) -> Iterator[int]:
    """So many different others."""
    drawn: set[int] = set()
    while len(drawn) < count:
        other = int(rng.below(size))
        if other != slot and other not in drawn:
            drawn.add(other)
            yield other


def _new_matching(size: int, met: list[set[int]], rng: Random) -> list[Pair]:
    """A random matching of those who have not met; there is one while nobody has met half of all."""
    while True:
        matching = pairs(range(size), rng)
        if all(_repaired(matching, place, met, rng) for place in range(len(matching))):
            return matching


def _repaired(matching: list[Pair], place: int, met: list[set[int]], rng: Random) -> bool:
    """Whether the pair at this place is new, if need be after an exchange of partners with a random other pair
    that leaves both new."""
    one, other = matching[place]
    if other not in met[one]:
        return True
    for candidate in shuffled(range(len(matching)), rng)[:50]:
        two, another = matching[candidate]
        if candidate != place and another not in met[one] and other not in met[two]:
            matching[place], matching[candidate] = (one, another), (two, other)
            return True
    return False
