"""Arrangements: which units stand where, what they have cost, and what is none."""

import pickle

import pytest

from core.protection.board import Arrangement, arrangement_of
from core.protection.rules import RULES
from tests.core.protection.boards import at, units


def test_units_come_in_order_of_squares() -> None:
    arrangement = units(artillery=at(0, 1), drone=[at(5, 0), at(2, 0)])
    assert arrangement.units() == [(2, 1), (5, 1), (24, 8)]
    assert arrangement.value(RULES["seed"]) == 440
    assert Arrangement(bytes(576)).units() == [] and Arrangement(bytes(576)).value(RULES["seed"]) == 0


def test_an_arrangement_travels() -> None:
    arrangement = units(mine=7)
    copy = pickle.loads(pickle.dumps(arrangement))
    assert copy == arrangement and hash(copy) == hash(arrangement) and copy != units(mine=8)


@pytest.mark.parametrize("codes", [bytes(575), bytes(577), bytes(575) + b"\x09"])
def test_it_is_no_arrangement(codes: bytes) -> None:
    with pytest.raises(ValueError, match=r"576 squares|1 to 8"):
        Arrangement(codes)


@pytest.mark.parametrize(("square", "code"), [(-1, 1), (576, 1), (0, 0), (0, 9)])
def test_no_such_unit_stands_there(square: int, code: int) -> None:
    with pytest.raises(ValueError, match="no unit"):
        arrangement_of({square: code})
