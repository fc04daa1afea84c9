"""`--core-view`: the fight as a live film on the terminal, with keys, or as a few pictures in a pipe."""

import os
import select
import shutil
import sys
import termios
import tty
from collections.abc import Sequence
from time import monotonic, sleep
from typing import Final

from core.corewar.battle import Battle
from tools.mars.screen.film import Film, Window

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
    while not battle.mars.is_over():
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
            due = monotonic() + (ROUND_SECONDS if battle.mars.is_over() else FRAME_SECONDS)
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
