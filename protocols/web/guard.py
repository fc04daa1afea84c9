"""What every request meets first: who asks, is this host ours, may that page ask, and how is a fault told."""

import ipaddress
import logging
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
ADDRESS: Final = web.RequestKey("address", str)  # from where somebody asks
NOWHERE: Final = "0.0.0.0"  # of this machine it is not
OF_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Guard:
    """Knows by which names the server may be called. A page of another name in somebody's browser is refused."""

    def __init__(self, names: frozenset[str], *, is_proxied: bool = False) -> None:
        """Behind a proxy, only the proxy knows from where somebody asks: X-Forwarded-For ends with that."""
        self._names = names | OF_THIS_MACHINE
        self._is_proxied = is_proxied

    def middleware(self) -> Middleware:
        @web.middleware
        async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
            try:
                response: web.StreamResponse = await self._answer(request, handler)
            except web.HTTPException as refusal:
                refusal.headers.update(HEADERS)
                raise
            except ConnectionError:  # nobody is left to tell
                response = web.Response(status=400)
            except TimeoutError:
                response = web.Response(status=408)
            except Exception as error:  # a fault of ours, told once and in one line
                logging.getLogger(__name__).error("%s %s: %r", request.method, request.path[:80], error)
                response = web.json_response({"error": "that went wrong here"}, status=500)
            if not response.prepared:
                response.headers.update(HEADERS)
            return response

        return guarded

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if _name(f"//{request.host}") not in self._names:
            raise web.HTTPMisdirectedRequest(text="no such host here; see galapagos serve --name\n")
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise web.HTTPForbidden(text="another site's page may not ask here\n")
        request[ADDRESS] = self._address(request)
        return await handler(request)

    def _address(self, request: web.Request) -> str:
        told = request.remote
        if self._is_proxied:
            told = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        try:
            return str(ipaddress.ip_address(told or NOWHERE))
        except ValueError:
            return NOWHERE


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
