"""A run: generations recorded one after the other, first in the exports, then in the store."""

import asyncio
import threading
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.evolution.population import Generation
from engines.evolution.run import GenerationRecorded, RunExporter, evolve
from engines.evolution.run_store import RunStore, StoreError
from engines.worker_pool import WorkerPool, Workers
from tests.fifth_game.tictactoe import evolution
from tests.waiting import PATIENCE_SECONDS, until

CONFIG = "size = 4\nseed = 3\n"


class Diary(RunExporter):
    """Exports to one text file, which can be full."""

    def __init__(self, path: Path, most: int = 1_000_000) -> None:
        self.path = path
        self.most = most

    def truncate_to(self, checkpoint: str) -> None:
        text = self.path.read_text() if self.path.exists() else ""
        if len(text) < int(checkpoint or 0):
            raise ValueError("the diary has lost its end")
        self.path.write_text(text[: int(checkpoint or 0)])

    def append(self, generation: Generation[Any]) -> str:
        text = self.path.read_text() + f"{generation.number}: {len(generation.born)} born\n"
        self.path.write_text(text)
        if len(text) > self.most:
            raise OSError("the diary is full")
        return str(len(text))


def store_in(folder: Path) -> RunStore:
    if folder.exists():
        return RunStore.open(folder, writing=True)
    return RunStore.create(folder, game="tic-tac-toe", config=CONFIG, seed=3, version="0")


async def gone_on(
    folder: Path, journal: RunExporter, generations: int, pool: WorkerPool
) -> list[GenerationRecorded]:
    with store_in(folder) as store:
        experiment = replace(evolution.open_experiment(store), journal=journal)
        progress = []
        async with aclosing(evolve(experiment, pool, store)) as generations_recorded:
            async for each in generations_recorded:
                progress.append(each)
                assert each.hash == store.hash, "it is on record when it is told"
                if len(progress) == generations:
                    break
    return progress


async def test_generations_follow_each_other(tmp_path: Path) -> None:
    async with Workers(1) as pool:
        progress = await gone_on(tmp_path / "run", Diary(tmp_path / "diary"), 5, pool)
    assert [each.generation.number for each in progress] == list(range(5))
    assert all(0 <= each.bookkeeping <= each.seconds for each in progress)
    with RunStore.open(tmp_path / "run") as store:
        assert [past.hash for past in store.generations()] == [each.hash for each in progress]
        assert store.checkpoint == str((tmp_path / "diary").stat().st_size)
    assert (tmp_path / "diary").read_text().startswith("0: 4 born\n1: ")


async def test_an_interrupted_run_ends_like_an_uninterrupted_run(tmp_path: Path) -> None:
    """Also where the exports had come further than the store, and where a failure came between."""
    whole, parts = Diary(tmp_path / "whole"), Diary(tmp_path / "parts")
    async with Workers(2) as pool:
        expected = await gone_on(tmp_path / "run", whole, 9, pool)
        await gone_on(tmp_path / "other", parts, 3, pool)
        parts.path.write_text(parts.path.read_text() + "torn")
        await gone_on(tmp_path / "other", parts, 2, pool)
        with pytest.raises(OSError, match="full"):
            await gone_on(
                tmp_path / "other", Diary(parts.path, most=len(parts.path.read_text()) + 20), 9, pool
            )
        with RunStore.open(tmp_path / "other") as store:
            done = store.count("generation")
        assert 5 < done < 9 and parts.path.read_text().count("born") == done + 1
        progress = await gone_on(tmp_path / "other", parts, 9 - done, pool)
    assert progress[-1].hash == expected[-1].hash
    assert parts.path.read_text() == whole.path.read_text()


async def test_exports_that_have_lost_their_end_stop_the_run(tmp_path: Path) -> None:
    diary = Diary(tmp_path / "diary")
    async with Workers(1) as pool:
        await gone_on(tmp_path / "run", diary, 2, pool)
        diary.path.write_text("0")
        with pytest.raises(StoreError, match="the diary has lost its end"):
            await gone_on(tmp_path / "run", diary, 1, pool)
    assert diary.path.read_text() == "0", "nothing was changed"


async def test_a_cancelled_run_leaves_whole_generations(tmp_path: Path) -> None:
    async with Workers(1) as pool:
        diary = Diary(tmp_path / "diary")
        task = asyncio.create_task(gone_on(tmp_path / "run", diary, 10**9, pool))
        await until(lambda: diary.path.exists() and diary.path.read_text().count("\n") >= 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with RunStore.open(tmp_path / "run") as store:
            done = store.count("generation")
            assert done > 2
        again = await gone_on(tmp_path / "run", Diary(tmp_path / "diary"), 1, pool)
        assert again[0].generation.number == done


async def test_cancelling_a_run_waits_for_the_generation_being_written(tmp_path: Path) -> None:
    """SQLite does not survive that its connection is closed while another thread writes."""
    begun, go_on = threading.Event(), threading.Event()

    class Slow(Diary):
        def append(self, generation: Generation[Any]) -> str:
            begun.set()
            assert go_on.wait(PATIENCE_SECONDS)
            return super().append(generation)

    async with Workers(1) as pool:
        task = asyncio.create_task(gone_on(tmp_path / "run", Slow(tmp_path / "diary"), 10**9, pool))
        assert await asyncio.to_thread(begun.wait, 10)
        for _ in range(3):  # impatient
            task.cancel()
            await asyncio.sleep(0.01)
        assert not task.done()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        with RunStore.open(tmp_path / "run") as store:
            assert store.count("generation") == 1
