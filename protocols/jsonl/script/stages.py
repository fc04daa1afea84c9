"""Servers to perform scripts with: a program on standard input and output, or an address."""

import asyncio
from collections.abc import Sequence
from typing import Final

from protocols.jsonl.script.perform import Stage

LINE_BYTES: Final = 1 << 20


class ProgramStage(Stage):
    """A program that talks over its standard input and output; anew for every connection."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None

    async def send(self, line: bytes) -> None:
        process = await self._opened()
        assert process.stdin is not None
        try:
            process.stdin.write(line)
            await process.stdin.drain()
        except ConnectionError:
            pass  # what it says before the end is still to be heard

    async def receive(self) -> bytes:
        process = await self._opened()
        assert process.stdout is not None
        return await process.stdout.readline()

    async def reconnect(self) -> None:
        await self.close()

    async def close(self) -> None:
        """End the program."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(2.0):
                await process.stdout.read()
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _opened(self) -> asyncio.subprocess.Process:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE_BYTES,
            )
        return self._process


class TcpStage(Stage):
    """A server at an address."""

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, line: bytes) -> None:
        _, writer = await self._opened()
        writer.write(line)
        await writer.drain()

    async def receive(self) -> bytes:
        reader, _ = await self._opened()
        try:
            return await reader.readline()
        except ConnectionError:
            return b""

    async def reconnect(self) -> None:
        await self.close()

    async def close(self) -> None:
        """Cut the connection."""
        streams, self._streams = self._streams, None
        if streams:
            streams[1].transport.abort()

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._address, limit=LINE_BYTES)
        return self._streams
