"""The load file of a warrior: plain Redcode, one instruction a line, without labels and expressions.

Every MARS can read such a file. It is also the text of a genome. loads() also accepts the form that pMARS 0.9.4
writes, with `ORG START` and the label START before the first instruction to execute.
"""

import re
from typing import Final

from core.corewar.instruction import (
    LARGEST_CORE,
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
    signed,
)
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

DIGITS: Final = r"([+-]?[0-9]{1,19})"  # a signed number of 64 bits has at most 19 digits
INSTRUCTION: Final = re.compile(
    rf"\s*(?P<label>START\s+)?([A-Z]{{3}})\.([A-Z]{{1,2}})"
    rf"\s*([#$@<>*{{}}])\s*{DIGITS}\s*,\s*([#$@<>*{{}}])\s*{DIGITS}\s*",
    re.ASCII | re.IGNORECASE,
)
ORG: Final = re.compile(rf"\s*ORG\s+(?:{DIGITS}|START)\s*", re.ASCII | re.IGNORECASE)
PIN: Final = re.compile(rf"\s*PIN\s+{DIGITS}\s*", re.ASCII | re.IGNORECASE)
END: Final = re.compile(r"\s*END\s*", re.ASCII | re.IGNORECASE)
COMMENT: Final = re.compile(r"\s*;\s*(name|author)\b[ \t]*(.*)", re.ASCII | re.IGNORECASE)
SIZE: Final = re.compile(r"\s*;\s*assert\s+CORESIZE\s*==\s*([0-9]{1,18})\s*", re.ASCII)

OUTSIDE: Final = "execution starts outside of the instructions"


class LoadFileError(ValueError):
    """A text is not a load file; `line` is the number of the faulty line, from 1, and `text` its text or empty."""

    def __init__(self, reason: str, line: int, text: str = "") -> None:
        super().__init__(f"line {line}: {reason}" + (f": {text[:80]!r}" if text else ""))
        self.line = line
        self.text = text


def dumps(warrior: Warrior, rules: Rules) -> str:
    """Return the load file of a warrior, for a core of the size in the rules.

    Raises ValueError if the warrior has no instructions or starts outside of them, or if its name or author is empty,
    has several lines or begins with a space.
    """
    for name in (warrior.name, warrior.author):
        if name != name.lstrip() or name.splitlines() != [name]:
            raise ValueError(f"a name must be one line of text, not {name!r}")
    if not warrior.cells:
        raise ValueError("a warrior without instructions cannot be written as a load file")
    if warrior.start >= len(warrior.cells):
        raise ValueError(OUTSIDE)
    lines = [
        ";redcode",
        f";name {warrior.name}",
        f";author {warrior.author}",
        f";assert CORESIZE == {rules.size}",
        f"ORG {warrior.start}",
    ]
    if warrior.pin is not None:
        lines.append(f"PIN {warrior.pin}")
    lines += [instruction_line(cell, rules.size) for cell in warrior.cells]
    lines.append("END")
    return "\n".join(lines) + "\n"


def loads(text: str, rules: Rules) -> Warrior:
    """Return the warrior in a load file, with values modulo the core size; text after the line END is ignored.

    Raises LoadFileError if the text is not a load file.
    """
    found = as_written(text, rules)
    return Warrior(found.name, found.author, normalised(found.cells, rules.size), found.start, found.pin)


def normalised(cells: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return the cells with their values modulo the core size."""
    if all(a_of(cell) < size and b_of(cell) < size for cell in cells):
        return cells
    return tuple(
        pack(
            operation_of(cell),
            modifier_of(cell),
            a_mode_of(cell),
            a_of(cell) % size,
            b_mode_of(cell),
            b_of(cell) % size,
        )
        for cell in cells
    )


def as_written(text: str, rules: Rules) -> Warrior:
    """Return the warrior in a load file with values as they are written, from 0 to LARGEST_CORE - 1.

    Other values are taken modulo the core size. If a value is not below the core size, the warrior must be normalised()
    before a core accepts it. Raises LoadFileError if the text is not a load file.
    """
    name, author = "Unknown", "Anonymous"
    cells: list[int] = []
    start: int | None = 0  # None: at the label START
    org_line = (1, "")  # its number and text
    labelled: int | None = None
    pin: int | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip("\r")
        if found := INSTRUCTION.fullmatch(line):
            if found["label"]:
                labelled = len(cells)
            cells.append(_cell(found, rules.size, number, line))
        elif comment := COMMENT.match(line):
            if comment[1].lower() == "name":
                name = comment[2] or name
            else:
                author = comment[2] or author
        elif org := ORG.fullmatch(line):
            start = int(org[1]) % rules.size if org[1] else None
            org_line = (number, line)
        elif pinned := PIN.fullmatch(line):
            pin = int(pinned[1])
        elif END.fullmatch(line):
            break
        elif (size := SIZE.fullmatch(line)) and int(size[1]) != rules.size:
            raise LoadFileError(f"the warrior is not for a core of {rules.size} cells", number, line)
        elif line.strip() and not line.lstrip().startswith(";"):
            raise LoadFileError("an instruction must be written like MOV.I $0, $1", number, line)
        if len(cells) > rules.length:
            raise LoadFileError(f"more than {rules.length} instructions", number)
    if not cells:
        raise LoadFileError("no instructions", number)
    if start is None:
        start = labelled
    if start is None:
        raise LoadFileError("no instruction has the label START", *org_line)
    if start >= len(cells):
        raise LoadFileError(OUTSIDE, *org_line)
    return Warrior(name, author, tuple(cells), start, pin)


def instruction_line(cell: int, size: int) -> str:
    """Return an instruction as a line of a load file, such as `MOV.I  $0, $-1`."""
    return (
        f"{OPERATIONS[operation_of(cell)]}.{MODIFIERS[modifier_of(cell)]:<2} "
        f"{MODES[a_mode_of(cell)]}{_number(a_of(cell), size)}, "
        f"{MODES[b_mode_of(cell)]}{_number(b_of(cell), size)}"
    )


def _number(value: int, size: int) -> int:
    """Return a value below the size as a signed number, -size/2 to size/2, and any other value unchanged."""
    return signed(value, size) if value < size else value


def _cell(found: re.Match[str], size: int, number: int, line: str) -> int:
    _, operation, modifier, a_mode, a, b_mode, b = found.groups()
    operation, modifier = operation.upper(), modifier.upper()
    if operation not in OPERATIONS:
        raise LoadFileError(f"{operation} is not one of {' '.join(OPERATIONS)}", number, line)
    if modifier not in MODIFIERS:
        raise LoadFileError(f"{modifier} is not one of {' '.join(MODIFIERS)}", number, line)
    return pack(
        OPERATIONS.index(operation),
        MODIFIERS.index(modifier),
        MODES.index(a_mode),
        _value(int(a), size),
        MODES.index(b_mode),
        _value(int(b), size),
    )


def _value(number: int, size: int) -> int:
    return number if 0 <= number < LARGEST_CORE else number % size
