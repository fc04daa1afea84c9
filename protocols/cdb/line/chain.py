"""The command chain: a line of commands with loops and macros, and which of them is next.

Links are separated by `~`. A link `!!` begins a loop and `![n]` ends one, run n times or for ever; an empty link
repeats the one before it, an empty line the last line. Whoever asks for input in the middle of a command (a page,
an edit) is answered by the next link, too.
"""

from collections.abc import Callable
from typing import Final

from protocols.cdb.console import Console, Dialogue
from protocols.cdb.line.command import BLANKS, upper

LONGEST: Final = 500  # characters of a line, and of a chain with its macros
DEEPEST: Final = 12  # loops in loops
BEGIN, END, PLAIN = "!!", "!", ""


class Chain:
    """`evaluate` gives the value of a repeat count, or None if it has none."""

    def __init__(self, console: Console, evaluate: Callable[[str], int | None]) -> None:
        self._console = console
        self._evaluate = evaluate
        self._links: list[str] = []
        self._at = 0  # the link that was given out last
        self._next: int | None = None  # the one to look at now; None: a new line is wanted
        self._last_line = ""
        self._runs = 0  # of the innermost loop that are left; 0: not known yet, below: for ever
        self._outer_runs: list[int] = []

    def clear(self) -> None:
        """Forget the rest of the line."""
        self._next = None

    def expand(self, macro: str) -> bool:
        """Put a macro's links in the place of the one that called it. False if that is too long."""
        rest = [] if self._next is None else self._links[self._next :]
        if len("~".join(self._links)) + len(macro) > LONGEST:
            self.clear()
            return False
        self._links[self._at :] = [*macro.split("~"), *rest]
        self._next = self._at
        return True

    def command(self, prompt: str, *, skipping: bool = False) -> Dialogue[str]:
        """The next link to obey; `skipping` leaves one out first, or a whole loop."""
        while True:
            if self._next is None:
                yield from self._read_line(prompt)
            at = self._next or 0
            kind = _kind(self._links[at])
            if kind == BEGIN:
                if skipping:
                    self._pass(self._end_of_loop(at))
                    skipping = False
                else:
                    self._begin_loop(at)
                continue
            if kind == END and at > 0:
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
        self._console.insist(prompt)
        text = ""
        while True:
            piece = yield from self._console.read(LONGEST - len(text))
            if piece is None:
                self._console.insist("EOF reading command input\n")
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
        """A plain link. An empty one joins the link before it, so that a loop runs the two as one."""
        if self._links[at] or at == 0 or at == self._at:
            self._at = at
            self._pass(at)
        else:
            self._links[at - 1] += " "
            del self._links[at]
            self._pass(at - 1)
        return self._links[self._at]

    def _begin_loop(self, at: int) -> None:
        self._pass(at)
        if self._next is None:
            return
        if len(self._outer_runs) == DEEPEST:
            self._console.insist("Maximum loop nesting exceeded\n")
            self.clear()
            return
        self._outer_runs.append(self._runs)
        self._runs = 0

    def _end_loop(self, at: int, *, is_last_run: bool) -> str | None:
        """The first link of the loop, or None when it is over."""
        if is_last_run:
            self._runs = 1
        if not self._runs:
            count = upper(self._links[at].lstrip(BLANKS)[1:])
            runs = self._evaluate(count) if count.strip(BLANKS) else -1
            if runs is None:
                self._console.insist("Bad repeat count expression\n")
                self.clear()
                return None
            self._runs = runs
        self._runs -= 1
        if not self._runs:
            self._pass(at)
            if self._next is not None and self._outer_runs:
                self._runs = self._outer_runs.pop()
            return None
        self._at = self._start_of_loop(at)
        if _kind(self._links[self._at]):  # no command: what pMARS then tries to obey is the rest of the line
            self._next = self._at
            return "~".join(self._links[self._at :])
        self._pass(self._at)
        return self._links[self._at]

    def _start_of_loop(self, end: int) -> int:
        depth = 1
        for at in range(end - 1, -1, -1):
            kind = _kind(self._links[at])
            depth += {BEGIN: -1, END: 1, PLAIN: 0}[kind]
            if kind and (not self._outer_runs or (kind == BEGIN and depth == 0)):
                return at + 1
        return 0

    def _end_of_loop(self, begin: int) -> int:
        depth = 1
        for at in range(begin + 1, len(self._links)):
            kind = _kind(self._links[at])
            depth += {BEGIN: 1, END: -1, PLAIN: 0}[kind]
            if kind == END and depth == 0:
                return at
        return len(self._links) - 1

    def _pass(self, at: int) -> None:
        self._next = at + 1 if at + 1 < len(self._links) else None


def _kind(link: str) -> str:
    text = link.lstrip(BLANKS)
    return BEGIN if text.startswith("!!") else END if text.startswith("!") else PLAIN
