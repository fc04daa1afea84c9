"""The process of an external engine on two pipes, with bounded lines in and out, and an end that is always reached.

The program is untrusted. It may flood its output, fall silent, leave its input unread, die, or refuse to die. Each of
these costs bounded memory and time, and then raises an EngineError that names the fault.
"""

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.engine import EngineError

LINE_BYTES: Final = 65_536
UNREAD_BYTES: Final = 1 << 20  # that wait to be read by the program; a game of 6,000 moves is 60 KB
LINES_A_TURN: Final = 4  # after which other tasks run, however fast the program writes
STATUS_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """The seconds that an external engine may take for each step before it counts as dead."""

    notice: float = 2.0  # of silence before the user is notified that the program is still waited for
    introduction: float = 30.0  # to introduce itself, with libraries and tables loaded
    first_line: float = 10.0  # CECP: to send anything; silence means protocol version 1, not death
    features: float = 2.0  # CECP: the same between features, unless the engine asks for more by done=0
    ready: float = 30.0  # to answer isready or ping
    stop: float = 10.0  # to move after a stop command
    quiet: float = (
        0.1  # CECP without ping: silence that ends the output of the last game; it does not mean death
    )
    quit: float = 2.0  # to end by itself, and again after SIGTERM


TIMEOUTS: Final = Timeouts()


class EngineProcess:
    """A running program. After fail() and close() everything but close() raises EngineError."""

    def __init__(self, program: str, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self.program = program
        self._process = process
        self._input = process.stdin
        self._output = process.stdout
        self._reading = asyncio.Lock()  # close() may come while another task waits for a line
        self._lines_read = 0
        self._failure = ""

    @classmethod
    async def start(cls, command: Sequence[str]) -> "EngineProcess":
        """Run a command (program and arguments) in its own process group. Raises EngineError if that fails."""
        program = sanitize(Path(command[0]).name)
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
                limit=LINE_BYTES,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise EngineError(f"cannot start {sanitize(command[0])}: {reason}") from error
        return cls(program, process)

    def send(self, *lines: str) -> None:
        """Send whole lines without waiting. Raises EngineError if the program leaves too much input unread."""
        self._check()
        self._input.write("".join(f"{line}\n" for line in lines).encode())
        if self._input.transport.get_write_buffer_size() > UNREAD_BYTES:
            raise self.fail("does not read its input")

    async def line(self) -> str:
        """Return the next line without white space around it. Raises EngineError if there is no further line."""
        self._check()
        self._lines_read += 1
        if self._lines_read % LINES_A_TURN == 0:
            await asyncio.sleep(0)
        try:
            async with self._reading:
                line = await self._output.readline()
        except ValueError:
            raise self.fail(f"sent a line of more than {LINE_BYTES} bytes") from None
        if not line:
            with suppress(TimeoutError):
                async with asyncio.timeout(STATUS_SECONDS):
                    await self._process.wait()
            status = self._process.returncode
            raise self.fail("closed its output" if status is None else f"ended with status {status}")
        try:
            return line.decode().strip()
        except UnicodeDecodeError:
            return line.decode("latin-1").strip()

    def fail(self, failure: str) -> EngineError:
        """Give the program up and kill it; return the error to raise now, which every later use raises too."""
        self._failure = self._failure or f"{self.program} {failure}"
        self._signal(signal.SIGKILL)
        return EngineError(self._failure)

    async def close(self, seconds: float) -> None:
        """End the program by `quit`, then by SIGTERM, then by SIGKILL, waiting `seconds` after each."""
        if not self._failure:
            self._failure = f"{self.program} was closed"
            self._input.write(b"quit\n")
        self._input.close()
        for resort in (None, signal.SIGTERM, signal.SIGKILL):
            if resort is not None:
                self._signal(resort)
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds), self._reading:
                    while await self._output.read(LINE_BYTES):
                        pass  # it may be blocked on unread output
                    await self._process.wait()
                    return

    def _check(self) -> None:
        if self._failure:
            raise EngineError(self._failure)

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)


def sanitize(text: str) -> str:
    """Return the first 60 characters of untrusted text, with `?` for each that is not printable."""
    return "".join(character if character.isprintable() else "?" for character in text[:60])
