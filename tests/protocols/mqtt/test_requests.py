"""Requests through the broker: each has one answer, where it is wanted, and is done once."""

import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.chess.notation import position_from_fen
from core.game import State
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from engines.engine import Engine, Info, Limit
from engines.events import BroadcastLine, Bus
from protocols.hill.service import HillService
from protocols.limits import Limits
from protocols.mqtt.requests import MAX_PER_SECOND, RequestHandler
from protocols.mqtt.topics import HistoryRequest, Publication, Request
from protocols.server import Server
from tests.protocols.hill.support import bomber
from tests.protocols.mqtt.support import ROOT, Client, Mosquitto, client, data, served
from tests.servers import no_engine
from tests.toy import InlinePool, Scripted

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


async def asked(ann: Client, topic: str, payload: str, correlation: bytes = b"") -> dict[str, Any]:
    """The answer, which has the correlation data of the request."""
    properties: dict[str, Any] = {"ResponseTopic": f"{ROOT}/c/{ann.name}/out/r"}
    if correlation:
        properties["CorrelationData"] = correlation
    await ann.publish(f"{topic}/{ann.name}", payload, **properties)
    answer = await ann.receive(f"c/{ann.name}/out/r")
    assert getattr(answer.properties, "CorrelationData", b"") == correlation
    return data(answer)


async def test_a_repeated_submission_is_fought_once(mosquitto: Mosquitto, tmp_path: Path) -> None:
    store = HillStore.create(tmp_path / "nano.hill", replace(PRESETS["nano"], places=6))
    bus = Bus()
    service = HillService([store], InlinePool(), bus)
    async with served(mosquitto, service=service, bus=bus), client(mosquitto, "ann") as ann:
        await ann.subscribe("c/ann/out/#", "hill/+/battle", "hill/+/standings")
        for _ in range(2):
            await ann.publish("hill/nano/submit/ann", bomber(3, words=" json"), CorrelationData=b"one")
        report = data(await ann.receive("c/ann/out"))
        assert report["name"] == "Every 3" and report["hill"] == "nano"
        again = await asked(ann, "hill/nano/submit", bomber(3, words=" json"), b"one")
        assert again == report and store.hill().challenges == 1
        twin = await asked(ann, "hill/nano/submit", bomber(3, words=" json"), b"two")
        assert "on the hill already" in twin["refused"]
        better = bomber(5, words=" json").replace(";assert", ";kill Every 3\n;assert")
        assert "to kill Every 3 by Ann" in (await asked(ann, "hill/nano/submit", better, b"four"))["refused"]
        better = f"{better.partition('loop')[0]};token {report['token']}\nMOV 0, 1\n"
        report = await asked(ann, "hill/nano/submit", better, b"five")
        assert [row["fate"] for row in report["table"]] == ["on the hill", "killed"]
        other = await asked(ann, "hill/94nop/submit", bomber(5, words=" json"), b"three")
        assert other["type"] == "error" and "not for the hill" in other["message"]
    async with served(mosquitto, service=service, bus=bus), client(mosquitto, "bob") as bob:
        await bob.subscribe("hill/+/standings")
        (row,) = data(await bob.receive("hill/nano/standings", "standings"))["table"]
        assert row["warrior"] == "Every 5"


async def test_engine_requests_are_answered_by_a_move_or_an_error(mosquitto: Mosquitto) -> None:
    seen: list[tuple[str, Limit]] = []

    async def thinks(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        seen.append((str(state.player()), limit))
        yield Info(action=state.legal_actions()[0])
        best = position_from_fen(AFTER_E4).action_from("e7e5")
        yield Info(action=best, line=(best,), cents=-12, depth=3, nodes=99)

    async def engine() -> Engine:
        return Scripted(thinks)

    async with served(mosquitto, open_engine=engine), client(mosquitto, "ann") as ann:
        await ann.subscribe("c/ann/out/#")
        question = {"moves": ["e2e4"], "movetime_ms": 50, "depth": 3}
        for _ in range(2):
            best = await asked(ann, "engine/chess/request", json.dumps(question), b"x")
            assert best == {
                "type": "bestmove", "move": "e7e5", "line": ["e7e5"], "cents": -12, "mate": None,
                "depth": 3, "nodes": 99, "seconds": 0.0,
            }  # fmt: skip
        assert seen == [("1", Limit(seconds=0.05, depth=3))], "the same question is thought about once"
        await asked(ann, "engine/chess/request", json.dumps({"fen": AFTER_E4}))
        assert seen[-1] == ("1", Limit(seconds=1.0))
        best = await asked(ann, "engine/chess/request", json.dumps({"fen": f"{AFTER_E4} bm e5;"}))
        assert best["notes"] == ["FEN: the text after it is ignored: 'bm e5;'"]
        for wrong, code in (
            ("{", "invalid_params"),
            ('{"moves":["e2e5"]}', "invalid_params"),
            ('{"fen":"x"}', "invalid_params"),
            ('{"movetime_ms":1000000}', "invalid_params"),
            ('{"elo":2000}', "invalid_params"),
            ('{"moves":["f2f3","e7e5","g2g4","d8h4"]}', "game_over"),
        ):
            assert (await asked(ann, "engine/chess/request", wrong))["code"] == code, wrong
        assert (await asked(ann, "engine/go/request", "{}"))["code"] == "no_such_agent"
        assert len(seen) == 3


async def test_requests_without_an_engine_or_a_hill_are_answered_by_errors(mosquitto: Mosquitto) -> None:
    async with served(mosquitto), client(mosquitto, "ann") as ann:
        await ann.subscribe("c/ann/out/#")
        assert (await asked(ann, "engine/chess/request", "{}"))["code"] == "busy"
        assert (await asked(ann, "hill/nano/submit", bomber(3)))["type"] == "error"


async def test_missed_events_can_be_requested_page_by_page(mosquitto: Mosquitto) -> None:
    bus = Bus(kept=1500)
    async with served(mosquitto, bus=bus), client(mosquitto, "ann") as ann:
        await ann.subscribe("c/ann/out/#")
        for number in range(1700):
            bus.publish(f"game/g-{number % 2}/public", BroadcastLine(line=b'{"seq":%d}' % number))
        bus.publish("game/g-0/public", BroadcastLine(line=b'{"x":"%b"}' % (b"x" * 200_000)))
        bus.publish("game/g-0/public", BroadcastLine(line=b'{"x":"%b"}' % (b"x" * 100_000)))
        bus.publish("game/g-0/public", BroadcastLine(line=b'{"x":"%b"}' % (b"y" * 100_000)))
        received: list[int] = []
        after, is_more, pages = 0, True, 0
        while is_more:
            page = await asked(ann, "history", json.dumps({"after": after, "topics": ["game/g-0"]}))
            received += [event["seq"] for event in page["events"]]
            after, is_more, pages = page["next"], page["is_more"], pages + 1
        kept = [event for event in bus.history(0) if event.topic == "game/g-0/public"]
        too_large = kept[-3].seq
        assert received == [event.seq for event in kept if event.seq != too_large]
        assert after == page["seq"] == bus.seq and pages == 3
        assert (await asked(ann, "history", '{"after":-1}'))["code"] == "invalid_params"
        assert (await asked(ann, "history", '{"after":999999}'))["events"] == []
        await ann.subscribe("g/g-9/public")
        bus.publish("game/g-9/public", BroadcastLine(line=b"{}"))
        await ann.receive("g/g-9")


@pytest.mark.parametrize("clients", [["ann"], ["ann", "bob"]])
def test_the_requests_of_each_client_are_rate_limited_separately(clients: list[str]) -> None:
    sent: list[Publication] = []
    now = 100.5
    handler = RequestHandler(Server(no_engine, Limits()), Bus(), sent.append, lambda: now)

    def ask(name: str) -> None:
        request = Request(payload=b'{"after":0}', response="x", correlation=None, by_seat=False)
        handler.receive(HistoryRequest(client=name), request)

    for _ in range(MAX_PER_SECOND + 5):
        for name in clients:
            ask(name)
    kinds = [json.loads(each.payload)["type"] for each in sent]
    assert kinds.count("history") == MAX_PER_SECOND * len(clients)
    assert kinds[-1] == "error" and b'"rate_limited"' in sent[-1].payload
    now = 101.0
    ask("eve")
    ask("ann")
    assert b'"history"' in sent[-1].payload
