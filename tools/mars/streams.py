"""The standard streams and files as texts, in which each character is a byte of ISO-8859-1."""

import os
import re
import sys
from collections.abc import Callable
from typing import Final

from tools.files import visible_bytes

PIECE: Final = 1 << 20  # bytes read at once: a line may have no end
SPACE: Final = " \t\n\v\f\r"  # the white space of C, without the no-break space
_WORD: Final = re.compile(f"[{SPACE}]*([^{SPACE}]*)")


def say(text: str, *, error: bool = False, raw: bool = False) -> None:
    """Write to standard output or error at once; unless `raw`, escape the bytes that could disturb a terminal."""
    stream = sys.stderr if error else sys.stdout
    stream.flush()
    data = text.encode("latin-1", "replace")
    stream.buffer.write(data if raw else visible_bytes(data))
    stream.buffer.flush()


def native(text: str) -> str:
    """Return the same bytes in the encoding of the system, for names of files and commands."""
    return os.fsdecode(text.encode("latin-1"))


def standard_input() -> "Text":
    """Return standard input; a closed one is an empty text."""
    if sys.stdin is None:
        return Text(bytes)
    return Text(lambda: sys.stdin.buffer.readline(PIECE), is_terminal=sys.stdin.isatty())


class Text:
    """A text that is read by words and by lines, in any order; each read continues where the last one ended."""

    def __init__(self, readline: Callable[[], bytes], *, is_terminal: bool = False) -> None:
        self._readline = readline
        self._is_terminal = is_terminal
        self._read = ""  # returned up to `_at`
        self._at = 0

    def line(self) -> str:
        """Return the rest of this line or else the next one, with its end; empty at the end of the text."""
        return self._taken(self._read.find("\n", self._at) + 1 or len(self._read)) if self._has_more() else ""

    def put_back(self, text: str) -> None:
        """Put a text before the rest, to be read next."""
        self._read, self._at = text + self._read[self._at :], 0

    def is_at_end(self) -> bool:
        """Return whether nothing follows; always False for a terminal, which is not read ahead."""
        return not (self._is_terminal or self._has_more())

    def word(self) -> str:
        """Return the next word; empty at the end of the text."""
        while self._has_more():
            match = _WORD.match(self._read, self._at)
            assert match
            self._at = match.end()
            if match[1]:
                return match[1]
        return ""

    def until_quote(self) -> str:
        """Return the text before the next double quote, across lines if needed; the quote is consumed too."""
        parts = []
        while self._has_more():
            quote = self._read.find('"', self._at)
            if quote < 0:
                parts.append(self._taken(len(self._read)))
                continue
            parts.append(self._taken(quote))
            while self._read.startswith('"', self._at):
                self._at += 1
            break
        return "".join(parts)

    def _has_more(self) -> bool:
        """Return whether more text follows; reads a line if needed."""
        if self._at == len(self._read):
            self._read, self._at = self._readline().decode("latin-1"), 0
        return self._at < len(self._read)

    def _taken(self, end: int) -> str:
        text = self._read[self._at : end]
        self._at = end
        return text
