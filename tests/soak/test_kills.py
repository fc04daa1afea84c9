"""A house that is killed (SIGKILL) at random moments, with games, a hill and a run: nothing it has told is lost."""

import asyncio
import json
import random
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from engines.corewar.hill_store import HillStore
from engines.evolution.run_store import RunStore
from tests.protocols.hill.support import bomber
from tests.soak.guests import HELLO, Place, over_tcp

ROOT = Path(__file__).parents[2]
EXPECTED = (asyncio.CancelledError, OSError, asyncio.IncompleteReadError)  # of a guest whose house is killed


@dataclass(slots=True)
class Told:
    """What the house has told its guests; all of it must be true after every kill."""

    token: str = ""
    game_id: str = ""
    seq: int = 0  # of the last event
    events: list[str] = field(default_factory=list)
    games: int = 0  # that have ended
    warriors: list[str] = field(default_factory=list)
    generations: dict[int, str] = field(default_factory=dict)  # hashes


async def ran(*words: object) -> None:
    made = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", *map(str, words), cwd=ROOT, stdout=asyncio.subprocess.DEVNULL
    )
    assert await made.wait() == 0


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[Place, asyncio.subprocess.Process]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", "serve", "--port", "0", "--page", "0", "--workers", "1",
        "--records", str(folder / "records"), "--hill", str(folder / "nano.hill"), "--evolve", str(folder / "run"),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    listening = re.search(r"on (\S+):(\d+)", (await process.stdout.readline()).decode())
    page = re.search(r"http\S+", (await process.stdout.readline()).decode())
    assert listening and page
    try:
        yield Place(listening[1], int(listening[2]), page[0], ";redcode-nano"), process
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        await process.wait()


async def play(place: Place, told: Told) -> None:
    """Games of Acquire, one after the other, taken up where they were."""
    async with over_tcp(place) as (say, hear):
        await say(json.dumps(HELLO))
        welcome = json.loads(await hear())
        if told.game_id:
            games = [{"game_id": told.game_id, "from_seq": told.seq + 1}]
            await say(json.dumps({"type": "resume", "id": "resume", "token": told.token, "games": games}))
        else:
            told.token = welcome["resume"]
        while True:
            if not told.game_id:
                await say(
                    '{"type":"create","game":"acquire","variant":"thesis-2002","seats":["me","heuristic"]}'
                )
            while (line := json.loads(await hear()))["type"] != "end":
                note(line, told)
                if line["type"] == "decide":
                    action = line["legal"]["actions"][line["seq"] % len(line["legal"]["actions"])]
                    await say(
                        json.dumps(
                            {
                                "type": "action",
                                "re": line["id"],
                                "game_id": line["game_id"],
                                "seq": line["seq"],
                                "action": action,
                            }
                        )
                    )
            told.games += 1
            told.game_id, told.seq = "", 0
            told.events.clear()


def note(line: dict[str, Any], told: Told) -> None:
    """No event is missing, and none is told a second time in another way."""
    assert line["type"] != "error", line
    if line["type"] == "created":
        told.game_id = line["game_id"]
    if line["type"] == "event":
        text = json.dumps(line)
        if line["seq"] <= told.seq:
            assert told.events[line["seq"] - 1] == text
            return
        assert line["seq"] == told.seq + 1
        told.seq = line["seq"]
        told.events.append(text)
    if line["type"] == "decide":
        since = [json.loads(event)["kind"] for event in told.events[line["seq"] :]]
        assert line["seq"] <= told.seq and set(since) <= {"left", "rejoined"}, "what was told is forgotten"


async def submit(place: Place, told: Told, steps: list[int]) -> None:
    while steps:
        step = steps.pop()
        async with over_tcp(place) as (say, hear):
            await say(bomber(step) + ".")
            text = [await hear()]
            while text[-1] != ".":
                text.append(await hear())
        if any("Your overall score: " in line for line in text):
            told.warriors.append(f"Every {step}")


async def watch(place: Place, told: Told) -> None:
    """Generations as the page shows them."""
    async with ClientSession() as client, client.ws_connect(f"{place.page}events?topics=run") as socket:
        async for message in socket:
            event = json.loads(message.data)
            if event["type"] == "generation":
                told.generations[event["generation"]] = event["hash"]
    raise ConnectionError("the house has hung up")


def check(folder: Path, told: Told) -> None:
    sent = [challenger.warrior.name for challenger in HillStore.open(folder / "nano.hill").challengers()]
    assert [name for name in sent if name in told.warriors] == told.warriors
    with RunStore.open(folder / "run") as store:
        past = {generation.number: generation.hash for generation in store.generations()}
    assert {number: past.get(number) for number in told.generations} == told.generations


async def killed(folder: Path, kills: int, longest: float) -> Told:
    """The house, killed so many times after some seconds each."""
    await ran("hill", "create", folder / "nano.hill", "--preset", "nano")
    await ran("evolve", "protection", "quick", "--run", folder / "run", "--generations", "1")
    told, moments, steps = Told(), random.Random(11), list(range(1, 100_000))
    for _ in range(kills):
        async with opened(folder) as (place, _process):
            guests = [play(place, told), submit(place, told, steps), watch(place, told)]
            tasks = [asyncio.create_task(guest) for guest in guests]
            await asyncio.wait(
                tasks, timeout=moments.uniform(0.5, longest), return_when=asyncio.FIRST_EXCEPTION
            )
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if not isinstance(outcome, EXPECTED):
                raise outcome or AssertionError("a guest has left")
        check(folder, told)
    return told


async def test_three_kills(tmp_path: Path) -> None:
    told = await killed(tmp_path, 3, longest=2.0)
    assert told.seq or told.games


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_twenty_kills(tmp_path: Path) -> None:
    told = await killed(tmp_path, 20, longest=8.0)
    print(
        f"{told.games} games, {len(told.warriors)} warriors, {len(told.generations)} generations",
        file=sys.stderr,
    )
    assert told.games and told.warriors and told.generations
