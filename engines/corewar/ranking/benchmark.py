"""A benchmark: warriors against a fixed set of opponents, as the Wilkies or a set of nano warriors.

A warrior of the set that is measured by it fights itself too: so scores are told of the known sets.
"""

from collections.abc import Sequence
from itertools import product
from typing import TypeVar

from engines.corewar.battles import Tally
from engines.corewar.ranking.standing import Standing, by_score, standing

Entrant = TypeVar("Entrant")


def pairs(entrants: Sequence[Entrant], opponents: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Each warrior with each opponent. ValueError without one or the other."""
    if not entrants or not opponents:
        raise ValueError("a benchmark needs a warrior and an opponent")
    return list(product(entrants, opponents))


def standings(opponents: int, tallies: Sequence[Tally], exact: bool = False) -> list[Standing]:
    """Of the warriors, the best first, given what came of their pairs() with so many opponents."""
    rows = [tallies[first : first + opponents] for first in range(0, len(tallies), opponents)]
    return by_score([standing(seat, row, exact) for seat, row in enumerate(rows)])
