"""Maps and arrangements as text: `.apm` maps, arrangement files, and logs of arrangements.

A map consists of 24 lines of 24 letters of terrain, then lines `gold X Y`. An arrangement consists of lines
`UNIT X Y`, for example `drone 3 17`. `#` starts a comment in both. A log, `.jsonl`, has a line for each turn of a
game, without names and times.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

from core.protection.board import Arrangement, Map, arrangement_of
from core.protection.rules import RULES, SIDE, SQUARES, TERRAINS, Rules
from engines.names import near
from engines.storage import read_text

UNITS: Final = tuple(unit.name for unit in RULES["seed"].units)  # by code; the first is none
LETTERS: Final = "".join(terrain.letter for terrain in TERRAINS)
PLACE: Final = re.compile(r"([a-z]+) ([0-9]{1,2}) ([0-9]{1,2})")
LOG_FORMAT: Final = "galapagos-arrangement/1"


class BoardError(ValueError):
    """An invalid map, arrangement or log; the message names the line, counted from 1, and the text that was read."""


# -- Maps ------------------------------------------------------------------------------------------


def loads_map(text: str) -> Map:
    """Return the map in a text. Raises BoardError, which names the line, if the text is invalid."""
    codes = bytearray()
    gold = []
    for number, line in _content(text):
        if len(codes) < SQUARES:
            codes += _row(number, line)
        else:
            word, square = _place(number, line)
            if word != "gold":
                raise BoardError(f"line {number}: `gold X Y` is expected, not {line[:60]!r}")
            if square in gold:
                raise BoardError(f"line {number}: there is gold already at {line[5:]}")
            gold.append(square)
    if len(codes) < SQUARES:
        raise BoardError(f"a map has {SIDE} lines of {SIDE} letters, not {len(codes) // SIDE}")
    return Map(bytes(codes), tuple(gold))


def dumps_map(board: Map) -> str:
    gold = [f"gold {square % SIDE} {square // SIDE}" for square in board.gold]
    return "\n".join([*map_rows(board), *gold]) + "\n"


def map_rows(board: Map) -> list[str]:
    """Return the terrain as 24 strings of 24 letters."""
    text = "".join(LETTERS[code] for code in board.codes)
    return [text[start : start + SIDE] for start in range(0, SQUARES, SIDE)]


# -- Arrangements ----------------------------------------------------------------------------------


def loads_arrangement(text: str) -> Arrangement:
    """Return the arrangement in a text. Raises BoardError, which names the line, if the text is invalid.

    Whether the units can stand on their squares depends on the map and is not checked.
    """
    units: dict[int, int] = {}
    for number, line in _content(text):
        unit, square = _place(number, line)
        if unit not in UNITS:
            raise BoardError(f"line {number}: no unit is called {unit}; {near(unit, UNITS[1:])}")
        if square in units:
            raise BoardError(
                f"line {number}: the square of {line!r} has a unit already, {UNITS[units[square]]}"
            )
        units[square] = UNITS.index(unit)
    return arrangement_of(units)


def dumps_arrangement(arrangement: Arrangement) -> str:
    """Return an arrangement as text, with the units in order of squares."""
    return "".join(
        f"{UNITS[code]} {square % SIDE} {square // SIDE}\n" for square, code in arrangement.units()
    )


# -- Logs ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangementRecord:
    """A line of a log: the board at the start of a turn, and the money of both sides in dollars."""

    board: Map
    arrangement: Arrangement
    rules_hash: str
    turn: int
    treasury: int
    chaos_treasury: int

    @classmethod
    def loads(cls, line: str) -> Self:
        """Return the record in a line of a log. Raises ValueError, which names the fault, if the line is invalid."""
        try:
            facts = json.loads(line)
        except (ValueError, RecursionError):
            facts = None
        if not isinstance(facts, dict) or facts.get("format") != LOG_FORMAT:
            raise ValueError(f"an object of the format {LOG_FORMAT} is expected")
        # Lists become lines of the text forms, whose readers report faults.
        gold = ["gold " + " ".join(map(str, square)) for square in _list(facts, "gold", list)]
        units = [" ".join(map(str, unit)) for unit in _list(facts, "units", list)]
        return cls(
            board=loads_map("\n".join([*_list(facts, "map", str), *gold])),
            arrangement=loads_arrangement("\n".join(units)),
            rules_hash=str(facts.get("rules_hash")),
            turn=_whole(facts, "turn"),
            treasury=_whole(facts, "treasury"),
            chaos_treasury=_whole(facts, "chaos_treasury"),
        )

    def dumps(self) -> str:
        """Return the record as a line without a newline."""
        facts = {
            "format": LOG_FORMAT,
            "rules_hash": self.rules_hash,
            "map": map_rows(self.board),
            "gold": [[square % SIDE, square // SIDE] for square in self.board.gold],
            "turn": self.turn,
            "treasury": self.treasury,
            "chaos_treasury": self.chaos_treasury,
            "units": [
                [UNITS[code], square % SIDE, square // SIDE] for square, code in self.arrangement.units()
            ],
        }
        return json.dumps(facts, separators=(",", ":"))


def read_arrangement_log(path: Path) -> list[ArrangementRecord]:
    """Return all records of a log file.

    Raises BoardError, which names the line, for an invalid log, and OSError if the file cannot be read.
    """
    found = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            found.append(ArrangementRecord.loads(line))
        except ValueError as error:
            raise BoardError(f"{path}, line {number}: {error}") from None
    return found


def rules_hash(rules: Rules) -> str:
    """Return the SHA-256 of the canonical JSON of rules; equal rules have equal hashes under any name."""
    canonical = json.dumps(rules.fields(), sort_keys=True, separators=(",", ":"))
    return "sha256:" + sha256(canonical.encode()).hexdigest()


# -- Helpers ---------------------------------------------------------------------------------------


def _content(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and content of each line that is not empty, without comments."""
    for number, line in enumerate(text.splitlines(), 1):
        content = " ".join(line.partition("#")[0].split())
        if content:
            yield number, content


def _row(number: int, line: str) -> bytes:
    if len(line) != SIDE:
        raise BoardError(f"line {number}: a row has {SIDE} letters, not {len(line)}")
    for column, letter in enumerate(line, 1):
        if letter not in LETTERS:
            raise BoardError(
                f"line {number}, column {column}: {letter!r} is not a terrain; there are {LETTERS}"
            )
    return bytes(LETTERS.index(letter) for letter in line)


def _place(number: int, line: str) -> tuple[str, int]:
    """Return the word and the square of a line `WORD X Y`."""
    found = PLACE.fullmatch(line)
    if not found or max(int(found[2]), int(found[3])) >= SIDE:
        raise BoardError(
            f"line {number}: a word and X Y, 0 to {SIDE - 1} each, are expected, not {line[:60]!r}"
        )
    return found[1], int(found[3]) * SIDE + int(found[2])


def _list(facts: dict[str, Any], key: str, kind: type) -> list[Any]:
    found = facts.get(key)
    if not isinstance(found, list) or not all(isinstance(each, kind) for each in found):
        raise ValueError(f"{key} must be a list of {kind.__name__}")
    return found


def _whole(facts: dict[str, Any], key: str) -> int:
    found = facts.get(key)
    if type(found) is not int or found < 0:
        raise ValueError(f"{key} must be a whole number")
    return found
