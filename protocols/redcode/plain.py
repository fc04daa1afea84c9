"""The short way through the assembler: most lines are a label, an operation and two plain operands.

Such a line is read by one pattern, in half the time or less. What does not fit, or names a thing that is
more than arithmetic, goes the long way, which knows every custom of pMARS; both give the same instruction.
"""

import re
from typing import Final, NamedTuple

from core.corewar.instruction import DAT, JMP, MODIFIERS, NOP, OPERATIONS, SPL
from protocols.redcode.tokens import MODIFIER, OPERATION, ORG

LONGEST: Final = 110  # characters of an operand: far from where a line of pMARS would overflow
ARITHMETIC: Final = r"[\w+\-(][\w+\-*/%() \t]*"
OPERAND: Final = rf"([#$@<>*{{}}]?)[ \t]*({ARITHMETIC})"
LINE: Final = re.compile(
    rf"\s*(?:([A-Za-z_]\w*):?\s+)?([A-Za-z]{{3}})(?:\.([A-Za-z]{{1,2}}))?[ \t]+"
    rf"{OPERAND}(?:,[ \t]*{OPERAND})?$",
    re.ASCII,
)
BODY: Final = re.compile(ARITHMETIC, re.ASCII)
NAME: Final = re.compile(r"([A-Za-z_]\w*)", re.ASCII)
APART: Final = re.compile(r"\w[ \t]+\w", re.ASCII)  # pMARS joins two numbers
RESERVED: Final = frozenset((*OPERATION, "FOR", "ROF", "EQU", "CURLINE"))
ONE_OPERAND: Final = (DAT, SPL, JMP, NOP)  # may have one only


class PlainLine(NamedTuple):
    """What a plain line says, its names not looked up. `b` is empty when there is one operand."""

    label: str
    operation: int
    modifier: int | None
    a_mode: str
    a: str
    b_mode: str
    b: str

    def text(self, a: str, b: str) -> str:
        """The instruction as it is written, with these operands."""
        modifier = "" if self.modifier is None else f".{MODIFIERS[self.modifier]}"
        second = f",{self.b_mode}{b}" if b else ""
        return f"{OPERATIONS[self.operation]}{modifier} {self.a_mode}{a}{second}"


def plain_line(text: str) -> PlainLine | None:
    """The line, if it is a plain one."""
    found = LINE.match(text)
    if not found:
        return None
    label, name, suffix, a_mode, a, b_mode, b = found.groups("")
    operation = OPERATION.get(name.upper(), ORG)
    modifier = MODIFIER.get(suffix.upper()) if suffix else None
    if operation >= ORG or (suffix and modifier is None) or (label and label.upper() in RESERVED):
        return None
    if not b and operation not in ONE_OPERAND:
        return None
    a, b = a.rstrip(), b.rstrip()
    if (not a.isalnum() and APART.search(a)) or (not b.isalnum() and APART.search(b)):
        return None
    return PlainLine(label, operation, modifier, a_mode, a, b_mode, b)


def plain_body(text: str) -> str | None:
    """The text of an EQU, if it is plain arithmetic."""
    text = text.strip()
    return text if BODY.fullmatch(text) and not APART.search(text) else None
