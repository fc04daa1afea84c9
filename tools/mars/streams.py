"""Streams: the standard ones and files as texts, in which each character is a byte of ISO-8859-1."""

import os
import re
import sys
from collections.abc import Callable
from typing import Final

from tools.files import visible_bytes

PIECE: Final = 1 << 20  # bytes read at once: a line may have no end
SPACE: Final = " \t\n\v\f\r"  # C's, which knows no no-break space
_WORD: Final = re.compile(f"[{SPACE}]*([^{SPACE}]*)")


def say(text: str, *, error: bool = False, raw: bool = False) -> None:
    """Write to standard output or error at once; unless `raw`, with visible escapes for what could disturb a terminal."""
    stream = sys.stderr if error else sys.stdout
    stream.flush()
    data = text.encode("latin-1", "replace")
    stream.buffer.write(data if raw else visible_bytes(data))
    stream.buffer.flush()


def native(text: str) -> str:
    """The same bytes as the system wants them, for names of files and commands."""
    return os.fsdecode(text.encode("latin-1"))


def standard_input() -> "Text":
    """Of a closed one nothing comes."""
    if sys.stdin is None:
        return Text(bytes)
    return Text(lambda: sys.stdin.buffer.readline(PIECE), is_terminal=sys.stdin.isatty())


class Text:
    """A text of which words and lines are taken in turn: what the one leaves, the other finds."""

    def __init__(self, readline: Callable[[], bytes], *, is_terminal: bool = False) -> None:
        self._readline = readline
        self._is_terminal = is_terminal
        self._rest = ""  # was read and, from this place on, is still to be given out
        self._at = 0

    def line(self) -> str:
        """The rest of this line or else the next one, with its end; empty at the end of the text."""
        text, start = self._rest, self._at
        if start >= len(text):
            text, start = self._readline().decode("latin-1"), 0
        self._rest, self._at = text, text.find("\n", start) + 1 or len(text)
        return text[start : self._at]

    def put_back(self, text: str) -> None:
        """Let this be what comes next."""
        self._rest, self._at = text + self._rest[self._at :], 0

    def is_at_end(self) -> bool:
        """Whether nothing follows; a terminal, where anything may, is not asked."""
        if self._is_terminal or self._at < len(self._rest):
            return False
        self.put_back(self.line())
        return not self._rest

    def word(self) -> str:
        """The next word; empty at the end of the text."""
        while line := self.line():
            match = _WORD.match(line)
            if match and match[1]:
                self.put_back(line[match.end() :])
                return match[1]
        return ""

    def until_quote(self) -> str:
        """What stands before the next double quote, which is taken too, over lines if need be."""
        parts = []
        while line := self.line():
            before, quote, after = line.partition('"')
            parts.append(before)
            if quote:
                self.put_back(after.lstrip('"'))
                break
        return "".join(parts)
