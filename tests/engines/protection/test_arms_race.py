"""The arms race: whole on record, examined against what never changes, and better than the random founders."""

import json
from pathlib import Path
from statistics import fmean

import pytest

from core.protection.rules import CHAOS, HUMAN
from core.random import Random
from engines.config import ConfigError
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import RunStore
from engines.evolution.state import load_state
from engines.protection import experiment
from engines.protection.arms_race import ArmsRaceState, evenly_spread, loads_genome
from engines.protection.arms_race_config import ArmsRaceConfig
from engines.protection.arms_race_report import finding, measures, report
from engines.protection.bouts import BOT_YARDSTICKS, BoutBatch, Examination, string_yardsticks
from engines.protection.defender import Defender
from engines.protection.genome import Genome
from tests.engines.protection.runs import ARMS_RACE, gone_on
from tests.toy import InlinePool

CONFIG = ArmsRaceConfig.loads(ARMS_RACE)
DEFENDER, STRING = Defender.random(Random(1)), Genome.random(Random(2))


async def test_a_run_records_bouts_champions_and_examinations(tmp_path: Path) -> None:
    recorded = await gone_on(tmp_path / "run", ARMS_RACE, 10, InlinePool())
    founders, *others = [each.generation for each in recorded]
    assert len(founders.born) == 2 * CONFIG.population
    for generation in others:
        assert len(generation.born) == 2 * (CONFIG.population - CONFIG.elite)
        assert len(generation.contests) == 2 * CONFIG.population * CONFIG.opponents
        assert all(sum(contest.returns) == pytest.approx(1) for contest in generation.contests)
        assert generation.fitness and len(generation.fitness.values) == 2 * CONFIG.population
    facts = [json.loads(json.dumps(each.statistics)) for each in others]
    examined = [each["examined"] for each in facts if "examined" in each]
    assert [each["generation"] for each in examined] == [0, 4, 8]
    assert [generation for generation, _ in examined[-1]["ancestors"]["string"]] == [0, 4, 8]
    assert set(examined[0]["panel"]["defender"]) == set(string_yardsticks())
    assert set(examined[0]["panel"]["string"]) == set(BOT_YARDSTICKS)
    with RunStore.open(tmp_path / "run") as store:
        assert RunHistory(store).champion(experiment) == examined[-1]["champion"]
        for name, key in (("defender.apd", "champion"), ("string.aps", "string")):
            text = (tmp_path / "run" / name).read_text()
            assert text == store.individual(examined[-1][key]).genome
    text = report(CONFIG, facts[-1], examined[-1])
    assert "earlier strings" in text and "earlier defenders" in text
    assert len(measures(facts[-1])) > len(measures(facts[-2])) == 6
    measured = experiment.measure(ARMS_RACE, DEFENDER.dumps(), 1)
    assert measured.games == len(string_yardsticks()) * experiment.REFERENCE_GAMES


async def test_defenders_learn_to_beat_the_random_ones(tmp_path: Path) -> None:
    """The standings of founders and of the last generation, measured against strings that neither has met."""
    config = ARMS_RACE.replace("population = 6", "population = 16").replace("turns = 2", "turns = 1")
    config += "seed = 3\n"
    config = config.replace("examination interval = 4", "examination interval = 50")
    recorded = await gone_on(tmp_path / "run", config, 16, InlinePool())
    founders = [each.genome for each in recorded[0].generation.born[:16]]
    with RunStore.open(tmp_path / "run") as store:
        state = load_state(store.state, ArmsRaceState)
        assert state
        best = loads_genome(store.individual(state.defenders.living[0]).genome)
    strings = tuple(string_yardsticks().values())

    def share(defender: Defender) -> float:
        batches = (
            BoutBatch(defender=defender, strings=strings, rules="improved", turns=1, seed=seed)
            for seed in range(2)
        )
        return fmean(value for batch in batches for value in batch.play())

    assert isinstance(best, Defender)
    assert share(best) > fmean(map(share, founders)) + 0.05


# -- Bouts and examinations ------------------------------------------------------------------------


def test_bouts_on_one_map_do_not_depend_on_each_other() -> None:
    others = tuple(Genome.random(Random(seed)) for seed in range(3))
    batch = BoutBatch(defender=DEFENDER, strings=(STRING, *others), rules="improved", turns=2, seed=5)
    alone = BoutBatch(defender=DEFENDER, strings=(STRING,), rules="improved", turns=2, seed=5)
    assert batch.play()[:1] == alone.play() and all(0 <= share <= 1 for share in batch.play())


def test_both_sides_count_the_same_games() -> None:
    human, chaos = (
        Examination(
            user=DEFENDER, string=STRING, rules="improved", games=4, turns=4, seed=1, side=side
        ).play()
        for side in (HUMAN, CHAOS)
    )
    assert human == chaos[::-1] and sum(human) == 4


def test_the_bundled_champions_beat_random_opponents() -> None:
    folder = Path(experiment.__file__).with_name("bots")
    defender, string = (
        loads_genome((folder / f"arms-race.{suffix}").read_text()) for suffix in ("apd", "aps")
    )
    for user, other, side in ((defender, STRING, HUMAN), (DEFENDER, string, CHAOS)):
        assert isinstance(user, Defender) and isinstance(other, Genome)
        test = Examination(user=user, string=other, rules="improved", games=6, turns=60, seed=1, side=side)
        assert test.play()[2] >= 5


def test_yardsticks_are_fixed_and_different() -> None:
    strings = string_yardsticks()
    assert len(set(strings.values())) == len(strings) == 16
    assert string_yardsticks() is strings


# -- The finding -----------------------------------------------------------------------------------

WON, LOST = [0, 0, 10], [10, 0, 0]


@pytest.mark.parametrize(
    ("earlier", "panel", "first", "found"),
    [
        ([LOST, LOST, WON, WON], [2, 0, 38], 0.2, "a cycle"),
        ([WON, WON, WON, WON], [2, 0, 38], 0.2, "progress"),
        ([WON, WON], [30, 0, 10], 0.9, "decline"),
        ([WON, WON], [20, 0, 20], 0.5, "neither"),
        ([WON], [2, 0, 38], 0.2, "progress"),
    ],
)
def test_cycles_are_told_from_progress(
    earlier: list[list[int]], panel: list[int], first: float, found: str
) -> None:
    met = [(number, tally) for number, tally in enumerate([*earlier, WON])]
    examined = {"panel": {"string": {"all": panel}}, "ancestors": {"string": met}, "first": {"string": first}}
    assert finding(examined, "string").startswith(found)


# -- Texts and configurations ----------------------------------------------------------------------


def test_a_genome_is_read_by_its_side() -> None:
    for genome in (DEFENDER, STRING):
        assert loads_genome(f"# a comment\n{genome.dumps()}") == genome
    with pytest.raises(ValueError):
        loads_genome("")


def test_the_configuration_is_told_by_its_kind() -> None:
    assert experiment.seed_in("evolve = arms race\nseed = 7\n") == 7
    with pytest.raises(ConfigError, match="line 1: the only value of evolve is arms race"):
        experiment.seed_in("evolve = peace\n")
    with pytest.raises(ConfigError, match="elite must be less than the population"):
        experiment.seed_in("evolve = arms race\npopulation = 8\nelite = 8\n")
    with pytest.raises(ConfigError, match="maps must be at most"):
        experiment.seed_in("evolve = arms race\nopponents = 3\n")


def test_earlier_champions_are_spread_evenly() -> None:
    assert evenly_spread(range(5), 20) == [0, 1, 2, 3, 4]
    assert evenly_spread(range(100), 4) == [0, 33, 66, 99]
