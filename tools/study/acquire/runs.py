"""Runs of programs as a study reads them: what each generation said, its best, and the champion."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from core.random import Random
from engines.acquire.genome import Genome
from engines.acquire.programs.config import KEYS, ProgramsConfig
from engines.acquire.registry import PlayerSpec
from engines.evolution.population import derive_seed
from engines.evolution.run_store import RunStore
from engines.evolution.selection import shuffled

GAME: Final = "acquire"
SAMPLE: Final = 20  # of those born in a generation


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run. Generations are those that have played, from 0 on."""

    folder: str
    config: ProgramsConfig
    seed: int
    hash: str
    games: int
    generations: Sequence[Mapping[str, Any]]  # statistics
    bests: Sequence[Genome]  # of each generation, by its games there
    champion: tuple[int, Genome] | None  # the last that was tested anew, and its generation
    samples: Mapping[int, Sequence[Genome]]  # some of those born in the first, the middle, the last one

    @classmethod
    def read(cls, folder: Path) -> Self:
        """ValueError if there is no run, or one in which nobody has played."""
        with RunStore.open(folder) as store:
            if store.game != GAME:
                raise ValueError(f"{folder} holds a run of {store.game}, not of {GAME}")
            try:
                config = ProgramsConfig.loads(store.config)
            except ValueError as error:
                raise ValueError(f"{folder} is no run that can be studied: {error}") from None
            past = [each.statistics for each in store.generations() if each.statistics]
            if not past:
                raise ValueError(f"{folder}: no generation has played yet")

            def genome(id: int) -> Genome:
                return Genome.loads(store.individual(id).genome)

            examined = [each["examined"] for each in past if "examined" in each]
            last = len(past) - 1
            return cls(
                folder=str(folder),
                config=replace(config, seed=store.seed),
                seed=store.seed,
                hash=store.hash,
                games=store.count("contest"),
                generations=past,
                bests=[genome(each["best"]["id"]) for each in past],
                champion=(examined[-1]["evaluated"], genome(examined[-1]["champion"])) if examined else None,
                samples={
                    number: [genome(id) for id in _some(store, number)] for number in {0, last // 2, last}
                },
            )

    def entrant(self, genome: Genome, name: str) -> PlayerSpec:
        """A player of this run as it played there."""
        if self.config.other_decision == "same tree":
            genome = Genome(place=genome.place or genome.buy, buy=genome.buy or genome.place)
        return PlayerSpec(name=name, genome=genome, options=self.config.conduct)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Runs that differ in nothing but the seed, under a name that tells them from the others of a study."""

    name: str
    runs: tuple[Run, ...]

    @property
    def config(self) -> ProgramsConfig:
        return self.runs[0].config

    @property
    def length(self) -> int:
        """Generations that all runs have."""
        return min(len(run.generations) for run in self.runs)

    @property
    def slug(self) -> str:
        """For the names of files."""
        words = "".join(letter if letter.isalnum() else " " for letter in self.name).split()
        return "-".join(words)


def grouped(runs: Sequence[Run]) -> list[Group]:
    """In the order of their first runs. ValueError for a run that is there twice."""
    by_config: dict[ProgramsConfig, list[Run]] = {}
    for run in runs:
        by_config.setdefault(replace(run.config, seed=0), []).append(run)
    for same in by_config.values():
        seeds = {run.seed: run.folder for run in same}
        if len(seeds) < len(same):
            raise ValueError(
                f"{same[0].folder}: two runs of one configuration have one seed: they are one run"
            )
    varied = [key for key in KEYS if len({getattr(config, key.field) for config in by_config}) > 1]
    return [
        Group(
            name=", ".join(f"{key.name} {key.write(getattr(config, key.field))}" for key in varied)
            or f"evolve {config.evolve}",
            runs=tuple(same),
        )
        for config, same in by_config.items()
    ]


def _some(store: RunStore, generation: int) -> list[int]:
    """IDs of some of those who were born in a generation; IDs are in the order of birth."""
    ids = store.ids()
    first, end = (
        bisect_left(ids, number, key=lambda id: store.individual(id).generation)
        for number in (generation, generation + 1)
    )
    return shuffled(ids[first:end], Random(derive_seed(store.seed, generation)))[:SAMPLE]
