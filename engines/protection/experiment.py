"""Runs of Advanced Protection, of strings or of an arms race: opened from their record; their strength and curves."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, Final

from core.protection.rules import DRONE
from engines.config import ConfigError, evolves
from engines.evolution.generational import ExaminationReport
from engines.evolution.run import ChampionFile, Experiment, individual_loader
from engines.evolution.run_store import RunStore
from engines.evolution.state import load_state
from engines.protection import arms_race_report
from engines.protection.arms_race import ArmsRace, ArmsRaceState, loads_genome
from engines.protection.arms_race_config import ARMS_RACE, ArmsRaceConfig
from engines.protection.bouts import BoutBatch, Examination, total, yardstick_tests
from engines.protection.defender import KINDS, Defender
from engines.protection.ga import FreshTest, GaPopulation, GaState, TrialBatch, report
from engines.protection.ga_config import GaConfig
from engines.protection.genome import MINIONS, Genome
from engines.protection.pool import bundled_pool
from engines.protection.story import CHARTS as CHARTS
from engines.protection.story import portrait as portrait
from engines.protection.story import story as story
from engines.statistics import mean, score
from engines.strength import Strength

RUNS: Final = Path(__file__).with_name("runs")
REFERENCE_TESTS: Final = 200
REFERENCE_GAMES: Final = 5  # of an individual of an arms race, against each yardstick
CHAMPION: Final = "champion.aps"  # in the folder of a run of strings
DEFENDER: Final = "defender.apd"  # in the folder of an arms race, with STRING
STRING: Final = "string.aps"


def seed_in(config: str) -> int:
    """Return the seed of a configuration.

    Raises ValueError, which names line and key, or OSError if the configuration cannot be used.
    """
    read = configured(config)
    if isinstance(read, GaConfig):
        read.target()
        read.founder_genomes()
    return read.seed


def configured(text: str) -> GaConfig | ArmsRaceConfig:
    """Return the configuration of a text: with `evolve = arms race` that of an arms race, else that of strings.

    Raises ConfigError with line, key and the text that was read.
    """
    if evolves(text) == ARMS_RACE:
        return ArmsRaceConfig.loads(text)
    try:
        return GaConfig.loads(text)
    except ConfigError as error:
        if error.key != "evolve":
            raise
        reason = f"the only value of evolve is {ARMS_RACE}; without this key, strings are evolved"
        raise ConfigError(reason, key=error.key, line=error.line) from None


def has_games(config: str) -> bool:
    """Return whether the generations of a run have games on record; in this game they always have."""
    return True


def open_experiment(store: RunStore) -> Experiment:
    """Return the run in a store, ready to continue."""
    config = configured(store.config)
    if isinstance(config, ArmsRaceConfig):
        return Experiment(
            population=ArmsRace(
                config,
                store.seed,
                individual_loader(store, loads_genome),
                load_state(store.state, ArmsRaceState),
            ),
            play=play,
            journal=ChampionFile(store, DEFENDER, {"string": STRING}),
            report=ExaminationReport(partial(arms_race_report.report, config)),
            preload=(__name__,),
            generations=config.generations,
        )
    records = (contest.record for _, contest in store.contests())
    past = [(each.generation, GaConfig.loads(each.config), each.seed) for each in store.precursors]
    population = GaPopulation(config, store.seed, load_state(store.state, GaState), records, past)
    return Experiment(
        population=population,
        play=play,
        journal=ChampionFile(store, CHAMPION),
        report=ExaminationReport(partial(report, config)),
        preload=(__name__,),
        is_over=lambda: population.is_over,
    )


def commands(store: RunStore, id: int) -> list[str]:
    """Return the command that shows a string or a defender of a run."""
    return [f"galapagos genome show {quote(str(store.folder))} {id}"]


def measure(config: str, genome: str, seed: int) -> Strength:
    """Measure a genome against the reference of its run.

    For a string, this is by how many points of rating it beats the bundled pool's starter on the run's arrangement.
    For an individual of an arms race, this is its share of the points in whole games against the yardsticks.
    """
    loaded = configured(config)
    if isinstance(loaded, ArmsRaceConfig):
        return _yardstick_score(loaded.rules, loads_genome(genome), seed)
    pool = bundled_pool()
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


def _yardstick_score(rules: str, genome: Defender | Genome, seed: int) -> Strength:
    found = total(test.play() for test in yardstick_tests(genome, rules, REFERENCE_GAMES, seed).values())
    return Strength(
        estimate=score(found),
        form=".1%",
        games=sum(found),
        against="of the points against the yardsticks of its side",
    )


def play(task: TrialBatch | FreshTest | BoutBatch | Examination) -> Any:
    """Return the result of a task: a pure function, for worker processes."""
    return task.play()


# -- The curves of a run: performances of strings (the lower the better), or scores of both sides; traits ---


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers of one generation by name, "CHART: CURVE"."""
    if "fitness" in statistics:
        return arms_race_report.measures(statistics)
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

    The champion of an arms race is its defender.

    None is returned before the first trials.
    """
    for key, field in (("examined", "champion"), ("best_ever", "id")):
        for statistics in reversed(record):
            if key in statistics:
                return int(statistics[key][field])
    return None


def traits(text: str) -> dict[str, float]:
    """Return the preferences of a string, or the wants of a defender, by name."""
    genome = loads_genome(text)
    if isinstance(genome, Defender):
        return {
            f"want of a defender: {kind}": float(genome.want(unit)) for unit, kind in enumerate(KINDS, DRONE)
        }
    preferences = genome.preferences
    return {f"preference: {name}": float(each) for name, each in zip(MINIONS, preferences, strict=True)}
