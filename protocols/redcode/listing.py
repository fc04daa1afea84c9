"""The listing of a warrior, as pMARS prints it."""

from collections.abc import Sequence
from typing import Final

from core.corewar.assembler import Assembly
from core.corewar.instruction import (
    MODES,
    MODIFIERS,
    OPERATIONS,
    a_mode_of,
    a_of,
    b_mode_of,
    b_of,
    modifier_of,
    operation_of,
    signed,
)  # fmt: skip
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

NAME_CHARACTERS: Final = 40


def listing(
    warrior: Assembly | Warrior, rules: Rules, icws88: bool = False, traced: Sequence[int] = ()
) -> str:
    """Name, length and author, and a line for each instruction; the last column marks the traced ones."""
    cells = warrior.cells
    title = f'Program "{warrior.name}" (length {len(cells)}) by "{warrior.author}"\n\n'
    starts = warrior.start < len(cells)
    lines = [
        f"{'START' if number == warrior.start else '':<6} "
        f"{instruction_text(cell, rules.size, icws88)} {'T' if number in traced else '':>4}\n"
        for number, cell in enumerate(cells)
    ]
    if starts and icws88:
        lines.append(f"{'':6} END{'':3}  {'START':>6}\n")
    elif starts:
        lines.insert(0, f"{'':6} ORG{'':3}  {'START':>6}\n")
    return f"{title}{''.join(lines)}\n"


def instruction_text(cell: int, size: int, icws88: bool = False) -> str:
    """An instruction in columns, values from -(size-1)//2 to size//2: `MOV.I  $     0, $     1`."""
    modifier = "" if icws88 else MODIFIERS[modifier_of(cell)]
    return (
        f"{OPERATIONS[operation_of(cell)]}{' ' if icws88 else '.'}{modifier:<2} "
        f"{MODES[a_mode_of(cell)]}{signed(a_of(cell), size):6}, "
        f"{MODES[b_mode_of(cell)]}{signed(b_of(cell), size):6}"
    )


def display(name: str) -> str:
    """A name as we show it: one line of printable ASCII, not long. Never make a file name of it."""
    plain = "".join(character if " " <= character <= "~" else "?" for character in name.strip())
    return " ".join(plain.split())[:NAME_CHARACTERS].rstrip()
