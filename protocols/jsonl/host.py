"""A hall at work: its clock, its timer and its connections. The only place here with concurrency.

One task a connection reads, and never waits for a game; what is said is written at once, as long as the
other side takes it. A connection that does not take it is not read either.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from math import inf
from typing import Final

from protocols.jsonl.hall.dispatch import receive, too_long
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.session.framer import Framer, LineTooLong
from protocols.jsonl.session.line import Line
from protocols.jsonl.table.table import Ask
from protocols.serve import WRITE_SECONDS, Writer

HIGH_WATER: Final = 65_536  # bytes that the other side may leave unread before it counts as slow
SLICE_SECONDS: Final = 0.005  # of one connection's messages, before others have their turn
MOST_TROUBLES: Final = 100  # in the log: strangers must not fill the disk

Read = Callable[[], Awaitable[bytes]]


class Host:
    """Runs a hall inside the event loop."""

    def __init__(self, hall: Hall, clock: Callable[[], float] = time.monotonic) -> None:
        self.hall = hall
        self._clock = clock
        self._connections: dict[Line, _Connection] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._timed = inf
        self._thinking: set[asyncio.Task[None]] = set()
        self._told = 0  # troubles

    def now(self) -> float:
        """Seconds, as the hall is told the time."""
        return self._clock()

    async def converse(
        self,
        read: Read,
        writer: Writer,
        first: bytes = b"",
        *,
        is_trusted: bool,
        is_silent: bool = False,
        waiting: Callable[[], int] = lambda: 0,
        close: Callable[[], None] = lambda: None,
        cut: Callable[[], None] = lambda: None,
    ) -> None:
        """Converse until either side has enough. `read` gives what has arrived, nothing at the end.

        `waiting` tells how many bytes are written and not yet taken; close() and cut() make read() end,
        after all that was written is sent or at once.
        """
        line = self.hall.connect(self._clock(), is_trusted=is_trusted, is_silent=is_silent)
        connection = _Connection(line, writer, waiting, close, cut)
        self._connections[line] = connection
        framer = Framer()
        data = first
        try:
            while True:
                await self._hear(connection, framer, data)
                if line.is_closing:
                    break
                connection.is_reading = True
                try:
                    data = await read()
                except ValueError:
                    too_long(self.hall, line)
                    break
                finally:
                    connection.is_reading = False
                if not data:
                    break
        finally:
            if not connection.is_blocked:
                connection.push()
            del self._connections[line]
            connection.stop()
            self.hall.disconnect(line, self._clock())
            self.flush()

    def flush(self) -> None:
        """Send what waits, ask who is to be asked, set the timer."""
        hall = self.hall
        for line, connection in list(self._connections.items()):
            if line.outbox or line.is_closing:
                connection.push()
        if hall.asks:
            for ask in hall.asks:
                task = asyncio.create_task(self._think(ask))
                self._thinking.add(task)
                task.add_done_callback(self._thinking.discard)
            hall.asks.clear()
        if hall.troubles:
            self._tell_troubles()
        if hall.next_wake < self._timed:
            self._set_timer()

    async def _hear(self, connection: "_Connection", framer: Framer, data: bytes) -> None:
        """Obey what has arrived, a few milliseconds at a time, and no faster than the answers are taken."""
        line, hall, clock = connection.line, self.hall, self._clock
        try:
            lines = framer.feed(data, line.max_line)
        except LineTooLong:
            lines = []
            too_long(hall, line)
        now = clock()
        until = now + SLICE_SECONDS
        for each in lines:
            receive(hall, line, each, now)
            now = clock()
            if now > until:
                self.flush()
                await asyncio.sleep(0)
                await connection.unblocked()
                until = clock() + SLICE_SECONDS
        self.flush()
        await connection.unblocked()

    async def _think(self, ask: Ask) -> None:
        move: object = None
        try:
            move = await asyncio.to_thread(ask.agent.choose, ask.table.play, ask.seat)
        except Exception as error:
            self.hall.report(f"{ask.agent.about}: {error!r}")
        self.hall.answer(ask, move, self._clock())
        self.flush()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timed = self.hall.next_wake
        delay = max(self._timed - self._clock(), 0.0)
        self._timer = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._timed = inf
        self.hall.tick(self._clock())
        self.flush()

    def _tell_troubles(self) -> None:
        for trouble in self.hall.troubles[: MOST_TROUBLES - self._told]:
            print(trouble, file=sys.stderr)
        self._told = min(self._told + len(self.hall.troubles), MOST_TROUBLES)
        self.hall.troubles.clear()


class _Connection:
    """The way out of one connection."""

    def __init__(
        self,
        line: Line,
        writer: Writer,
        waiting: Callable[[], int],
        close: Callable[[], None],
        cut: Callable[[], None],
    ) -> None:
        self.is_reading = False
        self.line = line
        self._writer = writer
        self._waiting = waiting
        self._close = close
        self._cut = cut
        self._draining: asyncio.Task[None] | None = None

    @property
    def is_blocked(self) -> bool:
        return self._draining is not None

    def push(self) -> None:
        """Write what waits, unless the other side has not taken what was written before."""
        line = self.line
        if self._draining is not None:
            if not line.make_room():
                self._cut()  # a player; its session can be resumed
            return
        if line.outbox:
            self._writer.write(line.take())
        if line.is_closing and self.is_reading:
            self._close()  # else it ends by itself
        elif self._waiting() > HIGH_WATER:
            self._draining = asyncio.create_task(self._drain())

    async def unblocked(self) -> None:
        if self._draining is not None:
            await asyncio.wait({self._draining})

    def stop(self) -> None:
        if self._draining is not None:
            self._draining.cancel()

    async def _drain(self) -> None:
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self._writer.drain()
        except OSError:  # gone, or deaf
            self._cut()
        finally:
            self._draining = None
        self.push()
