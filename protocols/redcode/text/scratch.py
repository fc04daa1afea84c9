"""What pMARS 0.9.2 leaves in its line buffer, and reads again by mistake.

An operation that touches its operand at the very end of a line, as in `jmp@1`, is copied without an end
mark; what an earlier, longer word left there is read as if it belonged to the line. A space after the
operand avoids it. It decides what old warriors load as, so it is kept.
"""

from typing import Final

SIZE: Final = 512
END: Final = "\0"


class Scratch:
    """The buffer. Words are noted as they come, and put into place only when somebody looks."""

    def __init__(self, written: list[tuple[int, str]]) -> None:
        self._noted = [*written]
        self._cells = [END] * SIZE

    def write(self, word: str) -> None:
        """Put a word at the beginning, with an end mark."""
        self._noted.append((0, word))

    def open_write(self, word: str) -> str:
        """Put a word at the beginning without an end mark. What then stands there up to an older mark."""
        for place, noted in self._noted:
            self._cells[place : place + len(noted) + 1] = [*noted, END]
        self._noted.clear()
        self._cells[: len(word)] = word
        return "".join(self._cells[: self._cells.index(END)])
