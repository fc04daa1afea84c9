"""Standard input and output as a stream, be they pipes, files, terminals or sockets.

No descriptor is made non-blocking, since that setting is shared with the parent process. Input is read when it is
available; output blocks, because only the program that started this one can delay it. No thread reads the input: a
search that releases the GIL only for an instant every two milliseconds kept such a thread waiting for seconds.
"""

import asyncio
import os
import select
import time
from pathlib import Path
from typing import Final

LINE_BYTES: Final = 1 << 20  # the longest line of input
INPUT: Final = 0  # the descriptor of standard input
OUTPUT: Final = 1


class StandardStream(asyncio.ReadTransport):
    """A protocols.connection.Stream over standard input and output; create it inside a running event loop.

    close() and abort() do nothing, because the program that started this one closes the stream.
    """

    def __init__(self, log: "ConversationLog | None" = None, *, is_reading: bool = True) -> None:
        """Open the stream, logging it to `log`. Without `is_reading`, input is not read and counts as ended."""
        super().__init__()
        self._input = asyncio.StreamReader(limit=LINE_BYTES)
        self._input.set_transport(self)
        self._loop = asyncio.get_running_loop()
        self._log = log
        self._is_reading = is_reading
        if is_reading:
            self.resume_reading()
        else:
            self._input.feed_eof()

    async def readline(self) -> bytes:
        """Return the next line with its break, or b"" at the end. Raises ValueError if it exceeds LINE_BYTES."""
        line = await self._input.readline()
        if self._log is not None and line:
            self._log.write(">", line)
        return line

    async def read(self) -> bytes:
        return await self.readline()

    def write(self, data: bytes) -> None:
        """Write all data now, blocking. Raises BrokenPipeError if the other end is closed."""
        if self._log is not None:
            self._log.write("<", data)
        while data:
            try:
                data = data[os.write(OUTPUT, data) :]
            except BlockingIOError:  # another process has made the shared descriptor non-blocking
                select.select([], [OUTPUT], [])

    async def drain(self) -> None:
        return

    def waiting(self) -> int:
        return 0

    def is_gone(self) -> bool:
        return False

    def close(self) -> None:
        return

    def abort(self) -> None:
        return

    # -- The transport of the reader ---------------------------------------------------------------

    def pause_reading(self) -> None:
        """Stop reading. The reader calls this if its buffer is full, so that endless input does not fill the memory."""
        self._is_reading = False
        self._loop.remove_reader(INPUT)

    def resume_reading(self) -> None:
        self._is_reading = True
        try:
            self._loop.add_reader(INPUT, self._read)
        except PermissionError:  # a regular file cannot be waited for, and need not be
            self._loop.call_soon(self._read_file)

    def _read_file(self) -> None:
        if self._is_reading and self._read():
            self._loop.call_soon(self._read_file)

    def _read(self) -> bool:
        """Pass the available input to the reader. Return False at the end of input."""
        try:
            data = os.read(INPUT, 65_536)
        except BlockingIOError:
            return True
        except OSError:  # the terminal has been closed
            data = b""
        if data:
            self._input.feed_data(data)
        else:
            self._loop.remove_reader(INPUT)
            self._input.feed_eof()
        return bool(data)


class ConversationLog:
    """A log file of a conversation: each line has the seconds since the start, and `>` (input) or `<` (output)."""

    def __init__(self, path: Path) -> None:
        """Open the file to append to it. Raises OSError if the file cannot be written."""
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._started = time.monotonic()

    def write(self, direction: str, data: bytes) -> None:
        seconds = time.monotonic() - self._started
        text = data.decode("utf-8", "replace").rstrip("\r\n")
        self._file.write(f"{seconds:8.3f} {direction} {text}\n")
