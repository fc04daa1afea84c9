"""What the page is told of runs: accounts, ancestors, genomes, and what is wrong with a question or a store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from engines.config import RUN_FILE
from engines.corewar.evolution import experiment
from engines.events import Bus
from engines.evolution.run_watcher import RunWatcher
from engines.evolution.supervisor import Supervisor
from protocols.web.runs import RunsRoom
from tests.browser.evolutions import HOSTILE, made_up
from tests.protocols.web.rooms import Door, opened


@pytest_asyncio.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    made_up(tmp_path / "a")
    made_up(tmp_path / "b", generations=0)
    watch = RunWatcher(Bus(), [tmp_path], lambda game: experiment)
    await watch.look()
    supervisor = Supervisor(tmp_path / "b", ["false"])
    supervisor.last_words.append("not today")
    async with opened(
        RunsRoom(watch, {tmp_path / "b": supervisor}, lambda game: experiment).routes()
    ) as door:
        yield door


async def test_all_runs_are_listed(door: Door) -> None:
    _, told = await door.get("/api/runs")
    first, second = told["runs"]
    assert (first["name"], first["game"], first["generation"], first["status"]) == ("a", "corewar", 59, "")
    assert first["measures"]["viable newborn: share"] == 0.9
    assert (second["name"], second["generation"], second["status"]) == ("b", -1, "waiting")
    assert second["last_words"] == ["not today"]


async def test_an_account_has_curves_and_a_champion(door: Door) -> None:
    _, told = await door.get("/api/runs/a")
    assert told["seed"] == "1" and told["configuration"] == f"# {HOSTILE}\n"
    course = told["course"]
    assert course["generations"] == list(range(60)) and course["champion"] == 59
    assert all(len(curve) == 60 for curve in course["measures"].values())
    _, traits = await door.get("/api/runs/a/traits")
    assert "length: instructions" in traits["traits"]
    _, empty = await door.get("/api/runs/b")
    assert empty["course"] == {"generations": [], "seconds": 0.0, "measures": {}, "champion": None}
    assert (await door.get("/api/runs/b/traits"))[1] == {"generations": [], "traits": {}}


async def test_ancestors_and_genomes_can_be_read(door: Door) -> None:
    _, family = await door.get("/api/runs/a/lineage/5")
    assert [each["id"] for each in family["relatives"]] == [5, 3, 4, 2, 0, 1] and family["is_whole"]
    _, born = await door.get("/api/runs/a/individuals/5")
    assert born["parents"] == [3, 4] and HOSTILE in born["text"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/runs/none",
        "/api/runs/..%2Fa",
        "/api/runs/a/lineage/60",
        "/api/runs/a/lineage/-1",
        "/api/runs/a/lineage/" + "9" * 30,
        "/api/runs/a/individuals/x",
        "/api/runs/none/traits",
    ],
)
async def test_what_is_not_there_is_told(door: Door, path: str) -> None:
    status, told = await door.get(path)
    assert status == 404 and "no such run" in told["error"]


async def test_a_store_that_is_damaged_meanwhile_is_told_of(door: Door, tmp_path: Path) -> None:
    (tmp_path / "a" / RUN_FILE).write_bytes(b"nothing")
    status, told = await door.get("/api/runs/a")
    assert status == 503 and "damaged" in told["error"]
    (tmp_path / "a" / RUN_FILE).unlink()
    assert (await door.get("/api/runs/a/lineage/5"))[0] == 503
