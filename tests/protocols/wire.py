"""The other end of a conversation over a real connection: says lines and waits for answers."""

import asyncio
import json
import re
import time
from contextlib import suppress
from typing import Any

from tests.waiting import PATIENCE_SECONDS


class Wire:
    """Lines to and from a program at the other end; `received` keeps all of them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.received: list[str] = []

    @classmethod
    async def open(cls, host: str, port: int, **options: Any) -> "Wire":
        return cls(*await asyncio.open_connection(host, port, limit=1 << 20, **options))

    def say(self, *lines: str, **message: Any) -> None:
        """Send these lines, or one message of JSON lines with these fields."""
        lines = (*lines, json.dumps(message)) if message else lines
        self.writer.write("".join(f"{line}\n" for line in lines).encode())

    async def hear(self, pattern: str, seconds: float = PATIENCE_SECONDS) -> str:
        """Return the next line that matches from its start.

        Raises AssertionError if none comes within `seconds`, EOFError if none comes before the end.
        """
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
        raise EOFError(f"no {pattern!r} before the end; received {self.received[-5:]}")

    async def line(self) -> str:
        """Return the next line. Raises EOFError at the end."""
        return await self.hear("")

    async def message(self, *types: str) -> dict[str, Any]:
        """Return the next message of JSON lines that has one of these types."""
        while True:
            message: dict[str, Any] = json.loads(await self.line())
            if message["type"] in types:
                return message
            if message["type"] == "ping":  # whoever says nothing for a minute is disconnected
                self.say(type="pong", re=message["id"])

    async def hello(self, **fields: Any) -> dict[str, Any]:
        self.say(type="hello", versions=[1], **fields)
        return await self.message("welcome", "error")

    async def ping(self) -> float:
        """Return the seconds until the pong."""
        started = time.perf_counter()
        self.say(type="ping", id="p")
        await self.message("pong")
        return time.perf_counter() - started

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
