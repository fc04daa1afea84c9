"""The last event in each part of the core, in a running fight or a recording, and the fight as a film on a terminal.

`galapagos-mars --core-view` shows a Film: live with keys, or as a few pictures in a pipe. GIFs are drawn from a
Replay.
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
_HUES: Final = (31, 36, 33, 35, 32, 34)  # red, cyan, yellow, magenta, green, blue: the first two contrast
_STYLES: Final = {"a": "2;", "1": "1;", "@": "7;", "X": "1;7;"}
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWYZ"  # without X, the mark of death


class CoreDisplay:
    """The last mark in each part of the core.

    `marks` has a number for each `fold` cells: 0, or 1 + mark + MARKS * seat of the warrior that left the mark.
    """

    def __init__(self, size: int, fold: int = 1) -> None:
        self._size: Final = size
        self.fold: Final = fold
        self.marks: Final = array("H", bytes(2 * -(-size // fold)))

    def load(self, seat: int, position: int, length: int) -> None:
        """Mark the instructions of a warrior as written, at the beginning of a round."""
        self.apply(seat, ((WRITE, address % self._size) for address in range(position, position + length)))

    def apply(self, seat: int, effects: Iterable[tuple[int, int]]) -> None:
        """Mark the effects of an instruction of the warrior: (kind, address) of core.corewar.interpreter.

        Reading never replaces a stronger mark.
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
    """The size of a picture in characters; `coloured` if hues distinguish the warriors too."""

    columns: int
    rows: int
    coloured: bool


class Film:
    """A battle that runs tick by tick, and its core drawn as text, with a character for `fold` cells."""

    def __init__(self, battle: Battle, window: Window) -> None:
        self._battle = battle
        self._window = window
        heading = 2 + len(self._warriors())
        room = max(window.columns * max(window.rows - heading, 1), 1)
        self.fold: Final = -(-battle.rules.size // room)
        self.begin()

    def begin(self) -> None:
        """Clear the picture for a new round, in which only the warriors are in the core."""
        mars = self._battle.mars
        self._display = CoreDisplay(mars.size, self.fold)
        for seat, warrior in enumerate(mars.warriors):
            self._display.load(seat, mars.positions[seat], len(warrior.cells))

    def run(self, ticks: int) -> None:
        """Run `ticks` ticks, at most to the end of the round; if the round has ended, start the next one first."""
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
        """Mark the effects of the next instruction, or of `word` in its place."""
        self._display.apply(self._battle.mars.turn, trace(self._battle.mars, word))

    def run_round(self) -> None:
        while not self._battle.mars.over:
            self.run(10_000)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the picture."""
        mars, columns = self._battle.mars, self._window.columns
        marks = [_character(mark) for mark in self._display.marks]
        for seat in range(len(mars.warriors)):
            for address in mars.processes(seat):
                marks[address // self.fold] = "@", seat
        rounds = f"Round {self._battle.round + 1} of {self._battle.rounds}"
        scale = f"{self.fold} cells" if self.fold > 1 else "1 cell"
        executed = f"{mars.executed} instruction{'s' if mars.executed != 1 else ''}"
        yield f"{rounds}, {executed}, {scale} per character"[:columns]
        yield from self._warriors()
        yield LEGEND[:columns]
        for start in range(0, len(marks), columns):
            runs = groupby(marks[start : start + columns])
            yield "".join(self._painted(mark, seat, len(list(run))) for (mark, seat), run in runs)

    def _warriors(self) -> list[str]:
        """Return the warriors with their numbers of processes, wrapped to the width of the window."""
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
    """Return the character of a mark of the display, and the seat of the warrior that left it."""
    return ("aA1X"[(mark - 1) % MARKS], (mark - 1) // MARKS) if mark else (UNTOUCHED, 0)


def _marked(mark: str, seat: int) -> str:
    """Return a mark as the letter or the number of its warrior."""
    letter = _LETTERS[seat % len(_LETTERS)]
    return {"a": letter.lower(), "A": letter, "1": str((seat + 1) % 10)}.get(mark, mark)


# -- On a terminal ----------------------------------------------------------------------------------------

FRAME_SECONDS: Final = 1 / 25
ROUND_SECONDS: Final = 1.0  # how long the end of a round is shown
SPEEDS: Final = (1, 4, 16, 64, 256, 1024, 4096, 16384)  # ticks per picture
FIRST_SPEED: Final = 3
KEYS: Final = "+ - speed  space pause  s step  n next round  q close"
PIPE: Final = Window(columns=80, rows=32, coloured=False)
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


def view(battle: Battle) -> None:
    """Run and show the fight, until it ends or `q` is pressed; in a pipe print some pictures of the first round."""
    if sys.stdout.isatty():
        with _Keyboard() as keyboard:
            _live(battle, keyboard)
    else:
        _pictures(battle)


def window(below: int) -> Window:
    """Return the size of the terminal without `below` lines at its foot, or of a page if there is no terminal."""
    if not sys.stdout.isatty():
        return PIPE
    size = shutil.get_terminal_size()
    return Window(columns=size.columns, rows=size.lines - below, coloured="NO_COLOR" not in os.environ)


def _pictures(battle: Battle) -> None:
    """Print the core of the first round at its start, after 10, 100, 1000 ... ticks, and at its end."""
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
            state = "paused" if paused else f"{SPEEDS[speed]} ticks per picture"
            _draw([*film.lines(), f"{state}; {KEYS}"[: room.columns]])
        keyboard.key(ROUND_SECONDS)
    finally:
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()


def _draw(lines: Sequence[str]) -> None:
    """Replace the content of the screen by the lines."""
    sys.stdout.write("\x1b[H" + "\x1b[K\n".join(lines) + "\x1b[J")
    sys.stdout.flush()


class _Keyboard:
    """A context in which single keys can be read, if standard input is a terminal."""

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
        """Wait for a key and return it, or return an empty text after `seconds`."""
        seconds = max(seconds, 0)
        if self._file is None:
            sleep(seconds)
            return ""
        ready = select.select([self._file], [], [], seconds)[0]
        return os.read(self._file, 1).decode("latin-1") if ready else ""


# -- A recording -----------------------------------------------------------------------------------------


class Replay:
    """A recording that is played again: the core's `display` and each warrior's number of `processes`."""

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
        """Replay up to `instructions` more and return the addresses that were changed or executed."""
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
    """Decode the numbers of a column: zigzag-coded, seven bits to a byte, the lowest first."""
    value = shift = 0
    for byte in column:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield -(value + 1) // 2 if value & 1 else value // 2
            value = shift = 0
