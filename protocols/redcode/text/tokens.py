"""The smallest parts of Redcode: how a line falls into tokens, and the words that have a meaning."""

import re
from typing import Final

from core.corewar.instruction import MODIFIERS, OPERATIONS

# A token, and the white space after it: that a space follows decides more than one would think.
Token = tuple[str, str]

TOKEN: Final = re.compile(r"([0-9]+|[A-Za-z_][A-Za-z_0-9]*|&&|\|\||\S)(\s*)", re.ASCII)

ORG: Final = len(OPERATIONS)
END: Final = ORG + 1
PIN: Final = ORG + 2
OPERATION: Final = {name: number for number, name in enumerate((*OPERATIONS, "ORG", "END", "PIN"))}
MODIFIER: Final = {name: number for number, name in enumerate(MODIFIERS)}
DIGITS: Final = frozenset("0123456789")
LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
WORD_STARTS: Final = LETTERS | {"_"}


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text, each with the white space that follows it."""
    return TOKEN.findall(text)


def text_of(tokens: list[Token]) -> str:
    """The text that fell into these tokens."""
    return "".join(token + space for token, space in tokens)
