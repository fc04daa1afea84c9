"""The two text forms of a string: 264 hex digits, or `.aps`, which people can read and edit.

`.aps` has a block for each minion, in order: `minion NAME pref N`, then four lines `state S:` with
eight times `input>next-state action`, the action F, R, L or S. `#` begins a comment in both forms.
"""

import re
from collections.abc import Iterator
from typing import Final

from core.protection.policy import INPUTS, STATES
from engines.protection.words import ACTIONS, MINIONS

DIGITS: Final = 264
HEAD: Final = re.compile(r"minion ([a-z]+) pref ([0-9]{1,2})")
STATE: Final = re.compile(r"state ([0-9]): ?(.*)")
STEP: Final = re.compile(rf"([0-7])>([0-3])([{ACTIONS}])")
HEX: Final = frozenset("0123456789abcdefABCDEF")

Lines = Iterator[tuple[int, str]]


class StringError(ValueError):
    """A text that is no string: the line, counted from 1, and what was read."""


def loads(text: str) -> list[int]:
    """The 264 nibbles of a string in either form. StringError."""
    lines = list(_lines(text))
    if not lines:
        raise StringError(f"an empty text: {DIGITS} hex digits or `minion {MINIONS[0]} pref N` is expected")
    if lines[0][1].startswith("minion"):
        return _readable(iter(lines), len(text.splitlines()))
    return _digits(lines)


def dumps(nibbles: list[int]) -> str:
    """The readable form."""
    return "".join(_block(nibbles, minion) for minion in range(len(MINIONS)))


# -- Helpers ---------------------------------------------------------------------------------------


def _lines(text: str) -> Lines:
    """Number and content of the lines that say something; any white space is a blank."""
    for number, line in enumerate(text.splitlines(), 1):
        content = " ".join(line.partition("#")[0].split())
        if content:
            yield number, content


def _digits(lines: list[tuple[int, str]]) -> list[int]:
    nibbles = []
    for number, line in lines:
        for column, character in enumerate(line.replace(" ", ""), 1):
            if character not in HEX:
                raise StringError(f"line {number}: {character!r}, the {column}. character, is no hex digit")
            nibbles.append(int(character, 16))
    if len(nibbles) != DIGITS:
        raise StringError(f"line {lines[-1][0]}: a string has {DIGITS} hex digits, not {len(nibbles)}")
    return nibbles


def _readable(lines: Lines, last: int) -> list[int]:
    nibbles: list[int] = []
    preferences = []
    for name in MINIONS:
        number, line = next(lines, (last, ""))
        head = HEAD.fullmatch(line)
        if not head or head[1] != name or int(head[2]) > 15:
            raise StringError(f"line {number}: `minion {name} pref 0..15` is expected, not {line[:60]!r}")
        preferences.append(int(head[2]))
        for state in range(STATES):
            nibbles += _state(*next(lines, (last, "")), name, state)
    for number, line in lines:
        raise StringError(f"line {number}: the string was complete before {line[:60]!r}")
    return nibbles + preferences


def _state(number: int, line: str, name: str, state: int) -> Iterator[int]:
    head = STATE.fullmatch(line)
    if not head or int(head[1]) != state:
        raise StringError(f"line {number}: `state {state}:` of {name} is expected, not {line[:60]!r}")
    words = head[2].split()
    if len(words) != INPUTS:
        raise StringError(f"line {number}: state {state} of {name} has {INPUTS} inputs, not {len(words)}")
    for input, word in enumerate(words):
        step = STEP.fullmatch(word)
        if not step or int(step[1]) != input:
            raise StringError(
                f"line {number}: `{input}>` with a state 0..3 and an action {', '.join(ACTIONS)} "
                f"is expected, not {word[:60]!r}"
            )
        yield int(step[2]) << 2 | ACTIONS.index(step[3])


def _block(nibbles: list[int], minion: int) -> str:
    lines = [f"minion {MINIONS[minion]} pref {nibbles[len(MINIONS) * STATES * INPUTS + minion]}\n"]
    for state in range(STATES):
        start = (minion * STATES + state) * INPUTS
        steps = (
            f"{input}>{nibble >> 2}{ACTIONS[nibble & 3]}"
            for input, nibble in enumerate(nibbles[start : start + INPUTS])
        )
        lines.append(f"state {state}: {' '.join(steps)}\n")
    return "".join(lines)
