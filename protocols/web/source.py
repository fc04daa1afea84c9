"""The source of the program for visitors: GET /source.tar.gz."""

import asyncio
from collections.abc import Callable
from typing import Final

from aiohttp import web

from engines.version import VERSION
from protocols.web.responses import Routes

PATH: Final = "/source.tar.gz"
HEADERS: Final = {
    "Content-Type": "application/gzip",
    "Content-Disposition": f'attachment; filename="galapagos-{VERSION}.tar.gz"',
    "Cache-Control": "no-cache",
}


def source_routes(build: Callable[[], bytes], link: str = "") -> Routes:
    """Return the route of the source: an archive that `build` makes once, in a thread, or a redirection to `link`."""
    lock = asyncio.Lock()
    built: list[bytes] = []

    async def source(request: web.Request) -> web.Response:
        if link:
            raise web.HTTPFound(link)
        async with lock:
            if not built:
                built.append(await asyncio.to_thread(build))
        return web.Response(body=built[0], headers=HEADERS)

    return [web.get(PATH, source)]
