"""A run of programs, put together from its record: population, games, files, and what people read."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engines.acquire.genome import Genome
from engines.acquire.league.config import LEAGUE, LeagueConfig
from engines.acquire.league.league import League
from engines.acquire.league.league import Task as LeagueTask
from engines.acquire.league.report import LeagueReport
from engines.acquire.programs.config import ProgramsConfig
from engines.acquire.programs.programs import Born, Programs, Task
from engines.acquire.programs.report import ProgramsReport
from engines.evolution import Generation, Individual
from engines.run import Experiment
from engines.store import Store

RUNS: Final = Path(__file__).with_name("runs")
OF_LEAGUE: Final = re.compile(rf"^\s*evolve\s*=\s*{LEAGUE}", re.MULTILINE | re.IGNORECASE)
CHAMPION: Final = "champion.lisp"  # in the run's folder


def seed_in(config: str) -> int:
    """The seed that a configuration names. ValueError if it cannot be used, with line and key."""
    return configured(config).seed


def open_experiment(store: Store) -> Experiment:
    """The run as the store has it, ready to go on."""
    config = configured(store.config)

    def past(id: int) -> Born:
        born = store.individual(id)
        return Individual(
            id=id,
            genome=Genome.loads(born.genome),
            parents=born.parents,
            generation=born.generation,
            origin=born.origin,
        )

    population: Programs | League
    report: ProgramsReport | LeagueReport
    if isinstance(config, LeagueConfig):
        population, report = League(config, store.seed, past), LeagueReport(config)
    else:
        population, report = Programs(config, store.seed, past), ProgramsReport(config)
    if store.state:
        population.resume(store.state)
    return Experiment(
        population=population,
        play=play,
        journal=_Journal(store),
        report=lambda generation: report.text(generation.statistics),
        preload=(__name__,),
        generations=config.generations,
    )


def configured(text: str) -> ProgramsConfig | LeagueConfig:
    """Which of the two is meant is said by what evolves. ConfigError names line, key, and what was read."""
    return LeagueConfig.loads(text) if OF_LEAGUE.search(text) else ProgramsConfig.loads(text)


def play(task: Task | LeagueTask) -> Any:
    """What came of a task: a pure function, for workers."""
    return task.play()


@dataclass(frozen=True, slots=True)
class _Journal:
    """The last champion as a file. It is no part of the record, so there is nothing to cut back."""

    store: Store

    def rewind(self, mark: str) -> None:
        """Whatever is there is replaced in time."""

    def append(self, generation: Generation[Genome]) -> str:
        if "examined" in generation.statistics:
            champion = generation.statistics["examined"]["champion"]
            path = self.store.folder / CHAMPION
            unfinished = path.with_name(f".{CHAMPION}.tmp")
            unfinished.write_text(self.store.individual(champion).genome, encoding="utf-8")
            unfinished.replace(path)
        return ""
