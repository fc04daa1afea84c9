"""Runs of any game's evolution for tests: begun in a folder, and gone on with for so many generations."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engines.evolution.run import Experiment, GenerationRecorded, evolve
from engines.evolution.run_store import RunStore
from engines.worker_pool import WorkerPool


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Of one game, with the two functions that its experiment has."""

    game: str
    open_experiment: Callable[[RunStore], Experiment]
    seed_in: Callable[[str], int]

    async def gone_on(
        self, folder: Path, config: str, generations: int, crew: WorkerPool
    ) -> list[GenerationRecorded]:
        """So many generations more of the run in that folder, which is begun if it is not there."""
        heard: list[GenerationRecorded] = []
        with self._opened(folder, config) as store:
            async for progress in evolve(self.open_experiment(store), crew, store):
                heard.append(progress)
                if len(heard) == generations:
                    break
        return heard

    def _opened(self, folder: Path, config: str) -> RunStore:
        if folder.exists():
            return RunStore.open(folder, writing=True)
        return RunStore.create(
            folder, game=self.game, config=config, seed=self.seed_in(config), version="test"
        )
