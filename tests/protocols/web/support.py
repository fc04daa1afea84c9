"""A site with everything behind it that needs no process, and clients of it."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ssl import SSLContext
from typing import Any

from aiohttp import ClientSession, TCPConnector, web

from protocols.hill.service import HillService
from protocols.incidents import Incidents
from protocols.limits import Limits
from protocols.server import Server
from protocols.web.app import Site, guard_requests
from protocols.web.metrics import Metrics
from tests.servers import game_server, no_engine
from tools.serve import web_games


@dataclass(frozen=True, slots=True)
class Visit:
    """A client of a site."""

    client: ClientSession
    server: Server
    address: str
    site: Site

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection without HTTP."""
        return await asyncio.open_connection("127.0.0.1", int(self.address.rpartition(":")[2]))


def new_server(service: HillService | None = None) -> Server:
    """A server without engines and games."""
    return Server(no_engine, Limits(), service)


@asynccontextmanager
async def visited(
    *,
    routes: Iterable[web.RouteDef] = (),
    names: Iterable[str] = (),
    is_proxied: bool = False,
    tls: SSLContext | None = None,
    trusted: SSLContext | bool = True,
    **limits: Any,
) -> AsyncIterator[Visit]:
    """A whole site, and its server with games."""
    async with game_server(token="geospiza") as games:
        server = Server(no_engine, Limits(**limits), None, games, is_proxied=is_proxied)
        metrics = Metrics(server)
        site = Site(
            server,
            [*metrics.routes(), *routes],
            names,
            is_proxied=is_proxied,
            observe=metrics.observe_request,
            games=web_games(),
        )
        scheme = "https" if tls else "http"
        async with (
            ClientSession(connector=TCPConnector(ssl=trusted)) as client,
            site.listen("127.0.0.1", 0, tls) as (host, port),
        ):
            yield Visit(client, server, f"{scheme}://{host}:{port}", site)


class Api:
    """Some routes behind the guard of requests; each answer is its status and its JSON."""

    def __init__(self, session: ClientSession, address: str) -> None:
        self.session = session
        self.address = address

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.session.get(self.address + path) as response:
            return response.status, await response.json()

    async def post(self, path: str, data: str | bytes | dict[str, Any] = b"") -> tuple[int, Any]:
        """A dictionary is sent as JSON."""
        body = {"json": data} if isinstance(data, dict) else {"data": data}
        async with self.session.post(self.address + path, **body) as response:
            return response.status, await response.json()


@asynccontextmanager
async def served(routes: Iterable[web.RouteDef]) -> AsyncIterator[Api]:
    """On a port of this machine."""
    application = web.Application(
        middlewares=[guard_requests((), Limits(), Incidents())], client_max_size=131_072
    )
    application.add_routes(routes)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with ClientSession() as session:
        yield Api(session, f"http://127.0.0.1:{runner.addresses[0][1]}")
    await runner.cleanup()
