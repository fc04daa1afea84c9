"""Standard input and output as a pair of streams, whatever they are: pipes, files, terminals, sockets.

A thread reads, because an event loop cannot wait for a regular file and because a descriptor that is
shared with the parent must not be made non-blocking. Writing blocks: only our own GUI can hold us up.
"""

import asyncio
import os
import select
import threading
import time
from pathlib import Path
from typing import Final

LINE_BYTES: Final = 1 << 20
INPUT: Final = 0
OUTPUT: Final = 1


class StandardInput(asyncio.Transport):
    """Lines of standard input; must be made inside a running event loop."""

    def __init__(self, log: "Log | None" = None) -> None:
        super().__init__()
        self._stream = asyncio.StreamReader(limit=LINE_BYTES)
        self._stream.set_transport(self)
        self._loop = asyncio.get_running_loop()
        self._log = log
        self._wanted = threading.Event()
        self._wanted.set()
        threading.Thread(target=self._read, daemon=True).start()

    async def readline(self) -> bytes:
        """The next line with its break; empty at the end. ValueError if it is longer than LINE_BYTES."""
        line = await self._stream.readline()
        if self._log is not None and line:
            self._log.write(">", line)
        return line

    def pause_reading(self) -> None:
        """The stream has enough: an endless input must not fill the memory."""
        self._wanted.clear()

    def resume_reading(self) -> None:
        self._wanted.set()

    def _read(self) -> None:
        data = b"\n"
        while data:
            self._wanted.wait()
            data = _read_some()
            try:
                self._loop.call_soon_threadsafe(self._take, data)
            except RuntimeError:
                return  # the loop is closed: we are done

    def _take(self, data: bytes) -> None:
        if data:
            self._stream.feed_data(data)
        else:
            self._stream.feed_eof()


class StandardOutput:
    """Standard output, each write at once. BrokenPipeError when nobody reads any more."""

    def __init__(self, log: "Log | None" = None) -> None:
        self._log = log

    def write(self, data: bytes) -> None:
        if self._log is not None:
            self._log.write("<", data)
        while data:
            try:
                data = data[os.write(OUTPUT, data) :]
            except BlockingIOError:  # another process has made the descriptor that we share non-blocking
                select.select([], [OUTPUT], [])

    async def drain(self) -> None:
        return


class Log:
    """A record of the conversation: seconds since the start, `>` from the GUI, `<` from us."""

    def __init__(self, path: Path) -> None:
        """OSError if the file cannot be written."""
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._started = time.monotonic()

    def write(self, direction: str, data: bytes) -> None:
        seconds = time.monotonic() - self._started
        text = data.decode("utf-8", "replace").rstrip("\r\n")
        self._file.write(f"{seconds:8.3f} {direction} {text}\n")


def _read_some() -> bytes:
    """What there is on standard input, empty at its end."""
    while True:
        try:
            return os.read(INPUT, 65_536)
        except BlockingIOError:
            select.select([INPUT], [], [])
        except OSError:
            return b""
