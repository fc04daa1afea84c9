"""A log of arrangements, `.jsonl`: what users have built in games, a line a turn, for evolution to learn from.

It holds no name and no time. It is written by `record` with the format "arrangements" of the JSON lines, and by
`galapagos arrangements`.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from core.protection.board import Arrangement, Map
from core.protection.rules import SIDE
from engines.protection.boards import arrangement_file, map_file
from engines.protection.boards.arrangement_file import UNITS
from engines.protection.boards.map_file import BoardError

FORMAT: Final = "galapagos-arrangement/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """What stood where when a turn began; money in dollars."""

    board: Map
    arrangement: Arrangement
    rules_hash: str
    turn: int
    treasury: int
    chaos_treasury: int

    @classmethod
    def loads(cls, line: str) -> Self:
        """ValueError says what is wrong."""
        try:
            facts = json.loads(line)
        except (ValueError, RecursionError):
            facts = None
        if not isinstance(facts, dict) or facts.get("format") != FORMAT:
            raise ValueError(f"an object of the format {FORMAT} is expected")
        return cls(
            board=map_file.loads(_map(facts)),
            arrangement=arrangement_file.loads(_units(facts)),
            rules_hash=str(facts.get("rules_hash")),
            turn=_whole(facts, "turn"),
            treasury=_whole(facts, "treasury"),
            chaos_treasury=_whole(facts, "chaos_treasury"),
        )

    def dumps(self) -> str:
        """One line, without its end."""
        rows = [line for line in map_file.dumps(self.board).splitlines() if not line.startswith("gold")]
        facts = {
            "format": FORMAT,
            "rules_hash": self.rules_hash,
            "map": rows,
            "gold": [[square % SIDE, square // SIDE] for square in self.board.gold],
            "turn": self.turn,
            "treasury": self.treasury,
            "chaos_treasury": self.chaos_treasury,
            "units": [
                [UNITS[code], square % SIDE, square // SIDE] for square, code in self.arrangement.units()
            ],
        }
        return json.dumps(facts, separators=(",", ":"))


def read(path: Path) -> list[Logged]:
    """All lines of a file. BoardError names the line; OSError."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.append(Logged.loads(line))
        except ValueError as error:
            raise BoardError(f"{path}, line {number}: {error}") from None
    return found


# -- Helpers: lists become lines of the text forms, whose readers know what is right ---------------


def _map(facts: dict[str, Any]) -> str:
    gold = [_line("gold", *square) for square in _list(facts, "gold", list)]
    return "\n".join([*_list(facts, "map", str), *gold])


def _units(facts: dict[str, Any]) -> str:
    return "\n".join(_line(*row) for row in _list(facts, "units", list))


def _line(*words: Any) -> str:
    return " ".join(map(str, words))


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
