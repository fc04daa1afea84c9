"""The bus over a WebSocket: states, what was missed, what happens, and browsers that do not read."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession, ClientWebSocketResponse, WSServerHandshakeError, web

from engines.events import BroadcastLine, Bus, EngineStatus
from protocols.limits import Limits
from protocols.web.events import Feed, Wish, beginning
from protocols.web.guard import Guard

Open = Callable[[str], Awaitable[ClientWebSocketResponse]]


@pytest.fixture
def bus() -> Bus:
    return Bus(kept=5)


@pytest_asyncio.fixture
async def listen(bus: Bus) -> AsyncIterator[Open]:
    feed = Feed(bus, Limits(connections_per_address=3))
    application = web.Application(middlewares=[Guard(frozenset()).middleware()])
    application.router.add_routes(feed.routes())
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}/events"
    async with ClientSession() as session:
        yield lambda query: session.ws_connect(address + query, protocols=["galapagos.v1"])
        feed.close()
        await runner.cleanup()


async def heard(socket: ClientWebSocketResponse) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(await socket.receive_str(timeout=5))
    return line


async def test_what_is_true_comes_first_and_then_what_happens(bus: Bus, listen: Open) -> None:
    say(bus, "engine/a", "online", is_state=True)
    say(bus, "engine/a", "once")
    say(bus, "run/b", "online", is_state=True)
    socket = await listen("?topics=engine")
    assert socket.protocol == "galapagos.v1"
    assert (await heard(socket))["name"] == "online"
    say(bus, "run/b", "gone", is_state=True)
    say(bus, "engine/a", "playing")
    assert await heard(socket) == {
        "v": 1, "seq": 5, "topic": "engine/a", "type": "presence", "name": "playing", "status": "online",
        "guests": 0,
    }  # fmt: skip


async def test_what_was_missed_is_told_in_order_and_once(bus: Bus, listen: Open) -> None:
    for number in range(4):
        say(bus, "a", str(number), is_state=number == 2)
    socket = await listen("?after=1")
    assert [(await heard(socket))["seq"] for _ in range(3)] == [2, 3, 4]


@pytest.mark.parametrize(("after", "missed"), [(0, 3), (2, 1), (99, 3)])
def test_a_gap_is_told_of(bus: Bus, after: int, missed: int) -> None:
    for number in range(8):
        say(bus, "a", str(number))
    first = next(beginning(bus, bus.subscribe(lambda: None), Wish(after=after)))
    assert json.loads(first) == {"v": 1, "type": "gap", "missed": missed}


async def test_a_browser_that_does_not_read_slows_nobody(bus: Bus, listen: Open) -> None:
    socket = await listen("")
    text = b'"' + b"x" * 60_000 + b'"'
    loop = asyncio.get_running_loop()
    longest = 0.0
    for _ in range(1500):
        began = loop.time()
        bus.publish("a", BroadcastLine(line=text))
        longest = max(longest, loop.time() - began)
        await asyncio.sleep(0)
    assert longest < 0.025
    last, missed, lines = 0, 0, 0
    while last < 1500:
        line = await heard(socket)
        if line["type"] == "gap":
            missed += line["missed"]
        else:
            assert line["seq"] > last
            last, lines = line["seq"], lines + 1
    assert missed and lines + missed == 1500


async def test_only_so_many_may_listen(listen: Open) -> None:
    sockets = [await listen("") for _ in range(3)]
    with pytest.raises(Exception, match="503"):
        await listen("")
    await sockets[0].close()
    async with asyncio.timeout(5):  # the house hears of it in its own time
        while True:
            try:
                await listen("")
                break
            except WSServerHandshakeError:
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("query", ["?after=-1", "?after=x", "?topics=" + "a," * 40, "?topics=" + "a" * 201])
async def test_nonsense_is_refused(listen: Open, query: str) -> None:
    with pytest.raises(Exception, match="400"):
        await listen(query)


def say(bus: Bus, topic: str, name: str, *, is_state: bool = False) -> None:
    bus.publish(topic, EngineStatus(name=name, status="online", clients=0), is_state=is_state)
