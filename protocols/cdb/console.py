"""The console of a debugger: what it says while it works on a line, lines that come in, and the log of both."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

LOUD, SILENT, MUTE = 0, 1, 2  # by a leading `@` nothing is shown, by `&` nothing is logged either


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Text to show as it is: line ends are in it, and a prompt has none."""

    text: str
    is_error: bool = False  # the assembler's complaints, which pMARS writes to its standard error


@dataclass(frozen=True, slots=True)
class Slice:
    """Some milliseconds of work are done and more is to do: time for others."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A line is wanted. Stays inside the debugger."""


Event = Output | Slice
_Answer = TypeVar("_Answer")
Dialogue = Generator[Slice | Wanted, str | None, _Answer]  # is sent a line for each Wanted


class Log(Protocol):
    """A file that takes down the dialogue."""

    def write(self, text: str, /) -> object: ...
    def close(self) -> object: ...


class Host(Protocol):
    """The machine that a debugger runs on: `shell`, `write` and macro files exist only with one."""

    def open_log(self, name: str) -> Log:
        """To append to. OSError if that cannot be."""
        ...

    def read_macros(self, name: str) -> str:
        """The text of a macro file. OSError if there is none."""
        ...

    def shell(self, command: str) -> None:
        """Run it and wait for it."""
        ...


class Display(Protocol):
    """A picture of the core, which sees each instruction: the command `display` exists only with one."""

    def begin(self) -> None:
        """Forget what was seen."""
        ...

    def look(self) -> None:
        """See what the next instruction will do."""
        ...

    def lines(self) -> Iterator[str]:
        """The picture, without line ends."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one line of input may cost before it is interrupted; a slice is a few milliseconds of work."""

    characters: int
    slices: int


class Console:
    """`characters` counts what was shown, `silence` what the present command asked for."""

    def __init__(self) -> None:
        self.silence = LOUD
        self.log: Log | None = None
        self.characters = 0
        self._shown: list[Output] = []
        self._unread = ""

    def say(self, text: str) -> None:
        """Show it, unless the command is to be silent."""
        if self.log is not None and self.silence != MUTE:
            self.log.write(text)
        if self.silence == LOUD:
            self._show(text)

    def insist(self, text: str) -> None:
        """Show it, come what may."""
        if self.log is not None:
            self.log.write(text)
        self._show(text)

    def complain(self, text: str) -> None:
        """Show what the assembler has against a line."""
        self._shown.append(Output(text=text, is_error=True))
        self.characters += len(text)

    def shown(self) -> Iterator[Output]:
        """What was said since the last time."""
        shown, self._shown = self._shown, []
        return iter(shown)

    def read(self, longest: int) -> Dialogue[str | None]:
        """A line of input with its end, or the first part of a longer one; None when input has ended."""
        if not self._unread:
            line = yield Wanted()
            if line is None:
                return None
            self._unread = line + "\n"
        end = self._unread.find("\n", 0, longest) + 1 or longest
        line, self._unread = self._unread[:end], self._unread[end:]
        if self.log is not None:
            self.log.write(line)
        return line

    def forget(self) -> None:
        """Leave what is not read of a line, and be loud again."""
        self._unread = ""
        self.silence = LOUD

    def close_log(self) -> None:
        if self.log is not None:
            self.log.close()
            self.log = None

    def _show(self, text: str) -> None:
        self._shown.append(Output(text=text))
        self.characters += len(text)
