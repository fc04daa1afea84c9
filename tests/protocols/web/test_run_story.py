"""Stories, own figures and strengths of runs over HTTP: what they say, that they are kept, and what is refused."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

import protocols.web.run_story as run_story
from engines.config import RUN_FILE
from engines.events import Bus
from engines.evolution.run_watcher import RunWatcher
from engines.evolution.supervisor import Supervisors
from engines.worker_pool import Workers
from protocols.web.corewar import FightsApi
from protocols.web.run_story import RunStoryApi
from protocols.web.runs import RunsApi
from tests.browser.evolutions import made_up
from tests.protocols.web.support import Api, served
from tools.games import statistics_of


class CountingPool(Workers):
    """A pool that counts its tasks."""

    tasks = 0

    async def do(self, *arguments: object) -> object:  # type: ignore[override]
        self.tasks += 1
        return await super().do(*arguments)  # type: ignore[arg-type]


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[CountingPool]:
    async with CountingPool(1) as pool:
        yield pool


@pytest_asyncio.fixture
async def api(tmp_path: Path, pool: CountingPool) -> AsyncIterator[Api]:
    made_up(tmp_path / "a", generations=4)
    made_up(tmp_path / "empty", generations=0)
    watch = RunWatcher(Bus(), [tmp_path], statistics_of)
    await watch.scan()
    runs = RunsApi(watch, Supervisors(), statistics_of)
    async with served([*runs.routes(), *RunStoryApi(runs, FightsApi(pool), statistics_of).routes()]) as api:
        yield api


async def test_a_story_has_a_beginning_and_milestones(api: Api, pool: CountingPool) -> None:
    status, story = await api.get("/api/runs/a/story")
    assert status == 200 and story["expected"].startswith("The first champion is named in generation")
    assert story["milestones"][0]["generation"] == 0
    assert "still running at the end of a round" in story["milestones"][0]["text"]
    assert (await api.get("/api/runs/a/story"))[1] == story
    assert pool.tasks == 1, "the answer is kept until the run has another generation"


async def test_a_run_without_generations_says_what_to_expect(api: Api) -> None:
    _, story = await api.get("/api/runs/empty/story")
    assert story["beginning"] == "The run has not started yet." and story["milestones"] == []
    assert (await api.get("/api/runs/empty/portrait"))[1] == {}


async def test_the_own_figures_of_a_game_come_from_the_record(api: Api) -> None:
    _, portrait = await api.get("/api/runs/a/portrait")
    assert [niche[:2] for niche in portrait["niches"]] == [[number, number] for number in range(4)]
    assert all(processes >= 1 and 0 <= part <= 1 for _, _, processes, part in portrait["niches"])


async def test_champions_are_measured_once_and_then_listed(api: Api, pool: CountingPool) -> None:
    assert (await api.get("/api/runs/a/strength"))[1] == {"points": []}
    status, point = await api.post("/api/runs/a/strength?generation=2")
    assert status == 200
    assert (point["generation"], point["individual"]) == (2, 2)
    assert point["low"] <= point["value"] <= point["high"] and "bundled warriors" in point["against"]
    assert (await api.post("/api/runs/a/strength?generation=2"))[1] == point
    assert (await api.get("/api/runs/a/strength"))[1] == {"points": [point]}
    assert pool.tasks == 1


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [("", 400, "must be a number"), ("?generation=x", 400, "must be"), ("?generation=4", 404, "its last one is 3")],
)  # fmt: skip
async def test_requests_for_no_generation_are_refused(api: Api, query: str, status: int, words: str) -> None:
    answer = await api.post(f"/api/runs/a/strength{query}")
    assert answer[0] == status and words in answer[1]["error"]
    assert (await api.get("/api/runs/none/story"))[0] == 404


async def test_a_damaged_run_is_reported_in_words(api: Api, tmp_path: Path) -> None:
    (tmp_path / "a" / RUN_FILE).write_bytes(b"nothing")
    assert "the run cannot be read" in (await api.get("/api/runs/a/story"))[1]["refused"]


async def test_too_many_waiting_requests_are_refused(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_story, "MAX_PER_ADDRESS", 0)
    status, refused = await api.get("/api/runs/a/story")
    assert status == 429 and "try again" in refused["error"]
