"""The debugger's console without I/O (output, lines of input, the log of both) and the protocols of its host."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

LOUD, SILENT, MUTE = 0, 1, 2  # a command after `@` prints nothing; a command after `&` is not logged either


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Text to print as it is; it contains its line ends, and a prompt has none."""

    text: str
    is_error: bool = False  # a message of the assembler, which pMARS writes to its standard error


@dataclass(frozen=True, slots=True)
class Yield:
    """Some milliseconds of work are done and more work is left: other tasks may run now."""


@dataclass(frozen=True, slots=True)
class NeedLine:
    """A line of input is needed. Debugger handles this event and does not pass it on."""


Event = Output | Yield
_Answer = TypeVar("_Answer")
Dialogue = Generator[Yield | NeedLine, str | None, _Answer]  # takes a line, by send(), for each NeedLine


class Log(Protocol):
    """A text file that records the dialogue."""

    def write(self, text: str, /) -> object: ...
    def close(self) -> object: ...


class Host(Protocol):
    """The system on which a debugger runs. Without a host there is no `shell`, no `write` and no macro file."""

    def open_log(self, name: str) -> Log:
        """Open a log to append to it. Raises OSError if that is impossible."""
        ...

    def read_macros(self, name: str) -> str:
        """Return the text of a macro file. Raises OSError if the file cannot be read."""
        ...

    def shell(self, command: str) -> None:
        """Run a command and wait for its end."""
        ...


class Display(Protocol):
    """A picture of the core that follows each instruction. Without a display there is no command `display`."""

    def begin(self) -> None:
        """Forget all instructions so far."""
        ...

    def look(self, word: int, /) -> None:
        """Record the effects that `word`, the next instruction, will have."""
        ...

    def lines(self) -> Iterator[str]:
        """Yield the lines of the picture, without line ends."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The cost at which a line of input is interrupted: characters printed, and slices that end with a Yield."""

    characters: int
    slices: int


class Console:
    """The output that a debugger has printed, and its input.

    `silence` is that of the present command. `characters` is the number of characters printed; the debugger resets it
    for each line.
    """

    def __init__(self) -> None:
        self.silence = LOUD
        self.log: Log | None = None
        self.characters = 0
        self._output: list[Output] = []
        self._unread = ""  # a line, which has been read up to `_at`
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
        """Return the output printed since the last call."""
        output, self._output = self._output, []
        return output

    def read(self, longest: int) -> Dialogue[str | None]:
        """Return the next line with its end, or at most `longest` characters of it; None at the end of input."""
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
