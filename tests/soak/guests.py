"""Good guests of a house: each plays, asks or watches at its own pace, and notes how long every answer took."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any, Final

from aiohttp import ClientSession

PATIENCE: Final = 20.0  # seconds for an answer, before it counts as none
THINKING: Final = 0.1  # seconds, of engines that are asked for a move
HELLO: Final = {"type": "hello", "versions": [1], "id": "hello"}

Say = Callable[[str], Awaitable[None]]
Hear = Callable[[], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a house is."""

    host: str
    port: int
    page: str  # its address
    hill: str = ""  # the first line of its submissions


@dataclass(slots=True)
class Notes:
    """What the guests have seen: seconds of each answer, thinking left out, by kind; games that ended."""

    delays: dict[str, list[float]] = field(default_factory=dict)
    ended: int = 0

    def note(self, kind: str, seconds: float) -> None:
        self.delays.setdefault(kind, []).append(seconds)


@asynccontextmanager
async def over_tcp(place: Place) -> AsyncIterator[tuple[Say, Hear]]:
    reader, writer = await asyncio.open_connection(place.host, place.port, limit=1 << 20)

    async def say(line: str) -> None:
        writer.write(line.encode() + b"\n")
        await writer.drain()

    async def hear() -> str:
        async with asyncio.timeout(PATIENCE):
            line = await reader.readline()
        if not line:
            raise ConnectionError("the house has hung up")
        return line.decode().rstrip("\n")

    try:
        yield say, hear
    finally:
        writer.close()


@asynccontextmanager
async def over_websocket(
    place: Place, client: ClientSession, address: str
) -> AsyncIterator[tuple[Say, Hear]]:
    async with client.ws_connect(f"{place.page}ws", headers={"X-Forwarded-For": address}) as socket:

        async def hear() -> str:
            return await socket.receive_str(timeout=PATIENCE)

        yield socket.send_str, hear


async def play_table(
    game: str, options: dict[str, Any], say: Say, hear: Hear, notes: Notes, rng: Random, pace: float
) -> None:
    """Games against a player of the house, one after the other; a ping before each action."""
    await say(json.dumps(HELLO))
    await _heard(hear, lambda line: line["type"] == "welcome")
    while True:
        await say(json.dumps({"type": "create", "id": "create", "game": game, **options}))
        line = await _heard(hear, lambda line: line["type"] in ("decide", "end", "error"))
        while line["type"] == "decide":
            await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
            asked = perf_counter()
            await say('{"type":"ping","id":"ping"}')
            await _heard(hear, lambda line: line["type"] == "pong")
            notes.note(f"{game} ping", perf_counter() - asked)
            asked = perf_counter()
            await say(json.dumps(_action(line, rng)))
            line = await _heard(hear, lambda line: line["type"] in ("decide", "end", "error"))
            notes.note(f"{game} action", perf_counter() - asked)
        if line["type"] == "error":
            raise AssertionError(line)
        notes.ended += 1


async def play_chess(say: Say, hear: Hear, notes: Notes, rng: Random, pace: float) -> None:
    """Moves of THINKING seconds against itself, with questions whether it is there in between."""
    await say("uci")
    await _line(hear, "uciok")
    moves: list[str] = []
    while True:
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pace)
        await say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        asked = perf_counter()
        await say(f"go movetime {THINKING * 1000:.0f}")
        await say("isready")
        move = ""
        for _ in range(2):  # on a busy machine the move may be there first
            line = await _line(hear, ("readyok", "bestmove"))
            if line.startswith("readyok"):
                notes.note("uci isready", perf_counter() - asked)
            else:
                notes.note("uci bestmove", perf_counter() - asked - THINKING)
                move = line.split()[1]
        moves = [] if move == "0000" or len(moves) > 60 else [*moves, move]


async def read_pages(place: Place, client: ClientSession, notes: Notes, rng: Random, pace: float) -> None:
    """Pages, scripts and whether the house is well."""
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
        async with over_tcp(place) as (say, hear):
            await say(f"{place.hill} standings\n.")
            while await hear() != ".":
                pass
        notes.note("hill", perf_counter() - asked)


async def _heard(hear: Hear, is_wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        line: dict[str, Any] = json.loads(await hear())
        if is_wanted(line):
            return line


async def _line(hear: Hear, start: str | tuple[str, ...]) -> str:
    while not (line := await hear()).startswith(start):
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
