"""Runs of Acquire that tests begin, stop and go on with."""

from pathlib import Path

from engines.acquire.experiment import open_experiment, seed_in
from engines.executor import Crew
from engines.run import Progress, evolve
from engines.store import Store


def opened(folder: Path, config: str) -> Store:
    if folder.exists():
        return Store.open(folder, writing=True)
    return Store.create(folder, game="acquire", config=config, seed=seed_in(config), version="test")


async def gone_on(folder: Path, config: str, generations: int, crew: Crew) -> list[Progress]:
    """So many generations more."""
    heard: list[Progress] = []
    with opened(folder, config) as store:
        async for progress in evolve(open_experiment(store), crew, store):
            heard.append(progress)
            if len(heard) == generations:
                break
    return heard
