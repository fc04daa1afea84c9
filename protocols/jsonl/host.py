"""A hall at work: its clock, its timer and its connections. The only place here with concurrency.

One task a connection reads, and never waits for a game; what is said is written at once, as long as the
other side takes it. A connection that does not take it is not read either.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any, Final, Self

from protocols.jsonl.hall.errand import Errand
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.hall.presence import connect, disconnect
from protocols.jsonl.helpers import Helpers
from protocols.jsonl.requests.dispatch import receive, too_long
from protocols.jsonl.session.framer import Framer, LineTooLong
from protocols.jsonl.session.line import Line
from protocols.serve import WRITE_SECONDS, Writer

HIGH_WATER: Final = 65_536  # bytes that the other side may leave unread before it counts as slow
SLICE_SECONDS: Final = 0.005  # of one connection's messages, before others have their turn
MOST_TROUBLES: Final = 100  # in the log: strangers must not fill the disk

Read = Callable[[], Awaitable[bytes]]


class Host:
    """Runs a hall inside the event loop. Use as an async context manager, so that its helpers end."""

    def __init__(self, hall: Hall, clock: Callable[[], float] = time.monotonic) -> None:
        self.hall = hall
        self._thinkers = Helpers(hall.limits.workers)  # for those who wait at a table
        self._players = Helpers(hall.limits.workers)  # of matches
        self._clock = clock
        self._connections: dict[Line, _Connection] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._timed = inf
        self._errands: set[asyncio.Task[None]] = set()  # under way
        self._told = 0  # troubles

    async def __aenter__(self) -> Self:
        await self._thinkers.__aenter__()
        await self._players.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> None:
        for errand in self._errands:
            errand.cancel()
        await self._thinkers.__aexit__(*failure)
        await self._players.__aexit__(*failure)

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
        line = connect(self.hall, self._clock(), is_trusted=is_trusted, is_silent=is_silent)
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
            disconnect(self.hall, line, self._clock())
            self.flush()

    def flush(self) -> None:
        """Send what waits, ask who is to be asked, set the timer."""
        hall = self.hall
        while hall.talking:
            connection = self._connections.get(hall.talking.pop())
            if connection:
                connection.push()
        while hall.errands:
            task = asyncio.create_task(self._do(hall.errands.pop(0)))
            self._errands.add(task)
            task.add_done_callback(self._errands.discard)
        if hall.troubles:
            self._tell_troubles()
        if hall.alarms.next < self._timed:
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

    async def _do(self, errand: Errand) -> None:
        outcome: object = None
        try:
            helpers = self._players if errand.is_long else self._thinkers
            outcome = await helpers.do(errand.function, errand.task)
        except Exception as error:  # whatever it was, somebody waits for the outcome
            self.hall.report(f"{errand.about}: {error!r}")
        errand.done(outcome, self._clock())
        self.flush()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timed = self.hall.alarms.next
        delay = max(self._timed - self._clock(), 0.0)
        self._timer = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._timed = inf
        self.hall.alarms.ring(self._clock())
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
