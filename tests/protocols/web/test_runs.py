"""Runs on the page: their states and curves, ancestors, genomes, and what is wrong with a request or a store."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from engines.config import RUN_FILE
from engines.corewar.evolution import experiment
from engines.events import Bus, RunProgress
from engines.evolution.run_history import GameStatistics, RunHistory
from engines.evolution.run_store import RunStore
from engines.evolution.run_watcher import RunWatcher
from engines.evolution.supervisor import Supervisor, Supervisors
from engines.storage import hold
from protocols.web.runs import RunsApi
from tests.browser.evolutions import HOSTILE, made_up
from tests.protocols.web.support import Api, served


@pytest_asyncio.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    made_up(tmp_path / "a")
    made_up(tmp_path / "b", generations=0)
    watch = RunWatcher(Bus(), [tmp_path], lambda game: experiment)
    await watch.scan()
    async with (
        Supervisors() as supervisors,
        served(RunsApi(watch, supervisors, lambda game: experiment).routes()) as api,
    ):
        supervisors.keep(Supervisor(tmp_path / "b", lambda: ["sleep", "60"]))
        supervisors[tmp_path / "b"].last_words.append("not today")
        yield api


async def test_all_runs_are_listed(api: Api) -> None:
    _, shown = await api.get("/api/runs")
    first, second = shown["runs"]
    assert (first["name"], first["game"], first["generation"], first["status"]) == ("a", "corewar", 59, "")
    assert first["measures"]["viable newborn: share"] == 0.9
    assert (second["name"], second["generation"]) == ("b", -1)
    assert second["status"] in ("waiting", "evolving")
    assert second["last_words"] == ["not today"]


async def test_progress_is_published_when_it_changes(tmp_path: Path) -> None:
    """That a run has stopped, once the watcher has seen it: who looks then finds that it can go on."""
    bus = Bus()
    made_up(tmp_path / "a", generations=1)
    watcher = RunWatcher(Bus(), [tmp_path], lambda game: experiment)

    def has_published(*statuses: str) -> bool:
        news = [event.news for event in bus.history(0) if event.topic == "run/a/progress"]
        return news == [RunProgress(run="a", status=status) for status in statuses]

    async with Supervisors() as supervisors:
        api = RunsApi(watcher, supervisors, lambda game: experiment)
        supervisor = Supervisor(tmp_path / "a", lambda: ["sleep", "60"])
        await watcher.scan()
        api.publish_progress(bus)
        supervisors.keep(supervisor)
        while supervisor.status != "evolving":  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        api.publish_progress(bus)
        with hold(tmp_path / "a"):
            await watcher.scan()
            api.publish_progress(bus)
        await supervisors.stop(tmp_path / "a")
        api.publish_progress(bus)
        assert has_published("", "evolving")
        await watcher.scan()
        api.publish_progress(bus)
        assert has_published("", "evolving", "stopped")
        (tmp_path / "a" / RUN_FILE).unlink()
        await watcher.scan()
        api.publish_progress(bus)
    assert has_published("", "evolving", "stopped", "gone")


async def test_a_run_has_curves_and_a_champion(api: Api) -> None:
    _, shown = await api.get("/api/runs/a")
    assert shown["seed"] == "1" and shown["configuration"] == f"# {HOSTILE}\n"
    course = shown["course"]
    assert course["generations"] == list(range(60)) and course["champion"] == 59
    assert all(len(curve) == 60 for curve in course["measures"].values())
    assert shown["champion_born"] == 59
    assert (
        shown["charts"][0]["title"] == "Strength against fixed opponents"
        and shown["charts"][0]["is_yardstick"]
    )
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


async def test_requests_for_missing_runs_and_individuals_answer_404(api: Api) -> None:
    for path in (
        "none", "..%2Fa", "a/lineage/60", "a/lineage/-1", "a/lineage/" + "9" * 30, "a/individuals/x", "none/traits"
    ):  # fmt: skip
        status, answer = await api.get(f"/api/runs/{path}")
        assert status == 404 and "no such run" in answer["error"], path


async def test_a_run_whose_store_is_damaged_is_answered_with_503(api: Api, tmp_path: Path) -> None:
    (tmp_path / "a" / RUN_FILE).write_bytes(b"nothing")
    status, shown = await api.get("/api/runs/a")
    assert status == 503 and "damaged" in shown["error"]
    (tmp_path / "a" / RUN_FILE).unlink()
    assert (await api.get("/api/runs/a/lineage/5"))[0] == 404, "it has been deleted"


@pytest.mark.parametrize("fault", [ValueError, KeyError, OSError])
async def test_errors_in_reading_a_run_are_answered_with_503_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    def broken(*_: object) -> GameStatistics:
        raise fault("ours")

    monkeypatch.setattr(RunHistory, "ancestors", broken)

    made_up(tmp_path / "a", generations=1)
    watcher = RunWatcher(Bus(), [tmp_path], lambda game: experiment)
    await watcher.scan()
    async with served(RunsApi(watcher, Supervisors(), broken).routes()) as api:
        for path in ("/api/runs/a", "/api/runs/a/traits", "/api/runs/a/lineage/0"):
            status, shown = await api.get(path)
            assert status == 503 and "ours" in shown["error"]
    assert len([record for record in caplog.records if "ours" in record.getMessage()]) == 3


async def test_the_preset_that_matches_the_configuration_of_a_run_is_shown(tmp_path: Path) -> None:
    configs = {
        "tiny": (experiment.RUNS / "tiny.txt").read_text(),
        "seed": (experiment.RUNS / "seed.txt").read_text(),
        "odd": "core size = 801\n",
        "unknown": "nothing = 1\n",
    }
    for name, config in configs.items():
        RunStore.create(tmp_path / name, game="corewar", config=config, seed=1, version="1").close()
    watcher = RunWatcher(Bus(), [tmp_path], lambda game: experiment)
    await watcher.scan()
    async with served(RunsApi(watcher, Supervisors(), lambda game: experiment).routes()) as api:
        rules = {name: (await api.get(f"/api/runs/{name}"))[1]["rules"] for name in configs}
    assert rules == {"tiny": "tiny", "seed": "94nop", "odd": "", "unknown": ""}
