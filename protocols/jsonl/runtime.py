"""A game server inside an asyncio loop: a task for each connection, timers, and worker processes for its jobs."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from time import monotonic, perf_counter, process_time
from typing import Any, Final, Self

from engines.worker_pool import Workers
from protocols.accounts import Account
from protocols.connection import LineTooLong, Stream
from protocols.engine_session import WRITE_SECONDS
from protocols.jsonl.adapter import Job
from protocols.jsonl.handlers import receive, refuse_too_long
from protocols.jsonl.server import GameServer
from protocols.jsonl.session import ClientConnection

HIGH_WATER: Final = 65_536  # unread bytes from which the other side counts as slow
SLICE_SECONDS: Final = 0.002  # of the event loop for one connection's messages, before others may use it
LOG: Final = logging.getLogger(__name__)


class AsyncRuntime:
    """A runtime on the running event loop. An async context manager, whose end also ends all jobs."""

    def __init__(self, workers: int) -> None:
        loop = asyncio.get_running_loop()
        self.time: Callable[[], float] = monotonic  # as asyncio's loops use; loop.time() is a call more
        self.call_at = loop.call_at
        self._short = Workers(workers, niceness=5)  # for clients that wait for a decision
        self._long = Workers(workers, niceness=10)
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        await self._short.__aenter__()
        await self._long.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> None:
        for task in self._tasks:
            task.cancel()
        await self._short.__aexit__(*failure)
        await self._long.__aexit__(*failure)

    def submit(self, job: Job) -> None:
        self._start(self._do(job))

    def call_in_turn(self, account: Account | None, callback: Callable[[], object]) -> None:
        if account is None:
            asyncio.get_running_loop().call_soon(callback)
        else:
            self._start(self._call(account, callback))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @staticmethod
    async def _call(account: Account, callback: Callable[[], object]) -> None:
        await account.turn()
        await account.meter(_called(callback))

    async def _do(self, job: Job) -> None:
        outcome, seconds, cpu_seconds = None, 0.0, 0.0
        pool = self._long if job.is_long else self._short
        try:
            outcome, seconds, cpu_seconds = await pool.do(_timed, (job.function, job.argument))
        except Exception:  # on_done() must be called in any case
            LOG.exception("a worker process has failed at this job: %s", job.description)
        if job.account is None:
            job.on_done(outcome, seconds)
            return
        job.account.workers.take(cpu_seconds)
        await self._call(job.account, partial(job.on_done, outcome, seconds))


async def _called(callback: Callable[[], object]) -> None:
    callback()


def _timed(task: tuple[Callable[[Any], Any], Any]) -> tuple[Any, float, float]:
    """Return function(argument), the seconds that it took, and its processor seconds. Runs in a worker process."""
    function, argument = task
    began, used = perf_counter(), process_time()
    outcome = function(argument)
    return outcome, perf_counter() - began, process_time() - used


async def serve_connection(
    server: GameServer,
    stream: Stream,
    first: bytes = b"",
    *,
    account: Account | None = None,
    is_silent: bool = False,
) -> None:
    """Serve a connection until either side ends it; `first` contains the bytes that were read already.

    A client with an account is remote: its costs are charged, and it waits for its turns. Any other client is
    trusted.
    """
    connection = server.connections.open(
        is_trusted=account is None,
        is_silent=is_silent,
        address=account.address if account else "",
        account=account,
    )
    writer = _Writer(connection, stream)
    data = first
    try:
        while True:
            if data:
                connection.receive_data(data)
            await _handle_lines(server, connection, stream, writer)
            if connection.is_closing:
                break
            writer.is_reading = True
            try:
                data = await stream.read()
            except ValueError:
                refuse_too_long(connection)
                break
            finally:
                writer.is_reading = False
            if not data:
                break
    finally:
        writer.stop()
        server.connections.close(connection)


async def _handle_lines(
    server: GameServer,
    connection: ClientConnection,
    stream: Stream,
    writer: "_Writer",
) -> None:
    """Handle the lines that have arrived, in slices of milliseconds, and no faster than the client reads answers."""
    clock = server.clock

    async def turn() -> float:
        """Wait until the client may use the loop, and return the time when its slice ends.

        Raises EOFError if the connection was lost in the meantime.
        """
        if connection.account and not connection.is_trusted:
            if await connection.account.turn() and stream.is_gone():
                raise EOFError
        return clock() + SLICE_SECONDS

    try:
        until = await turn()
        while (line := connection.next_line()) is not None:
            if connection.is_throttled and connection.bucket and (delay := connection.bucket.delay(clock())):
                writer.flush()
                await asyncio.sleep(delay)
                if stream.is_gone():
                    raise EOFError
                until = await turn()
            receive(server, connection, line)
            if connection.jobs:
                writer.flush()
                await _settled(connection)
                until = await turn()
            if clock() > until:
                writer.flush()
                await asyncio.sleep(0)
                await writer.drained()
                until = await turn()
    except LineTooLong:
        refuse_too_long(connection)
    except EOFError:
        connection.close()  # no client waits for answers to the remaining lines
        return
    writer.flush()
    await writer.drained()


async def _settled(connection: ClientConnection) -> None:
    """Wait for the jobs that requests of this connection have started."""
    settled = asyncio.Event()
    connection.on_settled = settled.set
    await settled.wait()


class _Writer:
    """The sender of a connection's queued lines, once in each turn of the loop, as long as the client reads them."""

    def __init__(self, connection: ClientConnection, stream: Stream) -> None:
        self.is_reading = False
        self._connection = connection
        self._stream = stream
        self._loop = asyncio.get_running_loop()
        self._is_scheduled = False
        self._has_stopped = False
        self._draining: asyncio.Task[None] | None = None
        connection.on_writable = self._schedule

    def flush(self) -> None:
        """Write the queued lines, unless the client has not read the earlier ones."""
        connection = self._connection
        if self._draining is not None:
            if not connection.make_room():
                self._stream.abort()  # the lines of a player cannot be dropped; its session can be resumed
            return
        if data := connection.data_to_send():
            if connection.account:
                connection.account.sent.take(len(data))
            self._stream.write(data)
        if connection.is_closing and self.is_reading:
            self._stream.close()  # otherwise serve_connection() ends it
        elif self._stream.waiting() > HIGH_WATER:
            self._draining = asyncio.create_task(self._drain())

    async def drained(self) -> None:
        if self._draining is not None:
            await asyncio.wait({self._draining})

    def stop(self) -> None:
        """Write the remaining lines; later ones are not sent."""
        if self._draining is None:
            self.flush()
        if self._draining is not None:
            self._draining.cancel()
        self._has_stopped = True

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._flush_scheduled)

    def _flush_scheduled(self) -> None:
        self._is_scheduled = False
        if not self._has_stopped:
            self.flush()

    async def _drain(self) -> None:
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self._stream.drain()
        except OSError:  # the connection is lost, or the client has not read for WRITE_SECONDS
            self._stream.abort()
        finally:
            self._draining = None
        self.flush()
