"""Words: the command line and option files read word by word, as pMARS 0.9.2 reads them.

An empty word ends a source, and so does a lone `$`.
"""

from collections.abc import Sequence
from typing import Protocol

from tools.mars.streams import Text


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
