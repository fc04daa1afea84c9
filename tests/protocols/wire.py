"""The other end of a conversation over a real connection: says lines and waits for answers."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from engines.engine import Engine, EngineError
from engines.events import Bus
from protocols.hill.service import HillService
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.runtime import AsyncRuntime
from protocols.jsonl.server import GameServer
from protocols.limits import GameLimits, Limits
from protocols.server import Server
from tests.waiting import PATIENCE_SECONDS
from tools.games import game_adapters


class Wire:
    """Lines to and from a program at the other end; `received` keeps all of them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.received: list[str] = []

    def say(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\n" for line in lines).encode())

    async def hear(self, pattern: str, seconds: float = PATIENCE_SECONDS) -> str:
        """The next line that matches from its start. AssertionError if none comes."""
        try:
            async with asyncio.timeout(seconds):
                while line := await self.reader.readline():
                    self.received.append(line.decode().rstrip("\n"))
                    if re.match(pattern, self.received[-1]):
                        return self.received[-1]
        except TimeoutError:
            raise AssertionError(
                f"no {pattern!r} within {seconds} s; received {self.received[-5:]}"
            ) from None
        raise AssertionError(f"no {pattern!r} before the end; received {self.received[-5:]}")

    async def cost(self, line: str, pattern: str) -> float:
        """Send a line; return the processor seconds that this process spends until the answer to it has come."""
        started = time.process_time()
        self.say(line)
        await self.hear(pattern)
        return time.process_time() - started

    async def rest(self, seconds: float = PATIENCE_SECONDS) -> list[str]:
        """Everything until the other side closes."""
        async with asyncio.timeout(seconds):
            data = await self.reader.read()
        lines = data.decode().splitlines()
        self.received += lines
        return lines

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):  # the other end was quicker
            await asyncio.wait_for(self.writer.wait_closed(), PATIENCE_SECONDS)


Connect = Callable[[], Awaitable[Wire]]


@asynccontextmanager
async def listening(
    open_engine: Callable[[], Awaitable[Engine]],
    hills: HillService | None = None,
    *,
    is_proxied: bool = False,
    **limits: Any,
) -> AsyncIterator[tuple[Connect, Server]]:
    """A server on a port of this machine, and how to connect to it."""
    server = Server(open_engine, Limits(**limits), hills, is_proxied=is_proxied)
    host, port = await server.start("127.0.0.1", 0)
    wires: list[Wire] = []

    async def connect() -> Wire:
        wires.append(Wire(*await asyncio.open_connection(host, port)))
        return wires[-1]

    try:
        yield connect, server
    finally:
        for wire in wires:
            await wire.close()
        await server.stop()


async def no_engine() -> Engine:
    raise EngineError("out of engines")


@asynccontextmanager
async def game_server(
    adapters: Mapping[str, GameAdapter] | None = None, bus: Bus | None = None, token: str = "", **limits: Any
) -> AsyncIterator[GameServer]:
    """A server of all games, or of these, inside this loop; it must not report any fault."""
    faults: list[str] = []
    of_games = GameLimits(**limits)
    async with AsyncRuntime(of_games.workers) as runtime:
        yield GameServer(
            adapters or game_adapters(), runtime, limits=of_games, bus=bus, token=token, log=faults.append
        )
    assert not faults
