"""Benchmark of an evolution as it is: games an hour on two workers, and what the record costs."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from engines.chess.gene_pool.experiment import open_experiment, seed_in
from engines.run.executor import processes
from engines.run.run import Progress, evolve
from engines.run.store import Store
from tools.bench.row import Row

WORKERS: Final = 2
NODES: Final = 2000  # a move
WARMING: Final = 1  # generations: the founders; the workers start in the first games
GENERATIONS: Final = 7
CONFIG: Final = f"""
maximum simultaneous games = {WORKERS}
gene pool population = 16
gene pool count = 2
draw kill probability = 0.05
pool swap interval = 24
minimum game time = 60
maximum game time = 60
game time increment = 0
gene pool file = pool.txt
search = strong
nodes per move = {NODES}
founder = handset
"""


def games() -> Iterator[Row]:
    """Games of `handset` and its descendants; the signature is the run's hash."""
    with TemporaryDirectory() as folder:
        run = asyncio.run(_run(Path(folder) / "run"))
    run = run[WARMING:]
    played = sum(len(progress.generation.contests) for progress in run)
    seconds = sum(progress.seconds for progress in run)
    bookkeeping = sum(progress.bookkeeping for progress in run)
    plies = sum(contest.length for progress in run for contest in progress.generation.contests)
    yield Row(
        name=f"evolution, {NODES} nodes a move",
        figure=played / seconds * 3600,
        unit="games/h",
        signature=run[-1].hash[:8],
        note=f"{WORKERS} workers, {plies / played:.0f} plies a game",
    )
    yield Row(name="store and bookkeeping", figure=100 * bookkeeping / seconds, unit="% of time")


async def _run(folder: Path) -> list[Progress]:
    with Store.create(folder, game="chess", config=CONFIG, seed=seed_in(CONFIG), version="bench") as store:
        experiment = open_experiment(store)
        done: list[Progress] = []
        async with processes(WORKERS, experiment.preload) as crew:
            async for progress in evolve(experiment, crew, store):
                done.append(progress)
                if progress.generation.number == GENERATIONS:
                    return done
    raise AssertionError("an evolution does not end by itself")
