"""Plans arrange what can be paid where it can stand."""

import pytest

from core.protection.arrangement import Arrangement
from core.protection.rating import Rater
from core.protection.rules import DRONE, INFANTRY, MINE, RULES, SETTLER
from core.protection.setting import Setting, farming_bonus
from core.protection.terrain.map import generated
from core.protection.terrain.torus import around
from core.random import Random
from engines.protection.users.plans import PLANS, Site, arrangement_by

RECORD = RULES["improved"]
BOARD = generated(Random(3))


def made(plan: str, money: int = 2000, seed: int = 1) -> Arrangement:
    return arrangement_by(plan, Site(rules=RECORD, board=BOARD, money=money, rng=Random(seed)))


@pytest.mark.parametrize("money", [0, 19, 2000, 20_000])
@pytest.mark.parametrize("plan", PLANS)
def test_it_is_paid_and_stands_on_land(plan: str, money: int) -> None:
    arrangement = made(plan, money)
    assert arrangement.value(RECORD) <= money
    assert arrangement.value(RECORD) > money - 400 or len(arrangement.units()) == 473 or plan == "settlers"
    Rater(Setting(RECORD, BOARD), arrangement)  # or a unit stands where none can
    assert made(plan, money) == arrangement


def test_farms_take_the_best_squares() -> None:
    squares = [square for square, _ in made("drones").units()]
    left = set(range(576)) - set(squares)
    assert len(squares) == 100
    assert min(farming_bonus(BOARD, square) for square in squares) >= max(
        farming_bonus(BOARD, square) for square in left if BOARD.is_land(square)
    )


def test_a_turtle_has_no_gap() -> None:
    units = dict(made("turtle", 4000).units())
    settlers = [square for square, unit in units.items() if unit == SETTLER]
    assert len(settlers) > 4
    for square in settlers:
        assert all(each in units or not BOARD.is_land(each) for each in around(square, 1))
    assert INFANTRY in units.values()


def test_mines_lie_beside_drones() -> None:
    units = dict(made("mines").units())
    for square, unit in units.items():
        assert unit == DRONE or any(units.get(each) == DRONE for each in around(square, 1))
    assert list(units.values()).count(MINE) > 5
    assert made("mines", seed=1) != made("mines", seed=2)
