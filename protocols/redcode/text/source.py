"""The text of a warrior, cut into lines: what pMARS reads of a file before it looks at any instruction."""

import re
from dataclasses import dataclass, field
from typing import Final

from protocols.redcode.dialect import Dialect
from protocols.redcode.text.line import Line

LONGEST_LINE: Final = 255  # pMARS reads no more at once; the rest is the next line
SPACE: Final = " \t\n\v\f\r"
NO_BREAK_SPACE: Final = "\xa0"
ODD: Final = re.compile(r"[\\\0]|[^\n]{254}")  # what makes cutting lines more than splitting at their ends
COMMENT: Final = re.compile(
    r";(\s*)(redcode|name|author|date|version|strategy|kill|assert|debug|trace|break)(?!\w)",
    re.ASCII | re.IGNORECASE,
)
SWITCHES: Final = frozenset({"DEBUG", "TRACE", "BREAK"})


@dataclass(slots=True, kw_only=True)
class Source:
    """The lines that matter, and what the comments say about the warrior.

    `lines` have no comments, but for those that begin with ;assert (or ;debug, ;trace, ;break under a
    debugger). `rest` is what follows the second ;redcode line: the next warrior of a stream. `written` is all
    that was read, for Scratch.
    """

    lines: list[Line] = field(default_factory=list)
    name: str = "Unknown"
    author: str = "Anonymous"
    date: str = ""
    version: str = ""
    strategy: list[str] = field(default_factory=list)
    kill: list[str] = field(default_factory=list)
    tag: str = ""
    rest: str = ""
    begun: bool = False
    written: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: str, number: int, start: int) -> None:
        """Take in a line without the comment that begins at `start` or later."""
        comment = line.find(";", start)
        if comment >= 0:
            line = line[:comment]
            self.written.append((comment, ""))
        self.lines.append(Line(number, line))


def read(text: str, dialect: Dialect, *, begun: bool = False, careful: bool = False) -> Source:
    """Read one warrior; `begun` if its ;redcode line ended the one before, in the same stream.

    `careful` fills `written`, which costs time.
    """
    if dialect.friendly:
        text = text.replace(NO_BREAK_SPACE, " ")
    source = Source(begun=begun)
    if careful or ODD.search(text):
        _read_odd(text, source, dialect)
        return source
    pieces = text.split("\n")
    for number, piece in enumerate(pieces, 1):
        line = piece.partition("\r")[0] if "\r" in piece else piece
        if ";" not in line:
            if line.lstrip(SPACE):
                source.lines.append(Line(number, line))
        elif _take(line, number, source, dialect):
            source.rest = "\n".join(pieces[number:])
            break
    return source


def _read_odd(text: str, source: Source, dialect: Dialect) -> None:
    """The same for any text: lines that go on after a backslash, are too long, or hold a NUL."""
    at = number = 0
    while at < len(text):
        line = ""
        goes_on = True
        while goes_on and at < len(text):
            end = min(text.find("\n", at) + 1 or len(text), at + LONGEST_LINE - len(line))
            piece = text[at:end]
            at = end
            source.written.append((len(line), piece))
            line += re.split("[\0\r\n]", piece, maxsplit=1)[0]
            goes_on = line.endswith("\\") and (dialect.version < 94 or ";" not in line)
            if goes_on:
                line = line[:-1]
            source.written.append((len(line), ""))
        number += 1
        if _take(line, number, source, dialect):
            source.rest = text[at:]
            return


def _take(line: str, number: int, source: Source, dialect: Dialect) -> bool:
    """Add a line to what is known. True when it ends the warrior."""
    stripped = line.lstrip(SPACE)
    if not stripped:
        return False
    if stripped[0] != ";":
        source.add(line, number, 0)
        return False
    comment = COMMENT.match(stripped)
    if not comment:
        return False
    word = comment[2].upper()
    if word == "REDCODE" and not comment[1]:
        if source.begun:
            return True
        source.begun = True
        source.lines.clear()
        source.tag = stripped[comment.end() :].strip()
        return False
    words = stripped[comment.end() :].lstrip(SPACE)
    if word == "NAME":
        source.name = words or "Unknown"
    elif word == "AUTHOR":
        source.author = words or "Anonymous"
    elif word == "DATE":
        source.date = words
    elif word == "VERSION":
        source.version = words
    elif word == "STRATEGY":
        source.strategy.append(words)
    elif word == "KILL":
        source.kill.append(words)
    elif word == "ASSERT" or (dialect.debugger and word in SWITCHES):
        source.add(line, number, len(line) - len(words))
    return False
