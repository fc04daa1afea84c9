"""The TCP port: connections to the house."""

import asyncio
import socket
from ssl import SSLContext
from typing import Final

from protocols.house import House

CHUNK_BYTES: Final = 65_536


class Server:
    """A port of the house, until it is stopped."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._limits = house.limits
        self._conversations: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int, tls: SSLContext | None = None) -> tuple[str, int]:
        """Listen; the address, with the port that the system chose if `port` is 0. OSError if it is taken."""
        self._server = await asyncio.start_server(
            self._connected, host, port, limit=self._limits.position_bytes, reuse_address=True, ssl=tls
        )
        address = self._server.sockets[0].getsockname()
        return address[0], address[1]

    async def stop(self) -> None:
        """Take no more connections and end those there are."""
        if self._server is None:
            return
        self._server.close()
        await self._house.stop()
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
        self._conversations.add(task)
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            await self._house.converse(TcpStream(reader, writer), str(peer[0]))
            async with asyncio.timeout(self._limits.stop_seconds):
                await _part(reader, writer)
        except OSError:
            pass  # the other side is gone, silent or deaf: nobody is left to tell
        except asyncio.CancelledError:
            pass  # the server stops
        finally:
            self._conversations.discard(task)
            writer.transport.abort()


class TcpStream:
    """A connection of TCP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.readline = reader.readline
        self.write = writer.write
        self.drain = writer.drain
        self.waiting = writer.transport.get_write_buffer_size
        self.is_gone = writer.transport.is_closing
        self.close = writer.transport.close
        self.abort = writer.transport.abort
        self._reader = reader

    async def read(self) -> bytes:
        return await self._reader.read(CHUNK_BYTES)


async def _part(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say that we are done, and hear the other side out: closing on unread input would lose our last lines."""
    if writer.can_write_eof():  # TLS cannot
        writer.write_eof()
    while await reader.read(CHUNK_BYTES):
        pass
