"""The house: what is said over any connection, be it a TCP port's or a WebSocket; the first line says which.

A connection is an engine, or the way to a hill, its debugger or to a table. Engines live in worker processes, so
the loop here only passes lines and never waits for a search.
"""

import asyncio
import ipaddress
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final, Literal

from engines.engine import Engine, EngineError, Option
from engines.events import Bus, EngineStatus
from protocols.allowance import Allowance
from protocols.cdb.remote import RemoteDebugger
from protocols.greeting import ADVICE, asks_for_debugger, greeting, is_json, is_submission, session_for
from protocols.hill.conversation import converse
from protocols.hill.office import Office
from protocols.hill.quota import Quota
from protocols.jsonl.host import Host
from protocols.limits import Limits
from protocols.serve import serve
from protocols.stream import Stream

CHESS: Final = "chess"  # what the engines here play
EngineFactory = Callable[[], Awaitable[Engine]]


class House:
    """Engines made by `open_engine`, one a connection, hills and tables, for so many guests at a time."""

    def __init__(
        self,
        open_engine: EngineFactory,
        limits: Limits,
        office: Office | None = None,
        tables: Host | None = None,
        bus: Bus | None = None,
        *,
        is_proxied: bool = False,
    ) -> None:
        """The bus is told how many engines are at work. Behind a proxy, who calls from this machine may be anybody."""
        self.limits = limits
        self.office = office
        self.tables = tables
        self.guests = 0
        self.tally: Counter[str] = Counter()  # conversations by kind, and refusals, since the beginning
        self.quota = Quota(limits.hill_submissions_per_hour)
        self._is_proxied = is_proxied
        self._open_engine = open_engine
        self._debugging = RemoteDebugger(office) if office else None
        self._addresses: Counter[str] = Counter()
        self._games: dict[_Lines, asyncio.Task[None]] = {}  # conversations of engines
        self._bus = bus
        self._engaged = 0
        self._engage(0)

    @property
    def engines(self) -> int:
        """How many are at work."""
        return self._engaged

    def is_local(self, address: str) -> bool:
        """Whether a program of this machine is calling, which is trusted."""
        return not self._is_proxied and is_of_this_machine(address)

    def is_known(self, token: str) -> bool:
        """Whether this is the token of those who may direct the house from afar."""
        return self.tables is not None and self.tables.hall.knows(token)

    async def stop(self) -> None:
        """Say goodbye at the tables, and let every engine that is asked for a move still give it."""
        if self.tables:
            self.tables.part()
        for game in self._games:
            game.end()
        if self._games:
            await asyncio.wait(self._games.values(), timeout=self.limits.stop_seconds)

    async def converse(self, stream: Stream, address: str) -> None:
        """Until either side has enough; the connection is then still to be closed. OSError when it is lost."""
        self.guests += 1
        self._addresses[address] += 1
        try:
            if self.guests > self.limits.connections:
                self._refuse(stream, "too many connections; try again later")
            elif self._addresses[address] > self.limits.connections_per_address:
                self._refuse(stream, "too many connections from your address")
            else:
                await self._receive(stream, address)
        finally:
            self.guests -= 1
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    @asynccontextmanager
    async def engine(self) -> AsyncIterator[Engine]:
        """An engine of one's own. EngineError if there is none to be had."""
        engine = await self._open_engine()
        self._engage(1)
        try:
            yield engine
        finally:
            self._engage(-1)
            await engine.close()

    def _engage(self, more: int) -> None:
        self._engaged += more
        if self._bus:
            status: Literal["playing", "online"] = "playing" if self._engaged else "online"
            news = EngineStatus(name=CHESS, status=status, clients=self._engaged)
            self._bus.publish(f"engine/{CHESS}/status", news, is_state=True)

    async def _receive(self, stream: Stream, address: str) -> None:
        limits, is_local = self.limits, self.is_local(address)
        lines = _Lines(stream, limits, is_local)
        try:
            async with asyncio.timeout(limits.first_line_seconds):
                first = await lines.greeting()
        except ValueError as error:
            self._refuse(stream, str(error))
            return
        if is_submission(first) and self.office:
            self.tally["hill"] += 1
            pages = lines.pages()
            await converse(
                self.office, pages, stream, first, lambda: 0.0 if is_local else self.quota.wait(address)
            )
            return
        if asks_for_debugger(first) and self._debugging:
            self.tally["cdb"] += 1
            await self._debugging.run_session(lines.pages(), lines, stream, first)
            return
        if is_json(first) and self.tables:
            self.tally["json"] += 1
            await self.tables.converse(stream, first.encode() + b"\n", is_trusted=is_local)
            return
        kind = session_for(first)
        if kind is None:
            self._refuse(stream, ADVICE)
            return
        try:
            async with self.engine() as engine:
                self.tally[first.split()[0]] += 1
                session = kind(engine.name, engine.author, _offered(engine.options, limits))
                self._games[lines] = asyncio.create_task(serve(session, engine, lines, stream, first))
                await self._games[lines]
        except EngineError as error:
            self._refuse(stream, f"no engine to be had: {error}")
        finally:
            self._games.pop(lines, None)

    def _refuse(self, stream: Stream, words: str) -> None:
        self.tally["refused"] += 1
        stream.write(f"{words}\n".encode())


class _Lines:
    """The lines of one connection, as long, as many and as soon as the limits allow."""

    def __init__(self, stream: Stream, limits: Limits, is_local: bool) -> None:
        self._stream = stream
        self._limits = limits
        self._is_local = is_local
        self._allowance = Allowance(limits.messages_per_second, limits.messages_burst, time.monotonic())
        self._reading: asyncio.Future[bytes] | None = None
        self._is_over = False

    def end(self) -> None:
        """No line comes any more."""
        self._is_over = True
        if self._reading is not None:
            self._reading.cancel()

    async def greeting(self) -> str:
        """The first line that is not blank; blank if there is none."""
        text = ""
        while not text and (line := await self.readline()):
            text = greeting(line)
        return text

    def pages(self) -> "_Lines":
        """The same lines, for a text: what is bounded is its size, not the speed of its lines."""
        return _Lines(self._stream, self._limits, is_local=True)

    async def readline(self) -> bytes:
        """The next line. TimeoutError when none comes, ValueError when it is too long."""
        await self._wait_for_turn()
        line = await self._next()
        if len(line) > self._limits.line_bytes and not line.lstrip().startswith(b"position "):
            raise ValueError("line too long")
        return line

    async def _next(self) -> bytes:
        if self._is_over:
            return b""
        self._reading = asyncio.ensure_future(self._stream.readline())
        try:
            await asyncio.wait({self._reading}, timeout=self._limits.idle_seconds)
        finally:
            is_late = self._reading.cancel()
        if self._is_over and self._reading.cancelled():
            return b""
        if is_late:
            raise TimeoutError
        return self._reading.result()

    async def _wait_for_turn(self) -> None:
        """Strangers who send too much are read more slowly; nothing is lost."""
        if self._is_local:
            return
        if wait := self._allowance.wait(time.monotonic()):
            await asyncio.sleep(wait)
        self._allowance.spend()


def is_of_this_machine(address: str) -> bool:
    """Whether a program of this machine is calling."""
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def _offered(options: tuple[Option, ...], limits: Limits) -> tuple[Option, ...]:
    """What strangers may set: no files of this machine, and only so much of its memory."""
    files = {option.name for option in options if option.kind in ("file", "path")}
    return tuple(
        replace(option, maximum=max(limits.hash_mib, int(option.default)))
        if option.name == "Hash"
        else option
        for option in options
        if option.name not in files and option.needs not in files
    )
