"""The connection of `galapagos script` to a server over a WebSocket."""

from contextlib import AsyncExitStack

from aiohttp import ClientConnectorError, ClientError, ClientSession, ClientWebSocketResponse, WSMsgType

from protocols.jsonl.script import ScriptTarget
from protocols.web.websocket import SUBPROTOCOL


class WebSocketTarget(ScriptTarget):
    """A server at ws://HOST:PORT/ws as the target of a script; each line is a text frame without its line break."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._stack = AsyncExitStack()
        self._socket: ClientWebSocketResponse | None = None

    async def send(self, line: bytes) -> None:
        socket = await self._connect()
        await socket.send_str(line.decode("utf-8", "surrogateescape").rstrip("\n"))

    async def receive(self) -> bytes:
        message = await (await self._connect()).receive()
        return str(message.data).encode() + b"\n" if message.type is WSMsgType.TEXT else b""

    async def close(self) -> None:
        """Close the connection; the next send() or receive() opens a new one."""
        self._socket = None
        await self._stack.aclose()

    async def _connect(self) -> ClientWebSocketResponse:
        if self._socket is None:
            self._stack = AsyncExitStack()
            session = await self._stack.enter_async_context(ClientSession())
            try:
                socket = session.ws_connect(self._url, protocols=[SUBPROTOCOL], max_msg_size=1 << 20)
                self._socket = await self._stack.enter_async_context(socket)
            except ClientConnectorError:
                await self._stack.aclose()
                raise ConnectionError(
                    f"no server listens at {self._url}; `galapagos serve` starts one, with the page on port 1859"
                ) from None
            except (ClientError, ValueError) as error:
                await self._stack.aclose()
                raise ConnectionError(f"{self._url}: {error}") from None
        return self._socket
