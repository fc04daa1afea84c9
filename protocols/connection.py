"""A client's connection without I/O, in the manner of h11: bytes in, lines out; lines in, bytes to send out.

All protocols share Connection. LineReader adds the waiting, for protocols whose session asks for one line at a time.
"""

import asyncio
import socket
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from fcntl import ioctl
from itertools import takewhile
from termios import FIONREAD
from time import monotonic
from typing import Final, Protocol

from protocols.limits import MESSAGE_BYTES, TokenBucket

TEXT_LINES: Final = 50  # of a text that count as one message
MAX_UNREAD_BYTES: Final = 32_768  # bytes in the kernel's buffer, less than any receive window
TCP_ESTABLISHED: Final = 1  # as Linux numbers the states of a connection (TCP_INFO); neither side has ended
UTF8_MARK: Final = b"\xef\xbb\xbf"  # some editors and shells put it before a text


class LineTooLong(ValueError):
    """The other side has sent too many bytes without a line break. No further line can be read."""


class Stream(Protocol):
    """A byte stream that can be waited for.

    It is a TCP connection, a WebSocket whose frames are lines, a client at a broker, or standard input and output.
    """

    async def read(self) -> bytes:
        """Return the received data, at least one byte, or b"" at the end. Raises ValueError for an overlong frame."""
        ...

    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None:
        """Wait while the other side is slow to read."""
        ...

    def waiting(self) -> int:
        """Return the number of bytes that are written and not yet taken by the other side."""
        ...

    def is_gone(self) -> bool:
        """Return whether the other side has closed the connection or its sending half, even if data is still unread.

        A peer with so much unread data that the end of the data cannot be seen counts as gone. This is for readers
        that are slowed down.
        """
        ...

    def close(self) -> None:
        """Send the data that has been written, then close; reading ends."""
        ...

    def abort(self) -> None:
        """End the stream at once, without sending the data that waits."""
        ...


def is_peer_gone(transport: asyncio.BaseTransport) -> bool:
    """Return whether the other side has closed its end, even if data that it sent before is still unread.

    asyncio reports the end of input only after the input, which a throttled reader may take minutes to read. TCP
    reports the end only after all data sent before it. So a client that sends faster than its data is read, beyond
    all that asyncio buffers and MAX_UNREAD_BYTES bytes, counts as gone.
    """
    connection = transport.get_extra_info("socket")
    if transport.is_closing() or connection is None or not hasattr(socket, "TCP_INFO"):
        return transport.is_closing()
    state: int = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    unread = int.from_bytes(ioctl(connection.fileno(), FIONREAD, bytes(4)), sys.byteorder)
    return state != TCP_ESTABLISHED or unread > MAX_UNREAD_BYTES


class DroppableLine(bytes):
    """A line that may be dropped when its reader is slow, for example a line for spectators."""


class Connection:
    """Framing, rate limit and a bounded send queue of one client."""

    def __init__(
        self,
        max_bytes: int,
        bucket: TokenBucket | None = None,
        *,
        queue_lines: int = 0,
        on_writable: Callable[[], object] = bool,
    ) -> None:
        """Create a connection whose lines have at most `max_bytes`, the break included.

        Without a bucket there is no rate limit. `on_writable` is called when there is something new to send, or when
        the connection must be closed.
        """
        self.max_bytes = max_bytes
        self.bucket = bucket
        self.on_writable = on_writable
        self.is_closing = False  # the connection ends once data_to_send() is sent
        self.has_ended = False  # the other side sends nothing more
        self._lines: deque[bytes] = deque()
        self._rest = bytearray()  # of a line whose break has not arrived
        self._is_too_long = False  # whether the line after those in `_lines` is too long
        self._queue: list[bytes] = []
        self.queue_lines = queue_lines
        self._dropped = 0

    # -- From the client --------------------------------------------------------------------------

    def receive_data(self, data: bytes) -> None:
        """Take bytes that have arrived; b"" means the end of input, which also ends the last line."""
        if not data:
            self.has_ended = True
            if self._rest:
                self._lines.append(bytes(self._rest))
            self._rest = bytearray()
            return
        first, *others = data.split(b"\n")
        self._rest += first  # earlier bytes are not copied or searched again: bytes may come one by one
        lines: list[bytes] = []
        if others:
            lines = [bytes(self._rest), *others[:-1]]
            self._rest = bytearray(others[-1])
        if max(map(len, lines), default=0) >= self.max_bytes:
            lines = list(takewhile(lambda line: len(line) < self.max_bytes, lines))
            self._is_too_long = True
        elif len(self._rest) >= self.max_bytes:
            self._is_too_long = True
        self._lines += lines

    def next_line(self) -> bytes | None:
        """Return the next whole line without its break, or None if there is none yet.

        Raises LineTooLong when all lines before a line that is too long have been returned.
        """
        if self._lines:
            return self._lines.popleft()
        if self._is_too_long:
            raise LineTooLong(f"the line is longer than {self.max_bytes} bytes")
        return None

    # -- To the client ----------------------------------------------------------------------------

    def send(self, *lines: bytes) -> None:
        """Queue whole lines, each with its break."""
        # While a slow reader takes nothing, call on_writable each time, so that the queue's length is checked.
        is_news = not self._queue or len(self._queue) >= self.queue_lines
        self._queue += lines
        if is_news:
            self.on_writable()

    def close(self) -> None:
        """Send all queued lines, then close."""
        self.is_closing = True
        self.on_writable()

    @property
    def queued(self) -> int:
        """The number of lines that wait to be sent."""
        return len(self._queue)

    def data_to_send(self) -> bytes:
        """Return all queued data and empty the queue; the data then counts as sent.

        If lines were dropped, gap_line() is the last line.
        """
        data = b"".join(self._queue)
        self._queue.clear()
        if self._dropped:
            data += self.gap_line(self._dropped)
            self._dropped = 0
        return data

    def make_room(self) -> bool:
        """Drop droppable lines, the oldest first; return whether at most `queue_lines` lines are left."""
        spare = len(self._queue) - self.queue_lines
        if spare <= 0:
            return True
        kept: list[bytes] = []
        for line in self._queue:
            if spare and isinstance(line, DroppableLine):
                spare -= 1
                self._dropped += 1
            else:
                kept.append(line)
        self._queue = kept
        return spare <= 0

    def gap_line(self, count: int) -> bytes:
        """Return the line that reports to the client how many lines were dropped; b"" for no such line."""
        return b""


class LineReader:
    """A reader of a stream's lines, one by one, no faster than the connection's bucket allows."""

    def __init__(
        self,
        stream: Stream,
        connection: Connection,
        idle_seconds: float,
        line_bytes: int,
        turn: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """Create a reader of lines of at most `line_bytes`; UCI's `position` has only the connection's own limit.

        `turn` is awaited before each line. It returns when the client may use the event loop, and returns whether the
        client had to wait because it had used too much.
        """
        self._turn = turn
        self._stream = stream
        self._connection = connection
        self._idle_seconds = idle_seconds
        self._line_bytes = line_bytes
        self._bucket = connection.bucket
        self.received_at = monotonic()  # when the last line came
        self._has_ended = False  # by end()
        self._waiting: asyncio.Timeout | None = None
        self._message_lines = 1  # that count as one message
        self._uncounted = 0  # lines
        self._text: LineReader | None = None
        self.on_delay: Callable[[], object] = int  # called when lines come faster than the bucket allows

    def text(self) -> "LineReader":
        """Return a reader of the same lines that counts TEXT_LINES lines as one message.

        It is for texts such as warriors, whose size the code that reads them limits.
        """
        self._text = LineReader(
            self._stream, self._connection, self._idle_seconds, self._line_bytes, self._turn
        )
        self._text._message_lines = TEXT_LINES
        self._text.on_delay = self.on_delay
        return self._text

    @property
    def idle_since(self) -> float | None:
        """The time of the last line while the next line is awaited; None at other times and after end()."""
        readers = [reader for reader in (self, self._text) if reader is not None]
        if not any(reader._waiting and not reader._has_ended for reader in readers):
            return None
        return max(reader.received_at for reader in readers)

    def end(self) -> None:
        """End the input: a pending readline() and all later ones return b""."""
        self._has_ended = True
        if self._waiting is not None:
            self._waiting.reschedule(0.0)
        if self._text is not None:
            self._text.end()

    async def readline(self) -> bytes:
        """Return the next line with its break, or b"" at the end.

        Raises TimeoutError if no line comes within `idle_seconds`, and LineTooLong, a ValueError, if it is too long.
        """
        # Lines that have arrived need no waiting, so other tasks get the event loop between them.
        await asyncio.sleep(0)
        is_late = self._turn is not None and await self._turn()
        self._uncounted += 1
        if self._bucket is not None and self._uncounted >= self._message_lines:
            self._uncounted = 0
            if delay := self._bucket.delay(monotonic()):
                self.on_delay()
                await asyncio.sleep(delay)
                is_late = True
            self._bucket.take()
        if is_late and self._stream.is_gone():
            return b""  # no client waits for the answers to the remaining lines
        while not self._has_ended:
            line = self._connection.next_line()
            if line is not None:
                if len(line) >= self._line_bytes and not line.lstrip().startswith(b"position "):
                    raise LineTooLong(f"the line is longer than {self._line_bytes} bytes")
                if self._bucket is not None:
                    self._bucket.take(len(line) // MESSAGE_BYTES)
                self.received_at = monotonic()
                return line + b"\n"
            if self._connection.has_ended:
                return b""
            await self._receive()
        return b""

    async def _receive(self) -> None:
        try:
            async with asyncio.timeout(self._idle_seconds) as self._waiting:
                data = await self._stream.read()
        except TimeoutError:
            if self._has_ended:
                return
            raise
        finally:
            self._waiting = None
        self._connection.receive_data(data)
