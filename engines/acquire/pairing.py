"""The pairings of a generation: pairs of slots, of which the first is the slot of the player that joins first.

Reference: "Evolving Board Evaluation Functions", section 3.2.2: ten opponents, at random and without replacement;
both players are credited, and a player that has ten games already is skipped. The text can be read in several ways,
which differ in the number of games.
"""

from collections.abc import Callable, Iterator
from typing import Final

from core.random import Random
from engines.evolution.selection import pairs, shuffled

Pair = tuple[int, int]


def exact(size: int, games: int, rng: Random) -> Iterator[Pair]:
    """Yield pairs in which each slot plays exactly `games` games, each against a different opponent.

    The pairs are perfect matchings, in which two slots that have met before exchange partners with another pair.
    `size` must be even, and at least 2 * games.
    """
    met: list[set[int]] = [set() for _ in range(size)]
    for _ in range(games):
        matching = _new_matching(size, met, rng)
        for one, other in matching:
            met[one].add(other)
            met[other].add(one)
        yield from matching


def top_up(size: int, games: int, rng: Random) -> Iterator[Pair]:
    """Yield pairs in which each slot in turn plays until it has `games` games; its opponents may exceed `games`."""
    played = [0] * size
    for slot in range(size):
        for other in _other_slots(slot, size, games - played[slot], rng):
            played[slot] += 1
            played[other] += 1
            yield slot, other


def full_round_pairs(size: int, games: int, rng: Random) -> Iterator[Pair]:
    """Yield pairs in which each slot in turn that has fewer than `games` games plays `games` more."""
    played = [0] * size
    for slot in range(size):
        if played[slot] < games:
            for other in _other_slots(slot, size, games, rng):
                played[slot] += 1
                played[other] += 1
                yield slot, other


PAIRINGS: Final[dict[str, Callable[[int, int, Random], Iterator[Pair]]]] = {
    "exact": exact, "top up": top_up, "all more": full_round_pairs,
}  # fmt: skip


def alternated(games: list[Pair], size: int) -> Iterator[Pair]:
    """Yield the same games, in each of which the slot that has joined first less often joins first."""
    first = [0] * size
    for one, other in games:
        pair = (one, other) if first[one] <= first[other] else (other, one)
        first[pair[0]] += 1
        yield pair


def _other_slots(slot: int, size: int, count: int, rng: Random) -> Iterator[int]:
    """Yield `count` different random slots other than `slot`."""
    drawn: set[int] = set()
    while len(drawn) < count:
        other = int(rng.below(size))
        if other != slot and other not in drawn:
            drawn.add(other)
            yield other


def _new_matching(size: int, met: list[set[int]], rng: Random) -> list[Pair]:
    """Return a random perfect matching of slots that have not met.

    Such a matching exists as long as no slot has met half of all slots.
    """
    while True:
        matching = pairs(range(size), rng)
        if all(_repaired(matching, place, met, rng) for place in range(len(matching))):
            return matching


def _repaired(matching: list[Pair], place: int, met: list[set[int]], rng: Random) -> bool:
    """Return whether the pair at this place is new, after an exchange of partners if necessary.

    The exchange is with a random other pair, and leaves both pairs new; at most 50 pairs are tried.
    """
    one, other = matching[place]
    if other not in met[one]:
        return True
    for candidate in shuffled(range(len(matching)), rng)[:50]:
        two, another = matching[candidate]
        if candidate != place and another not in met[one] and other not in met[two]:
            matching[place], matching[candidate] = (one, another), (two, other)
            return True
    return False
