"""A server that is killed (SIGKILL) at random moments, with games, matches, a hill and a run.

Nothing that was acknowledged is lost, and matches end with the tables that they have without a kill.
"""

import asyncio
import json
import random
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
from protocols.jsonl.local import local_clients
from tests.protocols.hill.support import bomber
from tests.servers import CHECKOUT, command, served
from tests.soak.clients import HELLO, Place, over_tcp
from tools.games import game_adapters

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
    director: str = ""  # the token of its session
    match_id: str = ""
    done: int = 0  # games of the match
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # of matches that have ended


async def ran(*words: object) -> None:
    made = await asyncio.create_subprocess_exec(
        *command(*words), cwd=CHECKOUT, stdout=asyncio.subprocess.DEVNULL
    )
    assert await made.wait() == 0


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Place]:
    words = ("--records", folder / "records", "--hill", folder / "nano.hill", "--evolve", folder / "run")
    async with served(*words) as server:
        try:
            yield Place("127.0.0.1", server.port, server.address, ";redcode-nano")
        finally:
            with suppress(ProcessLookupError):
                server.process.kill()
            await server.process.wait()


async def play(place: Place, known: Acknowledged, records: Path) -> None:
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
                if line.get("code") == "resume_expired":  # the end was written, and not told any more
                    last = (records / f"{known.game_id}.jsonl").read_text().splitlines()[-1]
                    assert json.loads(last)["type"] == "end", line
                    known.token = welcome["resume"]
                    break
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


def match_request(number: int) -> dict[str, Any]:
    """One after the other, each over seeds of its own."""
    players = ["random", "heuristic", "evolved-net-four", "random"]
    pairing = ("swiss", "round_robin", "ladder", "gauntlet")[number % 4]
    return {
        "type": "match", "game": "acquire", "variant": "thesis-2002", "players": players, "games": 300, "seed": number,
        "pairing": pairing, "mirror": True,
    }  # fmt: skip


def table_of(end: dict[str, Any]) -> list[dict[str, Any]]:
    """What does not depend on how fast the machine is."""
    return [{name: value for name, value in row.items() if name != "seconds"} for row in end["table"]]


async def direct(place: Place, known: Acknowledged) -> None:
    """Matches, one after the other, found again after every kill."""
    async with over_tcp(place) as (send, receive):
        await send(json.dumps({**HELLO, "role": "director"}))
        welcome = json.loads(await receive())
        if known.director:
            await send(json.dumps({"type": "resume", "id": "resume", "token": known.director}))
        else:
            known.director = welcome["resume"]
            await send(json.dumps(match_request(0)))
        while True:
            line = json.loads(await receive())
            if line["type"] == "error" and not known.match_id:  # killed before it had a match
                known.director = welcome["resume"]
                await send(json.dumps(match_request(0)))
                continue
            assert line["type"] != "error", line
            if line["type"] == "resumed":
                found = {each["match_id"]: each["done"] for each in line["matches"]}
                assert known.match_id in {*found, ""} and found.get(known.match_id, 0) >= known.done
                if not {*found} - {*known.tables}:  # killed before it had asked for the next one
                    await send(json.dumps(match_request(len(known.tables))))
            if line["type"] == "matched":
                known.match_id = line["match_id"]
            if line["type"] == "match_event":
                known.match_id = line["match_id"]
                assert line["done"] >= known.done
                known.done = line["done"]
            if line["type"] == "match_end":
                table = table_of(line)
                assert known.tables.setdefault(line["match_id"], table) == table
                if line["match_id"] == known.match_id:
                    known.match_id, known.done = "", 0
                    await send(json.dumps(match_request(len(known.tables))))
            if line["type"] == "ping":
                await send(json.dumps({"type": "pong", "re": line["id"]}))


def undisturbed(number: int) -> list[dict[str, Any]]:
    """The table of such a match, in this process."""
    (client,) = local_clients(game_adapters(None))
    client.say(type="hello", versions=[1], role="director")
    return table_of(client.say(**match_request(number))[-1])


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
        async with opened(folder) as place:
            clients = [
                play(place, known, folder / "records"), submit(place, known, steps), watch(place, known), direct(place, known)
            ]  # fmt: skip
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


async def test_acknowledged_data_survives_two_kills(tmp_path: Path) -> None:
    known = await killed(tmp_path, 2, longest=2.0)
    assert known.seq or known.games


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_acknowledged_data_survives_twenty_kills(tmp_path: Path) -> None:
    known = await killed(tmp_path, 20, longest=8.0)
    print(
        f"{known.games} games, {len(known.warriors)} warriors, {len(known.generations)} generations,"
        f" {len(known.tables)} matches",
        file=sys.stderr,
    )
    assert known.games and known.warriors and known.generations and known.tables
    assert list(known.tables.values()) == list(map(undisturbed, range(len(known.tables))))
