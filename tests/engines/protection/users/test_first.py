"""What scripted users build on an empty map: paid, on land, and the same for the same chance."""

import pytest

from core.protection.board import Arrangement, around, generate_map
from core.protection.rules import DRONE, INFANTRY, MINE, RULES, SETTLER
from core.random import Random
from engines.protection.users.first import BUILDERS, first_setup

RECORD = RULES["improved"]
BOARD = generate_map(Random(3))


def made(name: str, dollars: int = 2000, seed: int = 1) -> Arrangement:
    return first_setup(name, RECORD, BOARD, dollars, Random(seed))


@pytest.mark.parametrize("dollars", [0, 19, 2000, 18_000])
@pytest.mark.parametrize("name", BUILDERS)
def test_it_is_paid_and_stands_on_land(name: str, dollars: int) -> None:
    arrangement = made(name, dollars)
    assert min(dollars, 9000) * 0.8 - 200 < arrangement.value(RECORD) <= dollars
    assert all(BOARD.is_land(square) for square, _ in arrangement.units())
    assert made(name, dollars) == arrangement


def test_no_two_build_the_same() -> None:
    assert len({made(name) for name in BUILDERS}) == len(BUILDERS)


def test_mines_lie_beside_drones() -> None:
    units = dict(made("mines").units())
    assert all(unit == DRONE or _near(units, square, DRONE) for square, unit in units.items())
    assert list(units.values()).count(MINE) > 5
    assert made("mines", seed=1) != made("mines", seed=2)


def test_a_turtle_has_settlers_within_infantry() -> None:
    units = dict(made("turtle", 4000).units())
    assert list(units.values()).count(SETTLER) > 4
    assert all(_near(units, square, SETTLER) for square, unit in units.items() if unit == INFANTRY)


def _near(units: dict[int, int], square: int, kind: int) -> bool:
    return any(units.get(each) == kind for each in around(square, 1))
