"""Single keys of a terminal, without their echo: for as long as somebody looks at a moving picture."""

import os
import select
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ARROWS: Final = {
    introducer + letter: name
    for introducer in (b"\x1b[", b"\x1bO")
    for letter, name in ((b"A", "up"), (b"B", "down"), (b"C", "right"), (b"D", "left"))
}
NAMED: Final = {b"\x1b": "escape", b"\n": "enter", b"\r": "enter", b" ": "space"}
MOST_BYTES: Final = 256


class Keyboard:
    """A key is its letter, or up, down, left, right, enter, escape."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._waiting = b""  # keys that came with an earlier one

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
        if not self._waiting:
            ready, _, _ = select.select([self._descriptor], [], [], seconds)
            if not ready:
                return ""
            self._waiting = os.read(self._descriptor, MOST_BYTES)
            if not self._waiting:
                raise EOFError
        arrow = ARROWS.get(self._waiting[:3])
        data, self._waiting = self._waiting[: 3 if arrow else 1], self._waiting[3 if arrow else 1 :]
        return arrow or NAMED.get(data) or data.decode("ascii", "replace")
