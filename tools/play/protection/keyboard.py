"""Single keys of a terminal, without their echo: for as long as somebody looks at a moving picture."""

import os
import select
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ARROWS: Final = {b"\x1b[A": "up", b"\x1b[B": "down", b"\x1b[C": "right", b"\x1b[D": "left"}
APPLICATION: Final = {b"\x1bO" + key[2:]: name for key, name in ARROWS.items()}
LONGEST: Final = 16  # bytes of a key


class Keyboard:
    """A key is its letter, or up, down, left, right, enter, escape."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor

    @contextmanager
    def raw(self) -> Iterator[None]:
        """Keys come one by one inside; Ctrl-C still interrupts."""
        before = termios.tcgetattr(self._descriptor)
        try:
            tty.setcbreak(self._descriptor)
            yield
        finally:
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, before)

    def key(self, seconds: float | None = None) -> str:
        """The next key; empty if none comes in time. EOFError at the end of input."""
        ready, _, _ = select.select([self._descriptor], [], [], seconds)
        if not ready:
            return ""
        data = os.read(self._descriptor, LONGEST)
        if not data:
            raise EOFError
        if data in ARROWS or data in APPLICATION:
            return ARROWS.get(data) or APPLICATION[data]
        named = {b"\x1b": "escape", b"\n": "enter", b"\r": "enter", b" ": "space"}
        return named.get(data, data[:1].decode("ascii", "replace"))
