"""A scripted conversation: JSON lines that say what to send and what must come back.

{"type": ...}         send this message
{"raw": "text"}       send this line as it is
{"expect": pattern}   the next line must match
{"find": pattern}     some line from here on must match; those before it are passed over
{"reconnect": true}   cut the connection and open another
{"comment": "text"}   for people; so are lines that begin with #
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec


class ScriptError(ValueError):
    """A script that cannot be read; the text names the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """Say a message; names in it are filled in."""

    line: int
    message: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SendRaw:
    """Say a line that need not be a message."""

    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect:
    """Wait for a line; `passes_over` others first."""

    line: int
    pattern: dict[str, Any]
    passes_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconnect:
    """Cut the connection and open another."""

    line: int


Step = Send | SendRaw | Expect | Reconnect


def parse(text: str) -> list[Step]:
    """The steps of a script. ScriptError."""
    return list(_steps(text))


def _steps(text: str) -> Iterator[Step]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            entry = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ScriptError(f"line {number}: {error}") from None
        match entry:
            case {"type": str()}:
                yield Send(line=number, message=entry)
            case {"expect": dict(pattern)}:
                yield Expect(line=number, pattern=pattern, passes_over=False)
            case {"find": dict(pattern)}:
                yield Expect(line=number, pattern=pattern, passes_over=True)
            case {"raw": str(raw)}:
                yield SendRaw(line=number, text=raw)
            case {"reconnect": True}:
                yield Reconnect(line=number)
            case {"comment": str()}:
                pass
            case _:
                raise ScriptError(
                    f"line {number}: a message, an expect or the like, not {line.strip()[:80]!r}"
                )
