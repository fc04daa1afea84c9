"""A room's routes, asked as a browser asks."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientSession, web

from protocols.web.guard import Guard


class Door:
    """Questions to the routes; each answer is its status and what it says."""

    def __init__(self, session: ClientSession, address: str) -> None:
        self._session = session
        self._address = address

    async def get(self, path: str) -> tuple[int, Any]:
        async with self._session.get(self._address + path) as response:
            return response.status, await response.json()

    async def post(self, path: str, text: str) -> tuple[int, Any]:
        async with self._session.post(self._address + path, data=text.encode()) as response:
            return response.status, await response.json()


@asynccontextmanager
async def opened(routes: Iterable[web.RouteDef]) -> AsyncIterator[Door]:
    """On a port of this machine."""
    application = web.Application(middlewares=[Guard(frozenset()).middleware()], client_max_size=131_072)
    application.router.add_routes(routes)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with ClientSession() as session:
        yield Door(session, f"http://127.0.0.1:{runner.addresses[0][1]}")
    await runner.cleanup()
