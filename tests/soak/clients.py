"""Well-behaved clients of a server: each plays, asks or watches at its own pace, and notes how long every answer took."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random
from time import perf_counter
from typing import Any, Final

from aiohttp import ClientSession

PATIENCE: Final = 20.0  # seconds for an answer, before it counts as none
ADDRESSES = (f"127.1.{number // 250 % 250}.{number % 250 + 1}" for number in count())
THINKING: Final = 0.1  # seconds, of engines that are asked for a move
HELLO: Final = {"type": "hello", "versions": [1], "id": "hello"}

Send = Callable[[str], Awaitable[None]]
Receive = Callable[[], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server is."""

    host: str
    port: int
    page: str  # its address
    hill: str = ""  # the first line of its submissions
    token: str = ""  # of directors


@dataclass(slots=True)
class Notes:
    """What the clients have seen: seconds of each answer, thinking left out, by kind; games that ended."""

    delays: dict[str, list[float]] = field(default_factory=dict)
    ended: int = 0

    def note(self, kind: str, seconds: float) -> None:
        self.delays.setdefault(kind, []).append(seconds)


@asynccontextmanager
async def over_tcp(place: Place) -> AsyncIterator[tuple[Send, Receive]]:
    """A connection from an address that no other client has; the hostile ones share 127.0.0.1."""
    address = (next(ADDRESSES), 0)
    reader, writer = await asyncio.open_connection(place.host, place.port, limit=1 << 20, local_addr=address)

    async def send(line: str) -> None:
        writer.write(line.encode() + b"\n")
        await writer.drain()

    async def receive() -> str:
        async with asyncio.timeout(PATIENCE):
            line = await reader.readline()
        if not line:
            raise ConnectionError("the server has closed the connection")
        return line.decode().rstrip("\n")

    try:
        yield send, receive
    finally:
        writer.close()


@asynccontextmanager
async def over_websocket(
    place: Place, client: ClientSession, address: str
) -> AsyncIterator[tuple[Send, Receive]]:
    async with client.ws_connect(f"{place.page}ws", headers={"X-Forwarded-For": address}) as socket:

        async def receive() -> str:
            return await socket.receive_str(timeout=PATIENCE)

        yield socket.send_str, receive


async def play_table(
    game: str, options: dict[str, Any], send: Send, receive: Receive, notes: Notes, rng: Random, pace: float
) -> None:
    """Games against a player of the server, one after the other; a ping before each action."""
    await send(json.dumps(HELLO))
    await _message(receive, lambda line: line["type"] == "welcome")
    while True:
        await send(json.dumps({"type": "create", "id": "create", "game": game, **options}))
        line = await _message(receive, lambda line: line["type"] in ("decide", "end", "error"))
        while line["type"] == "decide":
            await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
            asked = perf_counter()
            await send('{"type":"ping","id":"ping"}')
            await _message(receive, lambda line: line["type"] == "pong")
            notes.note(f"{game} ping", perf_counter() - asked)
            asked = perf_counter()
            await send(json.dumps(_action(line, rng)))
            line = await _message(receive, lambda line: line["type"] in ("decide", "end", "error"))
            notes.note(f"{game} action", perf_counter() - asked)
        if line["type"] == "error":
            raise AssertionError(line)
        notes.ended += 1


async def play_chess(send: Send, receive: Receive, notes: Notes, rng: Random, pace: float) -> None:
    """Moves of THINKING seconds against itself, with `isready` in between."""
    await send("uci")
    await _line(receive, "uciok")
    moves: list[str] = []
    while True:
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
        await send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        asked = perf_counter()
        await send(f"go movetime {THINKING * 1000:.0f}")
        await send("isready")
        move = ""
        for _ in range(2):  # on a busy machine the move may be there first
            line = await _line(receive, ("readyok", "bestmove"))
            if line.startswith("readyok"):
                notes.note("uci isready", perf_counter() - asked)
            else:
                notes.note("uci bestmove", perf_counter() - asked - THINKING)
                move = line.split()[1]
        moves = [] if move == "0000" or len(moves) > 60 else [*moves, move]


async def play_cecp(send: Send, receive: Receive, notes: Notes, rng: Random, pace: float) -> None:
    """A move of shallow depth now and then, and a ping after it."""
    await send("xboard\nprotover 2\nsd 2")
    await _line(receive, "feature done=1")
    while True:
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
        await send(f"new\nusermove {rng.choice(('e2e4', 'd2d4', 'c2c4', 'g1f3'))}")
        await _line(receive, "move ")
        asked = perf_counter()
        await send("ping 1")
        await _line(receive, "pong 1")
        notes.note("cecp ping", perf_counter() - asked)


async def play_pair(place: Place, notes: Notes, rng: Random, pace: float) -> None:
    """Games of two people."""
    async with over_tcp(place) as first, over_tcp(place) as second:
        players = (first, second)
        for send, receive in players:
            await send(json.dumps(HELLO))
            await _message(receive, lambda line: line["type"] == "welcome")
        while True:
            create = {"type": "create", "game": "acquire", "variant": "thesis-2002", "seats": ["me", "open"]}
            await first[0](json.dumps(create))
            created = await _message(first[1], lambda line: line["type"] in ("created", "error"))
            game = created["game_id"]
            await second[0](json.dumps({"type": "join", "game_id": game}))
            ends = await asyncio.gather(*(_play_on(*player, notes, rng, pace) for player in players))
            assert ends[0]["result"] == ends[1]["result"]
            notes.ended += 1


async def _play_on(send: Send, receive: Receive, notes: Notes, rng: Random, pace: float) -> dict[str, Any]:
    """One's own side of a game; the end."""
    while True:
        line = await _message(receive, lambda line: line["type"] in ("decide", "end", "error", "ping"))
        if line["type"] == "end":
            return line
        if line["type"] == "error":
            raise AssertionError(line)
        if line["type"] == "ping":
            await send(json.dumps({"type": "pong", "re": line["id"]}))
            continue
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
        asked = perf_counter()
        await send(json.dumps({**_action(line, rng), "id": "action"}))
        await _message(receive, lambda line: line.get("re") == "action")
        notes.note("pair action", perf_counter() - asked)


async def watch_games(send: Send, receive: Receive, notes: Notes, rng: Random, pace: float) -> None:
    """One game after the other, each for a while."""
    await send(json.dumps(HELLO))
    await _message(receive, lambda line: line["type"] == "welcome")
    while True:
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
        asked = perf_counter()
        await send(json.dumps({"type": "list", "id": "list", "state": "running", "limit": 50}))
        listing = await _message(receive, lambda line: line.get("re") == "list")
        notes.note("list", perf_counter() - asked)
        if not listing["games"]:
            continue
        game = rng.choice(listing["games"])["game_id"]
        await send(json.dumps({"type": "watch", "id": "watch", "game_id": game, "from_seq": 0}))
        await _message(receive, lambda line: line.get("re") == "watch")
        await asyncio.sleep(5 * pace)
        asked = perf_counter()
        await send(json.dumps({"type": "unwatch", "id": "unwatch", "game_id": game}))
        await _message(receive, lambda line: line.get("re") == "unwatch")
        notes.note("watch", perf_counter() - asked)


async def follow_events(place: Place, client: ClientSession, address: str) -> None:
    """What the pages are told of games, matches and hills."""
    headers = {"X-Forwarded-For": address}
    async with client.ws_connect(f"{place.page}events?topics=listing,match,hill", headers=headers) as socket:
        async for message in socket:
            json.loads(message.data)
    raise ConnectionError("the server has closed the connection")


async def direct_matches(
    place: Place, send: Send, receive: Receive, notes: Notes, rng: Random, pace: float
) -> None:
    """A short match of the server's players now and then."""
    await send(json.dumps({**HELLO, "role": "director", "token": place.token}))
    await _message(receive, lambda line: line["type"] == "welcome")
    players = ["random", "heuristic", "evolved-net-four"]
    while True:
        asked = perf_counter()
        request = {"type": "match", "id": "match", "game": "acquire", "players": players, "games": 4}
        await send(json.dumps(request))
        await _message(receive, lambda line: line.get("re") == "match")
        notes.note("match", perf_counter() - asked)
        await _message(receive, lambda line: line["type"] == "match_end")
        for _ in range(20):
            await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
            await send('{"type":"ping"}')


async def read_pages(place: Place, client: ClientSession, notes: Notes, rng: Random, pace: float) -> None:
    """Pages, scripts and the health check."""
    paths = ["", "static/page.js", "static/style.css", "healthz"]
    while True:
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
        asked = perf_counter()
        headers = {"X-Forwarded-For": "198.51.100.7"}
        async with (
            asyncio.timeout(PATIENCE),
            client.get(place.page + rng.choice(paths), headers=headers) as answer,
        ):
            assert answer.status == 200
            await answer.read()
        notes.note("page", perf_counter() - asked)


async def ask_standings(place: Place, notes: Notes, rng: Random, pace: float) -> None:
    """The table of the hill, each time over a new connection."""
    while True:
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
        asked = perf_counter()
        async with over_tcp(place) as (send, receive):
            await send(f"{place.hill} standings\n.")
            while await receive() != ".":
                pass
        notes.note("hill", perf_counter() - asked)


async def _message(receive: Receive, is_wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        line: dict[str, Any] = json.loads(await receive())
        if is_wanted(line):
            return line


async def _line(receive: Receive, start: str | tuple[str, ...]) -> str:
    while not (line := await receive()).startswith(start):
        pass
    return line


def _action(decide: dict[str, Any], rng: Random) -> dict[str, Any]:
    legal = decide["legal"]
    if legal["form"] == "list":
        action = rng.choice(legal["actions"])
    else:
        action = {"kind": "setup", "place": [], "salvage": []}
    return {
        "type": "action",
        "re": decide["id"],
        "game_id": decide["game_id"],
        "seq": decide["seq"],
        "action": action,
    }
