"""Crossover: a child of two parents, cut between instructions.

Reference: Evolving Warriors, section Single point crossover; two-point and homologous crossover are
those of its section Future genetic work. A join is no cut at all. Nothing mutates besides.
"""

from typing import Final

from core.corewar.instruction import DIRECT, DOT_B, SPL, operation_of, pack
from core.random import Random
from engines.corewar.tribes.genes import Cells

CUTS: Final = 1000  # redrawn, before a parent is copied


def single_point(mother: Cells, father: Cells, longest: int, rng: Random) -> Cells:
    """One cut in each parent; one part of each, in random order, until the length is allowed."""
    for _ in range(CUTS):
        parts = []
        for parent in (mother, father):
            cut = int(rng.below(len(parent) + 1))
            parts.append(parent[:cut] if rng.chance(0.5) else parent[cut:])
        if rng.chance(0.5):
            parts.reverse()
        child = parts[0] + parts[1]
        if 1 <= len(child) <= longest:
            return child
    return mother


def two_point(mother: Cells, father: Cells, longest: int, rng: Random) -> Cells:
    """A stretch of one parent takes the place of a stretch of the other."""
    for _ in range(CUTS):
        first, last = sorted(int(rng.below(len(mother) + 1)) for _ in range(2))
        begin, end = sorted(int(rng.below(len(father) + 1)) for _ in range(2))
        child = mother[:first] + father[begin:end] + mother[last:]
        if 1 <= len(child) <= longest:
            return child
    return mother


def homologous(mother: Cells, father: Cells, longest: int, rng: Random) -> Cells:
    """Both are cut before the same place, one at which they have the same operation.

    So what was aligned stays aligned; where nothing is, it is a single point crossover.
    """
    aligned = [
        place
        for place, (one, other) in enumerate(zip(mother, father, strict=False))
        if operation_of(one) == operation_of(other)
    ]
    if not aligned:
        return single_point(mother, father, longest, rng)
    cut = aligned[rng.below(len(aligned))]
    if rng.chance(0.5):
        mother, father = father, mother
    return mother[:cut] + father[cut:]


def join(mother: Cells, father: Cells, longest: int, rng: Random) -> Cells:
    """Both as wholes behind a SPL, so that they share their time; where there is no room, a stretch of both."""
    child = (int(pack(SPL, DOT_B, DIRECT, len(mother) + 1, DIRECT, 0)), *mother, *father)
    return child if len(child) <= longest else two_point(mother, father, longest, rng)
