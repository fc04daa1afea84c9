"""A house that is killed in the middle of games against Chaos goes on with them, and Chaos knows the user."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engines.protection.profile import loads
from protocols.jsonl.journal import Journal
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.protection import ProtectionAdapter
from protocols.jsonl.record import replay_record
from tests.protocols.jsonl.binding.protection.house import act, binding, decide_of, drones
from tests.protocols.jsonl.killed import Killed

CREATE = {
    "game": "protection", "seats": ["me", "chaos:pilot"], "seed": 3,
    "options": {"profile": "ann", "turn_cap": 5},
}  # fmt: skip
LINE_BYTES = 1 << 20
SECONDS = 20.0


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", "jsonl", "--records", str(folder / "games"), "--profiles",
        str(folder / "profiles"), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, limit=LINE_BYTES,
    )  # fmt: skip
    assert process.stdin and process.stdout and process.stderr
    try:
        yield process
    finally:
        if process.returncode is None:
            process.stdin.close()
        await asyncio.wait_for(process.wait(), SECONDS)
        told = await process.stderr.read()
        if process.returncode != -signal.SIGKILL:  # helpers of a killed house may lose an outcome with a word
            assert b"Traceback" not in told, told.decode()


def say(process: asyncio.subprocess.Process, message: dict[str, Any]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps(message).encode() + b"\n")


async def hear(process: asyncio.subprocess.Process, *types: str) -> dict[str, Any]:
    """The next message of one of these types."""
    assert process.stdout
    async with asyncio.timeout(SECONDS):
        while line := await process.stdout.readline():
            message: dict[str, Any] = json.loads(line)
            if message["type"] in types:
                return message
    raise AssertionError(f"no {types} before the end")


def answer(decide: dict[str, Any]) -> dict[str, Any]:
    action = drones(decide, 25 - 4 * (decide["seq"] // 4))
    fields = {"re": decide["id"], "game_id": decide["game_id"], "seq": decide["seq"], "action": action}
    return {"type": "action", **fields}


async def test_a_game_and_a_profile_outlive_the_house(tmp_path: Path) -> None:
    token = game = ""
    for kill in range(3):
        async with house(tmp_path) as process:
            say(process, {"type": "hello", "versions": [1], "legal": "rules"})
            welcome = await hear(process, "welcome")
            if token:
                say(process, {"type": "resume", "token": token})
            else:
                token = welcome["resume"]
                say(process, {"type": "create", **CREATE})
                game = (await hear(process, "created"))["game_id"]
            decides = 0
            while (line := await hear(process, "decide", "end"))["type"] == "decide":
                decides += 1
                say(process, answer(line))
                if kill < 2 and decides == 2:
                    process.send_signal(
                        signal.SIGKILL
                    )  # perhaps before it has read the action, perhaps after
                    break
    lines = Journal(tmp_path / "games").read(game)
    assert lines is not None and lines[-1].startswith(b'{"type":"end"')
    assert json.loads(lines[-1])["result"]["turns"] <= 5
    assert replay_record(lines, {"protection": ProtectionAdapter()}, JsonlLimits()).events >= 10
    profile = loads((tmp_path / "profiles" / "ann.apu").read_text())
    assert profile.games == 1 and profile.mode == "pilot"


@pytest.mark.parametrize(
    ("batches", "mode"), [(0, "pilot"), (3, "calibrated"), (1000, "pilot"), (1000, "seed")]
)
def test_no_arrangement_is_learnt_twice(tmp_path: Path, batches: int, mode: str) -> None:
    """After each turn the house is killed before, amid or after the ratings: the profile is that of a quiet house."""
    quiet = Killed(tmp_path / "quiet", games=lambda: binding(tmp_path / "calm"))
    killed = Killed(tmp_path / "killed", games=lambda: binding(tmp_path / "shaken"))
    houses = [quiet.open(), killed.open()]
    guests = [house.player(legal="rules", observe="full") for house in houses]
    token = guests[1].welcome["resume"]
    heard = [guest.create(**CREATE | {"seats": ["me", f"chaos:{mode}"]}) for guest in guests]
    files = [tmp_path / folder / "ann.apu" for folder in ("calm", "shaken")]
    for number in range(3):
        heard = [
            act(guest, decide_of(lines), drones(decide_of(lines), 10 + number))
            for guest, lines in zip(guests, heard, strict=True)
        ]
        houses[0].work()
        houses[1].work(batches)
        houses[1], guests[1] = killed.restarted(token)
        houses[1].work()
        heard[1] = guests[1].heard()
        assert files[0].read_text() == files[1].read_text()
    for house, guest in zip(houses, guests, strict=True):
        game = next(iter(house.hall.tables))
        guest.say(type="resign", game_id=game)
        assert guest.heard()[-1]["reveal"]
    profile = loads(files[1].read_text())
    assert files[0].read_text() == files[1].read_text()
    assert profile.games == 1 and any(profile.ratings) and not profile.learnt
