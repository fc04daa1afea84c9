"""A server as operators start it, and clients from many addresses: through ports and commands only.

GALAPAGOS_CHECKOUT names another checkout to attack, with its own Python in .venv.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter
from typing import IO, Any

from tests.waiting import PATIENCE_SECONDS

CHECKOUT = Path(os.environ.get("GALAPAGOS_CHECKOUT", Path(__file__).parents[2]))
PYTHON = str(CHECKOUT / ".venv/bin/python") if "GALAPAGOS_CHECKOUT" in os.environ else sys.executable
_ADDRESSES = (f"127.1.{number // 250}.{number % 250 + 1}" for number in count())  # of this machine


def command(*words: object) -> tuple[str, ...]:
    return (PYTHON, "-m", "tools", *map(str, words))


def fresh(count: int) -> list[str]:
    """Return addresses of clients that no server of this process has met."""
    return [next(_ADDRESSES) for _ in range(count)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A server of which every client is a remote one, and the connections to it."""

    pid: int
    port: int
    page: int
    talks: "list[Talk]" = field(default_factory=list)

    async def connect(self, address: str = "", port: int = 0) -> "Talk":
        """To the port of engines and games, or another one; `address` is the client's, by default a new one."""
        local = (address or next(_ADDRESSES), 0)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Served(Running):
    """A server of a test's own, which may end it."""

    process: asyncio.subprocess.Process


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
        async with asyncio.timeout(PATIENCE_SECONDS):
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


def _command(*words: object, is_proxied: bool) -> tuple[str, ...]:
    """Return the command that starts a server, behind a proxy if no client is to be trusted."""
    return command(
        "serve", *(["--proxied"] if is_proxied else []), "--port", 0, "--page", 0, "--workers", 1, *words
    )


def _ports(first: bytes, second: bytes) -> tuple[int, int]:
    """Return the ports of engines and of the page that the first two lines of a server name."""
    listening = re.search(r"on (\S+):(\d+)", first.decode())
    page = re.search(r"http://\S+?:(\d+)", second.decode())
    assert listening and page, (first, second)
    return int(listening[2]), int(page[1])


@contextmanager
def shared() -> Iterator[tuple[Running, IO[bytes]]]:
    """Run a server for many tests; yield it and its log."""
    with (
        TemporaryFile() as log,
        subprocess.Popen(
            _command(is_proxied=True), cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=log
        ) as process,
    ):
        assert process.stdout
        try:
            port, page = _ports(process.stdout.readline(), process.stdout.readline())
            yield Running(pid=process.pid, port=port, page=page), log
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)


@asynccontextmanager
async def served(*words: object, is_proxied: bool = True) -> AsyncIterator[Served]:
    """Run a server for one test."""
    process = await asyncio.create_subprocess_exec(
        *_command(*words, is_proxied=is_proxied),
        cwd=CHECKOUT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout and process.stderr
    lines = (await process.stdout.readline(), await process.stdout.readline())
    if not all(lines):
        raise AssertionError((await process.stderr.read()).decode())
    port, page = _ports(*lines)
    server = Served(pid=process.pid, port=port, page=page, process=process)
    try:
        yield server
    finally:
        await server.close()
        with suppress(ProcessLookupError):
            process.terminate()
        await asyncio.wait_for(process.communicate(), PATIENCE_SECONDS)
