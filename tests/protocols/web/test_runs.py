"""Runs on the page: their states and curves, ancestors, genomes, and what is wrong with a request or a store."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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
from protocols.web.runs import RunsApi, RunStarter
from tests.browser.evolutions import HOSTILE, made_up
from tests.protocols.web.support import Api, served
from tests.waiting import PATIENCE_SECONDS


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
    assert (await api.get("/api/runs/a/lineage/5"))[0] == 503


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


# -- Runs that the page begins


@asynccontextmanager
async def starting(
    tmp_path: Path, script: str, *, is_allowed: bool = True
) -> AsyncIterator[tuple[Api, RunWatcher, list[tuple[Path, str]]]]:
    """An API that begins runs below `home`; each is a made-up one, and a process that does what the script says."""
    asked: list[tuple[Path, str]] = []

    def command(folder: Path, config: str) -> list[str]:
        asked.append((folder, config))
        if not folder.exists():
            made_up(folder, generations=2)
        return [sys.executable, "-c", script]

    (tmp_path / "home").mkdir()
    watcher = RunWatcher(Bus(), [tmp_path], lambda game: experiment)
    starter = RunStarter(
        is_allowed=lambda address: is_allowed,
        configs=("corewar/soup",),
        home=tmp_path / "home",
        command=command,
    )
    async with Supervisors() as supervisors:
        api = RunsApi(watcher, supervisors, lambda game: experiment, starter)
        async with served(api.routes()) as client:
            yield client, watcher, asked


async def until_seen(api: Api, watcher: RunWatcher, action: str) -> dict[str, str]:
    """The actions of all runs, once that of one is as given."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            await watcher.scan()
            _, shown = await api.get("/api/runs")
            actions = {run["name"]: run["action"] for run in shown["runs"]}
            if action in actions.values():
                return actions
            await asyncio.sleep(0.02)


async def test_a_run_can_be_started_stopped_and_resumed(tmp_path: Path) -> None:
    made_up(tmp_path / "elsewhere", generations=1)
    async with starting(tmp_path, "import time; time.sleep(60)") as (api, watcher, asked):
        assert (await api.get("/api/runs"))[1]["configs"] == ["corewar/soup"]
        assert await api.post("/api/runs", {"config": "corewar/soup"}) == (200, {"run": "soup"})
        assert await until_seen(api, watcher, "stop") == {"home.soup": "stop", "elsewhere": ""}
        status, refused = await api.post("/api/runs", {"config": "corewar/soup"})
        assert status == 409 and refused["error"] == "one run at a time; stop soup first"
        assert (await api.post("/api/runs/home.soup/resume"))[0] == 409
        assert (await api.post("/api/runs/home.soup/stop"))[0] == 200
        assert await until_seen(api, watcher, "resume") == {"home.soup": "resume", "elsewhere": ""}
        assert (await api.post("/api/runs/elsewhere/resume"))[0] == 409
        assert (await api.post("/api/runs/elsewhere/stop"))[0] == 409
        assert (await api.post("/api/runs/home.soup/resume"))[0] == 200
        await until_seen(api, watcher, "stop")
        assert (await api.post("/api/runs/home.soup/stop"))[0] == 200
        assert await api.post("/api/runs", {"config": "corewar/soup"}) == (200, {"run": "soup-2"})
        await until_seen(api, watcher, "stop")
        home = tmp_path / "home"
        assert asked == [
            (home / "soup", "corewar/soup"),
            (home / "soup", ""),
            (home / "soup-2", "corewar/soup"),
        ]


async def test_a_finished_run_can_be_resumed(tmp_path: Path) -> None:
    async with starting(tmp_path, "pass") as (api, watcher, _):
        assert (await api.post("/api/runs", {"config": "corewar/soup"}))[0] == 200
        assert await until_seen(api, watcher, "resume") == {"home.soup": "resume"}
        assert (await api.get("/api/runs"))[1]["runs"][0]["status"] == "finished"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"config":1}', b'{"config":"corewar/soup","run":"x"}', b"\xff", b"[" * 9000]
)
async def test_requests_for_unknown_configurations_are_refused(tmp_path: Path, body: bytes) -> None:
    async with starting(tmp_path, "pass") as (api, _, asked):
        assert (await api.post("/api/runs", body))[0] == 400
        status, refused = await api.post("/api/runs", {"config": "../../etc/passwd"})
        assert status == 404 and "there is corewar/soup" in refused["error"]
        assert not asked


async def test_clients_without_permission_cannot_start_stop_or_resume_runs(tmp_path: Path) -> None:
    made_up(tmp_path / "a", generations=1)
    async with starting(tmp_path, "pass", is_allowed=False) as (api, watcher, asked):
        await watcher.scan()
        _, shown = await api.get("/api/runs")
        assert shown["configs"] == [] and shown["runs"][0]["action"] == ""
        for path in ("", "/a/stop", "/a/resume"):
            assert (await api.post(f"/api/runs{path}", {"config": "corewar/soup"}))[0] == 403
        assert not asked


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
