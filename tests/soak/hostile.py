"""Clients that mean no good, or cannot help it: slow, deaf, half gone, too long, too many, malformed."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

from aiohttp import ClientError, ClientSession, ClientWSTimeout

from tests.soak.clients import HELLO, Place

Hostile = Callable[[Place, ClientSession, Random], Awaitable[None]]

GREETING: Final = json.dumps(HELLO).encode() + b"\n"
QUESTION: Final = b'{"type":"describe","id":1,"game":"acquire"}\n'


async def slow_header(place: Place, client: ClientSession, rng: Random) -> None:
    """A request whose header never ends (slowloris)."""
    _, writer = await _open_page(place)
    writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    for number in range(600):
        writer.write(b"X-%d: y\r\n" % number)
        await writer.drain()
        await asyncio.sleep(1)


async def slow_body(place: Place, client: ClientSession, rng: Random) -> None:
    """A request whose body comes byte by byte."""
    _, writer = await _open_page(place)
    writer.write(
        b"POST /api/hills/x/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n"
    )
    for _ in range(600):
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(1)


async def silent(place: Place, client: ClientSession, rng: Random) -> None:
    """A connection that says nothing."""
    reader, _ = await asyncio.open_connection(place.host, place.port)
    await reader.read()


async def silent_browser(place: Place, client: ClientSession, rng: Random) -> None:
    reader, _ = await _open_page(place)
    await reader.read()


async def slow_line(place: Place, client: ClientSession, rng: Random) -> None:
    """A line that grows by a byte a second and never ends."""
    _, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(GREETING)
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(1)


async def deaf(place: Place, client: ClientSession, rng: Random) -> None:
    """Asks and asks, and reads no answer."""
    _, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(GREETING)
    while True:
        writer.write(QUESTION)
        await writer.drain()
        await asyncio.sleep(0.01)


async def deaf_socket(place: Place, client: ClientSession, rng: Random) -> None:
    """The same over a WebSocket, which is not read."""
    async with _socket(place, client, rng, "ws") as socket:
        await socket.send_bytes(b"") if rng.random() < 0.1 else await socket.send_str(GREETING.decode())
        while not socket.closed:
            await socket.send_str(QUESTION.decode())
            await asyncio.sleep(0.01)


async def flood(place: Place, client: ClientSession, rng: Random) -> None:
    """Lines as fast as they are taken."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    reading = asyncio.create_task(_swallow(reader))
    try:
        writer.write(GREETING)
        while not reading.done():
            writer.write(b'{"type":"ping"}\n' * 200)
            await writer.drain()
            await asyncio.sleep(0)
    finally:
        reading.cancel()


async def malformed(place: Place, client: ClientSession, rng: Random) -> None:
    """Lines that are no messages, of many kinds."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(GREETING)
    for text in (
        b"{", b"[]", b"null", b'{"type":', b'{"type":"create","seats":[[[[[[', b"[" * 5000, b'{"type":1e999}',
        b'{"type":"\xff\xfe"}', b'{"type":"action","action":{"kind":"place","tile":"../../etc/passwd"}}',
        b'{"type":"create","game":"protection","options":{"profile":"../../../x"}}', rng.randbytes(300),
    ):  # fmt: skip
        writer.write(text.replace(b"\n", b"") + b"\n")
    await writer.drain()
    await _swallow(reader)


async def oversize(place: Place, client: ClientSession, rng: Random) -> None:
    """A line that is as long as the connection lasts."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(rng.choice((b"{", b"uci", b"")))
    while True:
        writer.write(b"x" * 10_000)
        await writer.drain()
        if reader.at_eof():
            return
        await asyncio.sleep(0.005)


async def oversize_frame(place: Place, client: ClientSession, rng: Random) -> None:
    async with _socket(place, client, rng, "ws") as socket:
        await socket.send_str("x" * 1_000_000)
        await socket.receive(timeout=10)


async def noise(place: Place, client: ClientSession, rng: Random) -> None:
    """Bytes by chance, for either port."""
    opened = _open_page(place) if rng.random() < 0.5 else asyncio.open_connection(place.host, place.port)
    reader, writer = await opened
    writer.write(rng.randbytes(5000))
    await writer.drain()
    await _swallow(reader)


async def cut_off(place: Place, client: ClientSession, rng: Random) -> None:
    """Gone in the middle of a thought or of a game."""
    _, writer = await asyncio.open_connection(place.host, place.port)
    if rng.random() < 0.5:
        writer.write(b"uci\ngo infinite\n")
    else:
        writer.write(GREETING + b'{"type":"create","game":"acquire","seats":["me","heuristic"]}\n')
    await writer.drain()
    await asyncio.sleep(rng.random())
    writer.transport.abort()


async def redcode_bomb(place: Place, client: ClientSession, rng: Random) -> None:
    """Redcode that grows beyond all bounds."""
    bombs = (
        b"i for 99999\nj for 99999\nk for 99999\ndat 0\nrof\nrof\nrof\n",
        b"a equ b b\nb equ a a\nmov a, b\n",
        b"dat " + b"(" * 20_000 + b"\n",
    )
    await _say(place, place.hill.encode() + b" test\n" + rng.choice(bombs) + b"end\n")


async def thief(place: Place, client: ClientSession, rng: Random) -> None:
    """Kills warriors by their authors' names alone, or with tokens by chance."""
    kills = "".join(f";kill {name}\n" for name in ("Paper", "Imp", "Dwarf", "Pebble", "Scanner"))
    token = "".join(rng.choices("0123456789-_abcdefABCDEF", k=22))
    await _say(place, f"{place.hill}\n;author Galapagos\n{kills};token {token}\nend\n".encode())


async def unread_lines(place: Place, client: ClientSession, rng: Random) -> None:
    """Leaves more lines than may be read in an hour."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(b"uci\n")
    await reader.readline()
    writer.write(b"\n" * 65_000)
    await writer.drain()
    writer.close()


async def blank_lines(place: Place, client: ClientSession, rng: Random) -> None:
    """Lines that say nothing, as fast as they are taken."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(GREETING)
    reading = asyncio.create_task(_swallow(reader))
    try:
        while not reading.done():
            writer.write(rng.choice((b"\n", b" \n")) * 2000)
            await writer.drain()
            await asyncio.sleep(0)
    finally:
        reading.cancel()


async def empty_frames(place: Place, client: ClientSession, rng: Random) -> None:
    """Frames that say nothing, and pings of the WebSocket protocol."""
    path = rng.choice(("ws", "events?topics=listing"))
    async with _socket(place, client, rng, path) as socket:
        await socket.send_str(GREETING.decode())
        while not socket.closed:
            for _ in range(100):
                await (socket.ping() if rng.random() < 0.5 else socket.send_str(""))
            await asyncio.sleep(0)


async def idle_engine(place: Place, client: ClientSession, rng: Random) -> None:
    """Holds an engine and does nothing with it."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(rng.choice((b"uci\n", b"xboard\n")))
    with suppress(TimeoutError):
        async with asyncio.timeout(rng.uniform(10, 60)):
            await _swallow(reader)
    writer.close()


async def idle_games(place: Place, client: ClientSession, rng: Random) -> None:
    """Begins as many games as it may, answers pings, and never plays."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(GREETING)
    seats = rng.choice((b'["me","heuristic"]', b'["me","open"]'))
    writer.write(b'{"type":"create","game":"acquire","seats":%b,"seed":7}\n' % seats * 9)
    with suppress(TimeoutError):
        async with asyncio.timeout(rng.uniform(10, 60)):
            while line := await reader.readline():
                if b'"ping"' in line:
                    writer.write(b'{"type":"pong","re":"ping"}\n')
    writer.close()


async def impostor(place: Place, client: ClientSession, rng: Random) -> None:
    """Acts in games of others, guesses tokens, asks for what is not its own."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(GREETING + b'{"type":"list","state":"running"}\n')
    listing: dict[str, object] = {}
    while "games" not in listing or "total" not in listing:
        listing = json.loads(await reader.readline())
    games = [str(game["game_id"]) for game in listing["games"]]  # type: ignore[attr-defined]
    for game in rng.sample(games, min(len(games), 5)):
        for text in (
            f'"action","re":{rng.randrange(9)},"action":{{"kind":"pass"}}', '"resign"', '"leave"', '"join"', '"state"',
            '"explain"', '"record"', '"replay","turn":1', '"watch","from_seq":0',
        ):  # fmt: skip
            writer.write(f'{{"game_id":"{game}","type":{text}}}\n'.encode())
            await asyncio.sleep(0.06)
    for text in (
        f'"resume","token":"r-{rng.getrandbits(128):032x}"', '"list","profile_delete":"ann"',
        '"match","game":"acquire","players":["random","random"],"games":10000000', '"match_cancel","match_id":"m-1"',
        '"hello","versions":[1],"role":"director"',
    ):  # fmt: skip
        writer.write(f'{{"type":{text}}}\n'.encode())
    writer.write_eof()
    await _swallow(reader)


async def impossible_positions(place: Place, client: ClientSession, rng: Random) -> None:
    """Positions that cannot be, and searches for ever from them."""
    await _say(
        place,
        b"uci\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\ngo infinite\nstop\n"
        b"position startpos moves e2e5\ngo depth 99\ngo nodes -1 movetime 1e20\nstop\nquit\n",
    )


HOSTILE: Final[tuple[Hostile, ...]] = (
    slow_header, slow_body, silent, silent_browser, slow_line, deaf, deaf_socket, flood, malformed, oversize,
    oversize_frame, noise, cut_off, redcode_bomb, thief, unread_lines, blank_lines, empty_frames, idle_engine,
    idle_games, impostor, impossible_positions,
)  # fmt: skip


async def repeat(each: Hostile, place: Place, client: ClientSession, rng: Random) -> None:
    """The same client again and again, however often it is disconnected."""
    while True:
        with suppress(OSError, ClientError, EOFError, asyncio.TimeoutError):
            await each(place, client, rng)
        await asyncio.sleep(rng.random())


def _socket(place: Place, client: ClientSession, rng: Random, path: str) -> Any:
    """A WebSocket that is not waited for at its end."""
    address, headers = f"{place.page}{path}", {"X-Forwarded-For": f"203.0.113.{rng.randrange(256)}"}
    return client.ws_connect(address, headers=headers, max_msg_size=0, timeout=ClientWSTimeout(ws_close=0.1))


async def _open_page(place: Place) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    port = int(place.page.rstrip("/").rpartition(":")[2])
    return await asyncio.open_connection(place.host, port)


async def _say(place: Place, text: bytes) -> None:
    """All of it, and then listen to the end."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(text)
    writer.write_eof()
    await _swallow(reader)


async def _swallow(reader: asyncio.StreamReader) -> None:
    while await reader.read(65_536):
        pass
