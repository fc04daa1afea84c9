"""A hall at work: its clock, its timer and its connections. The only place here with concurrency.

One task a connection reads, and never waits for a game; what is said is written at once, as long as the
other side takes it. A connection that does not take it is not read either.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from math import inf
from typing import Any, Final, Self

from protocols.jsonl.hall.errand import Errand
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.hall.presence import connect, disconnect
from protocols.jsonl.helpers import Helpers
from protocols.jsonl.messages import Bye
from protocols.jsonl.requests.dispatch import receive, too_long
from protocols.jsonl.session.framer import Framer, LineTooLong
from protocols.jsonl.session.line import Line
from protocols.serve import WRITE_SECONDS
from protocols.stream import Stream

HIGH_WATER: Final = 65_536  # bytes that the other side may leave unread before it counts as slow
SLICE_SECONDS: Final = 0.005  # of one connection's messages, before others have their turn
LOG: Final = logging.getLogger(__name__)


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
        self, stream: Stream, first: bytes = b"", *, is_trusted: bool, is_silent: bool = False
    ) -> None:
        """Converse until either side has enough; `first` has been read already."""
        line = connect(self.hall, self._clock(), is_trusted=is_trusted, is_silent=is_silent)
        connection = _Connection(line, stream)
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
                    data = await stream.read()
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

    def part(self) -> None:
        """Say goodbye to all who are connected; their sessions can be resumed where games are on record."""
        for line in self.hall.lines:
            line.say(Bye(reason="closing"))
            line.close()
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
            if pause := line.pause(now):
                self.flush()
                await asyncio.sleep(pause)
                if connection.is_gone():
                    return
                now = clock()
                until = now + SLICE_SECONDS
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
        for trouble in self.hall.troubles:
            LOG.error("%s", trouble)
        self.hall.troubles.clear()


class _Connection:
    """The way out of one connection."""

    def __init__(self, line: Line, stream: Stream) -> None:
        self.is_reading = False
        self.line = line
        self.is_gone = stream.is_gone
        self._stream = stream
        self._draining: asyncio.Task[None] | None = None

    @property
    def is_blocked(self) -> bool:
        return self._draining is not None

    def push(self) -> None:
        """Write what waits, unless the other side has not taken what was written before."""
        line = self.line
        if self._draining is not None:
            if not line.make_room():
                self._stream.abort()  # a player; its session can be resumed
            return
        if line.outbox:
            self._stream.write(line.take())
        if line.is_closing and self.is_reading:
            self._stream.close()  # else it ends by itself
        elif self._stream.waiting() > HIGH_WATER:
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
                await self._stream.drain()
        except OSError:  # gone, or deaf
            self._stream.abort()
        finally:
            self._draining = None
        self.push()
