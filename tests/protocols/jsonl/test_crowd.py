"""Many clients at once over TCP, each in a whole game of Acquire against the heuristic: no line is lost."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.servers import served_sync

LINE_BYTES = 1 << 20
SILENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What one client got: lines of its game by their `seq`, and the result."""

    lines: int
    decisions: int
    result: Mapping[str, Any]


async def play(port: int, number: int) -> Played:
    """A game from hello to bye. AssertionError for anything missing, twice, or of another game."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LINE_BYTES)

    def say(**message: Any) -> None:
        writer.write(json.dumps(message).encode() + b"\n")

    say(type="hello", versions=[1], name=f"client {number}")
    say(type="create", id=number, game="acquire", variant="classic", seats=["me", "heuristic"], seed=number)
    game_id, seq, lines, decisions, decide = "", 0, 0, 0, 0
    while True:
        async with asyncio.timeout(SILENCE_SECONDS):
            message = json.loads(await reader.readline())
        lines += 1
        kind = message["type"]
        if kind == "created":
            game_id = message["game_id"]
            assert message["re"] == number
        if "game_id" in message:
            assert message["game_id"] == game_id
        if kind in ("event", "end"):
            assert message["seq"] == seq + 1, "a line is lost, or comes twice"
            seq += 1
        if kind == "decide":
            assert message["seq"] == seq and message["id"] == decide + 1
            decide, decisions = message["id"], decisions + 1
            actions = message["legal"]["actions"]
            say(type="action", re=decide, game_id=game_id, seq=seq, action=actions[seq % len(actions)])
        elif kind == "end":
            say(type="bye")
            assert await reader.read() == b""
            writer.close()
            return Played(lines=lines, decisions=decisions, result=message["result"])
        else:
            assert kind in ("welcome", "created", "start", "event", "ping"), message


async def crowd(clients: int) -> None:
    names = ("connections", "connections_per_address", "games_games")
    with served_sync(*(f"--limit={name}={clients + 1}" for name in names)) as server:
        async with asyncio.TaskGroup() as group:
            games = [group.create_task(play(server.port, number)) for number in range(clients)]
        played = [game.result() for game in games]
        assert all(each.decisions > 30 and each.lines > 100 for each in played)
        assert len({str(each.result) for each in played}) > clients // 2, "each has a bag of its own"
        alone = await play(server.port, 0)
        assert alone == played[0], "company changes nothing"


async def test_twenty_clients_at_once_lose_no_line() -> None:
    await crowd(20)


@pytest.mark.slow
async def test_two_hundred_clients_at_once_lose_no_line() -> None:
    await crowd(200)
