"""A site with everything behind it that needs no process, and a client of it."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ssl import SSLContext

from aiohttp import ClientSession, TCPConnector, web

from protocols.house import House
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.host import Host
from protocols.limits import Limits
from protocols.web.metrics import Metrics
from protocols.web.site import Site
from tests.protocols.wire import no_engine
from tools.games import bindings


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody at the site."""

    client: ClientSession
    house: House
    address: str


@asynccontextmanager
async def visited(
    *,
    rooms: Iterable[web.RouteDef] = (),
    is_proxied: bool = False,
    tls: SSLContext | None = None,
    trusted: SSLContext | bool = True,
    **limits: float,
) -> AsyncIterator[Visit]:
    """The site is stopped afterwards, whether that is before the visit's own end or not."""
    async with Host(Hall(bindings(), token="geospiza")) as tables:
        house = House(no_engine, Limits(**limits), None, tables, is_proxied=is_proxied)  # type: ignore[arg-type]
        site = Site(house, [*Metrics(house).routes(), *rooms], is_proxied=is_proxied)
        host, port = await site.start("127.0.0.1", 0, tls)
        scheme = "https" if tls else "http"
        async with ClientSession(connector=TCPConnector(ssl=trusted)) as client:
            try:
                yield Visit(client, house, f"{scheme}://{host}:{port}")
            finally:
                await site.stop()
