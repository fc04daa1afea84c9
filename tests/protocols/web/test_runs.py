"""Runs on the page: their states and curves, ancestors, genomes, and what is wrong with a request or a store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from engines.config import RUN_FILE
from engines.corewar.evolution import experiment
from engines.events import Bus, RunProgress
from engines.evolution.run_history import GameStatistics, RunHistory
from engines.evolution.run_watcher import RunWatcher
from engines.evolution.supervisor import Supervisor
from protocols.web.runs import RunsApi
from tests.browser.evolutions import HOSTILE, made_up
from tests.protocols.web.support import Api, served


@pytest_asyncio.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    made_up(tmp_path / "a")
    made_up(tmp_path / "b", generations=0)
    watch = RunWatcher(Bus(), [tmp_path], lambda game: experiment)
    await watch.look()
    supervisor = Supervisor(tmp_path / "b", ["false"])
    supervisor.last_words.append("not today")
    async with served(RunsApi(watch, {tmp_path / "b": supervisor}, lambda game: experiment).routes()) as api:
        yield api


async def test_all_runs_are_listed(api: Api) -> None:
    _, shown = await api.get("/api/runs")
    first, second = shown["runs"]
    assert (first["name"], first["game"], first["generation"], first["status"]) == ("a", "corewar", 59, "")
    assert first["measures"]["viable newborn: share"] == 0.9
    assert (second["name"], second["generation"], second["status"]) == ("b", -1, "waiting")
    assert second["last_words"] == ["not today"]


async def test_progress_is_published_when_it_changes(tmp_path: Path) -> None:
    bus = Bus()
    made_up(tmp_path / "a", generations=1)
    watcher = RunWatcher(Bus(), [tmp_path], lambda game: experiment)
    supervisor = Supervisor(tmp_path / "a", ["false"])
    api = RunsApi(watcher, {tmp_path / "a": supervisor}, lambda game: experiment)
    for status in ("waiting", "evolving", "evolving"):
        supervisor.status = status
        await watcher.look()
        api.publish_progress(bus)
    (tmp_path / "a" / RUN_FILE).unlink()
    await watcher.look()
    api.publish_progress(bus)
    news = [event.news for event in bus.history(0) if event.topic == "run/a/progress"]
    assert news == [RunProgress(run="a", status=status) for status in ("waiting", "evolving", "gone")]


async def test_a_run_has_curves_and_a_champion(api: Api) -> None:
    _, shown = await api.get("/api/runs/a")
    assert shown["seed"] == "1" and shown["configuration"] == f"# {HOSTILE}\n"
    course = shown["course"]
    assert course["generations"] == list(range(60)) and course["champion"] == 59
    assert all(len(curve) == 60 for curve in course["measures"].values())
    _, traits = await api.get("/api/runs/a/traits")
    assert "length: instructions" in traits["traits"]
    _, empty = await api.get("/api/runs/b")
    assert empty["course"] == {"generations": [], "seconds": 0.0, "measures": {}, "champion": None}
    assert (await api.get("/api/runs/b/traits"))[1] == {"generations": [], "traits": {}}


async def test_ancestors_and_genomes_can_be_read(api: Api) -> None:
    _, family = await api.get("/api/runs/a/lineage/5")
    assert [each["id"] for each in family["relatives"]] == [5, 3, 4, 2, 0, 1] and family["is_whole"]
    _, born = await api.get("/api/runs/a/individuals/5")
    assert born["parents"] == [3, 4] and HOSTILE in born["text"]


async def test_what_is_not_there(api: Api) -> None:
    for path in (
        "none", "..%2Fa", "a/lineage/60", "a/lineage/-1", "a/lineage/" + "9" * 30, "a/individuals/x", "none/traits"
    ):  # fmt: skip
        status, answer = await api.get(f"/api/runs/{path}")
        assert status == 404 and "no such run" in answer["error"], path


async def test_a_store_that_is_damaged_meanwhile(api: Api, tmp_path: Path) -> None:
    (tmp_path / "a" / RUN_FILE).write_bytes(b"nothing")
    status, shown = await api.get("/api/runs/a")
    assert status == 503 and "damaged" in shown["error"]
    (tmp_path / "a" / RUN_FILE).unlink()
    assert (await api.get("/api/runs/a/lineage/5"))[0] == 503


@pytest.mark.parametrize("fault", [ValueError, KeyError, OSError])
async def test_a_fault_of_the_program_is_none_of_the_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    def broken(*_: object) -> GameStatistics:
        raise fault("ours")

    monkeypatch.setattr(RunHistory, "ancestors", broken)

    made_up(tmp_path / "a", generations=1)
    watcher = RunWatcher(Bus(), [tmp_path], lambda game: experiment)
    await watcher.look()
    async with served(RunsApi(watcher, {}, broken).routes()) as api:
        for path in ("/api/runs/a", "/api/runs/a/traits", "/api/runs/a/lineage/0"):
            assert await api.get(path) == (500, {"error": "that went wrong here"})
    assert len([record for record in caplog.records if "ours" in record.getMessage()]) == 3
