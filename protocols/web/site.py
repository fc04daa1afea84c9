"""The site: one port for people's browsers, with the pages, what they ask for, and the WebSocket of the house."""

import asyncio
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from ssl import SSLContext
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from protocols.house import House
from protocols.web.door import Door
from protocols.web.guard import ADDRESS, Guard
from protocols.web.socket import SocketStream, new_socket

STATIC: Final = Path(str(files("protocols.web") / "static"))
MOST_BYTES: Final = 131_072  # of a request
TEMPLATE: Final = (files("protocols.web") / "page.html").read_text(encoding="utf-8")
BOARD: Final = "vendor/cm-chessboard/assets"
# path -> (name of its script and style, title, styles of others that it needs)
PAGES: Final = {
    "/": ("lobby", "Galapagos", ()),
    "/chess": ("chess", "Chess · Galapagos", (f"{BOARD}/chessboard", f"{BOARD}/extensions/markers/markers",
                                              f"{BOARD}/extensions/promotion-dialog/promotion-dialog")),
    "/acquire": ("acquire", "Acquire · Galapagos", ()),
    "/protection": ("protection", "Advanced Protection · Galapagos", ()),
    "/corewar": ("corewar", "Core War · Galapagos", ("corewar_player",)),
    "/hills": ("hills", "Hills · Galapagos", ()),
    "/matches": ("matches", "Matches · Galapagos", ()),
    "/runs": ("runs", "Runs · Galapagos", ("vendor/uplot/uPlot.min",)),
}  # fmt: skip


class Site:
    """Serves until it is stopped. `names` are those by which browsers may call it, beside this machine's own."""

    def __init__(
        self,
        house: House,
        rooms: Iterable[web.RouteDef] = (),
        names: frozenset[str] = frozenset(),
        *,
        is_proxied: bool = False,
    ) -> None:
        self._house = house
        self._runner: web.AppRunner | None = None
        self._conversations: set[asyncio.Task[None]] = set()
        self._door = Door(house.limits, is_proxied=is_proxied)
        self._listening: asyncio.Server | None = None
        self._sweeping: asyncio.Task[None] | None = None
        guard = Guard(names, is_proxied=is_proxied)
        application = web.Application(
            middlewares=[guard.middleware(), self._door.middleware()], client_max_size=MOST_BYTES
        )
        application.router.add_get("/ws", self._converse)
        application.router.add_get("/healthz", _healthy)
        application.router.add_routes(list(rooms))
        for path, page in PAGES.items():
            application.router.add_get(path, _page(*page))
        application.router.add_static("/static", STATIC)
        self._application = application

    async def start(self, host: str, port: int, tls: SSLContext | None = None) -> tuple[str, int]:
        """Listen; the address, with the port that the system chose if `port` is 0. OSError if it is taken."""
        self._runner = web.AppRunner(
            self._application,
            access_log=None,
            handle_signals=False,
            shutdown_timeout=self._house.limits.stop_seconds,
        )
        await self._runner.setup()
        assert self._runner.server is not None
        self._door.open(self._runner.server)
        handshake = self._house.limits.first_line_seconds if tls else None
        self._listening = await asyncio.get_running_loop().create_server(
            self._door, host, port, ssl=tls, ssl_handshake_timeout=handshake, reuse_address=True
        )
        self._sweeping = asyncio.create_task(self._door.sweep())
        address = self._listening.sockets[0].getsockname()
        return address[0], address[1]

    async def stop(self) -> None:
        """Take no more requests and end the conversations."""
        if self._runner is None:
            return
        if self._listening is not None and self._sweeping is not None:
            self._listening.close()
            self._sweeping.cancel()
        await self._house.stop()
        for conversation in self._conversations:
            conversation.cancel()
        await self._runner.cleanup()

    async def _converse(self, request: web.Request) -> web.StreamResponse:
        socket = new_socket()
        await socket.prepare(request)
        transport, task = request.transport, asyncio.current_task()
        if transport is None or task is None:
            return socket  # gone already
        stream = SocketStream(socket, transport)
        sending = asyncio.create_task(stream.send())
        self._conversations.add(task)
        try:
            await self._house.converse(stream, request[ADDRESS])
            stream.close()
            await asyncio.wait({sending}, timeout=self._house.limits.stop_seconds)
        except OSError:
            pass  # the other side is gone, silent or deaf
        finally:
            self._conversations.discard(task)
            sending.cancel()
            await asyncio.wait({sending})
        return socket


async def _healthy(request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


def _page(name: str, title: str, styles: Iterable[str]) -> Handler:
    links = "\n".join(
        f'<link rel="stylesheet" href="/static/{style}.css">' for style in (*styles, "style", name)
    )
    text = TEMPLATE.format(title=title, styles=links, name=name)

    async def show(request: web.Request) -> web.StreamResponse:
        return web.Response(text=text, content_type="text/html")

    return show
