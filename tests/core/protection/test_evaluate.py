"""Tests of strings against an arrangement, and the ratings that they make."""

import pytest

from core.protection.board import generate_map
from core.protection.evaluate import Evaluator, rating, toward_zero
from core.protection.policy import Policy
from core.protection.turn import Dice, Turn
from core.random import Random
from tests.core.protection.boards import always, at, plain_map, setting_of, units
from tests.core.protection.test_reference import random_string

RNG = Random(11)
SETTING = setting_of("improved", generate_map(RNG))
LAND = [square for square in range(576) if SETTING.map.is_land(square)]
ARRANGEMENT = units(drone=LAND[::20], settler=LAND[5::60], mine=LAND[9::70], artillery=LAND[100])
STRINGS = [random_string(RNG) for _ in range(5)]
SEEDS = list(range(100, 120))  # four a string


def alone(string: bytes, seed: int) -> tuple[int, int]:
    turn = Turn(SETTING)
    turn.arrange(ARRANGEMENT)
    rng = Random(seed)
    turn.deploy(Policy(string), 2000, rng)
    turn.play(Dice(rng))
    return int(turn.human_change()), int(turn.chaos_change())


def test_the_changes_are_summed_over_the_tests_of_each_string() -> None:
    found = Evaluator(SETTING, ARRANGEMENT).evaluate(b"".join(STRINGS), 2000, SEEDS)
    for row, string in enumerate(STRINGS):
        tests = [alone(string, seed) for seed in SEEDS[4 * row : 4 * row + 4]]
        assert found[row] == (sum(human for human, _ in tests), sum(chaos for _, chaos in tests))
    assert len(set(found)) > 1


def test_strings_are_evaluated_independently() -> None:
    evaluator = Evaluator(SETTING, ARRANGEMENT)
    together = evaluator.evaluate(b"".join(STRINGS), 2000, SEEDS[:5])
    assert together == [
        evaluator.evaluate(string, 2000, [seed])[0] for string, seed in zip(STRINGS, SEEDS, strict=False)
    ]


def test_a_rating_is_the_mean_of_the_tests_rounded_toward_zero() -> None:
    assert rating((10, 3), 4) == 1 and rating((3, 10), 4) == -1
    assert rating((10, 3), 4, human_weight=2) == 4
    assert [toward_zero(number, 4) for number in (-8, -7, -4, -3, 0, 3, 4, 7)] == [-2, -1, -1, 0, 0, 0, 1, 1]


def test_a_turn_without_units_changes_nothing() -> None:
    scavengers = always()[:-4] + bytes([0x0F, 0, 0, 0])
    assert Evaluator(SETTING, units()).evaluate(scavengers, 2000, [1]) == [(0, 0)]


def test_scavengers_earn_money_for_chaos() -> None:
    """20 of them farm 3 a phase each, unless two share a square; the drone makes 2."""
    scavengers = always()[:-4] + bytes([0x0F, 0, 0, 0])
    setting = setting_of("seed", plain_map())
    changes = Evaluator(setting, units(drone=at(1, 1))).evaluate(scavengers, 2000, [1])
    assert changes == [(100, 20 * 150)]


def test_units_value_is_the_cost_of_all_units() -> None:
    assert Evaluator(SETTING, units(drone=LAND[0], artillery=LAND[1])).units_value == 420


@pytest.mark.parametrize(
    ("strings", "seeds", "message"),
    [
        (bytes(131), [1], "132 bytes"),
        (b"", [], "132 bytes"),
        (bytes(264), [1], "not 1"),
        (bytes(264), [1, 2, 3], "not 3"),
        (bytes(132), [], "not 0"),
    ],
)
def test_wrong_numbers_of_strings_or_seeds_are_refused(
    strings: bytes, seeds: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Evaluator(SETTING, ARRANGEMENT).evaluate(strings, 2000, seeds)


def test_negative_dollars_are_refused() -> None:
    with pytest.raises(ValueError, match="-1 dollars"):
        Evaluator(SETTING, ARRANGEMENT).evaluate(STRINGS[0], -1, [1])


def test_units_on_water_are_refused() -> None:
    water = SETTING.map.codes.index(0)
    with pytest.raises(ValueError, match=f"square {water}"):
        Evaluator(SETTING, units(drone=water))
