"""Ratings of strings against an arrangement."""

import pytest

from core.protection.battle.dice import Dice
from core.protection.policy import Policy
from core.protection.rating import Rater
from core.protection.terrain.map import generated
from core.protection.turn import Turn
from core.random import Random
from tests.core.protection.boards import always, at, plain_map, setting_of, units
from tests.core.protection.test_reference import random_string

RNG = Random(11)
SETTING = setting_of("improved", generated(RNG))
LAND = [square for square in range(576) if SETTING.map.is_land(square)]
ARRANGEMENT = units(drone=LAND[::20], settler=LAND[5::60], mine=LAND[9::70], artillery=LAND[100])
STRINGS = [random_string(RNG) for _ in range(5)]
SEEDS = list(range(100, 120))  # four a string


def alone(string: bytes, seed: int, human_weight: int = 1) -> int:
    turn = Turn(SETTING)
    turn.arrange(ARRANGEMENT)
    rng = Random(seed)
    turn.deploy(Policy(string), 2000, rng)
    turn.play(Dice(rng))
    return int(human_weight * turn.human_change() - turn.chaos_change())


def test_a_rating_is_the_mean_of_tests_truncated_toward_zero() -> None:
    ratings = Rater(SETTING, ARRANGEMENT).rate(b"".join(STRINGS), 2000, SEEDS)
    sums = [
        sum(alone(string, seed) for seed in SEEDS[4 * row : 4 * row + 4])
        for row, string in enumerate(STRINGS)
    ]
    assert ratings == [int(total / 4) for total in sums]
    assert any(total % 4 for total in sums) and len(set(ratings)) > 1


def test_strings_are_rated_by_themselves() -> None:
    rater = Rater(SETTING, ARRANGEMENT)
    together = rater.rate(b"".join(STRINGS), 2000, SEEDS[:5])
    assert [
        rater.rate(string, 2000, [seed])[0] for string, seed in zip(STRINGS, SEEDS, strict=False)
    ] == together


def test_the_humans_change_may_count_double() -> None:
    doubled = Rater(SETTING, ARRANGEMENT).rate(b"".join(STRINGS), 2000, SEEDS[:5], human_weight=2)
    assert doubled == [alone(string, seed, 2) for string, seed in zip(STRINGS, SEEDS, strict=False)]


def test_without_a_unit_every_rating_is_nought() -> None:
    scavengers = always()[:-4] + bytes([0x0F, 0, 0, 0])
    assert Rater(SETTING, units()).rate(scavengers, 2000, [1]) == [0]


def test_scavengers_alone_are_good_for_chaos() -> None:
    """20 of them farm 3 a phase each, unless two share a square; the drone makes 2."""
    scavengers = always()[:-4] + bytes([0x0F, 0, 0, 0])
    setting = setting_of("seed", plain_map())
    assert Rater(setting, units(drone=at(1, 1))).rate(scavengers, 2000, [1]) == [100 - 20 * 150]


def test_the_units_value_is_their_cost() -> None:
    assert Rater(SETTING, units(drone=LAND[0], artillery=LAND[1])).units_value == 420


@pytest.mark.parametrize(
    ("strings", "seeds", "message"),
    [
        (bytes(131), [1], "132 bytes"),
        (b"", [], "132 bytes"),
        (bytes(264), [1], "1 seeds"),
        (bytes(264), [1, 2, 3], "3 seeds"),
        (bytes(132), [], "0 seeds"),
    ],
)
def test_it_cannot_be_rated(strings: bytes, seeds: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rater(SETTING, ARRANGEMENT).rate(strings, 2000, seeds)


def test_units_stand_on_land() -> None:
    water = SETTING.map.codes.index(0)
    with pytest.raises(ValueError, match=f"square {water}"):
        Rater(SETTING, units(drone=water))
