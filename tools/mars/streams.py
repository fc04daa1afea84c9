"""Streams: the standard ones and files as texts, in which each character is a byte of ISO-8859-1."""

import os
import re
import sys
from collections.abc import Callable
from typing import Final

PIECE: Final = 1 << 20  # bytes read at once: a line may have no end
SPACE: Final = " \t\n\v\f\r"  # C's, which knows no no-break space
_WORD: Final = re.compile(f"[{SPACE}]*([^{SPACE}]*)")


def say(text: str, *, error: bool = False) -> None:
    """Write to standard output or error at once."""
    stream = sys.stderr if error else sys.stdout
    stream.flush()
    stream.buffer.write(text.encode("latin-1", "replace"))
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
        self._rest = ""  # was read and is still to be given out

    def line(self) -> str:
        """The rest of this line or else the next one, with its end; empty at the end of the text."""
        text = self._rest or self._readline().decode("latin-1")
        end = text.find("\n") + 1 or len(text)
        self._rest = text[end:]
        return text[:end]

    def put_back(self, text: str) -> None:
        """Let this be what comes next."""
        self._rest = text + self._rest

    def is_at_end(self) -> bool:
        """Whether nothing follows; a terminal, where anything may, is not asked."""
        if self._is_terminal or self._rest:
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
