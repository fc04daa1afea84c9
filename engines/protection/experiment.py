"""A run of strings, put together from its record: population, trials, files, and what people read."""

from pathlib import Path
from typing import Final

from engines.evolution.run import ChampionFile, Experiment
from engines.evolution.run_store import RunStore
from engines.protection.bit_strings.bit_strings import BitStrings
from engines.protection.bit_strings.config import BitStringsConfig
from engines.protection.bit_strings.report import BitStringsReport
from engines.protection.bit_strings.target import Batch, Examination

RUNS: Final = Path(__file__).with_name("runs")
CHAMPION: Final = "champion.aps"  # in the run's folder


def seed_in(config: str) -> int:
    """The seed that a configuration names. ValueError or OSError if it cannot be used, with line and key."""
    read = BitStringsConfig.loads(config)
    read.target()
    read.founding()
    return read.seed


def open_experiment(store: RunStore) -> Experiment:
    """The run as the store has it, ready to go on."""
    config = BitStringsConfig.loads(store.config)
    population, report = BitStrings(config, store.seed), BitStringsReport(config)
    if store.state:
        population.resume(store.state, (contest.record for _, contest in store.contests()))
    return Experiment(
        population=population,
        play=play,
        journal=ChampionFile(store, CHAMPION),
        report=lambda generation: report.text(generation.statistics),
        preload=(__name__,),
        is_over=lambda: population.is_over,
    )


def play(task: Batch | Examination) -> list[int]:
    """What came of a task: a pure function, for workers."""
    return task.play()
