"""Phrases: one to three random instructions that choose, by what P-space remembers, where to go on.

Reference: Evolving Warriors, section P-space: "saving the previous strategy in P-space, and switching strategies if the
P-space field 0 shows the program lost last time". A phrase says one of these things about random numbers and places;
instructions that are drawn one by one hardly ever do.
"""

from collections.abc import Sequence
from typing import Final

from core.corewar.instruction import (
    ADD,
    DIRECT,
    DOT_AB,
    DOT_B,
    IMMEDIATE,
    JMN,
    JMP,
    JMZ,
    LDP,
    SEQ,
    SLT,
    SNE,
    STP,
    SUB,
    pack,
)
from core.random import Random
from engines.corewar.tribes.genes import Cells
from engines.evolution.selection import picked

NUMBERS: Final = (
    4  # 0 to 3: cells of P-space, of which the first says how the last round went, and what is kept there
)
LONGEST: Final = 3  # instructions
CONDITIONS: Final = (JMZ, JMN)
COMPARISONS: Final = (SEQ, SNE, SLT)
SUMS: Final = (ADD, SUB)


def phrase(places: Sequence[int], size: int, rng: Random) -> Cells:
    """For a core of this size; `places` to go on at are counted from its first instruction."""
    cell, number, place = int(rng.below(NUMBERS)), int(rng.below(NUMBERS)), picked(places, rng)
    load = pack(LDP, DOT_AB, IMMEDIATE, cell, IMMEDIATE, 0)  # into its own B value
    match rng.below(5):
        case 0:  # go there if a cell is zero, or is not
            return load, pack(picked(CONDITIONS, rng), DOT_B, DIRECT, (place - 1) % size, DIRECT, -1 % size)
        case 1:  # go there unless it compares
            compare = pack(picked(COMPARISONS, rng), DOT_AB, IMMEDIATE, number, DIRECT, -1 % size)
            return load, compare, _jump(place - 2, size)
        case 2:  # count
            total = pack(picked(SUMS, rng), DOT_AB, IMMEDIATE, number, DIRECT, -1 % size)
            return load, total, pack(STP, DOT_B, DIRECT, -2 % size, IMMEDIATE, cell)
        case 3:  # remember a number
            return (pack(STP, DOT_AB, IMMEDIATE, number, IMMEDIATE, cell),)
        case _:
            return (_jump(place, size),)


def _jump(way: int, size: int) -> int:
    return int(pack(JMP, DOT_B, DIRECT, way % size, DIRECT, 0))
