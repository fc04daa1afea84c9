"""Words: the command line and option files read word by word, as pMARS 0.9.2 reads them.

A text here is bytes decoded as ISO-8859-1. An empty word ends a source, and so does a lone `$`.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, Protocol

SPACE: Final = " \t\n\v\f\r"  # C's, which knows no no-break space
_WORD: Final = re.compile(f"[{SPACE}]*([^{SPACE}]*)")


class Words(Protocol):
    """A source of words."""

    def next(self) -> str:
        """The next word; empty at the end."""
        ...


class Arguments:
    """The words of a command line."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = iter(arguments)

    def next(self) -> str:
        word = next(self._arguments, "")
        return "" if word == "$" else word


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


class OptionFile:
    """The words of an option file: `;` begins a comment, "quotes" hold a word with blanks together."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def next(self) -> str:
        word = self._text.word()
        if word.startswith('"'):
            word = " " + word[1:]  # pMARS leaves a blank where the quote stood, so no option is quoted
            word = word[:-1] if word.endswith('"') else word + self._text.until_quote()
        while word.startswith(";"):
            self._text.line()
            word = self._text.word()
        return "" if word == "$" else word.partition("\0")[0]
