"""Children of the strings that are worst for a user, kept in the profile for the most advanced.

Reference: "Advanced Protection, part Future Work": a child has each pair of automaton and preference from
one of its parents.
"""

from collections.abc import Sequence
from typing import Final

from core.random import Random
from engines.protection.genome import Genome
from engines.protection.profile.profile import Hybrid

PARENTS: Final = 10  # the lowest ratings
CHILDREN: Final = 25  # a turn
KEPT: Final = 10
ADVANCED: Final = 2 / 3  # share of games above which hybrids are played


def bred(strings: Sequence[Genome], ratings: Sequence[int], rng: Random) -> list[Genome]:
    """This turn's children; each has two different parents."""
    order = sorted(range(len(strings)), key=lambda index: ratings[index])[:PARENTS]
    children = []
    for _ in range(CHILDREN):
        one = rng.below(len(order))
        other = (one + 1 + rng.below(len(order) - 1)) % len(order)
        children.append(strings[order[one]].mate(strings[order[other]], rng))
    return children


def kept(hybrids: Sequence[Hybrid]) -> tuple[Hybrid, ...]:
    """The best, without those that are there twice."""
    best: dict[Genome, Hybrid] = {}
    for hybrid in sorted(hybrids, key=lambda each: each.rating):
        best.setdefault(hybrid.genome, hybrid)
    return tuple(best.values())[:KEPT]
