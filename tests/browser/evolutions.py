"""Runs for the page: one that is made up and done, and one that a process evolves."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from core.random import Random
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.genome import WarriorGenome
from engines.corewar.evolution.variation import Mutation
from engines.evolution.population import Fitness, Generation, Individual, Measurement
from engines.evolution.run_store import RunStore
from tests.tools.test_evolve_corewar import SHORT

ROOT = Path(__file__).parents[2]
HOSTILE = "<img src=x onerror=alert(1)>"
CONFIG = SHORT.replace("sweeps a generation = 5", "sweeps a generation = 1")


def made_up(folder: Path, generations: int = 60) -> None:
    """A run of Core War whose warriors have a hostile name; each has the two before it as parents."""
    rng, mutation = Random(1), Mutation.of(TribesConfig())
    name = f";name {HOSTILE}\n"
    with RunStore.create(folder, game="corewar", config=f"# {HOSTILE}\n", seed=1, version="1") as store:
        for number in range(generations):
            warrior = WarriorGenome.loads(f";redcode\n{name};author nobody\nORG 0\nMOV.I $0, $1\nEND\n")
            for _ in range(number % 7):
                cells, _ = mutation.apply(warrior.cells, [False], rng)
                warrior = replace(warrior, cells=cells)
            parents = tuple(range(number)[-2:]) if number % 3 else tuple(range(number)[-1:])
            born = Individual(
                id=number, genome=warrior, parents=parents, generation=number, origin="mutation 1"
            )
            tribe = {"grade": 20 + number**0.5, "length": 4.0, "genotypes": 20, "codes": 15, "best": number}
            facts = {"tribes": [tribe], "tries": 20, "viable": 18}
            store.write(Generation(number=number, born=(born,), statistics=facts), "", "", 0.5)


def populous(folder: Path, generations: int, size: int, first: int = 0, seed: int = 1) -> None:
    """Write, or add to, a run of Core War in which the fittest half of a generation has all children of the next."""
    mutation = Mutation.of(TribesConfig())
    founder = WarriorGenome.loads(
        ";redcode\n;name x\n;author nobody\nORG 0\nMOV.I $0, $1\nADD.AB #4, $3\nEND\n"
    )
    with (
        RunStore.open(folder, writing=True)
        if first
        else RunStore.create(folder, game="corewar", config="", seed=seed, version="1")
    ) as store:
        for number in range(first, first + generations):
            rng, before = Random(number), (number - 1) * size
            newborn = []
            for id in range(number * size, number * size + size):
                parents = (
                    dict.fromkeys(before + int(rng.below(size // 2)) for _ in range(2)) if number else ()
                )
                genome = (
                    WarriorGenome.loads(store.individual(next(iter(parents))).genome) if parents else founder
                )
                cells, _ = mutation.apply(genome.cells, [False] * len(genome.cells), rng)
                newborn.append(
                    Individual(
                        id=id, genome=replace(genome, cells=cells), parents=tuple(parents), generation=number,
                        origin=("random", "mutation", "crossover")[len(parents)],
                    )
                )  # fmt: skip
            values = tuple(Fitness(id=each.id, value=number + rng.uniform(), games=5) for each in newborn)
            facts = {
                "tribes": [
                    {"grade": 20.0, "length": 4.0, "genotypes": 20, "codes": 15, "best": number * size}
                ]
            }
            fitness = Measurement(name="grade", values=values)
            store.write(
                Generation(number=number, born=tuple(newborn), statistics=facts, fitness=fitness), "", "", 0.5
            )


@asynccontextmanager
async def evolving(folder: Path, config: Path) -> AsyncIterator[None]:
    """A process evolves warriors in a new folder for as long as this lasts."""
    words = [
        "-m",
        "tools",
        "evolve",
        "corewar",
        str(config),
        "--run",
        str(folder),
        "--workers",
        "1",
        "--quiet",
    ]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, "--seed", "1", cwd=ROOT, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.kill()
        await process.wait()
