"""The film of a fight: what each part of the core has last seen, drawn as text that fits a window."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from core.corewar.battle import Battle
from core.corewar.effects import DECREMENT, DIE, EXECUTE, INCREMENT, READ, SPLIT, WRITE, effects

UNTOUCHED: Final = "."
LEGEND: Final = "a read  A written  1 executed  @ process  X death"
_RESET: Final = "\x1b[0m"
_HUES: Final = (31, 36, 33, 35, 32, 34)  # red, cyan, yellow, magenta, green, blue: far apart for two
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWYZ"  # without X, the mark of death


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """So many characters; `coloured` where the warriors are told apart by hue too."""

    columns: int
    rows: int
    coloured: bool


class Film:
    """Runs a battle tick by tick and keeps what it sees. A character stands for `fold` cells of the core."""

    def __init__(self, battle: Battle, window: Window) -> None:
        self._battle = battle
        self._window = window
        heading = 2 + len(self._warriors())
        room = max(window.columns * max(window.rows - heading, 1), 1)
        self.fold = -(-battle.rules.size // room)
        self.begin()

    def begin(self) -> None:
        """Forget what was seen: nothing but the warriors stands in the core of a new round."""
        mars = self._battle.mars
        self._marks = [(UNTOUCHED, 0)] * -(-mars.size // self.fold)
        for seat, warrior in enumerate(mars.warriors):
            for address in range(mars.positions[seat], mars.positions[seat] + len(warrior.cells)):
                self._marks[address % mars.size // self.fold] = "A", seat

    def run(self, ticks: int) -> None:
        """So many ticks more, at most to the end of the round; after that the next round begins."""
        mars = self._battle.mars
        if mars.is_over():
            self._battle.next_round()
            self.begin()
        for _ in range(ticks):
            if mars.is_over():
                return
            self.look()
            mars.run(1)

    def look(self) -> None:
        """See what the next instruction will do."""
        mars = self._battle.mars
        seat = mars.turn
        for kind, address in effects(mars):
            place = address // self.fold
            if kind != READ or self._marks[place][0] in (UNTOUCHED, "a"):  # reading changes nothing
                self._marks[place] = _MARKS[kind], seat

    def run_round(self) -> None:
        """On to the end of the round."""
        while not self._battle.mars.is_over():
            self.run(10_000)

    def lines(self) -> Iterator[str]:
        """The picture, a line at a time."""
        mars, columns = self._battle.mars, self._window.columns
        marks = list(self._marks)
        for seat in range(len(mars.warriors)):
            for address in mars.processes(seat):
                marks[address // self.fold] = "@", seat
        rounds = f"Round {self._battle.round + 1} of {self._battle.rounds}"
        scale = f"{self.fold} cells" if self.fold > 1 else "a cell"
        yield f"{rounds}, {mars.executed} instructions. A character is {scale}."[:columns]
        yield from self._warriors()
        yield LEGEND[:columns]
        for start in range(0, len(marks), columns):
            runs = groupby(marks[start : start + columns])
            yield "".join(self._painted(mark, seat, len(list(run))) for (mark, seat), run in runs)

    def _warriors(self) -> list[str]:
        """Who fights, with how many processes, in as few lines as hold it."""
        mars = self._battle.mars
        entries = []
        for seat, warrior in enumerate(mars.warriors):
            number = mars.count(seat)
            state = f"{number} process{'es' if number != 1 else ''}" if number else "dead"
            entries.append(
                f"{_LETTERS[seat % len(_LETTERS)]}{(seat + 1) % 10} {_printable(warrior.name)[:24]}: {state}"
            )
        return textwrap.wrap("  ".join(entry.ljust(44) for entry in entries), self._window.columns)

    def _painted(self, mark: str, seat: int, times: int) -> str:
        shown = _shown(mark, seat) * times
        if mark == UNTOUCHED or not self._window.coloured:
            return shown
        return f"\x1b[{_STYLES.get(mark, '')}{_HUES[seat % len(_HUES)]}m{shown}{_RESET}"


_STYLES: Final = {"a": "2;", "1": "1;", "@": "7;", "X": "1;7;"}
_MARKS: Final = {
    EXECUTE: "1", READ: "a", WRITE: "A", DECREMENT: "A", INCREMENT: "A", SPLIT: "a", DIE: "X",
}  # fmt: skip


def _shown(mark: str, seat: int) -> str:
    """A mark in the hand of a warrior: its letter or its number."""
    letter = _LETTERS[seat % len(_LETTERS)]
    return {"a": letter.lower(), "A": letter, "1": str((seat + 1) % 10)}.get(mark, mark)


def _printable(name: str) -> str:
    """A name that cannot disturb a terminal."""
    return "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in name)
