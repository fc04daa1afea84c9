"""A server behind a WebSocket, to perform scripts with."""

from contextlib import AsyncExitStack

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType

from protocols.jsonl.script import ScriptTarget
from protocols.web.socket import SUBPROTOCOL


class WebSocketStage(ScriptTarget):
    """The house at ws://HOST:PORT/ws; a frame is a line without its break."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._open = AsyncExitStack()
        self._socket: ClientWebSocketResponse | None = None

    async def send(self, line: bytes) -> None:
        socket = await self._connected()
        await socket.send_str(line.decode("utf-8", "surrogateescape").rstrip("\n"))

    async def receive(self) -> bytes:
        message = await (await self._connected()).receive()
        return str(message.data).encode() + b"\n" if message.type is WSMsgType.TEXT else b""

    async def close(self) -> None:
        """Close the connection."""
        self._socket = None
        await self._open.aclose()

    async def _connected(self) -> ClientWebSocketResponse:
        if self._socket is None:
            self._open = AsyncExitStack()
            session = await self._open.enter_async_context(ClientSession())
            try:
                socket = session.ws_connect(self._url, protocols=[SUBPROTOCOL], max_msg_size=1 << 20)
                self._socket = await self._open.enter_async_context(socket)
            except (ClientError, ValueError) as error:
                await self._open.aclose()
                raise ConnectionError(f"{self._url}: {error}") from None
        return self._socket
