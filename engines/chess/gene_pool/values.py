"""What a value of the configuration may be: a number within bounds, a time, a word, the name of a file.

A reader takes the text after the equals sign. Its ValueError completes the sentence `KEY must be ...`.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from core.chess.fen import fen, position_from_fen
from engines.chess.genome_text import NUMBER

Reader = Callable[[str], object]

LONGEST_NAME: Final = 200  # bytes; with _best_genome.txt behind it still a file name everywhere
LONGEST_PATH: Final = 1000
STORE: Final = "run.sqlite"  # of the same folder; SQLite adds -wal and -shm

SECONDS: Final[Mapping[str, float]] = MappingProxyType(
    dict.fromkeys(("", "s", "sec", "secs", "second", "seconds"), 1.0)
    | dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0)
    | dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0)
    | dict.fromkeys(("d", "day", "days"), 86400.0)
)
TIME: Final = re.compile(rf"({NUMBER.pattern}) ?([a-z]*)")


def whole(least: int, most: int) -> Reader:
    def read(text: str) -> int:
        if _is_whole(text) and least <= int(text) <= most:
            return int(text)
        raise ValueError(f"a whole number from {least} to {most}")

    return read


def even(least: int, most: int, *, or_one: bool = False) -> Reader:
    def read(text: str) -> int:
        if or_one and text == "1":
            return 1
        if _is_whole(text) and least <= int(text) <= most and not int(text) % 2:
            return int(text)
        raise ValueError(f"{'1 or ' if or_one else ''}an even number from {least} to {most}")

    return read


def number(least: float, most: float) -> Reader:
    def read(text: str) -> float:
        if NUMBER.fullmatch(text) and least <= float(text) <= most:
            return float(text)
        raise ValueError(f"{least:.12g} to {most:.12g}")

    return read


def seconds(least: float, most: float) -> Reader:
    """A number of seconds, or of another unit that is named: `90`, `90 s`, `1.5 min`, `2 hours`."""

    def read(text: str) -> float:
        found = TIME.fullmatch(folded(text))
        if found and found[2] in SECONDS:
            value = float(found[1]) * SECONDS[found[2]]
            if least <= value <= most:
                return value
        raise ValueError(f"{least:.12g} to {most:.12g} seconds (s, min, h and d are understood)")

    return read


def one_of(*words: str) -> Reader:
    def read(text: str) -> str:
        if folded(text) in words:
            return folded(text)
        raise ValueError(" or ".join(words))

    return read


def word_or_path(*words: str) -> Reader:
    """One of the words, or anything else that can name a file."""

    def read(text: str) -> str:
        if folded(text) in words:
            return folded(text)
        if text.isprintable() and "#" not in text and len(text) <= LONGEST_PATH:
            return text
        raise ValueError(f"{', '.join(words)} or the name of a file")

    return read


def plain_name(text: str) -> str:
    """The name of a file in the run's own folder, and of none that the run keeps there itself."""
    is_plain = text.isprintable() and not text.startswith(".") and not any(mark in text for mark in "/\\#")
    if not is_plain or len(text.encode()) > LONGEST_NAME:
        raise ValueError("the plain name of a file, without a folder and not hidden")
    if text.lower().startswith(STORE):
        raise ValueError(f"another name than {STORE}, which the run keeps for itself")
    return text


def start(text: str) -> str:
    """A position in Forsyth-Edwards Notation that a game can begin from."""
    try:
        position = position_from_fen(text)
    except ValueError as error:
        raise ValueError(f"a position ({error})") from None
    if position.is_terminal():
        raise ValueError("a position in which the game goes on")
    return fen(position)


def folded(text: str) -> str:
    """Small letters and single spaces: two texts that differ in no more are the same key or word."""
    return " ".join(text.lower().split())


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 20
