"""A round robin: each warrior against each other, and who stands where after it."""

from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

from engines.corewar.battles import Tally
from engines.corewar.ranking.standing import Standing, by_score, standing, swapped

Entrant = TypeVar("Entrant")


def pairs(entrants: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Each with each later one. ValueError for fewer than two."""
    if len(entrants) < 2:
        raise ValueError(f"a round robin needs two warriors or more, not {len(entrants)}")
    return list(combinations(entrants, 2))


def standings(count: int, tallies: Sequence[Tally], exact: bool = False) -> list[Standing]:
    """Of so many warriors, the best first, given what came of their pairs()."""
    by_seat: list[list[Tally]] = [[] for _ in range(count)]
    for (first, second), tally in zip(combinations(range(count), 2), tallies, strict=True):
        by_seat[first].append(tally)
        by_seat[second].append(swapped(tally))
    return by_score([standing(seat, fought, exact) for seat, fought in enumerate(by_seat)])
