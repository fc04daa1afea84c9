"""A crowd in a process of its own: `python -m tests.soak.crowd HOST PORT PAGE HILL TOKEN good|hostile COUNT SECONDS SEED`.

Prints one JSON object: for good clients the answers by kind (count, median, 99th percentile and longest, ms), games
that ended and what went wrong; for hostile ones how many there were.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from itertools import cycle, islice
from random import Random
from statistics import quantiles
from typing import Any, Final

from aiohttp import ClientSession, TCPConnector

from tests.soak.clients import (
    Notes,
    Place,
    ask_standings,
    direct_matches,
    follow_events,
    over_tcp,
    over_websocket,
    play_cecp,
    play_chess,
    play_pair,
    play_table,
    read_pages,
    watch_games,
)
from tests.soak.hostile import HOSTILE, repeat

# Of twenty-five: twelve at games of Acquire, three against Chaos, three at chess, the rest reads, watches, directs.
MIX: Final = (
    "acquire tcp", "acquire socket", "acquire tcp", "chess tcp", "protection socket", "page", "acquire tcp",
    "acquire socket", "acquire tcp", "hill", "acquire socket", "acquire tcp", "protection tcp", "acquire tcp",
    "acquire socket", "page", "chess socket", "acquire tcp", "protection socket", "hill", "cecp tcp", "pair",
    "watch socket", "events", "director tcp",
)  # fmt: skip
ACQUIRE: Final = {"variant": "classic", "seats": ["me", "evolved-net-three", "heuristic"]}
PROTECTION: Final = {
    "variant": "improved",
    "seats": ["me", "chaos:fixed:2"],
    "options": {"detail": "summary"},
}
PACE: Final = 1.0  # seconds between two actions of a client


async def good(place: Place, count: int, seconds: float, seed: int) -> dict[str, Any]:
    notes, troubles = Notes(), Counter[str]()
    async with ClientSession(connector=TCPConnector(limit=0)) as client:
        clients = [_client(kind, place, client, notes, Random(f"{seed} {number}"), number)
                  for number, kind in enumerate(islice(cycle(MIX), count))]  # fmt: skip
        for outcome in await _run_for(clients, seconds):
            troubles[repr(outcome)[:200]] += 1
    return {"answers": {kind: _summary(each) for kind, each in sorted(notes.delays.items())},
            "ended": notes.ended, "troubles": dict(troubles)}  # fmt: skip


async def hostile(place: Place, count: int, seconds: float, seed: int) -> dict[str, Any]:
    async with ClientSession(connector=TCPConnector(limit=0)) as client:
        clients = [repeat(each, place, client, Random(f"{seed} {number}"))
                  for number, each in enumerate(islice(cycle(HOSTILE), count))]  # fmt: skip
        troubles = [repr(outcome)[:200] for outcome in await _run_for(clients, seconds)]
    return {"clients": count, "troubles": troubles}


async def _run_for(clients: list[Coroutine[Any, Any, None]], seconds: float) -> list[BaseException]:
    """What clients ended with who ended before their time."""
    tasks = [asyncio.create_task(client) for client in clients]
    done, pending = await asyncio.wait(tasks, timeout=seconds)
    for task in pending:
        task.cancel()
    await asyncio.wait(tasks)
    return [error for task in done if (error := task.exception())]


async def _client(
    kind: str, place: Place, client: ClientSession, notes: Notes, rng: Random, number: int
) -> None:
    await asyncio.sleep(rng.random() * PACE * 2)  # they do not all come in at once
    game, _, way = kind.partition(" ")
    if game == "page":
        await read_pages(place, client, notes, rng, PACE)
    elif game == "hill":
        await ask_standings(place, notes, rng, PACE * 2)
    elif game == "pair":
        await play_pair(place, notes, rng, PACE)
    elif game == "events":
        await follow_events(place, client, f"198.51.100.{number % 256}")
    async with AsyncExitStack() as stack:
        address = f"198.51.100.{number % 256}"
        opened = over_tcp(place) if way == "tcp" else over_websocket(place, client, address)
        send, receive = await stack.enter_async_context(opened)
        if game == "chess":
            await play_chess(send, receive, notes, rng, PACE * 4)
        elif game == "cecp":
            await play_cecp(send, receive, notes, rng, PACE * 4)
        elif game == "watch":
            await watch_games(send, receive, notes, rng, PACE)
        elif game == "director":
            await direct_matches(place, send, receive, notes, rng, PACE)
        else:
            await play_table(
                game, ACQUIRE if game == "acquire" else PROTECTION, send, receive, notes, rng, PACE
            )


def _summary(delays: list[float]) -> dict[str, float]:
    """Milliseconds."""
    ordered = sorted(delays)
    cuts = quantiles(ordered, n=100) if len(ordered) > 1 else ordered * 99
    figures = {"median": cuts[49], "p99": cuts[98], "longest": ordered[-1]}
    return {"count": len(ordered)} | {name: round(each * 1000, 2) for name, each in figures.items()}


if __name__ == "__main__":
    host, port, page, hill, token, kind, count, seconds, seed = sys.argv[1:]
    crowd = good if kind == "good" else hostile
    report = asyncio.run(
        crowd(Place(host, int(port), page, hill, token), int(count), float(seconds), int(seed))
    )
    print(json.dumps(report))
