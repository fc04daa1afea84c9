"""The lexer of Redcode: it splits the text of a warrior into lines, and lines into tokens, as pMARS 0.9.2 does."""

import re
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.corewar.dialect import VERSION_094, Dialect
from core.corewar.instruction import OPERATIONS

SPACE: Final = 32
EXCLAMATION: Final = 33
PERCENT: Final = 37
AMPERSAND: Final = 38
OPEN: Final = 40
CLOSE: Final = 41
STAR: Final = 42
PLUS: Final = 43
COMMA: Final = 44
MINUS: Final = 45
DOT: Final = 46
SLASH: Final = 47
COLON: Final = 58
SEMICOLON: Final = 59
LESS: Final = 60
EQUALS: Final = 61
GREATER: Final = 62
UNDERSCORE: Final = 95
BAR: Final = 124

# The kinds of words: the number of an operation, or one of these.
ORG: Final = 19
END: Final = 20
PIN: Final = 21
EQU: Final = 22
FOR: Final = 23
ROF: Final = 24
CURLINE: Final = 25
NAME: Final = 26
NO_WORD: Final = -1

KEYWORDS: Final = {
    name: number for number, name in enumerate((*OPERATIONS, "ORG", "END", "PIN", "EQU", "FOR", "ROF"))
}

LONGEST_LINE: Final = 255  # characters that pMARS reads at once; the rest is the next line
LONGEST_LINE_094: Final = 7999  # from 0.9.4 on, which does not terminate on more than 255 without a comment
WHITE_SPACE: Final = " \t\n\v\f\r"
NO_BREAK_SPACE: Final = "\xa0"
COMMENT: Final = re.compile(
    r";(\s*)(redcode|name|author|date|version|strategy|kill|assert|debug|trace|break)(?!\w)",
    re.ASCII | re.IGNORECASE,
)
SCRATCH: Final = 512  # characters of pMARS's line buffer


@final
class Token:
    """A word, a number, && or ||, or a single other character.

    `spaced` is whether white space follows the token, on which much depends: labels, names joined by &, operations.
    """

    def __init__(self, text: str, first: i64, word: i64, start: i64, spaced: bool) -> None:
        self.text: Final = text
        self.first: Final = first  # the number of the first character
        self.word: Final = word  # an operation, ORG ... NAME, or NO_WORD
        self.start: Final = start  # the index of the first character in the line
        self.spaced: Final = spaced


@final
class Line:
    """A line of a text without its comment; `number` counts from 1, `text` is for messages, and `rest` is read."""

    def __init__(self, number: i64, text: str, rest: str) -> None:
        self.number: Final = number
        self.text: Final = text
        self.rest: Final = rest
        self._tokens: list[Token] | None = None

    def tokens(self) -> list[Token]:
        tokens = self._tokens
        if tokens is None:
            self._tokens = tokens = tokens_of(self.rest)
        return tokens


@final
class Scratch:
    """The line buffer of pMARS 0.9.2, whose leftovers pMARS reads again by mistake.

    If an operation touches its operand at the very end of a line, as in `jmp@1`, pMARS copies the text without an end
    mark, and reads the rest of an earlier, longer word as if it belonged to the line. A space after the operand
    avoids the fault. The fault decides which cells old warriors have, so it is reproduced.
    """

    def __init__(self) -> None:
        self._cells = vec[i64]([0] * SCRATCH)

    def write(self, text: str, place: i64 = 0) -> None:
        """Write characters at a place, and an end mark after them."""
        self._cells[self._put(text, place)] = 0

    def write_unended(self, word: str) -> str:
        """Write a word at the start without an end mark, and return the characters up to the next older mark."""
        cells = self._cells
        end = self._put(word, 0)
        while cells[end]:
            end += 1
        return word + "".join([chr(int(cells[at])) for at in range(len(word), end)])

    def _put(self, text: str, place: i64) -> i64:
        """Write characters, and return the index after them; the last cell always keeps its end mark."""
        cells = self._cells
        end = min(place + len(text), SCRATCH - 1)
        for at in range(place, end):
            cells[at] = ord(text[at - place])
        return end


@final
class Source:
    """The lines to assemble, and the information about the warrior from its comments.

    `lines` have no comments except those that start with ;assert (or ;debug, ;trace, ;break for a debugger). `rest`
    is the text after the second ;redcode line, which is the next warrior of a stream.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.scratch: Final = Scratch()
        self.name = "Unknown"
        self.author = "Anonymous"
        self.date = ""
        self.version = ""
        self.strategy: list[str] = []
        self.kill: list[str] = []
        self.tag = ""
        self.rest = ""

    def add(self, line: str, number: i64, start: i64) -> None:
        """Add a line without the comment that starts at `start` or later."""
        comment = line.find(";", start)
        if comment >= 0:
            line = line[:comment]
            self.scratch.write("", comment)
        self.lines.append(Line(number, line, line))


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text."""
    tokens: list[Token] = []
    size: i64 = len(text)
    at = skip_space(text, 0)
    while at < size:
        start = at
        first: i64 = ord(text[at])
        word: i64 = NO_WORD
        at += 1
        if is_digit(first):
            while at < size and is_digit(ord(text[at])):
                at += 1
        elif is_letter(first) or first == UNDERSCORE:
            while at < size and is_word(ord(text[at])):
                at += 1
            word = word_at(text, start, at)
        elif (first == AMPERSAND or first == BAR) and at < size and ord(text[at]) == first:
            at += 1
        end = at
        at = skip_space(text, at)
        tokens.append(Token(text[start:end], first, word, start, at > end))
    return tokens


def word_at(text: str, start: i64, end: i64) -> i64:
    """Return the kind of the word at text[start:end]; only CURLINE must be in upper case."""
    if end - start == 3:
        return KEYWORDS.get(text[start:end].upper(), NAME)
    return CURLINE if end - start == 7 and text[start:end] == "CURLINE" else NAME


def read(text: str, dialect: Dialect, source: Source, begun: bool = False) -> None:
    """Read one warrior into a new `source`.

    With `begun`, the warrior's ;redcode line has been read already, as the end of the previous warrior in the stream.
    A line that ends in a backslash continues in the next; a line that is too long is cut in two; a NUL or a carriage
    return ends a line.
    """
    if dialect.friendly:
        text = text.replace(NO_BREAK_SPACE, " ")
    size: i64 = len(text)
    longest: i64 = LONGEST_LINE if dialect.version < VERSION_094 else LONGEST_LINE_094
    at: i64 = 0
    number: i64 = 0
    while at < size:
        line = ""
        goes_on = True
        while goes_on and at < size:
            most = min(at + longest - len(line), size)
            newline: i64 = text.find(
                "\n", at, most
            )  # not beyond `most`, since a line without an end is read in many pieces
            end = newline + 1 if newline >= 0 else most
            source.scratch.write(text[at:end], len(line))
            line += text[at : end_of_line(text, at, end)]
            at = end
            goes_on = line.endswith("\\") and (dialect.version < VERSION_094 or ";" not in line)
            if goes_on:
                line = line[:-1]
            source.scratch.write("", len(line))
        number += 1
        start = skip_space(line, 0)
        if start == len(line):
            continue
        if ord(line[start]) != SEMICOLON:
            source.add(line, number, start)
        elif comment := COMMENT.match(line, int(start)):
            word = comment[2].upper()
            if word != "REDCODE" or comment[1]:
                read_comment(source, dialect, word, line, number, comment.end())
            elif begun:
                source.rest = text[at:]
                return
            else:
                begun = True
                source.lines.clear()
                source.tag = line[comment.end() :].strip()


def read_comment(source: Source, dialect: Dialect, word: str, line: str, number: i64, end: int) -> None:
    """Store the content of a comment other than ;redcode, whose keyword `word` ends at `end`."""
    text = line[end:].lstrip(WHITE_SPACE)
    if word == "NAME":
        source.name = text or "Unknown"
    elif word == "AUTHOR":
        source.author = text or "Anonymous"
    elif word == "DATE":
        source.date = text
    elif word == "VERSION":
        source.version = text
    elif word == "STRATEGY":
        source.strategy.append(text)
    elif word == "KILL":
        source.kill.append(text)
    elif word == "ASSERT" or (dialect.debugger and word != "REDCODE"):
        source.add(line, number, len(line) - len(text))


def end_of_line(text: str, start: i64, end: i64) -> i64:
    """Return the index of the first NUL, newline or carriage return in text[start:end], or `end` if there is none."""
    for at in range(start, end):
        character: i64 = ord(text[at])
        if character <= 13 and (character == 10 or character == 13 or character == 0):
            return at
    return end


def is_space(character: i64) -> bool:
    return character == SPACE or 9 <= character <= 13


def is_letter(character: i64) -> bool:
    return 65 <= character <= 90 or 97 <= character <= 122


def is_digit(character: i64) -> bool:
    return 48 <= character <= 57


def is_word(character: i64) -> bool:
    return is_letter(character) or is_digit(character) or character == UNDERSCORE


def skip_space(text: str, at: i64) -> i64:
    size: i64 = len(text)
    while at < size and is_space(ord(text[at])):
        at += 1
    return at
