"""The event bus over a WebSocket: what is true now, what was missed, then what happens, a JSON line a frame.

Asked for with `?topics=hill/94nop,run&after=SEQ`. A browser that reads too slowly loses the oldest events and is told
so by a line of type `gap`; whoever publishes never waits for it.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec
from aiohttp import WSMsgType, web

from engines.events import Bus, Event, Subscription
from protocols.event_log import VERSION, encode_event
from protocols.limits import Limits
from protocols.web.answer import Routes, refusal
from protocols.web.guard import ADDRESS
from protocols.web.socket import new_socket

MOST_TOPICS: Final = 32
LONGEST_TOPIC: Final = 200  # characters
SEND_SECONDS: Final = 10.0  # for a browser to take a frame; then it is deaf


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a browser asks for."""

    topics: tuple[str, ...] = ("",)
    after: int | None = None  # the last event that it has seen

    @classmethod
    def of(cls, topics: str, after: str) -> "Wish":
        """ValueError says what is wrong with it."""
        names = tuple(name.strip("/") for name in topics.split(",")) if topics else ("",)
        if len(names) > MOST_TOPICS or any(len(name) > LONGEST_TOPIC for name in names):
            raise ValueError(f"at most {MOST_TOPICS} topics of {LONGEST_TOPIC} characters")
        if after and not (after.isascii() and after.isdigit() and len(after) < 16):
            raise ValueError(f"after is the number of an event, not {after[:20]!r}")
        return cls(topics=names, after=int(after) if after else None)


class Feed:
    """Shows a bus to so many browsers as the limits allow."""

    def __init__(self, bus: Bus, limits: Limits) -> None:
        self._bus = bus
        self._limits = limits
        self._listening: Counter[str] = Counter()  # by address
        self._tasks: set[asyncio.Task[None]] = set()

    def routes(self) -> Routes:
        return [web.get("/events", self._show)]

    def close(self) -> None:
        """Let all listeners go."""
        for task in self._tasks:
            task.cancel()

    async def _show(self, request: web.Request) -> web.StreamResponse:
        try:
            wish = Wish.of(request.query.get("topics", ""), request.query.get("after", ""))
        except ValueError as error:
            return refusal(str(error))
        address = request[ADDRESS]
        limits = self._limits
        if (
            self._listening.total() >= limits.connections
            or self._listening[address] >= limits.connections_per_address
        ):
            return refusal("too many listen already; try again later", 503)
        self._listening[address] += 1
        try:
            return await self._listen(request, wish)
        finally:
            self._listening -= Counter({address: 1})

    async def _listen(self, request: web.Request, wish: Wish) -> web.StreamResponse:
        socket = new_socket()
        await socket.prepare(request)
        task = asyncio.create_task(_tell(self._bus, wish, socket))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            while not task.done():
                message = asyncio.ensure_future(socket.receive())
                await asyncio.wait({task, message}, return_when=asyncio.FIRST_COMPLETED)
                if not message.done():
                    message.cancel()
                elif message.result().type is not WSMsgType.TEXT:
                    break  # what a browser says here is passed over, until it goes
        finally:
            task.cancel()
            await asyncio.wait({task})
            if request.transport is not None and not task.cancelled() and task.exception() is not None:
                request.transport.abort()  # it is deaf, or gone
        await socket.close()
        return socket


async def _tell(bus: Bus, wish: Wish, socket: web.WebSocketResponse) -> None:
    """For ever. TimeoutError when the other side does not read, ConnectionError when it is gone."""
    woken = asyncio.Event()
    subscription = bus.subscribe(woken.set, wish.topics)
    try:
        for line in list(beginning(bus, subscription, wish)):
            await _send(socket, line)
        while True:
            await woken.wait()
            woken.clear()
            if missed := subscription.missed:
                await _send(socket, gap(missed))
            for event in subscription.take():
                await _send(socket, encode_event(event))
    finally:
        bus.unsubscribe(subscription)


def beginning(bus: Bus, subscription: Subscription, wish: Wish) -> Iterator[bytes]:
    """The states, and the events after the last one that was seen: each once, in the order of their numbers."""
    events = {event.seq: event for event in bus.states()}
    after = wish.after
    if after is not None:
        after = after if after <= bus.seq else 0  # the numbers of a server that was there before
        kept = list(bus.history(after))
        missed = (kept[0].seq if kept else bus.seq + 1) - after - 1
        if missed or after != wish.after:
            yield gap(missed)
        events |= {event.seq: event for event in kept}
    yield from map(encode_event, _wanted(events, subscription))


def gap(missed: int) -> bytes:
    """A line about events that are lost to this listener; 0: nobody knows how many."""
    return msgspec.json.encode({"v": VERSION, "type": "gap", "missed": missed})


def _wanted(events: dict[int, Event], subscription: Subscription) -> Iterator[Event]:
    return (event for _, event in sorted(events.items()) if subscription.wants(event.topic))


async def _send(socket: web.WebSocketResponse, line: bytes) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await socket.send_str(line.decode())
