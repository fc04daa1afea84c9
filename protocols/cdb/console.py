"""The debugger's console without I/O: output, lines of input, the log of both; and what a debugger needs of its host."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

LOUD, SILENT, MUTE = 0, 1, 2  # a command after `@` prints nothing, one after `&` is not logged either


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Text to print as it is: line ends are in it, and a prompt has none."""

    text: str
    is_error: bool = False  # a message of the assembler, which pMARS writes to its standard error


@dataclass(frozen=True, slots=True)
class Yield:
    """Some milliseconds of work are done and there is more to do: other tasks may run."""


@dataclass(frozen=True, slots=True)
class NeedLine:
    """A line of input is needed. Debugger consumes it."""


Event = Output | Yield
_Answer = TypeVar("_Answer")
Dialogue = Generator[Yield | NeedLine, str | None, _Answer]  # is sent a line for each NeedLine


class Log(Protocol):
    """A text file that records the dialogue."""

    def write(self, text: str, /) -> object: ...
    def close(self) -> object: ...


class Host(Protocol):
    """The system under a debugger. Without one there is no `shell`, no `write` and no macro file."""

    def open_log(self, name: str) -> Log:
        """Open a log to append to. OSError."""
        ...

    def read_macros(self, name: str) -> str:
        """The text of a macro file. OSError."""
        ...

    def shell(self, command: str) -> None:
        """Run a command and wait for its end."""
        ...


class Display(Protocol):
    """A picture of the core that follows each instruction. Without one there is no command `display`."""

    def begin(self) -> None:
        """Forget all instructions so far."""
        ...

    def look(self, word: int, /) -> None:
        """Record what `word`, the next instruction, will do."""
        ...

    def lines(self) -> Iterator[str]:
        """The picture, without line ends."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one line of input may cost before it is interrupted: characters printed, Yield events."""

    characters: int
    slices: int


class Console:
    """Collects the output of the debugger, and asks for input.

    `silence` is that of the present command; `characters` counts what was printed, and is reset by the debugger.
    """

    def __init__(self) -> None:
        self.silence = LOUD
        self.log: Log | None = None
        self.characters = 0
        self._output: list[Output] = []
        self._unread = ""  # a line, up to `_at` already taken
        self._at = 0

    def say(self, text: str) -> None:
        """Print and log, as far as the silence of the command allows."""
        if self.log is not None and self.silence != MUTE:
            self.log.write(text)
        if self.silence == LOUD:
            self._print(text)

    def say_always(self, text: str) -> None:
        """Print and log, whatever the silence of the command."""
        if self.log is not None:
            self.log.write(text)
        self._print(text)

    def say_error(self, text: str) -> None:
        """Print a message of the assembler."""
        self._print(text, is_error=True)

    def take_output(self) -> list[Output]:
        """What was printed since the last call."""
        output, self._output = self._output, []
        return output

    def read(self, longest: int) -> Dialogue[str | None]:
        """A line of input with its end, or the first part of one longer than `longest`; None at the end of input."""
        if self._at >= len(self._unread):
            line = yield NeedLine()
            if line is None:
                return None
            self._unread, self._at = line + "\n", 0
        last = self._at + longest
        end = self._unread.find("\n", self._at, last) + 1 or last
        line = self._unread[self._at : end]
        self._at = end
        if self.log is not None:
            self.log.write(line)
        return line

    def reset(self) -> None:
        """Drop the unread part of a line, and be loud again."""
        self._unread = ""
        self.silence = LOUD

    def close_log(self) -> None:
        if self.log is not None:
            self.log.close()
            self.log = None

    def _print(self, text: str, *, is_error: bool = False) -> None:
        self._output.append(Output(text=text, is_error=is_error))
        self.characters += len(text)
