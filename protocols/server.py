"""The TCP port: each connection is an engine, or the way to a hill or to a table; its first line says which.

Engines live in worker processes, so the loop here only passes lines and never waits for a search.
"""

import asyncio
import ipaddress
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace

from engines.engine import Engine, EngineError, Option
from protocols.debugging import DebuggingRoom
from protocols.greeting import ADVICE, asks_for_debugger, greeting, is_json, is_submission, session_for
from protocols.hill.conversation import converse
from protocols.hill.office import Office
from protocols.hill.quota import Quota
from protocols.jsonl import tcp
from protocols.jsonl.host import Host
from protocols.limits import Limits
from protocols.serve import serve

EngineFactory = Callable[[], Awaitable[Engine]]


class Server:
    """Serves engines made by `open_engine`, one a connection, hills and tables, until it is stopped."""

    def __init__(
        self,
        open_engine: EngineFactory,
        limits: Limits,
        office: Office | None = None,
        tables: Host | None = None,
    ) -> None:
        self._open_engine = open_engine
        self._limits = limits
        self._office = office
        self._tables = tables
        self._debugging = DebuggingRoom(office) if office else None
        self._quota = Quota(limits.hill_submissions_per_hour)
        self._addresses: Counter[str] = Counter()
        self._conversations: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> tuple[str, int]:
        """Listen; the address, with the port that the system chose if `port` is 0. OSError if it is taken."""
        self._server = await asyncio.start_server(
            self._connected, host, port, limit=self._limits.position_bytes, reuse_address=True
        )
        address = self._server.sockets[0].getsockname()
        return address[0], address[1]

    async def stop(self) -> None:
        """Take no more connections and end those there are."""
        if self._server is None:
            return
        self._server.close()
        for conversation in self._conversations:
            conversation.cancel()
        if self._conversations:
            await asyncio.wait(self._conversations, timeout=self._limits.stop_seconds)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        peer = writer.get_extra_info("peername")
        if task is None or peer is None:
            writer.transport.abort()  # gone already
            return
        address = str(peer[0])
        self._conversations.add(task)
        self._addresses[address] += 1
        try:
            await self._converse(reader, writer, address)
            async with asyncio.timeout(self._limits.stop_seconds):
                await _part(reader, writer)
        except OSError:
            pass  # the other side is gone, silent or deaf: nobody is left to tell
        except asyncio.CancelledError:
            pass  # the server stops
        finally:
            self._conversations.discard(task)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]
            writer.transport.abort()

    async def _converse(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str
    ) -> None:
        limits = self._limits
        if len(self._conversations) > limits.connections:
            writer.write(b"too many connections; try again later\n")
            return
        if self._addresses[address] > limits.connections_per_address:
            writer.write(b"too many connections from your address\n")
            return
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        is_local = _is_local(address)
        lines = _Lines(reader, limits, is_local)
        try:
            async with asyncio.timeout(limits.first_line_seconds):
                first = await lines.greeting()
        except ValueError as error:
            writer.write(f"{error}\n".encode())
            return
        if is_submission(first) and self._office:
            await converse(
                self._office,
                lines.pages(),
                writer,
                first,
                lambda: 0.0 if is_local else self._quota.wait(address),
            )
            return
        if asks_for_debugger(first) and self._debugging:
            await self._debugging.converse(lines.pages(), lines, writer, first)
            return
        if is_json(first) and self._tables:
            await tcp.converse(self._tables, reader, writer, first, is_local)
            return
        kind = session_for(first)
        if kind is None:
            writer.write(f"{ADVICE}\n".encode())
            return
        try:
            engine = await self._open_engine()
        except EngineError as error:
            writer.write(f"no engine to be had: {error}\n".encode())
            return
        try:
            session = kind(engine.name, engine.author, _offered(engine.options, limits))
            await serve(session, engine, lines, writer, first)
        finally:
            await engine.close()


class _Lines:
    """The lines of one connection, as long, as many and as soon as the limits allow."""

    def __init__(self, reader: asyncio.StreamReader, limits: Limits, is_local: bool) -> None:
        self._reader = reader
        self._limits = limits
        self._is_local = is_local
        self._allowance = float(limits.messages_burst)
        self._filled = time.monotonic()

    async def greeting(self) -> str:
        """The first line that is not blank; blank if there is none."""
        text = ""
        while not text and (line := await self.readline()):
            text = greeting(line)
        return text

    def pages(self) -> "_Lines":
        """The same lines, for a text: what is bounded is its size, not the speed of its lines."""
        return _Lines(self._reader, self._limits, is_local=True)

    async def readline(self) -> bytes:
        """The next line. TimeoutError when none comes, ValueError when it is too long."""
        await self._wait_for_turn()
        line = await asyncio.wait_for(self._reader.readline(), self._limits.idle_seconds)
        if len(line) > self._limits.line_bytes and not line.lstrip().startswith(b"position "):
            raise ValueError("line too long")
        return line

    async def _wait_for_turn(self) -> None:
        """Strangers who send too much are read more slowly; nothing is lost."""
        if self._is_local:
            return
        rate, now = self._limits.messages_per_second, time.monotonic()
        earned = (now - self._filled) * rate
        self._allowance = min(self._allowance + earned, float(self._limits.messages_burst)) - 1.0
        self._filled = now
        if self._allowance < 0.0:
            await asyncio.sleep(-self._allowance / rate)


def _is_local(address: str) -> bool:
    """Whether a program of this machine is calling."""
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


async def _part(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say that we are done, and hear the other side out: closing on unread input would lose our last lines."""
    writer.write_eof()
    while await reader.read(65_536):
        pass


def _offered(options: tuple[Option, ...], limits: Limits) -> tuple[Option, ...]:
    """What strangers may set: no files of this machine, and only so much of its memory."""
    return tuple(
        replace(option, maximum=max(limits.hash_mib, int(option.default)))
        if option.name == "Hash"
        else option
        for option in options
        if option.kind != "file"
    )
