"""A server as operators start it, and clients from many addresses: through ports and commands only.

GALAPAGOS_CHECKOUT names another checkout to attack, with its own Python in .venv.
"""

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

CHECKOUT = Path(os.environ.get("GALAPAGOS_CHECKOUT", Path(__file__).parents[2]))
PYTHON = str(CHECKOUT / ".venv/bin/python") if "GALAPAGOS_CHECKOUT" in os.environ else sys.executable
SECONDS = 20.0
ADDRESSES = (f"127.0.{number // 250 + 1}.{number % 250 + 1}" for number in count())  # each is somebody else


def command(*words: object) -> tuple[str, ...]:
    return (PYTHON, "-m", "tools", *map(str, words))


@dataclass(frozen=True, slots=True)
class Served:
    """A server of which every client is a remote one."""

    process: asyncio.subprocess.Process
    port: int
    page: int
    talks: "list[Talk]" = field(default_factory=list)

    async def connect(self, address: str = "", port: int = 0) -> "Talk":
        """To the port of engines and games, or another one; `address` is the client's, by default a new one."""
        local = (address or next(ADDRESSES), 0)
        streams = await asyncio.open_connection(
            "127.0.0.1", port or self.port, local_addr=local, limit=1 << 20
        )
        self.talks.append(Talk(*streams))
        return self.talks[-1]

    async def close(self) -> None:
        """End all connections."""
        for talk in self.talks:
            talk.writer.transport.abort()
        await asyncio.gather(*(talk.writer.wait_closed() for talk in self.talks), return_exceptions=True)


class Talk:
    """A connection, line by line."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\n" for line in lines).encode())

    def say(self, **message: Any) -> None:
        self.send(json.dumps(message))

    async def line(self) -> str:
        """EOFError at the end."""
        async with asyncio.timeout(SECONDS):
            data = await self.reader.readline()
        if not data:
            raise EOFError
        return data.decode().rstrip("\n")

    async def until(self, start: str) -> str:
        while not (line := await self.line()).startswith(start):
            pass
        return line

    async def message(self, *types: str) -> dict[str, Any]:
        """The next one of these types."""
        while True:
            message: dict[str, Any] = json.loads(await self.line())
            if message["type"] in types:
                return message

    async def hello(self, **fields: Any) -> dict[str, Any]:
        self.say(type="hello", versions=[1], **fields)
        return await self.message("welcome", "error")

    async def ping(self) -> float:
        """Seconds to the pong."""
        began = perf_counter()
        self.say(type="ping", id="p")
        await self.message("pong")
        return perf_counter() - began

    def close(self) -> None:
        self.writer.close()


@asynccontextmanager
async def served(*words: object, is_proxied: bool = True) -> AsyncIterator[Served]:
    """`galapagos serve`, behind a proxy if nobody is to be trusted."""
    process = await asyncio.create_subprocess_exec(
        *command("serve", *(["--proxied"] if is_proxied else []), "--port", 0, "--page", 0, "--workers", 1, *words),
        cwd=CHECKOUT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout and process.stderr
    listening = re.search(r"on (\S+):(\d+)", (await process.stdout.readline()).decode())
    page = re.search(r"http://\S+?:(\d+)", (await process.stdout.readline()).decode())
    if not listening or not page:
        raise AssertionError((await process.stderr.read()).decode())
    server = Served(process, int(listening[2]), int(page[1]))
    try:
        yield server
    finally:
        await server.close()
        with suppress(ProcessLookupError):
            process.terminate()
        await asyncio.wait_for(process.communicate(), SECONDS)
