"""A server process that is killed (SIGKILL) in the middle of a game goes on with it when it is started again."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engines.protection.profile import loads
from protocols.jsonl.journal import Journal
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits
from tests.protocols.jsonl.protection_games import drones
from tools.games import game_adapters

Message = dict[str, Any]
SECONDS = 60.0
KILLS = 2


def listed(decide: Message) -> Message:
    actions = decide["legal"]["actions"]
    return dict(actions[decide["seq"] % len(actions)])


def fewer_drones(decide: Message) -> Message:
    return drones(decide, 25 - 4 * (decide["seq"] // 4))


GAMES: list[tuple[Message, str, Callable[[Message], Message], int]] = [
    ({"game": "acquire", "variant": "classic", "seats": ["me", "heuristic"], "seed": 3}, "list", listed, 50),
    (
        {"game": "protection", "seats": ["me", "chaos:pilot"], "seed": 3, "options": {"profile": "ann", "turn_cap": 5}},
        "rules", fewer_drones, 10,
    ),
]  # fmt: skip


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", "jsonl", "--records", str(folder / "games"), "--profiles",
        str(folder / "profiles"), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, limit=1 << 20,
    )  # fmt: skip
    assert process.stdin and process.stdout and process.stderr
    try:
        yield process
    finally:
        if process.returncode is None:
            process.stdin.close()
        await asyncio.wait_for(process.wait(), SECONDS)
        errors = await process.stderr.read()
        if process.returncode != -signal.SIGKILL:  # the workers of a killed server may complain
            assert b"Traceback" not in errors, errors.decode()


def send(process: asyncio.subprocess.Process, **message: Any) -> None:
    assert process.stdin
    process.stdin.write(json.dumps(message).encode() + b"\n")


async def receive(process: asyncio.subprocess.Process, *types: str) -> Message:
    """The next message of one of these types."""
    assert process.stdout
    async with asyncio.timeout(SECONDS):
        while line := await process.stdout.readline():
            message: Message = json.loads(line)
            if message["type"] in types:
                return message
    raise AssertionError(f"no {types} before the end")


@pytest.mark.parametrize(("create", "legal", "choose", "events"), GAMES, ids=["acquire", "protection"])
async def test_a_game_outlives_its_server(
    create: Message, legal: str, choose: Callable[[Message], Message], events: int, tmp_path: Path
) -> None:
    token = game = ""
    for kill in range(KILLS + 1):
        async with server(tmp_path) as process:
            send(process, type="hello", versions=[1], legal=legal)
            welcome = await receive(process, "welcome")
            if token:
                send(process, type="resume", token=token)
            else:
                token = welcome["resume"]
                send(process, type="create", **create)
                game = (await receive(process, "created"))["game_id"]
            decides = 0
            while (line := await receive(process, "decide", "end"))["type"] == "decide":
                decides += 1
                fields = {"re": line["id"], "game_id": game, "seq": line["seq"], "action": choose(line)}
                send(process, type="action", **fields)
                if kill < KILLS and decides == 2:
                    process.send_signal(
                        signal.SIGKILL
                    )  # perhaps before it has read the action, perhaps after
                    break
    lines = Journal(tmp_path / "games").read(game)
    assert lines is not None and json.loads(lines[-1])["type"] == "end"
    assert replay_record(lines, game_adapters(tmp_path / "other"), GameLimits()).events >= events
    if create["game"] == "protection":
        profile = loads((tmp_path / "profiles" / "ann.apu").read_text())
        assert profile.games == 1 and profile.mode == "pilot"
