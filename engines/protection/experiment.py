"""Runs of Advanced Protection: opening an evolution of strings from its record, its strength, and its curves."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, Final

from engines.evolution.generational import ExaminationReport
from engines.evolution.run import ChampionFile, Experiment
from engines.evolution.run_store import RunStore
from engines.evolution.state import load_state
from engines.protection.ga import FreshTest, GaPopulation, GaState, TrialBatch, report
from engines.protection.ga_config import GaConfig
from engines.protection.genome import MINIONS, Genome
from engines.protection.pool import bundled_pool
from engines.statistics import mean
from engines.strength import Strength

RUNS: Final = Path(__file__).with_name("runs")
REFERENCE_TESTS: Final = 200
CHAMPION: Final = "champion.aps"  # in the run's folder


def seed_in(config: str) -> int:
    """Return the seed of a configuration.

    Raises ValueError, which names line and key, or OSError if the configuration cannot be used.
    """
    read = GaConfig.loads(config)
    read.target()
    read.founder_genomes()
    return read.seed


def has_games(config: str) -> bool:
    """Return whether the generations of a run have games on record; in this game they always have."""
    return True


def open_experiment(store: RunStore) -> Experiment:
    """Return the run in a store, ready to continue."""
    config = GaConfig.loads(store.config)
    records = (contest.record for _, contest in store.contests())
    population = GaPopulation(config, store.seed, load_state(store.state, GaState), records)
    return Experiment(
        population=population,
        play=play,
        journal=ChampionFile(store, CHAMPION),
        report=ExaminationReport(partial(report, config)),
        preload=(__name__,),
        is_over=lambda: population.is_over,
    )


def commands(store: RunStore, id: int) -> list[str]:
    """Return the command that shows a string of a run."""
    return [f"galapagos genome show {quote(str(store.folder))} {id}"]


def measure(config: str, genome: str, seed: int) -> Strength:
    """Return by how many points of rating a string beats the bundled pool's starter on the run's arrangement."""
    loaded, pool = GaConfig.loads(config), bundled_pool()
    ratings = []
    for string in (Genome.loads(genome).code, pool.entries[pool.starter].genome.code):
        ratings.append(
            FreshTest(target=loaded.target(), string=string, tests=REFERENCE_TESTS, seed=seed).play()
        )
    gains = [float(other - own) for own, other in zip(*ratings, strict=True)]  # low ratings are good
    return Strength(
        estimate=mean(gains),
        form="+,.1f",
        games=REFERENCE_TESTS,
        unit="tests",
        against="rating points relative to the starter string of the bundled pool (above 0: better)",
    )


def play(task: TrialBatch | FreshTest) -> list[int]:
    """Return the result of a task: a pure function, for worker processes."""
    return task.play()


# -- The curves of a run: performances (the lower the better), and the preferences of strings --------------


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers of one generation by name, "CHART: CURVE"."""
    found = {
        f"performance in the population: {name}": float(statistics[name])
        for name in ("best", "mean", "worst")
        if name in statistics
    }
    if "converged" in statistics:
        found["bits on which the population agrees: bits"] = statistics["converged"]
    for minion, preference in zip(MINIONS, statistics.get("preferences", ()), strict=False):
        found[f"preferences of the best: {minion}"] = preference
    if "examined" in statistics:
        found["performance of the champion in fresh tests: mean"] = statistics["examined"]["mean"]
    return found


def champion(record: Sequence[Mapping[str, Any]], state: str) -> int | None:
    """Return the ID of the champion of the last examination, or of the best string so far if there was none.

    None is returned before the first trials.
    """
    for key, field in (("examined", "champion"), ("best_ever", "id")):
        for statistics in reversed(record):
            if key in statistics:
                return int(statistics[key][field])
    return None


def traits(text: str) -> dict[str, float]:
    """Return the preferences of a string by name."""
    preferences = Genome.loads(text).preferences
    return {f"preference: {name}": float(each) for name, each in zip(MINIONS, preferences, strict=True)}
