"""A run of programs or of nets, put together from its record: population, games, files, and what people read."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from engines.acquire.genome import Genome
from engines.acquire.league.archipelago import Archipelago
from engines.acquire.league.config import LEAGUE, LeagueConfig
from engines.acquire.league.league import League
from engines.acquire.league.report import LeagueReport
from engines.acquire.net_genome import NetGenome
from engines.acquire.nets.config import NET, NetConfig
from engines.acquire.nets.evolution import NetEvolution
from engines.acquire.nets.report import NetReport
from engines.acquire.programs.config import ProgramsConfig
from engines.acquire.programs.programs import Programs
from engines.acquire.programs.report import ProgramsReport
from engines.config import folded
from engines.evolution.population import Genome as AnyGenome
from engines.evolution.population import Individual
from engines.evolution.run import ChampionFile, Experiment
from engines.evolution.run_store import RunStore

G = TypeVar("G", bound=AnyGenome)

RUNS: Final = Path(__file__).with_name("runs")
EVOLVES: Final = re.compile(r"^\s*evolve\s*=([^#\n]*)", re.MULTILINE | re.IGNORECASE)
CHAMPION: Final = "champion.lisp"  # in the run's folder


def seed_in(config: str) -> int:
    """The seed that a configuration names. ValueError if it cannot be used, with line and key."""
    return configured(config).seed


def open_experiment(store: RunStore) -> Experiment:
    """The run as the store has it, ready to go on."""
    config = configured(store.config)
    population: Programs | League | Archipelago | NetEvolution
    report: ProgramsReport | LeagueReport | NetReport
    match config:
        case NetConfig():
            population = NetEvolution(config, store.seed, _past(store, NetGenome.loads))
            report = NetReport(config)
        case LeagueConfig():
            kind = League if config.islands == 1 else Archipelago
            population = kind(config, store.seed, _past(store, Genome.loads))
            report = LeagueReport(config)
        case ProgramsConfig():
            population = Programs(config, store.seed, _past(store, Genome.loads))
            report = ProgramsReport(config)
    if store.state:
        population.resume(store.state)
    return Experiment(
        population=population,
        play=play,
        journal=ChampionFile(store, CHAMPION),
        report=lambda generation: report.text(generation.statistics),
        preload=(__name__,),
        generations=config.generations,
    )


def configured(text: str) -> ProgramsConfig | LeagueConfig | NetConfig:
    """Which of them is meant is said by what evolves. ConfigError names line, key, and what was read."""
    evolves = EVOLVES.search(text)
    kind = folded(evolves[1]) if evolves else ""
    if kind == NET:
        return NetConfig.loads(text)
    return LeagueConfig.loads(text) if kind == LEAGUE else ProgramsConfig.loads(text)


class Played(Protocol):
    """A task, whatever evolves: a value that can be pickled."""

    def play(self) -> Any: ...


def play(task: Played) -> Any:
    """What came of a task: a pure function, for workers."""
    return task.play()


def _past(store: RunStore, loads: Callable[[str], G]) -> Callable[[int], Individual[G]]:
    """Who is on record, by its ID."""

    def past(id: int) -> Individual[G]:
        born = store.individual(id)
        return Individual(
            id=id,
            genome=loads(born.genome),
            parents=born.parents,
            generation=born.generation,
            origin=born.origin,
        )

    return past
