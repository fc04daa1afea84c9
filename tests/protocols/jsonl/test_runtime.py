"""A game server in the loop: slow, cut and hostile connections over TCP, many at once, and jobs in other processes."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from statistics import mean
from time import monotonic
from typing import Any

import pytest
import pytest_asyncio

from engines.worker_pool import TaskError, Workers
from protocols.accounts import Accounts
from protocols.jsonl.adapter import Job
from protocols.jsonl.runtime import AsyncRuntime
from protocols.jsonl.server import GameServer
from protocols.limits import Limits
from tests.protocols.wire import Wire
from tests.servers import Connect, game_server, listening, no_engine
from tests.waiting import PATIENCE_SECONDS, until

HELLO = '{"type":"hello","versions":[1]}'


@asynccontextmanager
async def served(*, is_proxied: bool = False, **limits: Any) -> AsyncIterator[tuple[Connect, GameServer]]:
    async with (
        game_server(**limits) as games,
        listening(no_engine, games=games, is_proxied=is_proxied) as (connect, _),
    ):
        yield connect, games


async def opened(connect: Connect) -> Wire:
    wire = await connect()
    assert (await wire.hello())["type"] == "welcome"
    return wire


async def test_a_message_can_arrive_byte_by_byte() -> None:
    async with served() as (connect, _):
        wire = await opened(connect)
        for byte in b'{"type":"ping","id":"slow"}\r\n\n':
            wire.writer.write(bytes([byte]))
            await wire.writer.drain()
        assert await wire.hear('{"type":"pong"')


async def test_an_action_cut_off_before_its_line_break_is_not_played() -> None:
    async with served() as (connect, _):
        wire = await connect()
        wire.say(HELLO)
        token = json.loads(await wire.hear("{"))["resume"]
        wire.say('{"type":"create","game":"acquire","variant":"mini","seats":["me","random"]}')
        decide = json.loads(await wire.hear('{"type":"decide"'))
        action = json.dumps(decide["legal"]["actions"][0])
        line = f'{{"type":"action","re":{decide["id"]},"game_id":"{decide["game_id"]}","action":{action}}}'
        wire.writer.write(line.encode())  # without its break
        await wire.writer.drain()
        wire.writer.transport.abort()
        again = await opened(connect)
        again.say(json.dumps({"type": "resume", "token": token}))
        assert json.loads(await again.hear('{"type":"decide"'))["id"] == decide["id"]
        again.say(line)
        assert '"kind":"placed"' in await again.hear('{"type":"event"')


async def test_a_line_too_long_is_fatal() -> None:
    async with served() as (connect, _):
        wire = await opened(connect)
        wire.writer.write(b"x" * 70_000)
        (line,) = await wire.rest()
        assert json.loads(line)["code"] == "too_long" and json.loads(line)["fatal"]


async def test_the_first_line_obeys_the_limits_of_all_lines() -> None:
    """Its length, and that it is UTF-8; what comes before it does not matter."""
    async with served() as (connect, _):
        for first, code in (
            (b'{"type":"hello","versions":[1],"name":"\xff\xfe"}\n', "parse"),
            (b'{"type":"hello","versions":[1],"x":"' + b"y" * 70_000, "too_long"),
        ):
            wire = await connect()
            wire.writer.write(first)
            assert json.loads(await wire.hear("{"))["code"] == code
        wire = await connect()
        padding = " " * 60_000
        wire.writer.write(b"\xef\xbb\xbf\n \n" + HELLO.encode()[:-1] + f"{padding}}}\n".encode())
        assert json.loads(await wire.hear("{"))["type"] == "welcome"


async def test_a_client_that_does_not_read_delays_no_other_client() -> None:
    async with served() as (connect, games):
        deaf, good = await opened(connect), await opened(connect)
        question = b'{"type":"describe","game":"acquire"}\n'
        deaf.writer.write(question * 5000)
        for _ in range(20):
            assert await good.cost('{"type":"ping"}', '{"type":"pong"') < 0.5
        assert max(connection.queued for connection in games.connections) < 5000
        deaf.writer.transport.abort()


async def test_a_hundred_games_at_once_lose_no_line() -> None:
    """No line is lost, none comes out of order."""
    async with served(games_per_session=100) as (connect, _):
        await asyncio.gather(*(_play(connect, seed) for seed in range(100)))


async def _play(connect: Connect, seed: int) -> None:
    wire, rng = await opened(connect), Random(seed)
    wire.say('{"type":"create","game":"acquire","variant":"mini","seats":["me","random"]}')
    expected = 0
    while True:
        message = json.loads(await wire.hear("{"))
        if message["type"] in ("event", "end"):
            expected += 1
            assert message["seq"] == expected
        if message["type"] == "end":
            break
        if message["type"] == "decide":
            action = json.dumps(rng.choice(message["legal"]["actions"]))
            wire.say(
                f'{{"type":"action","re":{message["id"]},"game_id":"{message["game_id"]}","action":{action}}}'
            )


async def test_another_connection_can_take_over_a_session() -> None:
    async with served() as (connect, _):
        first = await connect()
        first.say(HELLO)
        token = json.loads(await first.hear("{"))["resume"]
        first.say('{"type":"create","game":"acquire","variant":"mini","seats":["me","random"]}')
        await first.hear('{"type":"decide"')
        second = await opened(connect)
        second.say(json.dumps({"type": "resume", "token": token}))
        await second.hear('{"type":"decide"')
        assert json.loads((await first.rest())[-1]) == {"type": "bye", "reason": "taken_over"}


async def test_clients_that_ignore_refusals_are_read_no_faster_than_allowed() -> None:
    """Else a flood would keep the loop busy with refusals."""
    async with served(is_proxied=True, messages_per_second=20, messages_burst=40) as (connect, _):
        flooding, good = await opened(connect), await opened(connect)
        flooding.writer.write(b'{"type":"ping"}\n' * 5000)
        began = monotonic()
        for _ in range(90):
            await flooding.hear("{")
        assert monotonic() - began > 0.4  # the burst, as many refusals, and ten more at 20 a second
        assert await good.cost('{"type":"ping"}', '{"type":"pong"') < 0.5


async def test_blank_lines_of_many_connections_delay_no_other_client() -> None:
    """Between a ping and its pong the server computes little for 32 connections whose blank lines wait."""
    async with served(is_proxied=True) as (connect, _):
        good = await opened(connect)
        floods = []
        for number in range(32):
            wire = await connect()
            wire.say(f"PROXY TCP4 192.0.2.{number // 8 + 1} 198.51.100.1 50000 1835\r", HELLO)
            await wire.hear("{")
            wire.writer.write(b"\n" * 65_000)
            floods.append(wire)
        costs = [await good.cost('{"type":"ping"}', '{"type":"pong"') for _ in range(20)]
        assert mean(costs) < 0.02
        for wire in floods:
            wire.writer.transport.abort()


# -- Jobs ------------------------------------------------------------------------------------------


async def test_deferred_work_of_a_busy_address_waits_for_its_turn() -> None:
    """The rest of a game, and the outcome of a job: on behalf of an address that uses much of the loop."""
    began = monotonic()
    accounts = Accounts(Limits(), lambda: began)  # the clock stands still, so that the address stays busy
    heavy, light = accounts.of("heavy"), accounts.of("light")
    heavy.loop.take(0.4)
    called: list[str] = []
    outcome = asyncio.Event()

    def on_done(name: str, seconds: float) -> None:
        called.append(name)
        outcome.set()

    async with AsyncRuntime(1) as runtime:
        async with accounts.crowd.queue:  # another heavy address is at work
            runtime.call_in_turn(heavy, lambda: called.append("heavy"))
            runtime.submit(
                Job(function=str.upper, argument="job", description="", on_done=on_done, account=heavy)
            )
            runtime.call_in_turn(light, lambda: called.append("light"))
            runtime.call_in_turn(None, lambda: called.append("local"))
            await asyncio.sleep(0)  # the job has taken the only process
            await until(lambda: not runtime._long._workers[0].load, "the end of the job")
            await asyncio.sleep(0)
            assert sorted(called) == ["light", "local"]
        await asyncio.wait_for(outcome.wait(), PATIENCE_SECONDS)
        assert sorted(called) == ["JOB", "heavy", "light", "local"]


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[Workers]:
    async with Workers(2) as pair:
        yield pair


async def test_workers_return_results_and_raise_errors(pool: Workers) -> None:
    outcomes = await asyncio.gather(*(pool.do(abs, -number) for number in range(5)))
    assert outcomes == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="invalid literal"):
        await pool.do(int, "seven")


async def test_a_task_that_kills_its_process_does_not_affect_other_tasks(pool: Workers) -> None:
    murder = asyncio.create_task(pool.do(os._exit, 1))
    assert [await pool.do(abs, -3) for _ in range(5)] == [3] * 5
    with pytest.raises(TaskError):
        await murder
    assert [*await asyncio.gather(*(pool.do(abs, -number) for number in (4, 5)))] == [4, 5]


async def test_no_message_waits_for_a_slow_agent() -> None:
    """What follows an action is sent at once; the pong comes before the agent has decided."""
    async with served() as (connect, _):
        wire = await opened(connect)
        wire.say('{"type":"create","game":"acquire","variant":"classic","seats":["me","mc-100"],"seed":4}')
        decide = json.loads(await wire.hear('{"type":"decide"', 60.0))
        before, action = len(wire.received), decide["legal"]["actions"][0]
        message = {"type": "action", "re": decide["id"], "game_id": decide["game_id"], "action": action}
        wire.say(json.dumps(message), '{"type":"ping"}')
        await wire.hear('{"type":"pong"')
        events = [json.loads(line) for line in wire.received[before:-1]]
        assert [event["kind"] for event in events] == ["placed", "drew", "turn"]
        other = 1 - decide["seat"]
        assert events[-1]["seat"] == other
        await wire.hear(f'.*"kind":"placed","seat":{other}', 60.0)


async def test_a_match_over_tcp_runs_while_pings_are_answered() -> None:
    async with served(workers=1) as (connect, _):
        wire = await connect()
        wire.say(
            '{"type":"hello","versions":[1],"role":"director"}',
            '{"type":"match","id":2,"game":"acquire","variant":"mini","players":["heuristic","mc-2"],"games":4}',
            '{"type":"ping"}',
        )
        await wire.hear('{"type":"matched","re":2')
        await wire.hear('{"type":"pong"')
        end = json.loads(await wire.hear('{"type":"match_end"', 60.0))
        assert end["games"] == 4 and sum(row["wins"] + row["shared"] / 2 for row in end["table"]) == 4
