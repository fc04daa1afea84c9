"""The engine of Core War: it writes a warrior for given rules instead of thinking about moves.

What it writes is the oldest bomber, a dwarf, whose step fits the core. Evolved warriors will be other
writers with the same verb.
"""

from typing import Final, Protocol

from core.corewar.instruction import (
    ADD,
    B_INDIRECT,
    DAT,
    DIRECT,
    DOT_AB,
    DOT_B,
    DOT_F,
    DOT_I,
    IMMEDIATE,
    JMP,
    MOV,
    pack,
)
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

AUTHOR: Final = "Galapagos"
DWARF_CELLS: Final = 4


class Writer(Protocol):
    """An engine of Core War."""

    name: str
    author: str

    async def write(self, rules: Rules) -> Warrior:
        """A warrior for these rules, shorter than they demand or as long."""
        ...


class CorewarEngine:
    """Writes a dwarf, or an imp where a dwarf would not fit or would hit itself."""

    name = "Dwarf"
    author = AUTHOR

    async def write(self, rules: Rules) -> Warrior:
        step = dwarf_step(rules.size)
        if step and rules.length >= DWARF_CELLS:
            return Warrior("Dwarf", AUTHOR, _dwarf(rules.size, step), 0)
        return Warrior("Imp", AUTHOR, (_imp(rules.size),), 0)


def dwarf_step(size: int) -> int:
    """The least step that comes round the core without hitting the other three cells; 0 if there is none."""
    return next((step for step in range(DWARF_CELLS, size // 2 + 1) if size % step == 0), 0)


def _dwarf(size: int, step: int) -> tuple[int, ...]:
    return (
        pack(ADD, DOT_AB, IMMEDIATE, step, DIRECT, 3),
        pack(MOV, DOT_I, DIRECT, 2, B_INDIRECT, 2),
        pack(JMP, DOT_B, DIRECT, size - 2, DIRECT, 0),
        pack(DAT, DOT_F, IMMEDIATE, 0, IMMEDIATE, 0),
    )


def _imp(size: int) -> int:
    return pack(MOV, DOT_I, DIRECT, 0, DIRECT, 1 % size)
