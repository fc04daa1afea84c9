"""Strings under GENESIS: what is on record, the elite, the window, trials, ends, and runs that find what is there."""

from pathlib import Path
from typing import Any

import pytest

from core.protection.policy import STRING_BYTES
from core.random import Random
from engines.evolution.population import Generation
from engines.evolution.run_store import RunStore
from engines.protection.experiment import CHAMPION, open_experiment
from engines.protection.ga import GaPopulation, Genesis, TrialBatch, packed, unpacked
from engines.protection.ga_config import GaConfig
from engines.protection.genome import BITS, Genome
from engines.protection.pool import handwritten
from tests.core import genesis_reference
from tests.core.genesis_reference import Structure
from tests.engines.protection.runs import GA, gone_on
from tests.toy import InlinePool

# Everybody has one child, unchanged, and is tried again.
STILL = GaConfig(
    population=4,
    trials=100,
    saved=2,
    candidates=1,
    selection="rank",
    least_share=1.0,
    mutation=1e-6,
    crossover=0.0,
    re_evaluate="yes",
    examination_interval=1000,
)


def rows(population: GaPopulation) -> list[bytes]:
    (batch,) = population.tasks()
    assert isinstance(batch, TrialBatch)
    return [
        batch.strings[start : start + STRING_BYTES] for start in range(0, len(batch.strings), STRING_BYTES)
    ]


def played(population: GaPopulation, performances: dict[bytes, int]) -> Generation[Genome]:
    return population.step([[performances[row] for row in rows(population)]])


def test_a_string_that_returns_to_the_elite_is_recorded_once() -> None:
    population = GaPopulation(STILL, 1)
    assert population.step([]) == Generation(number=0)
    a, b, c, d = rows(population)
    records = []
    born = []
    for performances in ({a: 0, b: 1, c: 2, d: 3}, {a: 0, b: 1, c: -5, d: 3}, {a: 0, b: -9, c: 2, d: 3}):
        generation = played(population, performances)
        born.append([(each.id, each.genome.code) for each in generation.born])
        records.append(generation.contests[0].record)
    assert born == [[(0, a), (1, b)], [(2, c)], []]
    assert generation.statistics["best_ever"] == {"id": 1, "performance": -9}
    again = GaPopulation(STILL, 1, population.state, records)
    assert again.tasks() == population.tasks()
    assert again.state == population.state


async def test_a_run_records_trials_champion_and_examination(tmp_path: Path) -> None:
    recorded = await gone_on(tmp_path / "run", GA, 1000, InlinePool())
    *generations, last = recorded[1:]
    assert [each.generation.statistics["trials"] for each in generations][:1] == [300]
    assert sum(each.generation.statistics["tried"] for each in generations) >= 3000
    examined = last.generation.statistics["examined"]
    with RunStore.open(tmp_path / "run") as store:
        ids = store.ids()
        assert ids == list(range(len(ids)))
        champion = Genome.loads(store.individual(examined["champion"]).genome)
        records = [contest for _, contest in store.contests()]
        assert len(records) == len(generations)
        assert [contest.length for contest in records] == [len(unpacked(each.record)) for each in records]
        report = open_experiment(store).report
        for progress in recorded:
            assert report(progress.generation)
    assert Genome.loads((tmp_path / "run" / CHAMPION).read_text()) == champion
    assert examined["tests"] == 10 and 0 <= examined["negative"] <= 1


async def test_evolution_finds_better_strings_than_random_ones(tmp_path: Path) -> None:
    config = (
        GA.replace("mixed", "drones")
        .replace("trials = 3000", "trials = 9000")
        .replace("fresh tests = 20", "fresh tests = 80")
    )
    recorded = await gone_on(tmp_path / "run", config, 1000, InlinePool())
    means = [each.generation.statistics["mean"] for each in recorded if "mean" in each.generation.statistics]
    assert means[-1] < means[0] - 3000
    assert recorded[-1].generation.statistics["examined"]["mean"] < 0


def test_a_state_of_other_strings_is_refused() -> None:
    population = GaPopulation(GaConfig(population=10, trials=10, saved=4, candidates=1), 1)
    population.step([])
    with pytest.raises(ValueError, match="another version"):
        GaPopulation(GaConfig(population=10, trials=10, saved=4, candidates=1), 2, population.state)


def test_packed_performances_read_back() -> None:
    assert unpacked(packed([3, -(2**40), 0])) == [3, -(2**40), 0]


# -- GENESIS -------------------------------------------------------------------------------------------------


def begun(**settings: Any) -> Genesis:
    defaults = {"population": 40, "trials": 10_000, "saved": 10, "candidates": 1}
    return Genesis(GaConfig(**(defaults | settings)), Random(1))


def zeros(genesis: Genesis) -> list[int]:
    """OneMax, turned round: the number of bits that are 0 is to be small."""
    return [
        BITS - sum(byte.bit_count() for byte in genesis.strings.row(index)) for index in genesis.waiting()
    ]


def breed_generations(genesis: Genesis, generations: int) -> None:
    for _ in range(generations):
        if not genesis.is_over:
            genesis.grade(zeros(genesis))
        if not genesis.is_over:
            genesis.breed(Random(genesis.generation))


def test_onemax_is_solved() -> None:
    """All 1056 bits are found; the strings are then nearly all the same."""
    genesis = begun(population=400, trials=200_000, window=1)
    while not genesis.is_over and not (genesis.saved and genesis.saved[0].performance == 0):
        breed_generations(genesis, 1)
    assert genesis.saved[0].performance == 0
    assert genesis.converged > BITS - 20
    assert genesis.trials < 160_000


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"window": 0, "mutation": 0.01},
        {"window": 2, "gap": 0.5, "crossover": 1.0},
        {"selection": "rank", "least_share": 0.0, "re_evaluate": "yes"},
        {"elitist": "no", "mutation": 0.02},
    ],
)
def test_every_generation_agrees_with_the_reference(settings: dict[str, Any]) -> None:
    config = GaConfig(**{"population": 12, "trials": 10_000, "saved": 10, "candidates": 1} | settings)
    genesis, worst = Genesis(config, Random(1)), []
    for generation in range(25):
        genesis.grade(zeros(genesis))
        performances = list(genesis.strings.performances)
        old = [Structure.of(genesis.strings.row(each), performances[each]) for each in range(12)]
        worst.append(max(performances) * 1.0001)  # 0.01 % worse, so that it may breed
        known = worst[-config.window :]  # of 0: all
        expected = genesis_reference.bred(old, max(known), Random(generation), config)
        genesis.breed(Random(generation))
        assert [genesis.strings.row(each) for each in range(12)] == [each.packed for each in expected]
        assert genesis.strings.waiting() == [each for each in range(12) if expected[each].needs_trial]


def test_founders_come_first_and_are_tried() -> None:
    founders = list(handwritten().values())
    genesis = Genesis(GaConfig(population=40, trials=100, saved=10), Random(1), founders)
    without_founders = begun()
    assert genesis.waiting() == list(range(40))
    assert [genesis.strings.row(index) for index in range(20)] == [each.code for each in founders]
    assert all(genesis.strings.row(index) == without_founders.strings.row(index) for index in range(20, 40))


def test_every_changed_string_is_one_trial() -> None:
    genesis = begun()
    tried = 0
    for _ in range(20):
        waiting = genesis.waiting()
        tried += len(waiting)
        genesis.grade(zeros(genesis))
        assert genesis.trials == tried
        assert not genesis.strings.waiting()
        genesis.breed(Random(genesis.generation))
        assert 0 < len(genesis.waiting()) < 40, "copies are not tried again"


def test_performances_belong_to_their_strings() -> None:
    genesis = begun(population=60, gap=0.6)
    for _ in range(30):
        genesis.grade(zeros(genesis))
        for index in range(60):
            ones = sum(byte.bit_count() for byte in genesis.strings.row(index))
            assert genesis.strings.performances[index] == BITS - ones
        genesis.breed(Random(genesis.generation))


def test_the_best_survives_bit_for_bit() -> None:
    genesis = begun(mutation=0.05)
    for _ in range(15):
        genesis.grade(zeros(genesis))
        performances = list(genesis.strings.performances)
        best = genesis.strings.row(performances.index(min(performances)))
        genesis.breed(Random(genesis.generation))
        place = genesis.strings.find(best)
        assert place >= 0 and place not in genesis.waiting()
        assert genesis.strings.performances[place] == min(performances)


def test_without_the_elitist_the_best_may_be_lost() -> None:
    genesis = begun(mutation=0.05, elitist="no")
    lost = 0
    for _ in range(15):
        genesis.grade(zeros(genesis))
        performances = list(genesis.strings.performances)
        best = genesis.strings.row(performances.index(min(performances)))
        genesis.breed(Random(genesis.generation))
        lost += genesis.strings.find(best) < 0
    assert lost > 5


def test_re_evaluation_tries_every_string_again() -> None:
    genesis = begun(re_evaluate="yes")
    genesis.grade(zeros(genesis))
    genesis.breed(Random(0))
    assert genesis.waiting() == list(range(40))
    genesis.grade([5] * 40)
    assert set(genesis.strings.performances) == {5.0}
    assert genesis.trials == 80


def test_a_gap_leaves_some_strings_unchanged() -> None:
    genesis = begun(gap=0.5, mutation=0.05)
    genesis.grade(zeros(genesis))
    genesis.breed(Random(0))
    assert max(genesis.waiting()) < 20


@pytest.mark.parametrize("window_start", ["empty", "zero"])
def test_the_start_of_the_window_decides_the_worst_performance(window_start: str) -> None:
    """All performances are below 0: a window that begins with 0 makes everybody nearly equal."""
    genesis = begun(window=3, window_start=window_start, mutation=1e-6, crossover=0.0, elitist="no")
    genesis.grade([-1000] * 39 + [-2000])
    best = genesis.strings.row(39)
    genesis.breed(Random(0))
    copies = sum(genesis.strings.row(index) == best for index in range(40))
    assert (copies > 30) == (window_start == "empty")


def test_an_old_worst_counts_while_it_is_in_the_window() -> None:
    genesis = begun(window=2, mutation=1e-6, crossover=0.0, elitist="no", re_evaluate="yes")
    shares = []
    for worst in (10_000, 0, 0, 0):
        genesis.grade([worst] * 20 + [-10] * 20)
        marked = {genesis.strings.row(index) for index in range(20, 40)}
        genesis.breed(Random(5))
        shares.append(sum(genesis.strings.row(index) in marked for index in range(40)))
    assert shares[0] == 40 and shares[1] < 40 and shares[2] == shares[3] == 40


def test_a_run_ends_when_its_trials_are_used_up() -> None:
    genesis = begun(trials=100)
    breed_generations(genesis, 50)
    assert genesis.is_over and 100 <= genesis.trials < 140


def test_a_run_ends_when_all_strings_are_the_same() -> None:
    genesis = begun()
    row = genesis.strings.row(0)
    for index in range(40):
        genesis.strings.put(index, row, 1.0)
    genesis.grade([])
    assert genesis.is_over and genesis.converged == BITS


def test_a_run_ends_after_two_generations_without_a_trial() -> None:
    genesis = begun(mutation=1e-6, crossover=0.0)
    genesis.grade(list(range(40)))
    genesis.breed(Random(0))
    genesis.grade([])
    assert not genesis.is_over
    genesis.breed(Random(0))
    genesis.grade([])
    assert genesis.is_over


def test_saved_strings_are_different_and_in_order() -> None:
    genesis = begun(re_evaluate="yes")
    for _ in range(10):
        genesis.grade(zeros(genesis))
        genesis.breed(Random(genesis.generation))
    saved = genesis.saved
    assert len({each.row for each in saved}) == len(saved) == 10
    assert [each.performance for each in saved] == sorted(each.performance for each in saved)
    assert all(BITS - sum(byte.bit_count() for byte in each.row) == each.performance for each in saved)
