"""Macros: names for command chains, one `name=chain` a line; other lines are remarks."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from protocols.cdb.console import Console, Dialogue, Host
from protocols.cdb.line.command import BLANKS, upper

MOST: Final = 200
LONGEST: Final = 255  # characters of a line


class Macros:
    """Those known so far; a later definition takes the place of an earlier one. Files are read with a `host`."""

    def __init__(self, console: Console, host: Host | None) -> None:
        self._console = console
        self._host = host
        self._chains: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._chains)

    def __iter__(self) -> Iterator[str]:
        return (f"{name}={chain}" for name, chain in self._chains.items())

    def get(self, name: str) -> str | None:
        return self._chains.get(name)

    def load(self, file: str) -> None:
        """Take them from a file."""
        text = None
        if self._host is not None:
            with suppress(OSError):
                text = self._host.read_macros(file)
        if text is None:
            self._console.insist(f'Cannot open macro file "{file}"\n')
            return
        for line in text.replace("\r\n", "\n").replace("\\\n", "").split("\n"):
            if _is_end(line) or not self._define(line):
                return

    def read(self) -> Dialogue[None]:
        """Take them from the lines that are typed."""
        self._console.say('["." by itself ends keyboard input]\n')
        line = ""
        while (piece := (yield from self._console.read(LONGEST - len(line)))) is not None:
            line += piece.rstrip("\r\n")
            if line.endswith("\\"):
                line = line[:-1]
            elif _is_end(line) or not self._define(line):
                return
            else:
                line = ""

    def _define(self, line: str) -> bool:
        """Take a line for what it is. False if it is one macro too many."""
        head, equals, chain = line.partition("=")
        name = upper("".join(letter for letter in head if letter not in BLANKS))
        if not equals:
            return True
        if name not in self._chains and len(self._chains) == MOST:
            self._console.insist("Maximum number of macros exceeded\n")
            return False
        if len(line) >= LONGEST:
            chain = f" echo Macro {name} is too long (>= {LONGEST} chars)~reset"
        self._chains[name] = chain
        return True


def _is_end(line: str) -> bool:
    """A dot, and nothing that can be seen after it."""
    return line[:1] == "." and line[1:2] <= "\r"
