"""One command of a chain, taken apart: how loud, what to do, and with what."""

import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from protocols.cdb.console import LOUD, MUTE, SILENT

BLANKS: Final = " \t\n\v\f\r"
LONGEST: Final = 80  # characters of an argument
_UPPER: Final = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """`argument` is also read as `first,last`: None for one that has no value, or is not there."""

    silence: int
    verb: str
    argument: str
    first: str
    last: str
    has_comma: bool


def parse(text: str) -> Command:
    """Any text is a command, though perhaps an unknown one."""
    text = text.lstrip(BLANKS)
    silence = {"@": SILENT, "&": MUTE}.get(text[:1], LOUD)
    if silence != LOUD:
        text = text[1:].lstrip(BLANKS)
    rest = text.lstrip(string.ascii_letters)
    verb = text[: len(text) - len(rest)]
    argument = rest.lstrip(BLANKS)
    first, comma, last = argument.partition(",")
    return Command(
        silence=silence,
        verb=verb,
        argument=argument[:LONGEST].rstrip(BLANKS),
        first=upper(first),
        last=upper(last.lstrip(BLANKS)),
        has_comma=comma != "",
    )


@dataclass(frozen=True, slots=True)
class Range:
    """The entries that a command is about; kept for a command that names none."""

    first: int
    last: int


def range_of(command: Command, value: Callable[[str], int | None], here: int, before: Range) -> Range | None:
    """`a,b`  `a,`  `,b`  `a`, or what it was before; None when there is no value in it."""
    first = value(command.first) if command.first else here
    last = first
    if first is not None and (command.has_comma or command.last):
        last = value(command.last) if command.last else here
    if first is None or last is None:
        return None
    if not command.first and not command.last:
        return before
    return Range(first, last)


def upper(text: str) -> str:
    """Capital letters in the C locale, which leaves other bytes of a name alone."""
    return text.translate(_UPPER)
