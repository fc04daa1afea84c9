"""Helpers: slow agents and matches in other processes, which may die, while the hall hears everybody."""

import asyncio
import json
import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from engines.worker_pool import TaskError
from protocols.jsonl.helpers import Helpers
from tests.protocols.jsonl.test_transports import opened, served
from tests.protocols.wire import Wire


@pytest_asyncio.fixture
async def helpers() -> AsyncIterator[Helpers]:
    async with Helpers(2) as pair:
        yield pair


async def test_outcomes_and_errors_come_back(helpers: Helpers) -> None:
    outcomes = await asyncio.gather(*(helpers.do(abs, -number) for number in range(5)))
    assert outcomes == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="invalid literal"):
        await helpers.do(int, "seven")


async def test_a_task_that_kills_its_process_is_nobody_elses_trouble(helpers: Helpers) -> None:
    murder = asyncio.create_task(helpers.do(os._exit, 1))
    assert [await helpers.do(abs, -3) for _ in range(5)] == [3] * 5
    with pytest.raises(TaskError):
        await murder
    assert [*await asyncio.gather(*(helpers.do(abs, -number) for number in (4, 5)))] == [4, 5]


async def test_no_message_waits_for_a_slow_agent() -> None:
    """What follows an action is told at once; the pong comes before the agent has decided."""
    async with served() as (host, port, _):
        wire = await opened(host, port)
        wire.say('{"type":"create","game":"acquire","variant":"classic","seats":["me","mc-100"],"seed":4}')
        decide = json.loads(await wire.hear('{"type":"decide"', 60.0))
        told, action = len(wire.heard), decide["legal"]["actions"][0]
        message = {"type": "action", "re": decide["id"], "game_id": decide["game_id"], "action": action}
        wire.say(json.dumps(message), '{"type":"ping"}')
        await wire.hear('{"type":"pong"')
        events = [json.loads(line) for line in wire.heard[told:-1]]
        assert [event["kind"] for event in events] == ["placed", "drew", "turn"]
        other = 1 - decide["seat"]
        assert events[-1]["seat"] == other
        await wire.hear(f'.*"kind":"placed","seat":{other}', 60.0)
        await wire.close()


async def test_a_match_over_tcp() -> None:
    async with served(workers=1) as (host, port, _):
        wire = Wire(*await asyncio.open_connection(host, port))
        wire.say(
            '{"type":"hello","versions":[1],"role":"director"}',
            '{"type":"match","id":2,"game":"acquire","variant":"mini","players":["heuristic","mc-2"],"games":4}',
            '{"type":"ping"}',
        )
        await wire.hear('{"type":"matched","re":2')
        await wire.hear('{"type":"pong"')
        end = json.loads(await wire.hear('{"type":"match_end"', 60.0))
        assert end["games"] == 4 and sum(row["wins"] + row["shared"] / 2 for row in end["table"]) == 4
        await wire.close()
