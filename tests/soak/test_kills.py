"""A server that is killed (SIGKILL) at random moments, with games, a hill and a run: nothing acknowledged is lost."""

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
from tests.soak.clients import HELLO, Place, over_tcp

ROOT = Path(__file__).parents[2]
EXPECTED = (
    asyncio.CancelledError,
    OSError,
    asyncio.IncompleteReadError,
)  # of a client whose server is killed


@dataclass(slots=True)
class Acknowledged:
    """What the server has told its clients; all of it must be true after every kill."""

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


async def play(place: Place, known: Acknowledged) -> None:
    """Games of Acquire, one after the other, taken up where they were."""
    async with over_tcp(place) as (send, receive):
        await send(json.dumps(HELLO))
        welcome = json.loads(await receive())
        if known.game_id:
            games = [{"game_id": known.game_id, "from_seq": known.seq + 1}]
            await send(json.dumps({"type": "resume", "id": "resume", "token": known.token, "games": games}))
        else:
            known.token = welcome["resume"]
        while True:
            if not known.game_id:
                await send(
                    '{"type":"create","game":"acquire","variant":"thesis-2002","seats":["me","heuristic"]}'
                )
            while (line := json.loads(await receive()))["type"] != "end":
                note(line, known)
                if line["type"] == "decide":
                    action = line["legal"]["actions"][line["seq"] % len(line["legal"]["actions"])]
                    await send(
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
            known.games += 1
            known.game_id, known.seq = "", 0
            known.events.clear()


def note(line: dict[str, Any], known: Acknowledged) -> None:
    """No event is missing, and none is told a second time in another way."""
    assert line["type"] != "error", line
    if line["type"] == "created":
        known.game_id = line["game_id"]
    if line["type"] == "event":
        text = json.dumps(line)
        if line["seq"] <= known.seq:
            assert known.events[line["seq"] - 1] == text
            return
        assert line["seq"] == known.seq + 1
        known.seq = line["seq"]
        known.events.append(text)
    if line["type"] == "decide":
        since = [json.loads(event)["kind"] for event in known.events[line["seq"] :]]
        assert line["seq"] <= known.seq and set(since) <= {"left", "rejoined"}, (
            "what was acknowledged is forgotten"
        )


async def submit(place: Place, known: Acknowledged, steps: list[int]) -> None:
    while steps:
        step = steps.pop()
        async with over_tcp(place) as (send, receive):
            await send(bomber(step) + ".")
            text = [await receive()]
            while text[-1] != ".":
                text.append(await receive())
        if any("Your overall score: " in line for line in text):
            known.warriors.append(f"Every {step}")


async def watch(place: Place, known: Acknowledged) -> None:
    """Generations as the page shows them."""
    async with ClientSession() as client, client.ws_connect(f"{place.page}events?topics=run") as socket:
        async for message in socket:
            event = json.loads(message.data)
            if event["type"] == "generation":
                known.generations[event["generation"]] = event["hash"]
    raise ConnectionError("the server has closed the connection")


def check(folder: Path, known: Acknowledged) -> None:
    sent = [challenger.warrior.name for challenger in HillStore.open(folder / "nano.hill").challengers()]
    assert [name for name in sent if name in known.warriors] == known.warriors
    with RunStore.open(folder / "run") as store:
        past = {generation.number: generation.hash for generation in store.generations()}
    assert {number: past.get(number) for number in known.generations} == known.generations


async def killed(folder: Path, kills: int, longest: float) -> Acknowledged:
    """The server, killed so many times after some seconds each."""
    await ran("hill", "create", folder / "nano.hill", "--preset", "nano")
    await ran("evolve", "protection", "quick", "--run", folder / "run", "--generations", "1")
    known, moments, steps = Acknowledged(), random.Random(11), list(range(1, 100_000))
    for _ in range(kills):
        async with opened(folder) as (place, _process):
            clients = [play(place, known), submit(place, known, steps), watch(place, known)]
            tasks = [asyncio.create_task(client) for client in clients]
            await asyncio.wait(
                tasks, timeout=moments.uniform(0.5, longest), return_when=asyncio.FIRST_EXCEPTION
            )
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if not isinstance(outcome, EXPECTED):
                raise outcome or AssertionError("a client has left")
        check(folder, known)
    return known


async def test_two_kills(tmp_path: Path) -> None:
    known = await killed(tmp_path, 2, longest=2.0)
    assert known.seq or known.games


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_twenty_kills(tmp_path: Path) -> None:
    known = await killed(tmp_path, 20, longest=8.0)
    print(
        f"{known.games} games, {len(known.warriors)} warriors, {len(known.generations)} generations",
        file=sys.stderr,
    )
    assert known.games and known.warriors and known.generations
