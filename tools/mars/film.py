"""What each part of the core last saw, in a fight that runs or in a recording, and the fight as a film on a terminal.

`galapagos-mars --core-view` shows Film, live with keys or as a few pictures in a pipe; GIFs are made from Replay.
"""

import os
import select
import shutil
import sys
import termios
import textwrap
import tty
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from time import monotonic, sleep
from typing import Final

from core.corewar.battle import Battle
from core.corewar.interpreter import DECREMENT, DIE, EXECUTE, INCREMENT, READ, SPLIT, WRITE, trace
from engines.corewar.recording import Recording
from tools.files import visible

SEEN, WRITTEN, EXECUTED, DEAD = range(4)  # the marks
MARKS: Final = 4
# A new process leaves no mark before it executes something.
MARK_OF: Final = {
    EXECUTE: EXECUTED, READ: SEEN, WRITE: WRITTEN, DECREMENT: WRITTEN, INCREMENT: WRITTEN, DIE: DEAD,
}  # fmt: skip

UNTOUCHED: Final = "."
LEGEND: Final = "a read  A written  1 executed  @ process  X death"
_RESET: Final = "\x1b[0m"
_HUES: Final = (31, 36, 33, 35, 32, 34)  # red, cyan, yellow, magenta, green, blue: far apart for two
_STYLES: Final = {"a": "2;", "1": "1;", "@": "7;", "X": "1;7;"}
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWYZ"  # without X, the mark of death


class CoreDisplay:
    """`marks` has a number for each `fold` cells: 0, or 1 + mark + MARKS * seat of the warrior that left the mark."""

    def __init__(self, size: int, fold: int = 1) -> None:
        self._size: Final = size
        self.fold: Final = fold
        self.marks: Final = array("H", bytes(2 * -(-size // fold)))

    def load(self, seat: int, position: int, length: int) -> None:
        """The warrior's instructions are written at the beginning of a round."""
        self.apply(seat, ((WRITE, address % self._size) for address in range(position, position + length)))

    def apply(self, seat: int, effects: Iterable[tuple[int, int]]) -> None:
        """An instruction of the warrior has these effects, (kind, address) of core.corewar.interpreter.

        Reading leaves no mark where more has happened than that.
        """
        marks, fold, first = self.marks, self.fold, 1 + MARKS * seat
        for kind, address in effects:
            mark = MARK_OF.get(kind)
            place = address // fold
            if mark is not None and (mark != SEEN or not marks[place] or (marks[place] - 1) % MARKS == SEEN):
                marks[place] = first + mark


# -- A fight that runs ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """So many characters; `coloured` where the warriors are told apart by hue too."""

    columns: int
    rows: int
    coloured: bool


class Film:
    """Runs a battle tick by tick and draws the core as text, a character for `fold` cells."""

    def __init__(self, battle: Battle, window: Window) -> None:
        self._battle = battle
        self._window = window
        heading = 2 + len(self._warriors())
        room = max(window.columns * max(window.rows - heading, 1), 1)
        self.fold: Final = -(-battle.rules.size // room)
        self.begin()

    def begin(self) -> None:
        """A new round: nothing but the warriors is in the core."""
        mars = self._battle.mars
        self._display = CoreDisplay(mars.size, self.fold)
        for seat, warrior in enumerate(mars.warriors):
            self._display.load(seat, mars.positions[seat], len(warrior.cells))

    def run(self, ticks: int) -> None:
        """So many ticks more, at most to the end of the round; after that the next round begins."""
        mars = self._battle.mars
        if mars.over:
            self._battle.next_round()
            self.begin()
        for _ in range(ticks):
            if mars.over:
                return
            self.look()
            mars.run(1)

    def look(self, word: int | None = None) -> None:
        """Mark what the next instruction, or `word` in its place, will do."""
        self._display.apply(self._battle.mars.turn, trace(self._battle.mars, word))

    def run_round(self) -> None:
        """On to the end of the round."""
        while not self._battle.mars.over:
            self.run(10_000)

    def lines(self) -> Iterator[str]:
        """The picture, a line at a time."""
        mars, columns = self._battle.mars, self._window.columns
        marks = [_character(mark) for mark in self._display.marks]
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
                f"{_LETTERS[seat % len(_LETTERS)]}{(seat + 1) % 10} {visible(warrior.name[:24])}: {state}"
            )
        return textwrap.wrap("  ".join(entry.ljust(44) for entry in entries), self._window.columns)

    def _painted(self, mark: str, seat: int, times: int) -> str:
        shown = _marked(mark, seat) * times
        if mark == UNTOUCHED or not self._window.coloured:
            return shown
        return f"\x1b[{_STYLES.get(mark, '')}{_HUES[seat % len(_HUES)]}m{shown}{_RESET}"


def _character(mark: int) -> tuple[str, int]:
    """Of a mark of the display, and the warrior whose it is."""
    return ("aA1X"[(mark - 1) % MARKS], (mark - 1) // MARKS) if mark else (UNTOUCHED, 0)


def _marked(mark: str, seat: int) -> str:
    """A mark as its warrior leaves it: by the warrior's letter or number."""
    letter = _LETTERS[seat % len(_LETTERS)]
    return {"a": letter.lower(), "A": letter, "1": str((seat + 1) % 10)}.get(mark, mark)


# -- On a terminal ----------------------------------------------------------------------------------------

FRAME_SECONDS: Final = 1 / 25
ROUND_SECONDS: Final = 1.0  # that the end of a round is shown
SPEEDS: Final = (1, 4, 16, 64, 256, 1024, 4096, 16384)  # ticks a picture
FIRST_SPEED: Final = 3
KEYS: Final = "+ - speed  space pause  s step  n next round  q no film"
PIPE: Final = Window(columns=80, rows=32, coloured=False)
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


def view(battle: Battle) -> None:
    """Show the fight while it runs, until it is over or `q` is pressed."""
    if sys.stdout.isatty():
        with _Keyboard() as keyboard:
            _live(battle, keyboard)
    else:
        _pictures(battle)


def window(below: int) -> Window:
    """The terminal without so many lines at its foot; a page where there is none."""
    if not sys.stdout.isatty():
        return PIPE
    size = shutil.get_terminal_size()
    return Window(columns=size.columns, rows=size.lines - below, coloured="NO_COLOR" not in os.environ)


def _pictures(battle: Battle) -> None:
    """The core of the first round at its start, after 10, 100, 1000 ... ticks, and at its end."""
    film = Film(battle, PIPE)
    ticks = 10
    print(*film.lines(), sep="\n", end="\n\n")
    while not battle.mars.over:
        film.run(ticks - int(battle.mars.executed))
        ticks *= 10
        print(*film.lines(), sep="\n", end="\n\n")
    sys.stdout.flush()


def _live(battle: Battle, keyboard: "_Keyboard") -> None:
    room = window(below=2)
    film = Film(battle, room)
    speed, paused, due = FIRST_SPEED, False, 0.0
    sys.stdout.write(_ENTER)
    try:
        while not battle.is_over():
            match key := keyboard.key(due - monotonic()):
                case "+" | "=":
                    speed = min(speed + 1, len(SPEEDS) - 1)
                case "-":
                    speed = max(speed - 1, 0)
                case " ":
                    paused = not paused
                case "s":
                    film.run(1)
                    paused = True
                case "n":
                    film.run_round()
                case "q":
                    return
            due = monotonic() + (ROUND_SECONDS if battle.mars.over else FRAME_SECONDS)
            if not paused and key != "n":
                film.run(SPEEDS[speed])
            state = "paused" if paused else f"{SPEEDS[speed]} ticks a picture"
            _draw([*film.lines(), f"{state}; {KEYS}"[: room.columns]])
        keyboard.key(ROUND_SECONDS)
    finally:
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()


def _draw(lines: Sequence[str]) -> None:
    """The lines from the top of the screen, and nothing below them."""
    sys.stdout.write("\x1b[H" + "\x1b[K\n".join(lines) + "\x1b[J")
    sys.stdout.flush()


class _Keyboard:
    """Keys one by one where standard input is a terminal, for as long as the context lasts."""

    def __enter__(self) -> "_Keyboard":
        self._file = sys.stdin.fileno() if sys.stdin is not None and sys.stdin.isatty() else None
        if self._file is not None:
            self._before = termios.tcgetattr(self._file)
            tty.setcbreak(self._file)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def key(self, seconds: float) -> str:
        """The next key within so many seconds; empty without one."""
        seconds = max(seconds, 0)
        if self._file is None:
            sleep(seconds)
            return ""
        ready = select.select([self._file], [], [], seconds)[0]
        return os.read(self._file, 1).decode("latin-1") if ready else ""


# -- A recording -----------------------------------------------------------------------------------------


class Replay:
    """A recording played again: the core's `display` and each warrior's number of `processes`."""

    def __init__(self, recording: Recording) -> None:
        self._size: Final = recording.size
        self._instructions: Final = zip(
            recording.seats, recording.counts, _offsets(recording.executed), strict=True
        )
        self._effects: Final = zip(recording.kinds, _offsets(recording.places), strict=True)
        self._last: Final = [warrior.position for warrior in recording.warriors]
        self.processes: Final = [1] * len(recording.warriors)
        self.display: Final = CoreDisplay(recording.size)
        for seat, warrior in enumerate(recording.warriors):
            self.display.load(seat, warrior.position, warrior.length)

    def run(self, instructions: int) -> set[int]:
        """So many instructions more, if there are. The addresses that were changed or executed."""
        changed: set[int] = set()
        for seat, count, offset in islice(self._instructions, instructions):
            address = self._last[seat] = (self._last[seat] + offset) % self._size
            effects = [(EXECUTE, address)]
            changed.add(address)
            for kind, distance in islice(self._effects, count):
                place = (address + distance) % self._size
                effects.append((kind, place))
                if kind == SPLIT:
                    self.processes[seat] += 1
                elif kind != READ:
                    self.processes[seat] -= kind == DIE
                    changed.add(place)
            self.display.apply(seat, effects)
        return changed


def _offsets(column: bytes) -> Iterator[int]:
    """The numbers of a column, unfolded."""
    value = shift = 0
    for byte in column:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield -(value + 1) // 2 if value & 1 else value // 2
            value = shift = 0
