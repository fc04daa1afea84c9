"""Primordial soup: instructions drawn at random, and the numbers that their parts may have.

Reference: Evolving Warriors, section Recipe for primordial soup. SEQ and CMP are one operation. Where a run says so,
some instructions are more common than others and some values near: in a large core uniform values hardly ever point
into the warrior itself, and evolvers of warriors since T. Newton's REBS draw theirs from such lists.
"""

from dataclasses import dataclass
from typing import Final, Self

from core.corewar.instruction import (
    CMP,
    LARGEST_CORE,
    LDP,
    MODES,
    MODIFIERS,
    OPERATIONS,
    STP,
    a_mode_of,
    a_of,
    b_mode_of,
    b_of,
    modifier_of,
    operation_of,
    pack,
)
from core.random import Random
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.genes import MARK, Cells
from engines.corewar.tribes.instructions import Common, listed
from engines.evolution.selection import picked

OPERATION: Final = 0  # the parts of an instruction, in the order of PARTS in the configuration
MODIFIER: Final = 1
A_MODE: Final = 2
B_MODE: Final = 3
A_VALUE: Final = 4
B_VALUE: Final = 5

ALL: Final = tuple(code for code in range(len(OPERATIONS)) if code != CMP)
WITHOUT_PSPACE: Final = tuple(code for code in ALL if code not in (LDP, STP))

Parts = list[int]  # of an instruction: operation as an index of the operations there are, modifier, ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Soup:
    """What there is to draw from."""

    operations: tuple[int, ...]
    size: int  # of the core
    value_bits: int  # that may flip
    wide: bool = False  # whether values may be beyond the core size
    common: Common = ()  # to draw from, operations as indices; (): all
    near: float = 0.0  # chance that a value is drawn from -reach to reach
    reach: int = 0  # cells

    @classmethod
    def of(cls, config: TribesConfig) -> Self:
        wide = config.wide_values == "on"
        largest = LARGEST_CORE if wide else config.core_size
        operations = ALL if config.pspace == "on" else WITHOUT_PSPACE
        return cls(
            operations=operations,
            size=config.core_size,
            value_bits=config.value_bits or (largest - 1).bit_length(),
            wide=wide,
            common=tuple(
                (operations.index(operation), modifier) for operation, modifier in listed(config.instructions)
            ),
            near=config.near,
            reach=config.reach,
        )

    @property
    def choices(self) -> tuple[int, ...]:
        """How many values each part has."""
        modes = len(MODES)
        return len(self.operations), len(MODIFIERS), modes, modes, self.size, self.size

    def instruction(self, rng: Random) -> int:
        """Every part as drawn()."""
        parts = [self.drawn(part, rng) for part in range(len(self.choices))]
        if self.common:
            parts[OPERATION], modifier = picked(self.common, rng)
            parts[MODIFIER] = parts[MODIFIER] if modifier is None else modifier
        return self.joined(parts)

    def drawn(self, part: int, rng: Random) -> int:
        """A part of a random instruction: uniform, or from what is common."""
        if part == OPERATION and self.common:
            return picked(self.common, rng)[0]
        if part >= A_VALUE and self.near and rng.chance(self.near):
            return (int(rng.below(2 * self.reach + 1)) - self.reach) % self.size
        return int(rng.below(self.choices[part]))

    def cells(self, length: int, rng: Random) -> Cells:
        return tuple(self.instruction(rng) for _ in range(length))

    def value(self, number: int) -> int:
        """The number as a value, with all its bits where values are wide."""
        return number if self.wide and 0 <= number < LARGEST_CORE else number % self.size

    def parts(self, gene: int) -> Parts:
        cell = gene & ~MARK
        operation = operation_of(cell)
        if operation == CMP:
            operation = OPERATIONS.index("SEQ")
        index = self.operations.index(operation) if operation in self.operations else 0
        return [index, modifier_of(cell), a_mode_of(cell), b_mode_of(cell), a_of(cell), b_of(cell)]

    def joined(self, parts: Parts) -> int:
        index, modifier, a_mode, b_mode, a, b = parts
        return int(pack(self.operations[index], modifier, a_mode, a, b_mode, b))
