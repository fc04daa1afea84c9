"""Random features that a board could have, on which two programs are shown to agree, or not.

Ranks are by size, there are 108 squares, and what is safe or of maximum size follows from the sizes: the facts
by which programs are simplified.
"""

from typing import Final

from core.acquire.ranked_player import ENDS, FEATURES, LEADS, RANKS, SAFE, TILES, ranked
from core.random import Random
from engines.acquire.trees.compile import compiled
from engines.acquire.trees.tree import Tree

SQUARES: Final = 108
SAFE_SIZE: Final = 11
MAXIMUM: Final = 41
LARGEST: Final = 40  # value of any other feature: money in hundreds, shares, squares


def agreement(one: Tree, other: Tree, boards: int, rng: Random) -> float:
    """The share of so many boards on which both have the same value."""
    first, second = compiled(one), compiled(other)
    same = 0
    for _ in range(boards):
        for slot, value in enumerate(features(rng)):
            first.set(slot, value)
            second.set(slot, value)
        same += first.value() == second.value()
    return same / boards


def features(rng: Random) -> list[float]:
    """Of one board, by slot."""
    values = [float(rng.below(LARGEST)) for _ in range(FEATURES)]
    left, sizes = SQUARES, []
    for _ in range(RANKS):
        sizes.append(int(rng.below(min(left, SQUARES // 2) + 1)))
        left -= sizes[-1]
    for rank, size in enumerate(sorted(sizes, reverse=True)):
        values[ranked(TILES, rank)] = float(size)
        values[ranked(SAFE, rank)] = float(size >= SAFE_SIZE)
        values[ranked(ENDS, rank)] = float(size >= MAXIMUM)
        values[ranked(LEADS, rank)] = float(rng.chance(0.5))
    return values
