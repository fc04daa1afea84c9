"""Closed connections release their slots, idle ones make room, and floods delay no other client."""

import asyncio
import os
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from typing import Any

import pytest

from tests.protocols.wire import Wire
from tests.servers import Running, fresh, served
from tests.waiting import PATIENCE_SECONDS, processor_seconds

SLOW = pytest.mark.slow
MOST_AN_ADDRESS = 8
MOST_BROWSERS = 32  # of an address
NEWLINES = b"\n" * 65_000
LATE = 0.02  # seconds


async def flood_and_disconnect(server: Running, address: str, lines: bytes, first: str = "uci") -> None:
    talk = await server.connect(address)
    talk.say(first)
    with suppress(EOFError):
        await talk.line()
    talk.writer.write(lines)
    with suppress(TimeoutError, ConnectionError):
        async with asyncio.timeout(3):
            await talk.writer.drain()
    talk.writer.close()


async def connect_to_engine(server: Running, address: str) -> Wire:
    """Try until a connection from this address gets an engine; return the connection.

    Raises TimeoutError long before the unread lines of a flood could have been answered at the rate that is allowed.
    """
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            talk = await server.connect(address)
            talk.say("uci")
            with suppress(EOFError, ConnectionError):
                if (await talk.line()).startswith("id "):
                    return talk
            talk.writer.close()
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("first", ["uci", pytest.param('{"type":"hello","versions":[1]}', marks=SLOW)])
@pytest.mark.parametrize("times", [pytest.param(1, marks=SLOW), 20])
async def test_closed_connections_with_unread_lines_release_address_slots(
    server: Running, first: str, times: int
) -> None:
    (address,) = fresh(1)
    floods = (flood_and_disconnect(server, address, NEWLINES * times, first) for _ in range(MOST_AN_ADDRESS))
    await asyncio.gather(*floods)
    for _ in range(MOST_AN_ADDRESS):
        await connect_to_engine(server, address)


async def test_closed_connections_with_unread_lines_release_server_slots(server: Running) -> None:
    for address in fresh(14):
        flood = (flood_and_disconnect(server, address, NEWLINES) for _ in range(MOST_AN_ADDRESS))
        with suppress(ConnectionError):
            await asyncio.gather(*flood)
    await connect_to_engine(server, *fresh(1))


async def blank_lines(server: Running, number: int, first: str) -> None:
    talk = await server.connect(f"127.0.6.{number // MOST_AN_ADDRESS + 1}")
    talk.say(first)
    reading = asyncio.create_task(discard_input(talk))
    try:
        while not reading.done():
            talk.writer.write(b"\n" * 2000)
            await talk.writer.drain()
            await asyncio.sleep(0)
    finally:
        reading.cancel()


async def open_socket(server: Running, path: str, address: str) -> Wire:
    """A WebSocket of a remote client; the first line is the status of the answer."""
    talk = await Wire.open("127.0.0.1", server.page)
    server.wires.append(talk)
    talk.say(
        f"GET {path} HTTP/1.1\r", "Host: localhost\r", "Upgrade: websocket\r", "Connection: Upgrade\r",
        "Sec-WebSocket-Version: 13\r", f"Sec-WebSocket-Key: {'A' * 22}==\r", f"X-Forwarded-For: {address}\r", "\r",
    )  # fmt: skip
    return talk


PING = b"\x89\x80\x00\x00\x00\x00"
EMPTY = b"\x81\x80\x00\x00\x00\x00"
UCI = b"\x81\x83\x00\x00\x00\x00uci"


async def frames(server: Running, path: str, frame: bytes) -> None:
    """Over WebSockets of one remote client, one after the other."""
    while True:
        with suppress(ConnectionError, EOFError):
            talk = await open_socket(server, path, "192.0.2.1")
            await talk.hear("\r")
            reading = asyncio.create_task(discard_input(talk))
            while not reading.done():
                talk.writer.write(frame * 2000)
                await talk.writer.drain()
                await asyncio.sleep(0)
        await asyncio.sleep(0.05)


async def discard_input(talk: Wire) -> None:
    with suppress(ConnectionError):
        while await talk.reader.read(65_536):
            pass


async def slowest_ping(talk: Wire, times: int) -> float:
    """Seconds that pings take, but for one in ten, which take longer."""
    seconds = []
    for _ in range(times):
        await asyncio.sleep(0.05)
        seconds.append(await talk.ping())
    return quantiles(seconds, n=10)[8]


async def delay(server: Running, floods: Sequence[Coroutine[Any, Any, None]]) -> float:
    """Seconds by which another client's pings are slower while these go on. (On a busy machine they are slow before.)"""
    other = await server.connect("127.0.5.1")
    await other.hello()
    before = await slowest_ping(other, 20)
    tasks = [asyncio.create_task(each) for each in floods]
    await asyncio.sleep(2)
    meanwhile = await slowest_ping(other, 60)
    for each in tasks:
        each.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return meanwhile - before


@SLOW
@pytest.mark.parametrize(
    "first", ['{"type":"hello","versions":[1]}', ";redcode-nano standings\n.", "uci", "cdb nano"]
)
async def test_blank_lines_delay_no_other_client(first: str, tmp_path: Path) -> None:
    """Of 32 connections."""
    async with served("--proxied", "--home", tmp_path / "home") as server:
        floods = [blank_lines(server, number, first) for number in range(32)]
        assert await delay(server, floods) < LATE


@SLOW
@pytest.mark.parametrize(
    ("path", "frame"), [("/ws", PING), ("/ws", EMPTY), ("/events", PING), ("/ws", UCI)], ids=repr
)
async def test_frames_delay_no_other_client(path: str, frame: bytes) -> None:
    """Of 32 WebSockets, which are opened again when they are closed."""
    async with served("--proxied") as server:
        assert await delay(server, [frames(server, path, frame) for _ in range(32)]) < LATE


@SLOW
async def test_empty_frames_take_no_memory() -> None:
    async with served("--proxied") as server:
        floods = [asyncio.create_task(frames(server, "/ws", EMPTY)) for _ in range(8)]
        await asyncio.sleep(1)
        before = memory(server)
        await asyncio.sleep(4)
        grown = memory(server) - before
        for each in floods:
            each.cancel()
        await asyncio.gather(*floods, return_exceptions=True)
        assert grown < 20, f"{grown:.0f} MiB in four seconds"


def memory(server: Running) -> float:
    """MiB."""
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def requests(server: Running, number: int, path: str) -> None:
    """Over connections of a browser's that are kept, as fast as they are taken."""
    text = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.{number // 8 + 1}\r\n\r\n"
    while True:
        with suppress(ConnectionError):
            talk = await server.connect(f"127.0.6.{number + 1}", server.page)
            reading = asyncio.create_task(discard_input(talk))
            while not reading.done():
                talk.writer.write(text.encode() * 20)
                await talk.writer.drain()
                await asyncio.sleep(0)
        await asyncio.sleep(0.05)


@SLOW
@pytest.mark.parametrize("path", ["/healthz", "/api/players", "/api/hills/nano", "/static/page.js"])
async def test_requests_delay_no_other_client(path: str, tmp_path: Path) -> None:
    """Of 32 browsers that ask without pause."""
    async with served("--proxied", "--home", tmp_path / "home") as server:
        floods = [requests(server, number, path) for number in range(32)]
        assert await delay(server, floods) < LATE


async def test_blank_lines_do_not_count_as_the_first_line(server: Running) -> None:
    """A client that sends nothing else is refused, and costs no five seconds of work."""
    talk = await server.connect()
    before = processor_seconds(server.pid)
    talk.writer.write(b"\n" * 20_000)
    assert "unknown first line; it must be uci or xboard" in (await talk.line())
    assert processor_seconds(server.pid) - before < 2
    talk = await server.connect()
    talk.say("", " ", "", "uci")
    assert (await talk.line()).startswith("id ")


async def welcomed(server: Running) -> None:
    """Check that clients of three other addresses are served."""
    for _ in range(3):
        assert "error" not in await (await server.connect()).hello()


async def test_idle_engine_sessions_make_room_and_a_search_does_not(server: Running) -> None:
    """104 sessions of 13 addresses do not keep others out."""
    busy = await server.connect()
    busy.say("uci", "go infinite")
    await busy.hear("info depth")
    for address in fresh(13):
        for _ in range(MOST_AN_ADDRESS):
            talk = await server.connect(address)
            talk.say("uci")
            with suppress(EOFError):
                await talk.hear("uciok")
    await welcomed(server)
    busy.say("stop")
    await busy.hear("bestmove")


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(((), (";redcode-nano", "MOV 0, 1")), id="no line and half a warrior"),
        pytest.param((("cdb",), ("xboard",)), id="cdb and xboard", marks=SLOW),
    ],
)
async def test_connections_that_only_wait_make_room(
    begun: tuple[tuple[str, ...], ...], tmp_path: Path
) -> None:
    async with served(
        "--proxied", "--home", tmp_path / "home", "--limit", "first_line_seconds=600"
    ) as server:
        for lines in begun:
            for address in fresh(13):
                for _ in range(MOST_AN_ADDRESS):
                    (await server.connect(address)).say(*lines)
            await welcomed(server)
            talk = await server.connect()
            talk.say(";redcode-nano standings", ".")
            assert "current" in await talk.hear("The current")


async def test_idle_browsers_make_room(server: Running) -> None:
    """Connections of 14 addresses that ask for nothing, or slowly, do not keep a page from others."""
    for address in fresh(14):
        for index in range(MOST_BROWSERS):
            browser = await server.connect(address, server.page)
            browser.writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"\r\n" * (index % 2))
    for address in fresh(3):
        browser = await server.connect(address, server.page)
        browser.writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert await browser.line() == "HTTP/1.1 200 OK\r"


async def test_idle_json_lines_make_room_and_a_player_does_not(server: Running) -> None:
    """A connection with a game stays, though it waits longest."""
    player = await server.connect()
    await player.hello()
    player.say(type="create", game="acquire", seats=["me", "heuristic"])
    await player.message("decide")
    for address in fresh(13):
        for _ in range(MOST_AN_ADDRESS):
            talk = await server.connect(address)
            with suppress(EOFError):
                await talk.hello()
    await welcomed(server)
    await player.ping()


async def test_pages_that_only_listen_make_room(server: Running) -> None:
    """The oldest one of the address with most is closed."""
    for number in range(13):
        for _ in range(MOST_AN_ADDRESS):
            await (await open_socket(server, "/events", f"198.18.0.{number + 1}")).line()
    for number in range(3):
        client = await open_socket(server, "/events", f"198.51.100.{number + 1}")
        assert " 101 " in await client.line()


async def test_clients_of_a_proxy_count_by_their_own_addresses(server: Running) -> None:
    """By the PROXY protocol; nine of one address are too many, twenty of as many addresses are not."""
    (proxy,) = fresh(1)
    for number in range(20):
        talk = await server.connect(proxy)
        talk.say(f"PROXY TCP4 192.0.2.{number + 1} 198.51.100.1 50000 1835\r", "uci")
        await talk.hear("uciok")
    answers = []
    for _ in range(MOST_AN_ADDRESS + 1):
        talk = await server.connect(proxy)
        talk.say("PROXY TCP4 203.0.113.1 198.51.100.1 50000 1835\r", "uci")
        answers.append(await talk.line())
    assert answers[-1] == "too many connections from your address"
    assert all(answer.startswith("id ") for answer in answers[:-1])


async def test_local_programs_are_not_limited_in_number() -> None:
    """A ninth local client, and a hundred and first, are served."""
    async with served() as server:
        talks = [await server.connect("127.0.0.1") for _ in range(104)]
        for talk in talks:
            assert (await talk.hello())["type"] == "welcome"
