"""The load file of a warrior: plain Redcode, one instruction a line, no labels and no sums.

Every MARS reads it, and people do. It is the text of a genome.
"""

import re
from typing import Final

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
    pack,
)
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

DIGITS: Final = r"([+-]?[0-9]{1,19})"  # as many as 64 bits have
INSTRUCTION: Final = re.compile(
    rf"\s*([A-Z]{{3}})\.([A-Z]{{1,2}})\s*([#$@<>*{{}}])\s*{DIGITS}\s*,\s*([#$@<>*{{}}])\s*{DIGITS}\s*",
    re.ASCII | re.IGNORECASE,
)
DIRECTIVE: Final = re.compile(rf"\s*(ORG|PIN)\s+{DIGITS}\s*", re.ASCII | re.IGNORECASE)
COMMENT: Final = re.compile(r"\s*;\s*(name|author)\b[ \t]*(.*)", re.ASCII | re.IGNORECASE)
SIZE: Final = re.compile(r"\s*;\s*assert\s+CORESIZE\s*==\s*([0-9]{1,18})\s*", re.ASCII)


class LoadFileError(ValueError):
    """A text that is no load file; `line` counts from 1, `text` is what was read there."""

    def __init__(self, reason: str, line: int, text: str = "") -> None:
        super().__init__(f"line {line}: {reason}" + (f": {text[:80]!r}" if text else ""))
        self.line = line
        self.text = text


def dumps(warrior: Warrior, rules: Rules) -> str:
    """The warrior for a core of this size.

    ValueError for one without instructions, or a name that is not one line or begins with a space.
    """
    for name in (warrior.name, warrior.author):
        if name != name.lstrip() or name.splitlines() != [name]:
            raise ValueError(f"a name is one line of text: {name!r}")
    if not warrior.cells:
        raise ValueError("a warrior without instructions has no load file")
    lines = [
        ";redcode",
        f";name {warrior.name}",
        f";author {warrior.author}",
        f";assert CORESIZE == {rules.size}",
        f"ORG {warrior.start}",
    ]
    if warrior.pin is not None:
        lines.append(f"PIN {warrior.pin}")
    lines += [
        f"{OPERATIONS[operation_of(cell)]}.{MODIFIERS[modifier_of(cell)]:<2} "
        f"{MODES[a_mode_of(cell)]}{_signed(a_of(cell), rules.size)}, "
        f"{MODES[b_mode_of(cell)]}{_signed(b_of(cell), rules.size)}"
        for cell in warrior.cells
    ]
    return "\n".join(lines) + "\n"


def loads(text: str, rules: Rules) -> Warrior:
    """The warrior in a load file, its values taken modulo the core size. LoadFileError when it is none."""
    name, author = "Unknown", "Anonymous"
    cells: list[int] = []
    start = 0
    pin: int | None = None
    lines = text.split("\n")
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r")
        if found := INSTRUCTION.fullmatch(line):
            cells.append(_cell(found, rules.size, number, line))
        elif comment := COMMENT.fullmatch(line):
            if comment[1].lower() == "name":
                name = comment[2] or name
            else:
                author = comment[2] or author
        elif directive := DIRECTIVE.fullmatch(line):
            if directive[1].upper() == "ORG":
                start = int(directive[2]) % rules.size
            else:
                pin = int(directive[2])
        elif (size := SIZE.fullmatch(line)) and int(size[1]) != rules.size:
            raise LoadFileError(f"not for a core of {rules.size} cells", number, line)
        elif line.strip() and not line.lstrip().startswith(";"):
            raise LoadFileError("not like MOV.I $0, $1", number, line)
        if len(cells) > rules.length:
            raise LoadFileError(f"more than {rules.length} instructions", number)
    if not cells:
        raise LoadFileError("no instructions", len(lines))
    return Warrior(name, author, tuple(cells), start, pin)


def _signed(value: int, size: int) -> int:
    return value - size if value > size // 2 else value


def _cell(found: re.Match[str], size: int, number: int, line: str) -> int:
    operation, modifier = found[1].upper(), found[2].upper()
    if operation not in OPERATIONS:
        raise LoadFileError(f"{operation} is none of {' '.join(OPERATIONS)}", number, line)
    if modifier not in MODIFIERS:
        raise LoadFileError(f"{modifier} is none of {' '.join(MODIFIERS)}", number, line)
    return pack(
        OPERATIONS.index(operation),
        MODIFIERS.index(modifier),
        MODES.index(found[3]),
        int(found[4]) % size,
        MODES.index(found[5]),
        int(found[6]) % size,
    )
