"""The tree of life over HTTP: columns that begin at any place, for clients with and without compression."""

import json
import struct
from array import array
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from engines.corewar.evolution import experiment
from engines.events import Bus
from engines.evolution.run_watcher import RunWatcher
from engines.evolution.supervisor import Supervisors
from protocols.web import run_tree
from protocols.web.runs import RunsApi
from tests.browser.evolutions import made_up
from tests.protocols.web.support import Api, served

COLUMNS = (
    ("ids", "d"),
    ("generations", "i"),
    ("parents", "i"),
    ("others", "i"),
    ("fitness", "f"),
    ("lanes", "f"),
    ("origins", "B"),
)


@pytest_asyncio.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    made_up(tmp_path / "a")
    made_up(tmp_path / "empty", generations=0)
    watch = RunWatcher(Bus(), [tmp_path], lambda game: experiment)
    await watch.scan()
    async with served(RunsApi(watch, Supervisors(), lambda game: experiment).routes()) as api:
        yield api


async def fetched(api: Api, path: str, encoding: str = "deflate") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the head and the columns of a tree."""
    headers = {"Accept-Encoding": encoding}
    async with api.session.get(f"{api.address}/api/runs/{path}", headers=headers) as answer:
        assert answer.status == 200
        assert answer.headers.get("Content-Encoding", "identity") == encoding
        body = await answer.read()
    (length,) = struct.unpack_from("<I", body)
    head = json.loads(body[4 : 4 + length])
    at = 4 + length
    columns: dict[str, Any] = {}
    assert at % 8 == 0, "columns of eight bytes can be read in place"
    for name, kind in COLUMNS:
        column = array(kind)
        column.frombytes(body[at : at + head["count"] * column.itemsize])
        columns[name], at = column.tolist(), at + head["count"] * column.itemsize
    assert at == len(body)
    return head, columns


async def test_all_individuals_are_sent_with_their_parents(api: Api) -> None:
    head, columns = await fetched(api, "a/tree")
    assert (
        head["count"] == head["total"] == 60 and head["step"] == 1 and head["from"] == head["left_out"] == 0
    )
    assert not head["is_excerpt"]
    assert head["champion"] == 59 and head["measure"] is None and head["origins"] == ["mutation 1"]
    assert columns["ids"] == columns["generations"] == list(range(60))
    assert columns["parents"][:6] == [-1, 0, 0, 2, 2, 3] and columns["others"][:6] == [-1, -1, 1, -1, 3, 4]


async def test_a_tree_is_sent_without_compression_where_it_is_not_accepted(api: Api) -> None:
    plain, packed = await fetched(api, "a/tree", "identity"), await fetched(api, "a/tree")
    assert plain[0] == packed[0] and plain[1]["lanes"] == packed[1]["lanes"]


async def test_a_page_can_ask_for_what_follows_after_a_place(api: Api) -> None:
    _, whole = await fetched(api, "a/tree")
    head, rest = await fetched(api, "a/tree?from=50")
    assert (head["from"], head["count"]) == (50, 10)
    assert rest["ids"] == whole["ids"][50:] and rest["lanes"] == whole["lanes"][50:]
    head, none = await fetched(api, "a/tree?from=99999999")
    assert (head["from"], head["count"], none["ids"]) == (60, 0, [])


async def test_trees_that_are_no_longer_in_memory_are_read_again(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await fetched(api, "a/tree")
    monkeypatch.setattr(run_tree, "MAX_KEPT", 10)
    await fetched(api, "empty/tree")
    again = await fetched(api, "a/tree")
    assert again[0] == first[0] and again[1]["lanes"] == first[1]["lanes"]


async def test_a_run_without_individuals_has_an_empty_tree(api: Api) -> None:
    head, columns = await fetched(api, "empty/tree")
    assert head["count"] == head["total"] == 0 and not any(columns.values())
    assert (await api.get("/api/runs/empty/tree/styles"))[1] == {
        "names": [], "groups": [], "ids": [], "style": []
    }  # fmt: skip


async def test_styles_are_traits_in_which_a_genome_exceeds_the_others(api: Api) -> None:
    status, styles = await api.get("/api/runs/a/tree/styles")
    assert status == 200 and len(styles["ids"]) == len(styles["style"]) == 60
    assert styles["groups"] == ["share of an operation"]
    assert 1 < len(styles["names"]) <= 7 and max(styles["style"]) == len(styles["names"]) - 1
    assert all(name.isupper() or name == "another trait" for name in styles["names"]), "operations of Redcode"


async def test_requests_for_trees_of_missing_runs_answer_404(api: Api) -> None:
    for path in ("none/tree", "none/tree/styles"):
        assert (await api.get(f"/api/runs/{path}"))[0] == 404
