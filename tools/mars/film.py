"""`--core-view`: the fight as a live film on the terminal, with keys, or as a few pictures in a pipe."""

import os
import select
import shutil
import sys
import termios
import textwrap
import tty
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from time import monotonic, sleep
from typing import Final

from core.corewar.battle import Battle
from core.corewar.interpreter import DECREMENT, DIE, EXECUTE, INCREMENT, READ, SPLIT, WRITE, trace
from engines.corewar.recording import Recording

# The film of a fight: what each part of the core has last seen, drawn as text that fits a window.


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
        if mars.over:
            self._battle.next_round()
            self.begin()
        for _ in range(ticks):
            if mars.over:
                return
            self.look()
            mars.run(1)

    def look(self) -> None:
        """See what the next instruction will do."""
        mars = self._battle.mars
        seat = mars.turn
        for kind, address in trace(mars):
            place = address // self.fold
            if kind != READ or self._marks[place][0] in (UNTOUCHED, "a"):  # reading changes nothing
                self._marks[place] = _MARKS[kind], seat

    def run_round(self) -> None:
        """On to the end of the round."""
        while not self._battle.mars.over:
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


# -- The film on a terminal ---

FRAME_SECONDS: Final = 1 / 25
ROUND_SECONDS: Final = 1.0  # that the end of a round is shown
SPEEDS: Final = (1, 4, 16, 64, 256, 1024, 4096, 16384)  # ticks a picture
FIRST_SPEED: Final = 3
KEYS: Final = "+ - speed  space pause  s step  n next round  q no film"
PIPE: Final = Window(columns=80, rows=32, coloured=False)
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


def view(battle: Battle) -> None:
    """Show the fight while it runs; returns when it is over or nobody wants to see more of it."""
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


# A recording played again: what each cell of the core shows after so many instructions.


SEEN, WRITTEN, EXECUTED, DEAD = range(4)  # the marks on a cell
MARKS: Final = 4
HANDS: Final = 12  # that are told apart; the thirteenth warrior marks as the first does


class Replay:
    """`shown` has a byte a cell: 0, or 1 + mark + MARKS * hand, the hand being that of the last who was there."""

    def __init__(self, recording: Recording) -> None:
        self._size: Final = recording.size
        self._instructions: Final = zip(
            recording.seats, recording.counts, _ways(recording.executed), strict=True
        )
        self._effects: Final = zip(recording.kinds, _ways(recording.places), strict=True)
        self._last: Final = [each.position for each in recording.warriors]
        self.processes: Final = [1] * len(recording.warriors)
        self.shown: Final = bytearray(recording.size)
        for seat, each in enumerate(recording.warriors):
            for address in range(each.position, each.position + each.length):
                self._mark(address % self._size, WRITTEN, seat)

    def run(self, instructions: int) -> set[int]:
        """So many instructions more, if there are. The addresses that were changed or executed."""
        changed: set[int] = set()
        for seat, count, way in islice(self._instructions, instructions):
            address = self._last[seat] = (self._last[seat] + way) % self._size
            self._mark(address, EXECUTED, seat)
            changed.add(address)
            for kind, way_on in islice(self._effects, count):
                place = (address + way_on) % self._size
                if kind == SPLIT:
                    self.processes[seat] += 1
                elif kind == READ:
                    self._see(place, seat)
                else:
                    self._mark(place, DEAD if kind == DIE else WRITTEN, seat)
                    self.processes[seat] -= kind == DIE
                    changed.add(place)
        return changed

    def _mark(self, address: int, mark: int, seat: int) -> None:
        self.shown[address] = 1 + mark + MARKS * (seat % HANDS)

    def _see(self, address: int, seat: int) -> None:
        """Reading leaves no mark where somebody has done more."""
        before = self.shown[address]
        if not before or (before - 1) % MARKS == SEEN:
            self._mark(address, SEEN, seat)


def _ways(column: bytes) -> Iterator[int]:
    """The numbers of a column, unfolded."""
    value = shift = 0
    for byte in column:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield -(value + 1) // 2 if value & 1 else value // 2
            value = shift = 0
