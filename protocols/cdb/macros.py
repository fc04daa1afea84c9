"""Macros: names for command chains, one `name=chain` a line; other lines are remarks."""

from collections.abc import Iterator
from typing import Final

from protocols.cdb.command import BLANKS, upper

MOST: Final = 200
LONGEST: Final = 255  # characters of a line


class Macros:
    """Those known so far; a later definition takes the place of an earlier one."""

    def __init__(self) -> None:
        self._chains: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._chains)

    def __iter__(self) -> Iterator[str]:
        return (f"{name}={chain}" for name, chain in self._chains.items())

    def get(self, name: str) -> str | None:
        return self._chains.get(name)

    def define(self, line: str) -> bool:
        """Take a line for what it is. False if it is one macro too many."""
        head, equals, chain = line.partition("=")
        name = upper("".join(letter for letter in head if letter not in BLANKS))
        if not equals:
            return True
        if name not in self._chains and len(self._chains) == MOST:
            return False
        if len(line) >= LONGEST:
            chain = f" echo Macro {name} is too long (>= {LONGEST} chars)~reset"
        self._chains[name] = chain
        return True


def is_end(line: str) -> bool:
    """Of the lines typed at the console: a dot, and nothing that can be seen after it."""
    return line[:1] == "." and line[1:2] <= "\r"
