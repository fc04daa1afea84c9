"""A server that is killed (SIGKILL) in the middle of games goes on with them when it is started again."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from protocols.jsonl.journal import Journal
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.record import replay_record
from tests.protocols.wire import Wire
from tools.games import bindings

KILLS = 4


@asynccontextmanager
async def served(records: Path) -> AsyncIterator[tuple[int, asyncio.subprocess.Process]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", "serve", "--port", "0", "--page", "0", "--workers", "1", "--records", str(records),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    try:
        greeting = (await asyncio.wait_for(process.stdout.readline(), 20.0)).decode()
        assert "JSON lines" in greeting
        yield int(greeting.partition("127.0.0.1:")[2].split()[0]), process
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), 10.0)
        assert b"Traceback" not in await process.stderr.read()


async def greeted(port: int, token: str = "") -> tuple[Wire, str]:
    wire = Wire(*await asyncio.open_connection("127.0.0.1", port))
    wire.say('{"type":"hello","versions":[1]}')
    welcome = json.loads(await wire.hear("{"))
    if token:
        wire.say(json.dumps({"type": "resume", "token": token}))
        await wire.hear('{"type":"resumed"')
    return wire, token or welcome["resume"]


def answer(decide: dict[str, Any]) -> str:
    actions = decide["legal"]["actions"]
    return json.dumps(
        {
            "type": "action",
            "re": decide["id"],
            "game_id": decide["game_id"],
            "seq": decide["seq"],
            "action": actions[decide["seq"] % len(actions)],
        }
    )


async def test_a_game_outlives_its_server(tmp_path: Path) -> None:
    token, game, decides = "", "", 0
    for kill in range(KILLS + 1):
        async with served(tmp_path) as (port, process):
            wire, token = await greeted(port, token)
            if not game:
                wire.say(
                    '{"type":"create","game":"acquire","variant":"classic","seats":["me","heuristic"],"seed":3}'
                )
                game = json.loads(await wire.hear('{"type":"created"'))["game_id"]
            while True:
                line = json.loads(await wire.hear(r'\{"type":"(decide|end)"'))
                if line["type"] == "end":
                    break
                decides += 1
                wire.say(answer(line))
                if kill < KILLS and decides % 7 == 0:
                    process.send_signal(
                        signal.SIGKILL
                    )  # perhaps before it has read the action, perhaps after
                    break
            await wire.close()
    lines = Journal(tmp_path).read(game)
    assert lines is not None and lines[-1].startswith(b'{"type":"end"')
    assert replay_record(lines, bindings(), JsonlLimits()).events > 50
