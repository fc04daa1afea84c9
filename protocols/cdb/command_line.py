"""The debugger's command line: commands and their ranges, chains of commands with loops, and macros."""

import string
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from protocols.cdb.console import LOUD, MUTE, SILENT, Console, Dialogue, Host

BLANKS: Final = " \t\n\v\f\r"
MAX_ARGUMENT: Final = 80  # characters
MAX_LINE: Final = 500  # characters of a line, and of a chain with its macros
MAX_DEPTH: Final = 12  # loops in loops
MAX_MACROS: Final = 200
MAX_MACRO_LINE: Final = 255  # characters
_BEGIN, _END, _COMMAND = "!!", "!", ""  # kinds of links
_UPPER: Final = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)


def upper(text: str) -> str:
    """Return a text in capital letters as in the C locale, which leaves all but ASCII letters alone."""
    return text.translate(_UPPER)


# -- Commands --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A parsed command: its silence, its verb, and its argument.

    `argument` is as it was typed; `first` and `last` are its parts before and after a comma, in capital letters.
    """

    silence: int
    verb: str
    argument: str
    first: str
    last: str
    has_comma: bool


def parse(text: str) -> Command:
    """Parse a command. Any text is a command, though it may be an unknown one."""
    text = text.lstrip(BLANKS)
    silence = {"@": SILENT, "&": MUTE}.get(text[:1], LOUD)
    if silence != LOUD:
        text = text[1:].lstrip(BLANKS)
    rest = text.lstrip(string.ascii_letters)
    verb = text[: len(text) - len(rest)]
    argument = rest.lstrip(BLANKS)
    first, comma, last = argument.partition(",")
    return Command(
        silence=silence,
        verb=verb,
        argument=argument[:MAX_ARGUMENT].rstrip(BLANKS),
        first=upper(first),
        last=upper(last.lstrip(BLANKS)),
        has_comma=comma != "",
    )


@dataclass(frozen=True, slots=True)
class Range:
    """The first and the last of the entries of a list that a command applies to."""

    first: int
    last: int


def range_of(
    command: Command, value: Callable[[str], int | None], current: int, previous: Range
) -> Range | None:
    """Return the range of a command, `a,b`, `a,`, `,b` or `a`, where a missing end is the current entry.

    Without any expression it is the previous range. `value` evaluates an expression; the range is None if one of them
    has no value.
    """
    first = value(command.first) if command.first else current
    last = first
    if first is not None and (command.has_comma or command.last):
        last = value(command.last) if command.last else current
    if first is None or last is None:
        return None
    if not command.first and not command.last:
        return previous
    return Range(first, last)


# -- Chains ----------------------------------------------------------------------------------------


class CommandLine:
    """A line of commands, which is a chain of links, and the position in it.

    The links are separated by `~`. A link `!!` starts a loop and `![n]` ends one, which runs n times or for ever. An
    empty link repeats the link before it, an empty line the last line. Questions of a command (a page, an edit) are
    answered by the next link, too. `evaluate` returns the value of a repeat count, or None if the count has no value.
    """

    def __init__(self, console: Console, evaluate: Callable[[str], int | None]) -> None:
        self._console = console
        self._evaluate = evaluate
        self._links: list[str] = []
        self._at = 0  # the link that was returned last
        self._next: int | None = None  # the link to look at now; None: a new line is needed
        self._last_line = ""
        self._runs = 0  # that the innermost loop has left; 0: not known yet; negative: for ever
        self._outer_runs: list[int] = []

    def clear(self) -> None:
        """Drop the rest of the line."""
        self._next = None

    def expand(self, macro: str) -> bool:
        """Replace the last link, which called a macro, by the macro's links.

        Return False, and drop the rest of the line, if the chain would be too long.
        """
        rest = [] if self._next is None else self._links[self._next :]
        if len("~".join(self._links)) + len(macro) > MAX_LINE:
            self.clear()
            return False
        self._links[self._at :] = [*macro.split("~"), *rest]
        self._next = self._at
        return True

    def next_command(self, prompt: str, *, skipping: bool = False) -> Dialogue[str]:
        """Return the next command, from a new line if necessary; with `skipping`, skip one command or loop first."""
        while True:
            if self._next is None:
                yield from self._read_line(prompt)
            at = self._next or 0
            kind = _kind(self._links[at])
            if kind == _BEGIN:
                if skipping:
                    self._set_next_link(self._end_of_loop(at))
                    skipping = False
                else:
                    self._begin_loop(at)
                continue
            if kind == _END and at > 0:
                link = self._end_loop(at, is_last_run=skipping)
                skipping = False
                if link is None:
                    continue
            else:
                link = self._take(at)
            if not skipping:
                return link
            skipping = False

    def _read_line(self, prompt: str) -> Dialogue[None]:
        self._console.say_always(prompt)
        text = ""
        while True:
            piece = yield from self._console.read(MAX_LINE - len(text))
            if piece is None:
                self._console.say_always("EOF reading command input\n")
                text = "con\n"
                break
            text += piece.split("\n")[0].split("\r")[0]
            if not text.endswith("\\"):
                break
            text = text[:-1]
        if not text:
            text = self._last_line
        elif text[0] not in BLANKS:
            self._last_line = text
        self._links = text.split("~")
        self._at = self._next = 0
        self._runs = 0
        self._outer_runs.clear()

    def _take(self, at: int) -> str:
        """Return the command of a link. An empty link joins the one before it, so that a loop runs the two as one."""
        if self._links[at] or at == 0 or at == self._at:
            self._at = at
            self._set_next_link(at)
        else:
            self._links[at - 1] += " "
            del self._links[at]
            self._set_next_link(at - 1)
        return self._links[self._at]

    def _begin_loop(self, at: int) -> None:
        self._set_next_link(at)
        if self._next is None:
            return
        if len(self._outer_runs) == MAX_DEPTH:
            self._console.say_always("Maximum loop nesting exceeded\n")
            self.clear()
            return
        self._outer_runs.append(self._runs)
        self._runs = 0

    def _end_loop(self, at: int, *, is_last_run: bool) -> str | None:
        """End a run of the loop, and return the first command of its next run, or None if there is no further run."""
        if is_last_run:
            self._runs = 1
        if not self._runs:
            count = upper(self._links[at].lstrip(BLANKS)[1:])
            runs = self._evaluate(count) if count.strip(BLANKS) else -1
            if runs is None:
                self._console.say_always("Bad repeat count expression\n")
                self.clear()
                return None
            self._runs = runs
        self._runs -= 1
        if not self._runs:
            self._set_next_link(at)
            if self._next is not None and self._outer_runs:
                self._runs = self._outer_runs.pop()
            return None
        self._at = self._start_of_loop(at)
        if _kind(self._links[self._at]):  # not a command: pMARS then tries to execute the rest of the line
            self._next = self._at
            return "~".join(self._links[self._at :])
        self._set_next_link(self._at)
        return self._links[self._at]

    def _start_of_loop(self, end: int) -> int:
        depth = 1
        for at in range(end - 1, -1, -1):
            kind = _kind(self._links[at])
            depth += {_BEGIN: -1, _END: 1, _COMMAND: 0}[kind]
            if kind and (not self._outer_runs or (kind == _BEGIN and depth == 0)):
                return at + 1
        return 0

    def _end_of_loop(self, begin: int) -> int:
        depth = 1
        for at in range(begin + 1, len(self._links)):
            kind = _kind(self._links[at])
            depth += {_BEGIN: 1, _END: -1, _COMMAND: 0}[kind]
            if kind == _END and depth == 0:
                return at
        return len(self._links) - 1

    def _set_next_link(self, at: int) -> None:
        self._next = at + 1 if at + 1 < len(self._links) else None


def _kind(link: str) -> str:
    text = link.lstrip(BLANKS)
    return _BEGIN if text.startswith(_BEGIN) else _END if text.startswith(_END) else _COMMAND


# -- Macros ----------------------------------------------------------------------------------------


class Macros:
    """Named command chains, defined by lines `name=chain`; other lines are remarks.

    A later definition of a name replaces an earlier one.
    """

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
        """Define the macros of a file of the host, up to a line with a dot."""
        text = None
        if self._host is not None:
            with suppress(OSError):
                text = self._host.read_macros(file)
        if text is None:
            self._console.say_always(f'Cannot open macro file "{file}"\n')
            return
        for line in text.replace("\r\n", "\n").replace("\\\n", "").split("\n"):
            if _is_end(line) or not self._define(line):
                return

    def read(self) -> Dialogue[None]:
        """Define the macros of the lines that are typed, up to a line with a dot."""
        self._console.say('["." by itself ends keyboard input]\n')
        line = ""
        while (piece := (yield from self._console.read(MAX_MACRO_LINE - len(line)))) is not None:
            line += piece.rstrip("\r\n")
            if line.endswith("\\"):
                line = line[:-1]
            elif _is_end(line) or not self._define(line):
                return
            else:
                line = ""

    def _define(self, line: str) -> bool:
        """Define the macro of a line, if the line is not a remark. Return False if there are too many macros."""
        head, equals, chain = line.partition("=")
        name = upper("".join(character for character in head if character not in BLANKS))
        if not equals:
            return True
        if name not in self._chains and len(self._chains) == MAX_MACROS:
            self._console.say_always("Maximum number of macros exceeded\n")
            return False
        if len(line) >= MAX_MACRO_LINE:
            chain = f" echo Macro {name} is too long (>= {MAX_MACRO_LINE} chars)~reset"
        self._chains[name] = chain
        return True


def _is_end(line: str) -> bool:
    """Return whether a line is a dot with nothing visible after it."""
    return line[:1] == "." and line[1:2] <= "\r"
