"""The site: one port for browsers, with the pages, their API, and the WebSocket to the server.

Every request passes a guard (host, origin, headers, faults), and so does every connection: aiohttp waits for the rest
of a header without a limit, so connections that wait too long are closed here. A malformed request is its client's
fault: it is answered with a status of 4xx, and no error is logged.
"""

import asyncio
import errno
import logging
import sqlite3
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from http import HTTPStatus
from ssl import SSLContext
from typing import Final

from aiohttp import web
from aiohttp.http import HttpProcessingError
from aiohttp.typedefs import Handler, Middleware
from aiohttp.web_protocol import RequestPayloadError

from protocols.addresses import UNKNOWN, counted_address, forwarded_address, is_loopback
from protocols.hardening import harden_aiohttp
from protocols.incidents import Incidents
from protocols.limits import Limits, TokenBucket
from protocols.server import ClientLink, Server, place_to_listen
from protocols.tls_gate import TlsGate
from protocols.web.compression import compress_answers
from protocols.web.hosts import allowed_names, is_allowed, is_same_origin, split_authority
from protocols.web.pages import NO_GAMES, Pages, WebGame
from protocols.web.responses import ADDRESS, json_response
from protocols.web.static_files import StaticFiles
from protocols.web.websocket import SocketStream, open_socket

MAX_REQUEST_BYTES: Final = 131_072  # of a request
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
API: Final = "/api/"
OWN_SITES: Final = (
    "same-origin",
    "none",
)  # values of Sec-Fetch-Site: our own pages, and addresses that are typed
FORWARDING: Final = frozenset({"X-Forwarded-For", "Forwarded"})
SWEEP_SECONDS: Final = 0.5
MAX_ADDRESSES: Final = 4096  # addresses whose requests are counted
SOCKET_REQUESTS: Final = 5  # requests as which the opening of a WebSocket counts
FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
BANNED: Final = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Site:
    """The site: pages, `routes` and `/ws`. Browsers may call it by `names`, `localhost` and any IP address."""

    def __init__(
        self,
        server: Server,
        routes: Iterable[web.RouteDef] = (),
        names: Iterable[str] = (),
        *,
        is_proxied: bool = False,
        observe: Callable[[int, float], object] | None = None,
        games: Mapping[WebGame, Iterable[str]] = NO_GAMES,
    ) -> None:
        """Create the site for a server.

        `games` has the games that are shown, with the further styles that their pages need. `observe` is called with
        the status and the seconds of each request that is answered.
        """
        harden_aiohttp()
        self._server = server
        static = StaticFiles()
        pages = Pages(games, static)
        self._conversations: set[asyncio.Task[None]] = set()
        self._connections = ConnectionGuard(server, is_proxied=is_proxied)
        self._application = web.Application(
            middlewares=[
                *([timed(observe)] if observe else []),
                guard_requests(names, server.limits, server.incidents, is_proxied=is_proxied),
                refuse_banned(server),
                self._connections.middleware,
                count_requests(server),
                compress_answers,
                pages.middleware,
            ],
            client_max_size=MAX_REQUEST_BYTES,
        )
        self._application.on_response_prepare.append(self._charge)
        self._application.add_routes([
            web.get("/ws", self._converse),
            web.get("/healthz", self._show_health),
            *routes,
            *pages.routes(),
            *static.routes(),
        ])  # fmt: skip

    @asynccontextmanager
    async def listen(
        self, host: str, port: int, tls: SSLContext | None = None
    ) -> AsyncIterator[tuple[str, int]]:
        """Serve the site within the context, and yield its address and port.

        The system chooses the port if `port` is 0. At the end of the context no more requests are accepted, and the
        conversations are ended. Raises OSError if the port is taken.
        """
        limits = self._server.limits
        log = logging.getLogger(f"{__name__}.http")
        log.addFilter(_is_event)
        runner = web.AppRunner(
            self._application,
            access_log=None,
            logger=log,
            handle_signals=False,
            shutdown_timeout=limits.stop_seconds,
        )
        await runner.setup()
        try:
            assert runner.server is not None
            self._connections.open(runner.server)
            make: Callable[[], asyncio.BaseProtocol] = self._connections
            if tls is not None:
                make = TlsGate(tls, make, self._server.accounts, self._server.is_banned)
            loop = asyncio.get_running_loop()
            listening = await loop.create_server(make, **place_to_listen(host, port))
            sweeping = asyncio.create_task(self._connections.sweep())
            try:
                address = listening.sockets[0].getsockname()
                yield address[0], address[1]
            finally:
                listening.close()
                sweeping.cancel()
                await self._server.stop()
                for conversation in self._conversations:
                    conversation.cancel()
        finally:
            await runner.cleanup()

    def links(self) -> Iterator[ClientLink]:
        """Yield the connections of browsers other than WebSockets."""
        return self._connections.links()

    async def _show_health(self, request: web.Request) -> web.Response:
        """Answer 200, or 503 while something cannot be written, with the number of refusals of each kind so far."""
        incidents = self._server.incidents
        health = {
            "status": "cannot write" if incidents.failures else "ok",
            "failures": sorted(incidents.failures.values()),
            "refusals": incidents.counts,
        }
        return json_response(health, 503 if incidents.failures else 200)

    async def _charge(self, request: web.Request, response: web.StreamResponse) -> None:
        """Charge a remote address for the length of a response, which is known when the response is prepared."""
        address = request.get(ADDRESS, "")
        if address and not self._server.is_local(address):
            self._server.accounts.of(address).sent.take(response.content_length or 0)

    async def _converse(self, request: web.Request) -> web.StreamResponse:
        socket = await open_socket(request)
        transport, task = request.transport, asyncio.current_task()
        if transport is None or task is None:
            return socket  # gone already
        stream = SocketStream(socket, transport)
        sending = asyncio.create_task(stream.send())
        self._conversations.add(task)
        try:
            await self._server.serve_stream(stream, request[ADDRESS])
            stream.close()
            await asyncio.wait({sending}, timeout=self._server.limits.stop_seconds)
        except ConnectionError:
            transport.abort()  # the other side is gone, or sends too many frames
        except OSError:
            pass  # the other side is silent, or does not read
        finally:
            self._conversations.discard(task)
            sending.cancel()
            await asyncio.wait({sending})
            await stream.finish()
        return socket


def timed(observe: Callable[[int, float], object]) -> Middleware:
    """Return middleware that reports the status and the seconds of each answer, except those of WebSockets."""

    @web.middleware
    async def measured(request: web.Request, handler: Handler) -> web.StreamResponse:
        began = time.perf_counter()
        try:
            response = await handler(request)
        except web.HTTPException as refusal:
            observe(refusal.status, time.perf_counter() - began)
            raise
        if response.status != HTTPStatus.SWITCHING_PROTOCOLS:
            observe(response.status, time.perf_counter() - began)
        return response

    return measured


def guard_requests(
    names: Iterable[str], limits: Limits, incidents: Incidents, *, is_proxied: bool = False
) -> Middleware:
    """Return middleware that refuses other hosts' names and other sites' pages, and reports faults.

    It also finds the address of each request. `names` are those of this host. A request that a proxy on this machine
    forwards has the client's address in a header.
    """
    allowed = allowed_names(names)
    log = logging.getLogger(__name__)

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            address = request[ADDRESS] = _address(request, limits.ipv6_prefix_bits, is_proxied=is_proxied)
            if is_proxied and address == UNKNOWN and (FORWARDING & request.headers.keys()):
                incidents.add("client_addresses", request.remote or "")
            _check_host(request, allowed, incidents)
            response: web.StreamResponse = await handler(request)
        except web.HTTPException as refusal:
            refusal.headers.update(HEADERS)
            if refusal.status == HTTPStatus.TOO_MANY_REQUESTS:
                incidents.add("page_requests", request[ADDRESS])
            elif refusal.status == HTTPStatus.SERVICE_UNAVAILABLE:
                incidents.add("page_busy", request[ADDRESS])
            raise
        except (ConnectionError, HttpProcessingError, RequestPayloadError):  # gone, or the body is malformed
            response = web.Response(status=400)
        except TimeoutError:
            response = web.Response(status=408)
        except sqlite3.Error as fault:  # a full disk, for example
            log.error("%s %r: %s", request.method, request.path[:80], fault)
            response = json_response(
                {"error": "the server's data cannot be read or written at present; try again later"}, 503
            )
        except Exception as fault:
            if isinstance(fault, OSError) and fault.errno == errno.ENAMETOOLONG:  # in the URL
                response = json_response({"error": "there is no such file: its name is too long"}, 404)
            else:  # a fault of the server; logged once and in one line
                log.error("%s %r: %r", request.method, request.path[:80], fault)
                response = json_response(
                    {"error": "internal server error; the server's log has the reason"}, 500
                )
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    return guarded


def refuse_banned(server: Server) -> Middleware:
    """Return middleware that refuses the requests of banned addresses before their bodies are read."""

    @web.middleware
    async def refused(request: web.Request, handler: Handler) -> web.StreamResponse:
        _check_ban(server, request[ADDRESS])
        return await handler(request)

    return refused


def count_requests(server: Server) -> Middleware:
    """Return middleware that charges requests to remote addresses.

    Requests of an address with too many are delayed, or refused with 429 if the delay would be too long.
    """
    limits = server.limits
    # By address, in the order of their last requests.
    buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    @web.middleware
    async def counted(request: web.Request, handler: Handler) -> web.StreamResponse:
        address, now = request[ADDRESS], time.monotonic()
        if server.is_local(address):
            return await handler(request)
        bucket = buckets.pop(address, None)
        if bucket is None:
            bucket = TokenBucket(limits.page_requests_per_second, limits.page_requests_burst, now)
        buckets[address] = bucket
        if len(buckets) > MAX_ADDRESSES:
            buckets.popitem(last=False)
        account = server.accounts.of(address)
        delay = max(bucket.delay(now), account.delay(now))
        if delay > limits.request_seconds:
            raise web.HTTPTooManyRequests(text="too many requests from your address; try again later\n")
        is_socket = "Upgrade" in request.headers
        bucket.take(SOCKET_REQUESTS if is_socket else 1)
        if delay:
            server.incidents.add("page_slowed", address)
            await asyncio.sleep(delay)
        await account.turn()
        _check_ban(server, address)  # the address may have been banned during the delay
        if is_socket:  # the server meters the conversation
            return await handler(request)
        return await account.meter(_handled(handler, request))

    return counted


async def _handled(handler: Handler, request: web.Request) -> web.StreamResponse:
    return await handler(request)


class ConnectionGuard:
    """A factory of protocols for new connections that limits their number and, while sweep() runs, their waiting."""

    def __init__(self, server: Server, *, is_proxied: bool = False) -> None:
        """Create a guard. Behind a proxy all connections come from one address, which may then use up the limit."""
        self._limits = server.limits
        self._incidents = server.incidents
        self._is_banned = server.is_banned
        self._label = server.label
        self._is_proxied = is_proxied
        self._server: web.Server | None = None
        self._counted = lru_cache(MAX_ADDRESSES)(counted_address)
        self._waiting: dict[web.RequestHandler, float] = {}  # until when a request must be whole
        self._busy: dict[web.RequestHandler, web.Request] = {}  # with the request that each serves

    def open(self, server: web.Server) -> None:
        """Start to admit connections, for this server."""
        self._server = server

    def __call__(self) -> asyncio.BaseProtocol:
        return _Newcomer(self)

    def admit(self, peer: str) -> web.RequestHandler | bytes:
        """Return the protocol of a new connection, or the response that refuses it."""
        address = self._counted(peer, self._limits.ipv6_prefix_bits)
        if self._is_banned(address):
            return BANNED
        if self._server is None or not self._has_room(address):
            return FULL
        connection = self._server()
        self._waiting[connection] = time.monotonic() + self._limits.first_line_seconds
        return connection

    def links(self) -> Iterator[ClientLink]:
        """Yield the connections except WebSockets, which are listed elsewhere; those of a proxy only while busy."""
        for connection in () if self._is_proxied else self._waiting:
            yield self._link(connection, self._address(connection))
        for connection, request in self._busy.items():
            if "Upgrade" not in request.headers:
                yield self._link(connection, request[ADDRESS])

    def _link(self, connection: web.RequestHandler, address: str) -> ClientLink:
        def end() -> None:
            if connection.transport is not None:
                connection.transport.abort()

        return ClientLink(address=self._label(address), speaks="http", began=None, end=end)

    def _has_room(self, newcomer: str) -> bool:
        """Return whether a new connection, of the address `newcomer`, has room; a waiting one may be closed for it.

        The closed one is of the address with most connections, and has waited longest of these.
        """
        if len(self._waiting) + len(self._busy) < self._limits.page_connections:
            return True
        if not self._waiting:
            self._incidents.add("page_connections", newcomer)
            return False
        of_address = Counter(map(self._address, (*self._waiting, *self._busy)))
        given = max(self._waiting, key=lambda each: (of_address[self._address(each)], -self._waiting[each]))
        del self._waiting[given]
        self._incidents.add("page_connections", self._address(given))
        if given.transport is not None:
            given.transport.abort()
        return True

    @property
    def middleware(self) -> Middleware:
        """Middleware that records which connections serve a request, and limits the time for its body."""

        @web.middleware
        async def noted(request: web.Request, handler: Handler) -> web.StreamResponse:
            connection = request.protocol
            self._waiting.pop(connection, None)
            self._busy[connection] = request
            try:
                if request.can_read_body:
                    await self._read(request)
                return await handler(request)
            finally:
                self._busy.pop(connection, None)
                if connection.transport is not None:
                    self._waiting[connection] = time.monotonic() + self._limits.page_idle_seconds

        return noted

    async def sweep(self) -> None:
        """Close connections that wait too long, and the latest of an address with too many, until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now, limit = time.monotonic(), self._limits.page_connections_per_address
            of_address = Counter(map(self._address, self._busy))
            for connection, until in list(self._waiting.items()):
                address, transport = self._address(connection), connection.transport
                of_address[address] += 1
                is_too_many = of_address[address] > limit and not self._is_proxied
                if is_too_many:
                    self._incidents.add("page_connections_per_address", address)
                if now >= until or is_too_many or transport is None or transport.is_closing():
                    del self._waiting[connection]
                    if transport is not None:
                        transport.abort()

    def _address(self, connection: web.RequestHandler) -> str:
        peer = connection.transport.get_extra_info("peername") if connection.transport else None
        return self._counted(str(peer[0]) if peer else "", self._limits.ipv6_prefix_bits)

    async def _read(self, request: web.Request) -> None:
        try:
            async with asyncio.timeout(self._limits.request_seconds):
                await request.read()
        except TimeoutError:
            raise web.HTTPRequestTimeout(text="the body of the request took too long\n") from None


class _Newcomer(asyncio.Protocol):
    """A new connection: it is handed over to aiohttp, or answered with a refusal and closed."""

    def __init__(self, guard: ConnectionGuard) -> None:
        self._guard = guard

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        admitted = self._guard.admit(str(peer[0]) if peer else "")
        if not isinstance(admitted, bytes):
            transport.set_protocol(admitted)
            admitted.connection_made(transport)
            return
        with suppress(OSError):
            transport.write(admitted)
        transport.close()


def _is_event(record: logging.LogRecord) -> bool:
    """Return whether a log record is worth keeping; malformed HTTP from clients is not."""
    malformed = (HttpProcessingError, RequestPayloadError)
    return not (record.exc_info and isinstance(record.exc_info[1], malformed))


def _check_ban(server: Server, address: str) -> None:
    """Raise HTTPForbidden, whose answer also ends the connection, if an address is banned."""
    if server.is_banned(address):
        refusal = web.HTTPForbidden(text="your address is banned from this server\n")
        refusal.force_close()
        raise refusal


def _check_host(request: web.Request, allowed: frozenset[str], incidents: Incidents) -> None:
    """Raise an HTTPException if the request names a host that is not allowed, or comes from another site's page."""
    called = split_authority(request.host)
    if called is None:
        raise web.HTTPBadRequest(text="the header Host is malformed\n")
    if not is_allowed(called[0], allowed):
        incidents.add("hosts", request[ADDRESS], f"which asked for {called[0][:100]}")
        raise web.HTTPMisdirectedRequest(
            text=f"this server may not be called {called[0]}; to allow it, start galapagos serve with --name {called[0]}\n"
        )
    origins = request.headers.getall("Origin", [])
    # Browsers name no origin where a page of another site only embeds an address, as a picture for example.
    is_embedded = (
        request.path.startswith(API) and request.headers.get("Sec-Fetch-Site", "none") not in OWN_SITES
    )
    if is_embedded or not all(is_same_origin(origin, called) for origin in origins):
        incidents.add("origins", request[ADDRESS])
        raise web.HTTPForbidden(text="requests from the pages of other sites are not allowed\n")


def _address(request: web.Request, ipv6_prefix_bits: int, *, is_proxied: bool) -> str:
    """Return the address that counts for a request: the peer's, or the client's behind a proxy on this machine."""
    peer, headers = request.remote or "", request.headers
    if is_proxied and is_loopback(peer):
        return forwarded_address(
            headers.getall("X-Forwarded-For", ()), headers.getall("Forwarded", ()), ipv6_prefix_bits
        )
    return counted_address(peer, ipv6_prefix_bits)
