"""WebSockets: conversations, whose frames are lines, and the events of the bus."""

import asyncio
import json
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any, cast

import pytest
import pytest_asyncio
from aiohttp import ClientWebSocketResponse, WSCloseCode, WSMsgType, WSServerHandshakeError, web

from engines.events import BroadcastLine, Bus, EngineStatus
from protocols.limits import Limits
from protocols.web.websocket import SUBPROTOCOL, EventQuery, EventSocket, SocketStream, beginning
from tests.protocols.web.support import served, visited
from tests.waiting import PATIENCE_SECONDS

Open = Callable[[str], Awaitable[ClientWebSocketResponse]]
HELLO = '{"type":"hello","versions":[1]}'


async def receive(socket: ClientWebSocketResponse) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(await socket.receive_str(timeout=PATIENCE_SECONDS))
    return line


async def test_a_game_can_be_created_over_a_websocket() -> None:
    async with (
        visited() as visit,
        visit.client.ws_connect(visit.address + "/ws", protocols=[SUBPROTOCOL]) as socket,
    ):
        assert socket.protocol == "galapagos.v1"
        await socket.send_str(HELLO)
        assert (await receive(socket))["type"] == "welcome"
        await socket.send_str(
            '{"type":"create","game":"acquire","variant":"mini","seats":["random","random"]}'
        )
        kinds = []
        await socket.send_str('{"type":"ping","id":7}')
        while (line := await receive(socket))["type"] != "pong":
            kinds.append(line["type"])
        assert "created" in kinds
    assert visit.server.clients == 0


async def test_a_line_of_no_protocol_is_answered_with_advice_and_a_close() -> None:
    async with visited() as visit, visit.client.ws_connect(visit.address + "/ws") as socket:
        await socket.send_str("good morning")
        assert "uci" in await socket.receive_str()
        assert (await socket.receive()).type is WSMsgType.CLOSE


async def test_binary_frames_close_the_socket() -> None:
    async with visited() as visit, visit.client.ws_connect(visit.address + "/ws") as socket:
        await socket.send_bytes(HELLO.encode())
        message = await socket.receive()
        assert (message.type, message.data) == (WSMsgType.CLOSE, WSCloseCode.UNSUPPORTED_DATA)


async def test_a_too_long_frame_closes_the_socket() -> None:
    async with visited() as visit, visit.client.ws_connect(visit.address + "/ws") as socket:
        await socket.send_str(HELLO)
        await receive(socket)
        await socket.send_str("x" * 70_000)
        message = await socket.receive()
        assert (message.type, message.data) == (WSMsgType.CLOSE, WSCloseCode.MESSAGE_TOO_BIG)
        await asyncio.sleep(0)
    assert visit.server.clients == 0


async def test_pings_are_answered_but_too_many_close_the_socket() -> None:
    async with (
        visited() as visit,
        visit.client.ws_connect(visit.address + "/ws", autoping=False) as socket,
    ):
        await socket.send_str(HELLO)
        await receive(socket)
        for number in range(10):
            await socket.ping(b"%d" % number)
            await socket.pong()
            message = await socket.receive(timeout=PATIENCE_SECONDS)
            assert (message.type, message.data) == (WSMsgType.PONG, b"%d" % number)
        await socket.send_str('{"type":"ping"}')
        assert (await receive(socket))["type"] == "pong"
        for _ in range(100):
            with suppress(ConnectionError):
                await socket.pong()
        assert (await socket.receive(timeout=PATIENCE_SECONDS)).type in (WSMsgType.CLOSED, WSMsgType.ERROR)
        await asyncio.sleep(0)
    assert visit.server.clients == 0


async def test_a_silent_client_is_closed() -> None:
    async with (
        visited(first_line_seconds=0.1) as visit,
        visit.client.ws_connect(visit.address + "/ws") as socket,
    ):
        assert (await socket.receive(timeout=PATIENCE_SECONDS)).type in (WSMsgType.CLOSE, WSMsgType.CLOSED)


async def test_sockets_of_one_address_above_the_limit_are_refused() -> None:
    async with visited(connections_per_address=2, is_proxied=True) as visit:
        headers = {"X-Forwarded-For": "192.0.2.7"}
        sockets = [await visit.client.ws_connect(visit.address + "/ws", headers=headers) for _ in range(3)]
        assert "your address" in await sockets[2].receive_str(timeout=PATIENCE_SECONDS)
        for socket in sockets:
            await socket.close()


async def test_clients_receive_bye_when_the_server_stops() -> None:
    async with visited() as visit:
        socket = await visit.client.ws_connect(visit.address + "/ws")
        await socket.send_str(HELLO)
        await receive(socket)
        leaving = asyncio.create_task(_last(socket))
        await visit.server.stop()
        assert await leaving == {"type": "bye", "reason": "closing"}


async def _last(socket: ClientWebSocketResponse) -> object:
    lines = [json.loads(message.data) async for message in socket if message.type is WSMsgType.TEXT]
    return lines[-1]


class Stuck:
    """A WebSocket and its transport whose peer reads nothing, until the connection is lost."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    async def send_str(self, text: str) -> None:
        await self.lost.wait()
        raise ConnectionResetError("lost")

    def abort(self) -> None:
        self.lost.set()


@pytest.mark.parametrize("is_ours", [True, False])
async def test_drain_ends_when_the_connection_is_lost(is_ours: bool) -> None:
    peer = Stuck()
    stream = SocketStream(cast(web.WebSocketResponse, peer), cast(asyncio.Transport, peer))
    sending = asyncio.create_task(stream.send())
    stream.write(b"a\nb\n")
    draining = asyncio.create_task(stream.drain())
    await asyncio.sleep(0)
    assert stream.waiting() == 2 and not draining.done()
    (stream if is_ours else peer).abort()
    await asyncio.wait({draining, sending}, timeout=PATIENCE_SECONDS)
    for task in (draining, sending):
        assert task.done() and isinstance(task.exception(), ConnectionError)
    stream.write(b"c\n")
    with pytest.raises(ConnectionError):
        await stream.drain()


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """One for this machine, with its key in the same file."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed: no certificate can be made")
    path = tmp_path / "certificate.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path, "-out", tmp_path / "public.pem",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    path.write_text(path.read_text() + (tmp_path / "public.pem").read_text())
    return path


async def test_a_conversation_can_be_held_over_tls(certificate: Path) -> None:
    ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ours.load_cert_chain(certificate)
    theirs = ssl.create_default_context(cafile=str(certificate))
    async with (
        visited(tls=ours, trusted=theirs) as visit,
        visit.client.ws_connect(visit.address + "/ws") as socket,
    ):
        await socket.send_str(HELLO)
        assert (await receive(socket))["type"] == "welcome"


async def test_a_silent_browser_is_closed_after_a_slow_tls_handshake(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.web.app.SWEEP_SECONDS", 0.01)
    ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ours.load_cert_chain(certificate)
    theirs = ssl.create_default_context(cafile=str(certificate))
    async with visited(tls=ours, first_line_seconds=1.0) as visit:
        reader, writer = await visit.connect()
        await asyncio.sleep(0.1)  # several sweeps
        await writer.start_tls(theirs, server_hostname="127.0.0.1")
        async with asyncio.timeout(PATIENCE_SECONDS):
            with suppress(ConnectionError):
                assert await reader.read() == b""
        writer.transport.abort()


# -- Events ------------------------------------------------------------------------------------------


@pytest.fixture
def bus() -> Bus:
    return Bus(kept=5)


@pytest_asyncio.fixture
async def listen(bus: Bus, request: pytest.FixtureRequest) -> AsyncIterator[Open]:
    """From this machine or from elsewhere."""
    is_local = getattr(request, "param", False)
    events = EventSocket(bus, Limits(connections_per_address=3), lambda address: is_local)
    async with served(events.routes()) as api:
        yield lambda query: api.session.ws_connect(f"{api.address}/events{query}", protocols=[SUBPROTOCOL])
        events.close()


async def test_listeners_receive_states_first_and_then_events(bus: Bus, listen: Open) -> None:
    publish(bus, "engine/a", "online", is_state=True)
    publish(bus, "engine/a", "once")
    publish(bus, "run/b", "online", is_state=True)
    socket = await listen("?topics=engine")
    assert socket.protocol == "galapagos.v1"
    assert (await receive(socket))["name"] == "online"
    publish(bus, "run/b", "gone", is_state=True)
    publish(bus, "engine/a", "playing")
    assert await receive(socket) == {
        "v": 1, "seq": 5, "topic": "engine/a", "type": "presence", "name": "playing", "status": "online",
        "guests": 0,
    }  # fmt: skip


async def test_missed_events_come_in_order_and_once(bus: Bus, listen: Open) -> None:
    for number in range(4):
        publish(bus, "a", str(number), is_state=number == 2)
    socket = await listen("?after=1")
    assert [(await receive(socket))["seq"] for _ in range(3)] == [2, 3, 4]


@pytest.mark.parametrize(("after", "missed"), [(0, 3), (2, 1), (99, 3)])
def test_a_gap_is_reported(bus: Bus, after: int, missed: int) -> None:
    for number in range(8):
        publish(bus, "a", str(number))
    first = next(beginning(bus, bus.subscribe(lambda: None), EventQuery(after=after)))
    assert json.loads(first) == {"v": 1, "type": "gap", "missed": missed}


async def test_a_browser_that_does_not_read_delays_no_publisher_of_events(bus: Bus, listen: Open) -> None:
    socket = await listen("")
    text = b'"' + b"x" * 60_000 + b'"'
    costs = []
    for _ in range(1500):
        began = thread_time()
        bus.publish("a", BroadcastLine(line=text))
        costs.append(thread_time() - began)
        await asyncio.sleep(0)
    # The queue is full most of the time: to publish costs then as little as to the empty queue of the start.
    assert median(costs[-500:]) < 10 * median(costs[:20])
    last, missed, lines = 0, 0, 0
    while last < 1500:
        line = await receive(socket)
        if line["type"] == "gap":
            missed += line["missed"]
        else:
            assert line["seq"] > last
            last, lines = line["seq"], lines + 1
    assert missed and lines + missed == 1500


@pytest.mark.parametrize("listen", [True], indirect=True)
async def test_the_number_of_local_listeners_is_not_limited(bus: Bus, listen: Open) -> None:
    publish(bus, "engine/a", "online", is_state=True)
    for socket in [await listen("") for _ in range(10)]:
        assert (await receive(socket))["name"] == "online"
        await socket.close()


async def test_the_number_of_listeners_per_address_is_limited(listen: Open) -> None:
    sockets = [await listen("") for _ in range(3)]
    with pytest.raises(WSServerHandshakeError, match="503"):
        await listen("")
    await sockets[0].close()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await listen("")
                break
            except WSServerHandshakeError:
                await asyncio.sleep(0.01)


async def test_invalid_queries_for_events_are_refused(listen: Open) -> None:
    for query in ("?after=-1", "?after=x", "?topics=" + "a," * 40, "?topics=" + "a" * 201):
        with pytest.raises(WSServerHandshakeError, match="400"):
            await listen(query)


def publish(bus: Bus, topic: str, name: str, *, is_state: bool = False) -> None:
    bus.publish(topic, EngineStatus(name=name, status="online", clients=0), is_state=is_state)
