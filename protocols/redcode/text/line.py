"""A line of a warrior's text, cut into tokens or read as a plain instruction when somebody asks."""

from core.corewar.assembler import PlainLine, plain_line
from protocols.redcode.text.tokens import TOKEN, Token, tokens_of


class Line:
    """Its number, from 1, and its characters without a comment; `rest` if only a part of them is read."""

    __slots__ = ("_first_word", "_plain", "_rest", "_tokens", "number", "text")

    def __init__(self, number: int, text: str, rest: str | None = None) -> None:
        self.number = number
        self.text = text
        self._rest = text if rest is None else rest
        self._tokens: list[Token] | None = None
        self._first_word: str | None = None
        self._plain: PlainLine | bool | None = True  # not read yet

    def tokens(self) -> list[Token]:
        if self._tokens is None:
            self._tokens = tokens_of(self._rest)
        return self._tokens

    def first_word(self) -> str:
        """Its first token, in upper case."""
        if self._first_word is None:
            found = TOKEN.search(self._rest)
            self._first_word = found[1].upper() if found else ""
        return self._first_word

    @property
    def rest(self) -> str:
        return self._rest

    def plain(self) -> PlainLine | None:
        """What the line says, if it is a plain one."""
        if isinstance(self._plain, bool):
            self._plain = plain_line(self._rest)
        return self._plain
