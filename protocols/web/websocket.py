"""WebSockets: conversations with the server in lines, and the events of the bus.

In a conversation a text frame is a line without its break, in either direction. GET /events takes a query such as
`?topics=hill/94nop,run&after=SEQ`; its frames, a JSON line each, have the states, then the missed events, then new
events. A browser that reads too slowly loses the oldest events and receives a line of type `gap`; publishers never
wait for it.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Final

import msgspec
from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from engines.events import Bus, Subscription
from protocols.addresses import THIS_MACHINE
from protocols.connection import is_peer_gone
from protocols.event_log import VERSION, encode_event
from protocols.hardening import drop_frames
from protocols.limits import Limits, TokenBucket
from protocols.server import ClientLink
from protocols.web.responses import ADDRESS, Routes, error

SUBPROTOCOL: Final = "galapagos.v1"
MAX_FRAME_BYTES: Final = 65_536  # of a frame
PING_SECONDS: Final = 15.0
# Limits of the frames that carry no line: pings, pongs, and frames that a browser sends on the path of events.
FRAMES_PER_SECOND: Final = 2.0
FRAMES_BURST: Final = 30
MAX_TOPICS: Final = 32
LONGEST_TOPIC: Final = 200  # characters
CLOSE_SECONDS: Final = 5.0  # for a browser to answer the closing handshake
LAST_FRAMES: Final = 100  # that may arrive after the closing handshake has started
CONTROL: Final = (WSMsgType.PING, WSMsgType.PONG)
CONTENT: Final = (WSMsgType.TEXT, WSMsgType.BINARY)
SEND_SECONDS: Final = 10.0  # for a browser to take a frame of events


class GuardedSocket:
    """A prepared WebSocket with a limit on the frames that carry no line."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport) -> None:
        self._socket = socket
        self._transport = transport
        self._bucket = TokenBucket(FRAMES_PER_SECOND, FRAMES_BURST, monotonic())
        self._closing: asyncio.TimerHandle | None = None  # aborts the connection
        self._has_ended = False  # whether the peer sends nothing more

    async def receive(self) -> WSMessage:
        """Return the next frame that is neither a ping, which is answered, nor a pong.

        While the socket is closing, text and binary frames are dropped, too. Raises ConnectionResetError if there are
        too many frames that are not returned.
        """
        while (message := await self._socket.receive()).type in CONTROL or (
            self._closing and message.type in CONTENT
        ):
            self._count()
            if message.type is WSMsgType.PING and not self._closing:
                await self._socket.pong(message.data)
        self._has_ended = message.type not in CONTENT
        return message

    async def ignore(self) -> None:
        """Read and drop text frames until another frame ends the connection.

        Raises ConnectionResetError if there are too many frames.
        """
        while (await self.receive()).type is WSMsgType.TEXT:
            self._count()

    async def start_closing(self, code: int = WSCloseCode.OK, reason: bytes = b"") -> None:
        """Start the closing handshake. Later frames are counted and dropped, until the peer answers or is cut off.

        The handshake of aiohttp would read all that a peer sends for ten seconds, without a pause.
        """
        if self._closing is None and not self._has_ended:
            self._closing = asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._transport.abort)
            self._bucket = TokenBucket(FRAMES_PER_SECOND, LAST_FRAMES, monotonic())
            with suppress(ConnectionError):
                await self._socket.send_frame(code.to_bytes(2, "big") + reason, WSMsgType.CLOSE)

    async def close(self) -> None:
        """Complete the closing handshake, if the peer is still connected, and close the connection."""
        await self.start_closing()
        if self._closing is not None:
            try:
                while not self._has_ended:
                    await self.receive()
                self._transport.close()
            except ConnectionError:
                self._transport.abort()
            finally:
                self._closing.cancel()
        await self._socket.close()
        drop_frames(self._socket)

    def _count(self) -> None:
        if self._bucket.delay(monotonic()):
            raise ConnectionResetError("too many frames")
        self._bucket.take()


async def open_socket(request: web.Request) -> web.WebSocketResponse:
    """Return a prepared WebSocket. Raises HTTPBadRequest if the request is no handshake or wants another protocol.

    A peer that does not answer pings is disconnected. The peer's own pings and its close are left to GuardedSocket.
    """
    wanted = [name.strip() for name in request.headers.get("Sec-WebSocket-Protocol", SUBPROTOCOL).split(",")]
    if SUBPROTOCOL not in wanted:
        raise web.HTTPBadRequest(text=f"the only WebSocket protocol here is {SUBPROTOCOL}\n")
    socket = web.WebSocketResponse(
        protocols=[SUBPROTOCOL],
        max_msg_size=MAX_FRAME_BYTES,
        heartbeat=PING_SECONDS,
        autoping=False,
        autoclose=False,
    )
    try:
        await socket.prepare(request)
    except ValueError:  # a header that aiohttp cannot read
        raise web.HTTPBadRequest(text="the WebSocket handshake is malformed\n") from None
    return socket


class SocketStream:
    """A prepared WebSocket as a stream (protocols.connection.Stream); send() must run during the conversation."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport) -> None:
        self._socket = socket
        self._guarded = GuardedSocket(socket, transport)
        self._transport = transport
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: the end
        self._waiting = 0  # bytes
        self._sent = asyncio.Event()  # set if all that was written is sent, or if no more can be sent
        self._sent.set()
        self._is_lost = False

    async def read(self) -> bytes:
        """Return a text frame as a line, or b"" at the end; a binary frame ends the stream, too.

        Raises ConnectionResetError if there are too many frames that carry no line.
        """
        message = await self._guarded.receive()
        if message.type is WSMsgType.TEXT:
            return str(message.data).encode("utf-8", "replace") + b"\n"
        if message.type is WSMsgType.BINARY:
            await self._guarded.start_closing(WSCloseCode.UNSUPPORTED_DATA, b"text frames only")
        return b""

    readline = read

    def write(self, data: bytes) -> None:
        for line in () if self._is_lost else data.splitlines():
            self._waiting += len(line)
            self._queue.put_nowait(line)
            self._sent.clear()

    async def drain(self) -> None:
        """Wait until all that was written is sent. Raises ConnectionResetError if it cannot be sent any more."""
        await self._sent.wait()
        if self._is_lost:
            raise ConnectionResetError("the WebSocket is closed")

    def waiting(self) -> int:
        return self._waiting

    def is_gone(self) -> bool:
        return is_peer_gone(self._transport)

    def close(self) -> None:
        self._queue.put_nowait(None)

    def abort(self) -> None:
        self._is_lost = True
        self._sent.set()
        self._transport.abort()

    async def send(self) -> None:
        """Send the written lines until the stream is closed. Raises ConnectionError if the connection is lost."""
        try:
            while (line := await self._queue.get()) is not None:
                await self._socket.send_str(line.decode("utf-8", "replace"))
                self._waiting -= len(line)
                if not self._waiting:
                    self._sent.set()
            await self._guarded.start_closing()
        finally:
            self._is_lost = True
            self._sent.set()

    async def finish(self) -> None:
        """Complete the closing handshake; the conversation must not read any more."""
        await self._guarded.close()


# -- Events ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EventQuery:
    """The query of a browser for events: topics, and the number of the last event that it has seen."""

    topics: tuple[str, ...] = ("",)
    after: int | None = None

    @classmethod
    def parse(cls, topics: str, after: str) -> "EventQuery":
        """Return the query in two parameters of a URL. Raises ValueError with the reason if they are malformed."""
        names = tuple(name.strip("/") for name in topics.split(",")) if topics else ("",)
        if len(names) > MAX_TOPICS or any(len(name) > LONGEST_TOPIC for name in names):
            raise ValueError(
                f"topics may be at most {MAX_TOPICS}, with at most {LONGEST_TOPIC} characters each"
            )
        if after and not (after.isascii() and after.isdigit() and len(after) < 16):
            raise ValueError(f"after must be the number of an event, not {after[:20]!r}")
        return cls(topics=names, after=int(after) if after else None)


class EventSocket:
    """The route by which browsers receive the events of a bus, within limits that do not apply to this machine."""

    def __init__(self, bus: Bus, limits: Limits, is_local: Callable[[str], bool]) -> None:
        self._bus = bus
        self._is_local = is_local
        self._limits = limits
        self._listeners: Counter[str] = Counter()  # connections by address
        self._tasks: dict[asyncio.Task[None], str] = {}  # with the address of each, the oldest first

    def routes(self) -> Routes:
        return [web.get("/events", self._open)]

    def links(self) -> Iterator[ClientLink]:
        """Yield the connections, for an operator."""
        for task, address in self._tasks.items():
            label = THIS_MACHINE if self._is_local(address) else address
            yield ClientLink(address=label, speaks="events", began=None, end=partial(self._end, task))

    def close(self) -> None:
        """End all connections."""
        for task in self._tasks:
            task.cancel()

    async def _open(self, request: web.Request) -> web.StreamResponse:
        try:
            query = EventQuery.parse(request.query.get("topics", ""), request.query.get("after", ""))
        except ValueError as problem:
            raise error(web.HTTPBadRequest, str(problem)) from None
        address, limits = request[ADDRESS], self._limits
        if self._is_local(address):
            return await self._listen(request, query)
        if self._listeners[address] >= limits.connections_per_address or (
            self._listeners.total() >= limits.connections and not self._make_room(address)
        ):
            raise error(web.HTTPServiceUnavailable, "too many clients listen to events; try again later")
        self._listeners[address] += 1
        try:
            return await self._listen(request, query)
        finally:
            self._listeners -= Counter({address: 1})

    def _make_room(self, address: str) -> bool:
        """End the oldest connection of the address with the most, and return whether that was done.

        It is not done if that address would then have fewer connections than `address` with its new one.
        """
        most = max(self._tasks.values(), key=self._listeners.__getitem__, default=address)
        if self._listeners[most] <= self._listeners[address] + 1:
            return False
        self._end(next(task for task, each in self._tasks.items() if each == most))
        return True

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        task.cancel()

    async def _listen(self, request: web.Request, query: EventQuery) -> web.StreamResponse:
        socket = await open_socket(request)
        transport = request.transport
        if transport is None:
            return socket  # gone already
        guarded = GuardedSocket(socket, transport)
        sending = asyncio.create_task(_send_events(self._bus, query, socket))
        self._tasks[sending] = request[ADDRESS]
        sending.add_done_callback(lambda task: self._tasks.pop(task, None))
        tasks = {sending, asyncio.create_task(guarded.ignore())}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            has_failed = any(not task.cancelled() and task.exception() for task in tasks)
            if has_failed:
                transport.abort()  # the peer does not read, sends too much, or is gone
        await guarded.close()
        return socket


async def _send_events(bus: Bus, query: EventQuery, socket: web.WebSocketResponse) -> None:
    """Send the events of a query until cancelled.

    Raises TimeoutError if the other side does not read, and ConnectionError if it is gone.
    """
    woken = asyncio.Event()
    subscription = bus.subscribe(woken.set, query.topics)
    try:
        for line in list(beginning(bus, subscription, query)):
            await _send(socket, line)
        while True:
            await woken.wait()
            woken.clear()
            missed, events = subscription.missed, subscription.take()
            if missed:
                await _send(socket, _gap(missed))
            for event in events:
                await _send(socket, encode_event(event))
    finally:
        bus.unsubscribe(subscription)


def beginning(bus: Bus, subscription: Subscription, query: EventQuery) -> Iterator[bytes]:
    """Yield the states and the events after the last one seen, each once, in the order of their numbers.

    A line of type `gap` comes first if events are missing, or if the last one seen is of an earlier run of the
    server.
    """
    events = {event.seq: event for event in bus.states()}
    after = query.after
    if after is not None:
        after = after if after <= bus.seq else 0  # the numbers of an earlier run of the server
        kept = list(bus.history(after))
        missed = (kept[0].seq if kept else bus.seq + 1) - after - 1
        if missed or after != query.after:
            yield _gap(missed)
        events |= {event.seq: event for event in kept}
    for _, event in sorted(events.items()):
        if subscription.wants(event.topic):
            yield encode_event(event)


def _gap(missed: int) -> bytes:
    """Return a line that reports the number of events lost to a listener; 0 stands for an unknown number."""
    return msgspec.json.encode({"v": VERSION, "type": "gap", "missed": missed})


async def _send(socket: web.WebSocketResponse, line: bytes) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await socket.send_str(line.decode())
