"""Another guest of a house whose page is looked at: JSON lines over its WebSocket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp


class Guest:
    """Says lines, and hears them."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket

    async def say(self, **message: Any) -> None:
        await self._socket.send_json(message)

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next line of this type; those before it are passed over."""
        while True:
            line: dict[str, Any] = await self._socket.receive_json(timeout=10)
            assert line["type"] != "error", line
            if line["type"] == kind:
                return line

    async def ask(self, kind: str, answer: str, **fields: Any) -> dict[str, Any]:
        await self.say(type=kind, id=1, **fields)
        return await self.hear(answer)


@asynccontextmanager
async def guest(address: str, name: str) -> AsyncIterator[Guest]:
    """Comes in under a name."""
    async with aiohttp.ClientSession() as client, client.ws_connect(f"{address}ws") as socket:
        made = Guest(socket)
        await made.ask("hello", "welcome", versions=[1], name=name)
        yield made
