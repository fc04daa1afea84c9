"""Who is gone holds nothing, who is idle gives way, and who floods delays nobody (D1, D2, D6)."""

import asyncio
import os
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

import pytest

from tests.attack.served import Served, Talk, served

SLOW = pytest.mark.slow
MOST_AN_ADDRESS = 8
MOST_BROWSERS = 32  # of an address
NEWLINES = b"\n" * 65_000
LATE = 0.02  # seconds


async def flood_and_go(server: Served, address: str, lines: bytes, first: str = "uci") -> None:
    talk = await server.connect(address)
    talk.send(first)
    with suppress(EOFError):
        await talk.line()
    talk.writer.write(lines)
    with suppress(TimeoutError, ConnectionError):
        async with asyncio.timeout(3):
            await talk.writer.drain()
    talk.close()


async def seconds_until_served(server: Served, address: str) -> float:
    """Until a newcomer of this address gets an engine."""
    began = perf_counter()
    while True:
        talk = await server.connect(address)
        talk.send("uci")
        try:
            line = await talk.line()
        except (EOFError, ConnectionError):
            line = "closed"
        talk.close()
        if line.startswith("id "):
            return perf_counter() - began
        assert perf_counter() - began < 15, line
        await asyncio.sleep(0.1)


@pytest.mark.parametrize("first", ["uci", pytest.param('{"type":"hello","versions":[1]}', marks=SLOW)])
@pytest.mark.parametrize("times", [pytest.param(1, marks=SLOW), 20])
async def test_who_is_gone_has_no_place(first: str, times: int) -> None:
    """D1: unread lines of eight who have left their address do not keep it closed, as many as TCP takes."""
    async with served() as server:
        address = "127.0.9.1"
        floods = (flood_and_go(server, address, NEWLINES * times, first) for _ in range(MOST_AN_ADDRESS))
        await asyncio.gather(*floods)
        await asyncio.sleep(1.5)
        for number in range(MOST_AN_ADDRESS):
            talk = await server.connect(address)
            talk.send("uci")
            assert (await talk.line()).startswith("id "), f"{MOST_AN_ADDRESS - number} places are taken"


async def test_who_is_gone_gives_the_server_back() -> None:
    """D1: nor do a hundred and more of fourteen addresses close the server."""
    async with served() as server:
        for number in range(14):
            flood = (flood_and_go(server, f"127.0.8.{number + 1}", NEWLINES) for _ in range(MOST_AN_ADDRESS))
            with suppress(ConnectionError):
                await asyncio.gather(*flood)
        assert await seconds_until_served(server, "127.0.7.1") < 3.0


async def blank_lines(server: Served, number: int, first: str) -> None:
    talk = await server.connect(f"127.0.6.{number // MOST_AN_ADDRESS + 1}")
    talk.send(first)
    reading = asyncio.create_task(swallow(talk))
    try:
        while not reading.done():
            talk.writer.write(b"\n" * 2000)
            await talk.writer.drain()
            await asyncio.sleep(0)
    finally:
        reading.cancel()


async def open_socket(server: Served, path: str, address: str) -> Talk:
    """A WebSocket of a remote client; the first line is the status of the answer."""
    talk = Talk(*await asyncio.open_connection("127.0.0.1", server.page))
    server.talks.append(talk)
    talk.send(
        f"GET {path} HTTP/1.1\r", "Host: localhost\r", "Upgrade: websocket\r", "Connection: Upgrade\r",
        "Sec-WebSocket-Version: 13\r", f"Sec-WebSocket-Key: {'A' * 22}==\r", f"X-Forwarded-For: {address}\r", "\r",
    )  # fmt: skip
    return talk


PING = b"\x89\x80\x00\x00\x00\x00"
EMPTY = b"\x81\x80\x00\x00\x00\x00"
UCI = b"\x81\x83\x00\x00\x00\x00uci"


async def frames(server: Served, path: str, frame: bytes) -> None:
    """Over WebSockets of one remote client, one after the other."""
    while True:
        with suppress(ConnectionError, EOFError):
            talk = await open_socket(server, path, "192.0.2.1")
            await talk.until("\r")
            reading = asyncio.create_task(swallow(talk))
            while not reading.done():
                talk.writer.write(frame * 2000)
                await talk.writer.drain()
                await asyncio.sleep(0)
        await asyncio.sleep(0.05)


async def swallow(talk: Talk) -> None:
    with suppress(ConnectionError):
        while await talk.reader.read(65_536):
            pass


async def slowest_ping(talk: Talk, times: int) -> float:
    """Seconds that pings take, but for one in ten, which take longer."""
    seconds = []
    for _ in range(times):
        await asyncio.sleep(0.05)
        seconds.append(await talk.ping())
    return quantiles(seconds, n=10)[8]


async def delay(server: Served, floods: Sequence[Coroutine[Any, Any, None]]) -> float:
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


@pytest.mark.parametrize(
    "first",
    [
        '{"type":"hello","versions":[1]}',
        ";redcode-nano standings\n.",
        pytest.param("uci", marks=SLOW),
        pytest.param("cdb nano", marks=SLOW),
    ],
)
async def test_blank_lines_delay_nobody(first: str, tmp_path: Path) -> None:
    """D2: beside 32 connections that send blank lines, pings of others are answered at once."""
    async with served("--home", tmp_path / "home") as server:
        floods = [blank_lines(server, number, first) for number in range(32)]
        assert await delay(server, floods) < LATE


@pytest.mark.parametrize(
    ("path", "frame"),
    [
        ("/ws", PING),
        ("/ws", EMPTY),
        pytest.param("/events", PING, marks=SLOW),
        pytest.param("/ws", UCI, marks=SLOW),
    ],
    ids=repr,
)
async def test_frames_delay_nobody(path: str, frame: bytes) -> None:
    """D2: nor beside as many WebSockets, which are opened again when they are closed."""
    async with served() as server:
        assert await delay(server, [frames(server, path, frame) for _ in range(32)]) < LATE


async def test_empty_frames_take_no_memory() -> None:
    """D2: however many are sent, as few wait to be read."""
    async with served() as server:
        floods = [asyncio.create_task(frames(server, "/ws", EMPTY)) for _ in range(8)]
        await asyncio.sleep(1)
        before = memory(server)
        await asyncio.sleep(4)
        grown = memory(server) - before
        for each in floods:
            each.cancel()
        await asyncio.gather(*floods, return_exceptions=True)
        assert grown < 20, f"{grown:.0f} MiB in four seconds"


def memory(server: Served) -> float:
    """MiB."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def requests(server: Served, number: int, path: str) -> None:
    """Over connections of a browser's that are kept, as fast as they are taken."""
    text = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.{number // 8 + 1}\r\n\r\n"
    while True:
        with suppress(ConnectionError):
            talk = await server.connect(f"127.0.6.{number + 1}", server.page)
            reading = asyncio.create_task(swallow(talk))
            while not reading.done():
                talk.writer.write(text.encode() * 20)
                await talk.writer.drain()
                await asyncio.sleep(0)
        await asyncio.sleep(0.05)


@SLOW
@pytest.mark.parametrize("path", ["/healthz", "/api/players", "/api/hills/nano", "/static/page.js"])
async def test_requests_delay_nobody(path: str, tmp_path: Path) -> None:
    """D2: nor do as many browsers that ask without pause."""
    async with served("--home", tmp_path / "home") as server:
        floods = [requests(server, number, path) for number in range(32)]
        assert await delay(server, floods) < LATE


async def test_blank_lines_are_no_first_line() -> None:
    """D2: who sends nothing else is refused at once, and costs no five seconds of work."""
    async with served() as server:
        talk = await server.connect()
        began = perf_counter()
        talk.writer.write(b"\n" * 20_000)
        assert (await talk.line()).startswith("say uci or xboard first")
        assert perf_counter() - began < 2
        talk = await server.connect()
        talk.send("", " ", "", "uci")
        assert (await talk.line()).startswith("id ")


async def test_idle_sessions_give_way() -> None:
    """D6: 104 idle engine sessions of 13 addresses do not keep others out; who has a search under way stays."""
    async with served() as server:
        busy = await server.connect("127.0.4.1")
        busy.send("uci", "go infinite")
        await busy.until("info depth")
        for number in range(13):
            for _ in range(MOST_AN_ADDRESS):
                talk = await server.connect(f"127.0.3.{number + 1}")
                talk.send("uci")
                with suppress(EOFError):
                    await talk.until("uciok")
        for number in range(3):
            client = await server.connect(f"127.0.4.{number + 2}")
            assert "error" not in await client.hello()
        busy.send("stop")
        await busy.until("bestmove")


@pytest.mark.parametrize(
    "lines",
    [
        (),
        (";redcode-nano", "MOV 0, 1"),
        pytest.param(("cdb",), marks=SLOW),
        pytest.param(("xboard",), marks=SLOW),
    ],
)
async def test_who_only_waits_gives_way(lines: tuple[str, ...], tmp_path: Path) -> None:
    """D6: nor do those that say nothing, or stop in the middle of a warrior, though others come in their place."""
    async with served("--home", tmp_path / "home", "--limit", "first_line_seconds=60") as server:
        for number in range(13):
            for _ in range(MOST_AN_ADDRESS):
                talk = await server.connect(f"127.0.3.{number + 1}")
                talk.send(*lines)
        await asyncio.sleep(0.5)
        for number in range(3):
            client = await server.connect(f"127.0.4.{number + 2}")
            assert "error" not in await client.hello()
        talk = await server.connect("127.0.5.1")
        talk.send(";redcode-nano standings", ".")
        assert "current" in await talk.until("The current")


async def test_idle_browsers_give_way() -> None:
    """D6: the connections of 14 addresses that ask for nothing, or slowly, do not keep a page from others."""
    async with served() as server:
        for number in range(14):
            for index in range(MOST_BROWSERS):
                browser = await server.connect(f"127.0.3.{number + 1}", server.page)
                browser.writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"\r\n" * (index % 2))
        await asyncio.sleep(0.5)
        for number in range(3):
            browser = await server.connect(f"127.0.4.{number + 1}", server.page)
            browser.writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert await browser.line() == "HTTP/1.1 200 OK\r"


async def test_idle_json_lines_give_way() -> None:
    """D6: nor do as many that speak JSON lines and play nothing; who has a game stays, though he waits longest."""
    async with served() as server:
        player = await server.connect("127.0.4.1")
        await player.hello()
        player.say(type="create", game="acquire", seats=["me", "heuristic"])
        await player.message("decide")
        for number in range(13):
            for _ in range(MOST_AN_ADDRESS):
                talk = await server.connect(f"127.0.3.{number + 1}")
                with suppress(EOFError):
                    await talk.hello()
        for number in range(3):
            client = await server.connect(f"127.0.4.{number + 2}")
            assert "error" not in await client.hello()
        await player.ping()


async def test_listeners_give_way() -> None:
    """D6: nor do pages that only listen: of the address with most the oldest is closed."""
    async with served() as server:
        for number in range(13):
            for _ in range(MOST_AN_ADDRESS):
                await (await open_socket(server, "/events", f"192.0.2.{number + 1}")).line()
        for number in range(3):
            client = await open_socket(server, "/events", f"198.51.100.{number + 1}")
            assert " 101 " in await client.line()


async def test_clients_of_a_proxy_are_told_apart() -> None:
    """D6: by the PROXY protocol; nine of one address are too many, twenty of as many addresses are not."""
    async with served() as server:
        for number in range(20):
            talk = await server.connect("127.0.2.1")
            talk.send(f"PROXY TCP4 192.0.2.{number + 1} 198.51.100.1 50000 1835\r", "uci")
            await talk.until("uciok")
        answers = []
        for _ in range(MOST_AN_ADDRESS + 1):
            talk = await server.connect("127.0.2.1")
            talk.send("PROXY TCP4 203.0.113.1 198.51.100.1 50000 1835\r", "uci")
            answers.append(await talk.line())
        assert answers[-1] == "too many connections from your address"
        assert all(answer.startswith("id ") for answer in answers[:-1])


async def test_programs_of_this_machine_do_not_count() -> None:
    """D6: a ninth local client, and a hundred and first, are served."""
    async with served(is_proxied=False) as server:
        talks = [await server.connect("127.0.0.1") for _ in range(104)]
        for talk in talks:
            assert (await talk.hello())["type"] == "welcome"
