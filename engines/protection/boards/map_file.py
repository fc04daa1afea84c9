"""The text of a map, `.apm`: 24 lines of 24 letters of terrain, then lines `gold X Y`; `#` begins a comment."""

import re
from collections.abc import Iterator
from typing import Final

from core.protection.board import Map
from core.protection.rules import SIDE, SQUARES, TERRAINS

LETTERS: Final = "".join(terrain.letter for terrain in TERRAINS)
PLACE: Final = re.compile(r"([a-z]+) ([0-9]{1,2}) ([0-9]{1,2})")


class BoardError(ValueError):
    """A text that is no map or arrangement: the line, counted from 1, and what was read."""


def loads(text: str) -> Map:
    """BoardError names the line."""
    codes = bytearray()
    gold = []
    for number, line in content(text):
        if len(codes) < SQUARES:
            codes += _row(number, line)
        else:
            word, square = place(number, line)
            if word != "gold":
                raise BoardError(f"line {number}: `gold X Y` is expected, not {line[:60]!r}")
            if square in gold:
                raise BoardError(f"line {number}: there is gold already, in {line[5:]}")
            gold.append(square)
    if len(codes) < SQUARES:
        raise BoardError(f"a map has {SIDE} lines of {SIDE} letters, not {len(codes) // SIDE}")
    return Map(bytes(codes), tuple(gold))


def dumps(board: Map) -> str:
    """The map without a comment."""
    rows = (board.codes[start : start + SIDE] for start in range(0, SQUARES, SIDE))
    lines = ["".join(LETTERS[code] for code in row) for row in rows]
    lines += [f"gold {square % SIDE} {square // SIDE}" for square in board.gold]
    return "\n".join(lines) + "\n"


def content(text: str) -> Iterator[tuple[int, str]]:
    """Number and content of the lines that say something."""
    for number, line in enumerate(text.splitlines(), 1):
        said = " ".join(line.partition("#")[0].split())
        if said:
            yield number, said


def place(number: int, line: str) -> tuple[str, int]:
    """A word and the square X Y behind it. BoardError."""
    found = PLACE.fullmatch(line)
    if not found or max(int(found[2]), int(found[3])) >= SIDE:
        raise BoardError(
            f"line {number}: a word and X Y, 0 to {SIDE - 1} each, are expected, not {line[:60]!r}"
        )
    return found[1], int(found[3]) * SIDE + int(found[2])


def _row(number: int, line: str) -> bytes:
    if len(line) != SIDE:
        raise BoardError(f"line {number}: a row has {SIDE} letters, not {len(line)}")
    for column, letter in enumerate(line, 1):
        if letter not in LETTERS:
            raise BoardError(f"line {number}, column {column}: {letter!r} is no terrain; there are {LETTERS}")
    return bytes(LETTERS.index(letter) for letter in line)
