"""Runs as watchers follow them, while other processes write, damage, move and remove them."""

import asyncio
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from engines.config import RUN_FILE
from engines.events import Bus, Generation
from engines.evolution.population import Generation as Step
from engines.evolution.run_store import RunStore
from engines.evolution.run_watcher import MAX_PUBLISHED_GENERATIONS, RunWatcher, found_runs, topic_of
from tests.toy import Bests, write_run
from tests.waiting import PATIENCE_SECONDS


def watching(*folders: Path) -> tuple[RunWatcher, Bus]:
    bus = Bus()
    return RunWatcher(bus, folders, lambda game: Bests()), bus


def told(bus: Bus) -> list[int]:
    return [event.news.generation for event in bus.history(0) if isinstance(event.news, Generation)]


async def test_new_generations_are_published_as_they_come(tmp_path: Path) -> None:
    write_run(tmp_path / "a", 30)
    watch, bus = watching(tmp_path)
    await watch.scan()
    assert told(bus) == [29], "of what was there before only the last"
    write_run(tmp_path / "a", 3)
    await watch.scan()
    assert told(bus) == [29, 30, 31, 32]
    await watch.scan()
    assert len(told(bus)) == 4, "nothing new"
    (state,) = bus.states()
    assert state.topic == "run/a/generation" == topic_of("a")
    assert isinstance(state.news, Generation) and state.news.measures == {"fitness: best": 3.2}
    assert watch.runs["a"].generation == 32 and watch.runs["a"].seconds == 16.5


async def test_only_the_last_of_many_new_generations_are_published(tmp_path: Path) -> None:
    write_run(tmp_path / "a", 1)
    watch, bus = watching(tmp_path)
    await watch.scan()
    write_run(tmp_path / "a", 100)
    await watch.scan()
    assert told(bus) == [0, *range(101 - MAX_PUBLISHED_GENERATIONS, 101)]


async def test_a_store_appears_later_and_vanishes(tmp_path: Path) -> None:
    watch, bus = watching(tmp_path / "runs")
    await watch.scan()
    assert not watch.runs
    write_run(tmp_path / "runs" / "deep" / "er", 0)
    await watch.scan()
    assert watch.runs["deep.er"].generation == -1 and not told(bus)
    write_run(tmp_path / "runs" / "deep" / "er", 2)
    await watch.scan()
    assert told(bus) == [0, 1]
    shutil.rmtree(tmp_path / "runs")
    await watch.scan()
    assert not watch.runs and not bus.states()


async def test_a_run_that_replaces_another_is_noticed(tmp_path: Path) -> None:
    write_run(tmp_path / "a", 5)
    watch, bus = watching(tmp_path)
    await watch.scan()
    before = watch.runs["a"].hash
    shutil.rmtree(tmp_path / "a")
    write_run(tmp_path / "a", 8, seed=8)
    await watch.scan()
    assert told(bus) == [4, 7] and watch.runs["a"].hash != before


@pytest.mark.parametrize("text", [b"", b"no database at all", b"SQLite format 3\0" + bytes(3000)])
async def test_a_damaged_run_is_reported_and_does_not_affect_others(tmp_path: Path, text: bytes) -> None:
    write_run(tmp_path / "a", 5)
    write_run(tmp_path / "b", 5)
    watch, _ = watching(tmp_path)
    await watch.scan()
    whole = (tmp_path / "a" / RUN_FILE).read_bytes()
    (tmp_path / "a" / RUN_FILE).write_bytes(text)
    write_run(tmp_path / "b", 1)
    await watch.scan()
    assert "damaged" in watch.runs["a"].error and watch.runs["a"].generation == 4
    assert watch.runs["b"].generation == 5
    (tmp_path / "a" / RUN_FILE).write_bytes(whole)
    await watch.scan()
    assert not watch.runs["a"].error


async def test_a_store_is_read_while_it_is_written(tmp_path: Path) -> None:
    """By another process, which is killed in the middle of it."""
    code = (
        "from pathlib import Path; from tests.toy import write_run;"
        f"write_run(Path({str(tmp_path / 'a')!r}), 100_000)"
    )
    watch, bus = watching(tmp_path)
    root = Path(__file__).parents[3]
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, cwd=root)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(told(bus)) < 30:
            await watch.scan()
            assert not any(run.error for run in watch.runs.values())
    process.kill()
    await process.wait()
    await watch.scan()
    numbers = told(bus)
    assert numbers == sorted(set(numbers))
    with RunStore.open(tmp_path / "a") as store:
        assert numbers[-1] == store.count("generation") - 1
    assert not (tmp_path / "a" / f"{RUN_FILE}-wal").exists(), "watchers leave nothing behind"


async def test_watchers_write_nothing(tmp_path: Path) -> None:
    write_run(tmp_path / "a", 2)
    with RunStore.open(tmp_path / "a") as store, pytest.raises(sqlite3.OperationalError, match="readonly"):
        store.write(Step(number=2, statistics={}), "state", "", 0.5)


def test_runs_of_the_same_name_get_different_ids(tmp_path: Path) -> None:
    for path in ("x/a b", "x/a=b", "y/a_b"):
        write_run(tmp_path / path, 0)
    found = found_runs([tmp_path / "x", tmp_path / "y", tmp_path / "y" / "a_b"])
    assert found == {
        "a_b": tmp_path / "x" / "a b",
        "a_b-2": tmp_path / "x" / "a=b",
        "a_b-3": tmp_path / "y" / "a_b",
    }
