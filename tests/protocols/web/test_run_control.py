"""Control of runs over HTTP: starting, queueing, pausing, resuming, forking and deleting, and its refusals."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engines.config import RUN_FILE
from engines.corewar.evolution import experiment
from engines.events import Bus
from engines.evolution.run_store import RunStore
from engines.evolution.run_watcher import RunWatcher
from engines.evolution.supervisor import Supervisors
from engines.storage import hold
from protocols.web.run_control import (
    QUEUE_FILE,
    Configuration,
    ForkForm,
    ForkOfRun,
    NewRun,
    RunControl,
    RunStarter,
    delete_run,
)
from protocols.web.runs import RunsApi
from tests.browser.evolutions import made_up
from tests.protocols.web.support import Api, served
from tests.waiting import PATIENCE_SECONDS

LONG, SHORT = "import time; time.sleep(60)", "pass"
SOUP = Configuration(
    config="corewar/soup", game="corewar", name="soup", about="Warriors", shows_soon=True, keys=()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Controlled:
    """An API whose runs are made up, and whose processes do nothing but what a script says."""

    api: Api
    control: RunControl
    watcher: RunWatcher
    asked: list[Any] = field(default_factory=list)  # what the starter was asked for

    async def runs(self) -> dict[str, dict[str, Any]]:
        """The runs by name, as they are now."""
        await self.watcher.scan()
        self.control.advance()
        return {run["name"]: run for run in (await self.api.get("/api/runs"))[1]["runs"]}

    async def until(self, name: str, status: str, action: str) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                run = (await self.runs()).get(name, {})
                if (run.get("status"), run.get("action")) == (status, action):
                    return
                await asyncio.sleep(0.02)

    async def queue(self) -> list[str]:
        await self.watcher.scan()
        waiting: list[str] = (await self.api.get("/api/runs"))[1]["queue"]
        return waiting

    async def post(self, path: str, data: dict[str, Any] | bytes = b"") -> tuple[int, Any]:
        return await self.api.post(f"/api/runs{path}", data)

    async def start(self) -> tuple[int, Any]:
        return await self.post("", {"config": "corewar/soup"})


def made_folder(path: Path) -> None:
    path.mkdir(exist_ok=True)


@asynccontextmanager
async def controlled(
    home: Path, script: str = LONG, *, is_allowed: bool = True, is_finished: bool = False
) -> AsyncIterator[Controlled]:
    asked: list[Any] = []

    def create(folder: Path, wanted: NewRun) -> None:
        if "kept" in wanted.settings:
            raise ValueError("kept must be 0 to 1, not '2'")
        made_up(folder, generations=2)
        if is_finished:
            with RunStore.open(folder, writing=True) as store:
                store.set_finished(is_finished=True)

    def fork(source: Path, folder: Path, wanted: ForkOfRun) -> None:
        asked.append((source.name, wanted.generation, wanted.seed))
        made_up(folder, generations=1)

    def command(folder: Path, hours: float) -> Sequence[str]:
        asked.append((folder.name, hours))
        return [sys.executable, "-c", script]

    made_folder(home)
    watcher = RunWatcher(Bus(), [home], lambda game: experiment)
    starter = RunStarter(
        is_allowed=lambda address: is_allowed,
        home=home,
        hours=0.5,
        configurations=lambda: [SOUP],
        create=create,
        fork_form=lambda folder: ForkForm(last=1, recorded=(), keys=()),
        fork=fork,
        command=command,
    )
    async with Supervisors() as supervisors:
        control = RunControl(watcher, supervisors, starter)
        api = RunsApi(watcher, supervisors, lambda game: experiment, control)
        async with served([*api.routes(), *control.routes()]) as client:
            yield Controlled(api=client, control=control, watcher=watcher, asked=asked)


async def test_a_run_can_be_started_paused_and_resumed(tmp_path: Path) -> None:
    async with controlled(tmp_path / "home") as runs:
        _, shown = await runs.api.get("/api/runs")
        assert (shown["configs"], shown["folder"]) == (["corewar/soup"], str(tmp_path / "home"))
        _, offered = await runs.api.get("/api/configurations")
        assert offered["configurations"][0]["about"] == "Warriors" and offered["hours"] == 0.5
        assert await runs.post("", {"config": "corewar/soup", "hours": 3}) == (200, {"run": "soup"})
        await runs.until("soup", "evolving", "stop")
        assert (await runs.post("/soup/resume"))[0] == 409
        assert await runs.post("/soup/stop") == (200, {"run": "soup"})
        await runs.until("soup", "stopped", "resume")
        assert (await runs.post("/soup/stop"))[0] == 200, "it is paused already"
        assert (await runs.post("/soup/resume"))[0] == 200
        await runs.until("soup", "evolving", "stop")
        assert runs.asked == [("soup", 3), ("soup", 3)], "for the time that was named"


async def test_runs_evolve_one_after_another(tmp_path: Path) -> None:
    async with controlled(tmp_path / "home") as runs:
        for name in ("soup", "soup-2", "soup-3", "soup-4"):
            assert await runs.start() == (200, {"run": name})
        await runs.until("soup", "evolving", "stop")
        assert await runs.queue() == ["soup-2", "soup-3", "soup-4"]
        await runs.until("soup-2", "queued", "stop")
        shown = await runs.runs()
        assert shown["soup-2"]["actions"] == ["fork", "delete"]
        assert shown["soup-3"]["actions"] == ["first", "fork", "delete"]
        assert (await runs.post("/soup-4/first"))[0] == 200
        assert (await runs.post("/soup-2/stop"))[0] == 200, "removes it from the queue"
        assert await runs.queue() == ["soup-4", "soup-3"]
        assert (await runs.post("/soup-2/first"))[0] == 409
        assert (await runs.post("/soup/stop"))[0] == 200
        await runs.until("soup-4", "evolving", "stop")
        assert await runs.queue() == ["soup-3"]
        assert [name for name, _ in runs.asked] == ["soup", "soup-4"]


async def test_the_queue_survives_the_server(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with controlled(home) as runs:
        for _ in range(3):
            await runs.start()
        await runs.until("soup", "evolving", "stop")
    async with controlled(home) as runs:
        await runs.until("soup", "evolving", "stop")
        assert await runs.queue() == ["soup-2", "soup-3"]


async def test_a_finished_run_leaves_the_queue_and_cannot_be_resumed(tmp_path: Path) -> None:
    async with controlled(tmp_path / "home", SHORT, is_finished=True) as runs:
        await runs.start()
        await runs.until("soup", "finished", "")
        assert (await runs.post("/soup/resume"))[0] == 409
        assert json.loads((tmp_path / "home" / QUEUE_FILE).read_bytes()) == {"runs": []}


async def test_a_run_whose_time_is_over_is_paused(tmp_path: Path) -> None:
    async with controlled(tmp_path / "home", SHORT) as runs:
        await runs.start()
        await runs.until("soup", "stopped", "resume")


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"runs":[{"folder":"../elsewhere","hours":1}]}', '{"runs":[{"folder":"soup"}]}', "[" * 9000],
)
async def test_a_damaged_queue_is_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / QUEUE_FILE).write_text(text)
    made_up(tmp_path / "elsewhere", generations=1)
    async with controlled(tmp_path / "home") as runs:
        runs.control.advance()
        assert not runs.asked and await runs.queue() == []


async def test_a_run_is_forked_into_a_new_run(tmp_path: Path) -> None:
    async with controlled(tmp_path / "home") as runs:
        await runs.start()
        await runs.until("soup", "evolving", "stop")
        assert (await runs.api.get("/api/runs/soup/fork"))[1] == {"last": 1, "recorded": [], "keys": []}
        assert await runs.post("/soup/fork", {"generation": 1, "seed": "9"}) == (200, {"run": "soup-fork"})
        assert ("soup", 1, "9") in runs.asked and await runs.queue() == ["soup-fork"]


# -- Deleting --------------------------------------------------------------------------------------


async def test_a_run_that_no_other_process_writes_can_be_deleted(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with controlled(home) as runs:
        for _ in range(3):
            await runs.start()
        await runs.until("soup", "evolving", "stop")
        await runs.until("soup-2", "queued", "stop")
        assert (await runs.post("/soup-2/delete"))[0] == 200
        assert not (home / "soup-2").exists() and await runs.queue() == ["soup-3"]
        assert (await runs.post("/soup/delete"))[0] == 200, "it is stopped first"
        assert not (home / "soup").exists()
        assert await runs.start() == (200, {"run": "soup"})
        await runs.until("soup", "queued", "stop")
        await runs.until("soup-3", "evolving", "stop")
        await runs.post("/soup-3/delete")
        await runs.until("soup", "evolving", "stop")
        await runs.post("/soup/stop")
        await runs.until("soup", "stopped", "resume")
        with hold(home / "soup"):
            assert (await runs.post("/soup/delete"))[0] == 409, "another process writes it"
        assert (await runs.post("/soup/delete"))[0] == 200
        assert "soup" not in await runs.runs()
        assert (await runs.post("/soup/delete"))[0] == 404


def test_nothing_outside_the_folder_of_the_runs_is_deleted(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in ("home/inside/run", "elsewhere/run"):
        made_up(tmp_path / name, generations=1)
    (home / "link").symlink_to(tmp_path / "elsewhere")
    (home / "inside/run/out").symlink_to(tmp_path / "elsewhere")
    for folder in (
        home,
        tmp_path / "elsewhere/run",
        home / "link/run",
        home / "../elsewhere/run",
        home / "inside",
    ):
        with pytest.raises(ValueError, match="no run"):
            delete_run(home, folder)
    delete_run(home, home / "inside/run")
    assert not (home / "inside/run").exists()
    assert (tmp_path / "elsewhere/run" / RUN_FILE).exists()


# -- Refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"config":1}',
        b'{"config":"corewar/soup","run":"x"}',
        b'{"config":"corewar/soup","seed":"-1"}',
        b'{"config":"corewar/soup","hours":0}',
        b'{"config":"corewar/soup","settings":{"kept":' + b'"' + b"9" * 300 + b'"}}',
        b"\xff",
        b"[" * 9000,
    ],
)
async def test_requests_that_are_not_valid_are_refused(tmp_path: Path, body: bytes) -> None:
    async with controlled(tmp_path / "home") as runs:
        assert (await runs.post("", body))[0] == 400
        assert not runs.asked


async def test_wrong_values_and_unknown_configurations_are_explained(tmp_path: Path) -> None:
    async with controlled(tmp_path / "home") as runs:
        status, refused = await runs.post("", {"config": "../../etc/passwd"})
        assert status == 404 and "there is corewar/soup" in refused["error"]
        status, refused = await runs.post("", {"config": "corewar/soup", "settings": {"kept": "2"}})
        assert (status, refused["error"]) == (400, "kept must be 0 to 1, not '2'")
        assert not runs.asked and not await runs.runs()


async def test_clients_without_permission_cannot_control_runs(tmp_path: Path) -> None:
    made_up(tmp_path / "home" / "a", generations=2)
    async with controlled(tmp_path / "home", is_allowed=False) as runs:
        shown = (await runs.runs())["a"]
        assert (shown["action"], shown["actions"]) == ("", [])
        _, shown = await runs.api.get("/api/runs")
        assert (shown["configs"], shown["folder"]) == ([], "")
        for path in ("", "/a/stop", "/a/resume", "/a/first", "/a/fork", "/a/delete"):
            assert (await runs.post(path, {"config": "corewar/soup"}))[0] == 403, path
        for path in ("/api/configurations", "/api/runs/a/fork"):
            assert (await runs.api.get(path))[0] == 403, path
        assert not runs.asked and (tmp_path / "home" / "a").exists()
