"""Connections over TCP and standard input: slow, cut and hostile ones."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from protocols.house import House
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.host import Host
from protocols.jsonl.limits import JsonlLimits
from protocols.limits import Limits
from protocols.server import Server
from tests.protocols.wire import Wire, no_engine
from tools.games import bindings

HELLO = '{"type":"hello","versions":[1]}'


@asynccontextmanager
async def served(**limits: Any) -> AsyncIterator[tuple[str, int, Hall]]:
    hall = Hall(bindings(), limits=JsonlLimits(**limits))
    async with Host(hall) as tables:
        server = Server(House(no_engine, Limits(connections_per_address=100), None, tables))
        host, port = await server.start("127.0.0.1", 0)
        try:
            yield host, port, hall
        finally:
            await server.stop()
            assert not hall.troubles


async def opened(host: str, port: int) -> Wire:
    wire = Wire(*await asyncio.open_connection(host, port, limit=1 << 20))
    wire.say(HELLO)
    await wire.hear('{"type":"welcome"')
    return wire


async def test_bytes_one_by_one() -> None:
    async with served() as (host, port, _):
        wire = await opened(host, port)
        for byte in b'{"type":"ping","id":"slow"}\r\n\n':
            wire.writer.write(bytes([byte]))
            await wire.writer.drain()
        assert await wire.hear('{"type":"pong"')
        await wire.close()


async def test_an_action_that_was_cut_off_was_never_made() -> None:
    async with served() as (host, port, _):
        wire = Wire(*await asyncio.open_connection(host, port))
        wire.say(HELLO)
        token = json.loads(await wire.hear("{"))["resume"]
        wire.say('{"type":"create","game":"acquire","variant":"mini","seats":["me","random"]}')
        decide = json.loads(await wire.hear('{"type":"decide"'))
        action = json.dumps(decide["legal"]["actions"][0])
        line = f'{{"type":"action","re":{decide["id"]},"game_id":"{decide["game_id"]}","action":{action}}}'
        wire.writer.write(line.encode())  # without its break
        await wire.writer.drain()
        wire.writer.transport.abort()
        again = await opened(host, port)
        again.say(json.dumps({"type": "resume", "token": token}))
        assert json.loads(await again.hear('{"type":"decide"'))["id"] == decide["id"]
        again.say(line)
        assert '"kind":"placed"' in await again.hear('{"type":"event"')
        await wire.close()
        await again.close()


async def test_a_line_too_long_is_fatal() -> None:
    async with served() as (host, port, _):
        wire = await opened(host, port)
        wire.writer.write(b"x" * 70_000)
        (line,) = await wire.rest()
        assert json.loads(line)["code"] == "too_long" and json.loads(line)["fatal"]
        await wire.close()


async def test_the_limit_of_a_line_is_negotiated() -> None:
    async with served() as (host, port, _):
        wire = Wire(*await asyncio.open_connection(host, port))
        wire.say('{"type":"hello","versions":[1],"max_line":2000}')
        assert json.loads(await wire.hear("{"))["limits"]["max_line"] == 2000
        wire.say('{"type":"ping","x":"' + "y" * 2000 + '"}')
        assert json.loads(await wire.hear("{"))["code"] == "too_long"
        await wire.close()


async def test_who_does_not_read_slows_nobody() -> None:
    async with served() as (host, port, hall):
        deaf, good = await opened(host, port), await opened(host, port)
        question = b'{"type":"describe","game":"acquire"}\n'
        deaf.writer.write(question * 5000)
        for _ in range(20):
            assert await good.delay('{"type":"ping"}', '{"type":"pong"') < 0.5
        waiting = max(sum(map(len, line.outbox)) for line in hall.lines)
        assert waiting < 50_000_000
        deaf.writer.transport.abort()
        await good.close()


async def test_a_hundred_games_at_once() -> None:
    """No line is lost, none comes out of order."""
    async with served(games_per_session=100) as (host, port, _):
        await asyncio.gather(*(_play(host, port, seed) for seed in range(100)))


async def _play(host: str, port: int, seed: int) -> None:
    wire, rng = await opened(host, port), Random(seed)
    wire.say('{"type":"create","game":"acquire","variant":"mini","seats":["me","random"]}')
    expected = 0
    while True:
        message = json.loads(await wire.hear("{", seconds=30.0))
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
    await wire.close()


async def test_a_session_taken_over_from_another_connection() -> None:
    async with served() as (host, port, _):
        first = Wire(*await asyncio.open_connection(host, port))
        first.say(HELLO)
        token = json.loads(await first.hear("{"))["resume"]
        first.say('{"type":"create","game":"acquire","variant":"mini","seats":["me","random"]}')
        await first.hear('{"type":"decide"')
        second = await opened(host, port)
        second.say(json.dumps({"type": "resume", "token": token}))
        await second.hear('{"type":"decide"')
        assert json.loads((await first.rest())[-1]) == {"type": "bye", "reason": "taken_over"}
        await first.close()
        await second.close()


async def test_chess_on_standard_input_stays_light() -> None:
    """What a GUI starts imports neither msgspec nor the tables."""
    code = "import sys, tools.stdio; print([m for m in sys.modules if 'msgspec' in m or 'jsonl' in m])"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert out == b"[]\n"


async def test_who_heeds_no_refusal_is_read_no_faster_than_allowed() -> None:
    """Else a stranger's flood would keep the loop busy with refusals."""
    hall = Hall(bindings(), limits=JsonlLimits(messages_per_second=20, messages_burst=40))
    async with Host(hall) as tables:
        house = House(no_engine, Limits(), None, tables, is_proxied=True)
        server = Server(house)
        host, port = await server.start("127.0.0.1", 0)
        flooding, good = await opened(host, port), await opened(host, port)
        flooding.writer.write(b'{"type":"ping"}\n' * 5000)
        answers = 0
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                while await flooding.reader.readline():
                    answers += 1
        assert 80 <= answers <= 130  # the burst, as many refusals, and a second's worth
        assert await good.delay('{"type":"ping"}', '{"type":"pong"') < 0.5
        await flooding.close()
        await good.close()
        await server.stop()
