"""A WebSocket as a way into the server: a text frame is a line without its break, in either direction."""

import asyncio
from typing import Final

from aiohttp import WSCloseCode, WSMsgType
from aiohttp.web import WebSocketResponse

SUBPROTOCOL: Final = "galapagos.v1"
MOST_BYTES: Final = 65_536  # of a frame
PING_SECONDS: Final = 15.0


def new_socket() -> WebSocketResponse:
    """Not prepared yet. A peer that answers no ping is gone."""
    return WebSocketResponse(protocols=[SUBPROTOCOL], max_msg_size=MOST_BYTES, heartbeat=PING_SECONDS)


class SocketStream:
    """A prepared WebSocket (protocols.connection.Stream). Somebody runs send() beside whoever converses over it."""

    def __init__(self, socket: WebSocketResponse, transport: asyncio.Transport) -> None:
        self._socket = socket
        self._transport = transport
        self._outbox: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: the end
        self._waiting = 0
        self._taken = asyncio.Event()  # all that was written
        self._taken.set()

    async def readline(self) -> bytes:
        return await self.read()

    async def read(self) -> bytes:
        """A frame as a line; empty at the end, which a frame that is no text brings about."""
        message = await self._socket.receive()
        if message.type is WSMsgType.TEXT:
            return str(message.data).encode("utf-8", "replace") + b"\n"
        if message.type is WSMsgType.BINARY:
            await self._socket.close(code=WSCloseCode.UNSUPPORTED_DATA, message=b"text frames only")
        return b""

    def write(self, data: bytes) -> None:
        for line in data.splitlines():
            self._waiting += len(line)
            self._outbox.put_nowait(line)
            self._taken.clear()

    async def drain(self) -> None:
        await self._taken.wait()

    def waiting(self) -> int:
        return self._waiting

    def is_gone(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._outbox.put_nowait(None)

    def abort(self) -> None:
        self._transport.abort()

    async def send(self) -> None:
        """Send what is written, till it is closed. ConnectionError when it is lost."""
        while (line := await self._outbox.get()) is not None:
            await self._socket.send_str(line.decode("utf-8", "replace"))
            self._waiting -= len(line)
            if self._outbox.empty():
                self._taken.set()
        await self._socket.close()
