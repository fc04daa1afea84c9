"""The door of the site: how many connections it has, and how long each may take to say what it wants.

aiohttp waits for ever for the rest of a header; here nobody can fill the server with waiting.
"""

import asyncio
import time
from collections import Counter
from contextlib import suppress
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from protocols.limits import Limits

SWEEP_SECONDS: Final = 0.5
FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Door:
    """Makes the protocols of new connections (call it), and closes those that wait too long. Somebody runs sweep()."""

    def __init__(self, limits: Limits, *, is_proxied: bool = False) -> None:
        """Behind a proxy all come from one address, whose share is then everything."""
        self._limits = limits
        self._is_proxied = is_proxied
        self._server: web.Server | None = None
        self._silent: dict[web.RequestHandler, float] = {}  # until when a request has to be whole
        self._busy: set[web.RequestHandler] = set()

    @property
    def connections(self) -> int:
        return len(self._silent) + len(self._busy)

    def open(self, server: web.Server) -> None:
        """From now on."""
        self._server = server

    def __call__(self) -> asyncio.BaseProtocol:
        if self._server is None or self.connections >= self._limits.page_connections:
            return _Full()
        handler = self._server()
        self._silent[handler] = time.monotonic() + self._limits.first_line_seconds
        return handler

    def middleware(self) -> Middleware:
        """Notes who is busy with a request, whose body has to come in time, too."""

        @web.middleware
        async def noted(request: web.Request, handler: Handler) -> web.StreamResponse:
            guest = request.protocol
            self._silent.pop(guest, None)
            self._busy.add(guest)
            try:
                if request.can_read_body:
                    await self._read(request)
                return await handler(request)
            finally:
                self._busy.discard(guest)
                if guest.transport is not None:
                    self._silent[guest] = time.monotonic() + self._limits.page_idle_seconds

        return noted

    async def sweep(self) -> None:
        """Show out who says nothing, and the latest of those who are too many, for ever."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now, limit = time.monotonic(), self._limits.page_connections_per_address
            of_address = Counter(_address(guest) for guest in self._busy)
            for guest, until in list(self._silent.items()):
                address = _address(guest)
                of_address[address] += 1
                is_too_many = of_address[address] > limit and not self._is_proxied
                if now >= until or is_too_many or (guest.transport and guest.transport.is_closing()):
                    del self._silent[guest]
                    if guest.transport is not None:
                        guest.transport.abort()

    async def _read(self, request: web.Request) -> None:
        try:
            async with asyncio.timeout(self._limits.request_seconds):
                await request.read()
        except TimeoutError:
            raise web.HTTPRequestTimeout(text="that took too long\n") from None


class _Full(asyncio.Protocol):
    """Nobody else can come in at present."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        with suppress(OSError):
            transport.write(FULL)
        transport.close()


def _address(guest: web.RequestHandler) -> str:
    peer = guest.transport.get_extra_info("peername") if guest.transport else None
    return str(peer[0]) if peer else ""
