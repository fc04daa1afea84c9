"""What the names in a text stand for: a number of an instruction, a count of repetitions, or text."""

from dataclasses import dataclass

from protocols.redcode.messages import Line
from protocols.redcode.plain import LONGEST, NAME, RESERVED, PlainLine, plain_line
from protocols.redcode.tokens import DIGITS, Token, tokens_of


class Walk:
    """A line to be walked through, or what follows the EQU in it; cut into tokens when they are needed."""

    __slots__ = ("_plain", "_tokens", "line")

    def __init__(self, line: Line, tokens: list[Token] | None = None) -> None:
        self.line = line
        self._tokens = tokens
        self._plain: PlainLine | bool | None = True

    def tokens(self) -> list[Token]:
        if self._tokens is None:
            self._tokens = tokens_of(self.line.text)
        return self._tokens

    def plain(self) -> PlainLine | None:
        """What the line says, if it is a plain one."""
        if isinstance(self._plain, bool):
            self._plain = plain_line(self.line.text)
        return self._plain


@dataclass(slots=True)
class Label:
    """The number of an instruction."""

    value: int

    def number(self, instruction: int) -> str:
        """The way to it from another instruction."""
        return str(self.value - instruction)


@dataclass(slots=True)
class Counter:
    """How many times a FOR block has begun."""

    value: int

    def number(self, instruction: int) -> str:
        """Two digits at least, from any instruction."""
        return f"{self.value:02}"


@dataclass(slots=True)
class Body:
    """A text of one line or more; `busy` while it is being put in the place of its name."""

    lines: list[Walk]
    arithmetic: str | None = None  # the text, if it is no more than that
    busy: bool = False


Symbols = dict[str, Label | Counter | Body]


def replaced(operand: str, symbols: Symbols, instruction: int, depth: int) -> tuple[str, bool] | None:
    """A plain operand with numbers for the names known so far, and whether they all are.

    None when that is not simple: reserved words, texts that are more than arithmetic, or more than `depth`
    of them within one another.
    """
    if operand.removeprefix("-").isdecimal():
        return operand, True
    known = True
    parts = NAME.split(operand)
    for place in range(1, len(parts), 2):
        name = parts[place]
        if parts[place - 1][-1:] in DIGITS:
            return None
        meaning = symbols.get(name)
        if meaning is None:
            if name.upper() in RESERVED:
                return None
            known = False
        elif isinstance(meaning, Body):
            if meaning.arithmetic is None or meaning.busy or not depth:
                return None
            meaning.busy = True
            text = replaced(meaning.arithmetic, symbols, instruction, depth - 1)
            meaning.busy = False
            if text is None:
                return None
            parts[place] = text[0]
            known &= text[1]
        else:
            parts[place] = meaning.number(instruction)
    operand = "".join(parts)
    return (operand, known) if len(operand) <= LONGEST else None
