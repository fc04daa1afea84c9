"""A population under GENESIS: the elite, the window, trials, ends, and a run that finds what is to be found."""

from typing import Any

import pytest

from core.random import Random
from engines.protection.bit_strings.config import BitStringsConfig
from engines.protection.bit_strings.genesis import Genesis
from engines.protection.genome import BITS
from engines.protection.pool import handwritten
from tests.core import genesis_reference
from tests.core.genesis_reference import Structure


def begun(**settings: Any) -> Genesis:
    defaults = {"population": 40, "trials": 10_000, "saved": 10, "candidates": 1}
    return Genesis(BitStringsConfig(**(defaults | settings)), Random(1))


def zeros(genesis: Genesis) -> list[int]:
    """OneMax, turned round: the number of bits that are 0 is to be small."""
    return [
        BITS - sum(byte.bit_count() for byte in genesis.strings.row(index)) for index in genesis.waiting()
    ]


def gone_on(genesis: Genesis, generations: int) -> None:
    for _ in range(generations):
        if not genesis.is_over:
            genesis.grade(zeros(genesis))
        if not genesis.is_over:
            genesis.breed(Random(genesis.generation))


def test_onemax_is_solved() -> None:
    """All 1056 bits are found; the strings are then nearly all the same."""
    genesis = begun(population=400, trials=200_000, window=1)
    while not genesis.is_over and not (genesis.saved and genesis.saved[0].performance == 0):
        gone_on(genesis, 1)
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
def test_every_generation_is_that_of_the_reference(settings: dict[str, Any]) -> None:
    config = BitStringsConfig(**{"population": 12, "trials": 10_000, "saved": 10, "candidates": 1} | settings)
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
    genesis = Genesis(BitStringsConfig(population=40, trials=100, saved=10), Random(1), founders)
    strangers = begun()
    assert genesis.waiting() == list(range(40))
    assert [genesis.strings.row(index) for index in range(20)] == [each.code for each in founders]
    assert all(genesis.strings.row(index) == strangers.strings.row(index) for index in range(20, 40))


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


def test_re_evaluation_tries_everybody_again() -> None:
    genesis = begun(re_evaluate="yes")
    genesis.grade(zeros(genesis))
    genesis.breed(Random(0))
    assert genesis.waiting() == list(range(40))
    genesis.grade([5] * 40)
    assert set(genesis.strings.performances) == {5.0}
    assert genesis.trials == 80


def test_a_gap_leaves_some_untouched() -> None:
    genesis = begun(gap=0.5, mutation=0.05)
    genesis.grade(zeros(genesis))
    genesis.breed(Random(0))
    assert max(genesis.waiting()) < 20


@pytest.mark.parametrize("window_start", ["empty", "zero"])
def test_the_window_says_what_is_worst(window_start: str) -> None:
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


def test_it_is_over_when_the_trials_are_done() -> None:
    genesis = begun(trials=100)
    gone_on(genesis, 50)
    assert genesis.is_over and 100 <= genesis.trials < 140


def test_it_is_over_when_all_strings_are_the_same() -> None:
    genesis = begun()
    row = genesis.strings.row(0)
    for index in range(40):
        genesis.strings.put(index, row, 1.0)
    genesis.grade([])
    assert genesis.is_over and genesis.converged == BITS


def test_it_is_over_when_nobody_was_tried_for_two_generations() -> None:
    genesis = begun(mutation=1e-6, crossover=0.0)
    genesis.grade(list(range(40)))
    genesis.breed(Random(0))
    genesis.grade([])
    assert not genesis.is_over
    genesis.breed(Random(0))
    genesis.grade([])
    assert genesis.is_over


def test_the_best_of_the_run_are_different_and_in_order() -> None:
    genesis = begun(re_evaluate="yes")
    for _ in range(10):
        genesis.grade(zeros(genesis))
        genesis.breed(Random(genesis.generation))
    saved = genesis.saved
    assert len({each.row for each in saved}) == len(saved) == 10
    assert [each.performance for each in saved] == sorted(each.performance for each in saved)
    assert all(BITS - sum(byte.bit_count() for byte in each.row) == each.performance for each in saved)
