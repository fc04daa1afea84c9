"""Fights over HTTP: what is asked for is fought and filmed, and whatever cannot be is refused in words."""

import asyncio
import json
import zlib
from base64 import b64decode
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from core.corewar.battle import fixed
from engines.corewar.presets import PRESETS
from engines.corewar.recording import begin_round, record
from engines.worker_pool import Workers
from protocols.redcode.library import evolved_warriors, starters
from protocols.redcode.listing import instruction_text
from protocols.web.corewar import MAX_PER_ADDRESS, AnswerCache, FightsApi
from tests.protocols.web.support import Api, served

NANO = PRESETS["nano"]
IMP = ";name Imp\n;author Ann\n;assert 1\nmov 0, 1\n"
OURS = {"ours": "nano.red"}


@pytest_asyncio.fixture
async def api() -> AsyncIterator[Api]:
    async with Workers(1) as pool, served(FightsApi(pool).routes()) as api:
        yield api


async def asked(api: Api, order: object, path: str = "/api/fights") -> tuple[int, Any]:
    return await api.post(path, json.dumps(order))


async def test_a_fight_is_recorded_and_its_cells_can_be_read(api: Api) -> None:
    order = {"rules": "nano", "warriors": [OURS, {"text": IMP}], "place": 30, "round": 2}
    status, film = await asked(api, order)
    (ours,) = evolved_warriors(NANO)
    imp = next(each for each in starters(NANO) if each.label == "Imp")
    battle = begin_round(NANO.rules, [ours.warrior, imp.warrior], fixed(NANO.rules, 2, 30), 2)
    expected = record(battle)
    assert (status, film["instructions"], film["round"]) == (200, expected.instructions, 2)
    assert [each["name"] for each in film["warriors"]] == ["Evolved nano 33896", "Imp"]
    assert film["survivors"] == list(expected.survivors)
    mars = begin_round(NANO.rules, [ours.warrior, imp.warrior], fixed(NANO.rules, 2, 30), 2).mars
    mars.run(100)
    status, answer = await asked(api, order, "/api/fights/cells?tick=100")
    assert status == 200
    texts = [answer["texts"][place] for place in answer["cells"]]
    squeezed = ["".join(text.split()) for text in texts]
    assert squeezed == ["".join(instruction_text(cell, 80).split()) for cell in mars.core]
    assert "DAT.F $0, $0" in texts


async def test_the_presets_and_their_warriors_are_listed(api: Api) -> None:
    for rules in ("94nop", "nano", "nano"):
        _, answer = await api.get(f"/api/warriors?rules={rules}")
        assert [each["name"] for each in answer["rules"]] == list(PRESETS)
        names = [each["name"] for each in answer["warriors"]]
        preset = PRESETS[rules]
        assert names == [each.label for each in evolved_warriors(preset) + starters(preset)]
    status, answer = await api.get("/api/warriors?rules=chess")
    assert status == 404 and "no rules are called 'chess'" in answer["error"]


async def test_a_fight_of_bundled_warriors_is_computed_once_and_kept_by_browsers(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = {"rules": "nano", "warriors": [OURS, {"ours": "imp.red"}], "place": 30, "seed": 7}
    _, posted = await asked(api, order)
    path = "/api/fights?rules=nano&warrior=nano.red&warrior=imp.red&place=30&seed=7"
    assert await api.get(path) == (200, posted)
    async with api.session.get(api.address + path) as response:
        tag = response.headers["ETag"]
        assert response.headers["Cache-Control"] == "no-cache"
    async with api.session.get(api.address + path, headers={"If-None-Match": tag}) as response:
        assert (response.status, await response.read()) == (304, b"")
    async with api.session.get(f"{api.address}{path}&round=2", headers={"If-None-Match": tag}) as response:
        assert response.status == 200 and response.headers["ETag"] != tag
    monkeypatch.setattr("protocols.web.corewar.MAX_WAITING", 0)  # nothing can be computed any more
    assert await api.get(path) == (200, posted)
    assert (await api.get(f"{path}&round=3"))[0] == 503


@pytest.mark.parametrize(
    ("query", "status", "reason"),
    [
        ("", 400, "does not ask for a fight"),
        ("?warrior=imp.red&seed=x", 400, "does not ask for a fight"),
        ("?warrior=imp.red&instructions=0", 400, ">= 1"),
        ("?warrior=imp.red&cheat=1", 400, "cheat"),
        ("?warrior=../presets.py", 200, "no bundled warrior"),
        ("?warrior=imp.red&rules=go", 200, "no rules are called 'go'"),
    ],
)
async def test_invalid_queries_for_fights_are_refused_with_a_reason(
    query: str, status: int, reason: str, api: Api
) -> None:
    found, answer = await api.get(f"/api/fights{query}")
    assert found == status
    assert reason in answer.get("error", answer.get("refused", ""))


async def test_the_beginning_of_a_fight_is_the_beginning_of_its_recording(api: Api) -> None:
    order = {"rules": "nano", "warriors": [OURS, {"text": IMP}], "place": 30}
    _, film = await asked(api, order)
    _, beginning = await asked(api, order | {"instructions": 20})
    assert (beginning["instructions"], beginning["is_whole"]) == (20, False)
    for part, all_of_it in zip(columns(beginning), columns(film), strict=True):
        assert all_of_it.startswith(part) and len(part) < len(all_of_it)


def columns(film: dict[str, Any]) -> list[bytes]:
    data = zlib.decompress(b64decode(film["film"]))
    found = []
    while data:
        length = int.from_bytes(data[:4], "little")
        found.append(data[4 : 4 + length])
        data = data[4 + length :]
    return found


def test_kept_answers_have_a_limit_and_the_last_used_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.web.corewar.KEPT_BYTES", 10)
    kept = AnswerCache()
    kept.put("a", b"12345")
    kept.put("b", b"12345")
    assert kept.get("a") == b"12345"
    kept.put("c", b"1")
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (b"12345", None, b"1")
    kept.put("d", b"1" * 11)
    assert [kept.get(key) for key in "abcd"] == [None] * 4


async def test_redcode_is_checked_and_its_messages_have_line_and_column(api: Api) -> None:
    text = ";assert 1\nmov 0, 1\n mov 0, nowhere\n"
    status, answer = await api.post("/api/redcode", {"text": text, "rules": "nano"})
    assert (status, answer["length"]) == (200, None)
    error = answer["messages"][0]
    assert "nowhere" in error["text"]
    assert [error[name] for name in ("severity", "line", "column", "width")] == ["Error", 3, 9, 7]
    _, answer = await api.post("/api/redcode", {"text": "mov 0, 1\n", "rules": "nano"})
    (warning,) = answer["messages"]
    assert (warning["severity"], warning["line"], answer["length"]) == ("Warning", None, 1)
    _, answer = await api.post("/api/redcode", {"text": IMP, "rules": "nano"})
    assert answer == {"messages": [], "length": 1}
    assert "no rules" in (await api.post("/api/redcode", {"text": IMP, "rules": "go"}))[1]["refused"]
    assert (await api.post("/api/redcode", {"text": "x" * 70_000}))[0] == 400
    assert (await api.post("/api/redcode", "no object"))[0] == 400


async def test_bad_redcode_is_refused_with_its_lines(api: Api) -> None:
    order = {"warriors": [{"ours": "paper.red"}, {"text": ";assert 1\nmvo 0, 1\nmov 0,, 1\n"}]}
    status, answer = await asked(api, order)
    assert (status, answer["warrior"]) == (200, 1)
    assert answer["refused"].startswith("warrior 2 has errors under the rules ")
    assert {2, 3} <= {message["line"] for message in answer["messages"]}
    assert "mvo" in answer["messages"][0]["source"]


@pytest.mark.parametrize(
    ("order", "status", "reason"),
    [
        ("no object", 400, "not a valid request for a fight"),
        ({"warriors": []}, 400, "length >= 1"),
        ({"warriors": [OURS] * 13}, 400, "length <= 12"),
        ({"warriors": [OURS], "round": 0}, 400, ">= 1"),
        ({"warriors": [OURS], "seed": -1}, 400, ">= 0"),
        ({"warriors": [OURS], "cheat": 1}, 400, "cheat"),
        ({"warriors": [{"text": "x" * 70_000}]}, 400, "65536"),
        ({"warriors": [OURS], "rules": "go"}, 200, "no rules are called 'go'"),
        ({"warriors": [{"ours": "../presets.py"}]}, 200, "no bundled warrior"),
        ({"warriors": [{"ours": "imp.red"}] * 2, "place": 3}, 200, "nearer than the distance"),
        (
            {"rules": "nano", "warriors": [{"ours": "imp.red"}] * 3, "place": 30},
            200,
            "needs two warriors, not 3",
        ),
    ],
)
async def test_invalid_orders_of_fights_are_refused_with_a_reason(
    order: object, status: int, reason: str, api: Api
) -> None:
    found, answer = await asked(api, order)
    assert found == status
    assert reason in answer.get("error", answer.get("refused", ""))


async def test_the_number_of_simultaneous_fights_of_a_client_is_limited(api: Api) -> None:
    order = {"warriors": [{"ours": "paper.red"}, {"ours": "imp_gate.red"}]}
    answers = await asyncio.gather(*(asked(api, order) for _ in range(MAX_PER_ADDRESS + 4)))
    statuses = [status for status, _ in answers]
    assert sorted(statuses) == [200] * MAX_PER_ADDRESS + [429] * 4
    assert (await asked(api, order))[0] == 200


async def test_a_tick_that_is_no_number_is_refused(api: Api) -> None:
    for tick in ("", "-1", "1e9", "²"):
        status, answer = await asked(api, {"warriors": [OURS]}, f"/api/fights/cells?tick={tick}")
        assert (status, "tick" in answer["error"]) == (400, True)


async def test_hostile_redcode_is_refused(api: Api) -> None:
    bomb = ";assert 1\n" + "for 9999\n" * 20 + "dat 0\n" + "rof\n" * 20
    for text in (bomb, "dat " + "(" * 5_000, "\x00" * 999, "a equ a\na\n"):
        status, answer = await asked(api, {"warriors": [{"text": text}]})
        assert (status, answer["warrior"]) == (200, 0)
        assert answer["messages"] or "under the rules" in answer["refused"]
