"""Maps: generated ones, what a square gives, and what is no map."""

import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.protection.board import Map, generate_map
from core.protection.rules import FOREST, HILLS, MOUNTAINS, PEAKS, SQUARES, WATER, WETLANDS
from core.random import Random
from tests.core.protection.boards import at, plain_map


@given(st.integers(0, 2**64 - 1))
def test_terrains_have_their_shares(seed: int) -> None:
    ground = generate_map(Random(seed))
    shares = {WATER: 69, WETLANDS: 115, FOREST: 150, HILLS: 127, MOUNTAINS: 81, PEAKS: 34}
    assert Counter(ground.codes) == shares
    assert len(ground.gold) == 16 and all(ground.is_land(square) for square in ground.gold)
    assert generate_map(Random(seed)) == ground


def test_heights_lie_together() -> None:
    """Smoothing makes neighbours alike: water beside peaks is rare."""
    ground = generate_map(Random(3))
    steps = [abs(ground.codes[at(x, y)] - ground.codes[at(x + 1, y)]) for x in range(24) for y in range(24)]
    assert sum(steps) / SQUARES < 0.8


def test_what_a_square_gives() -> None:
    ground = Map(bytes(range(6)) * 96, (7, 3, 7))
    assert [ground.farming(square) for square in range(6)] == [0, 2, 1, 0, -1, 0]
    assert [ground.defence(square) for square in range(6)] == [0, 0, 0, 1, 2, 0]
    assert [ground.is_land(square) for square in range(6)] == [False, True, True, True, True, False]
    assert ground.gold == (3, 7)


def test_a_map_travels() -> None:
    ground = generate_map(Random(1))
    copy = pickle.loads(pickle.dumps(ground))
    assert copy == ground and hash(copy) == hash(ground) and copy != plain_map()


@pytest.mark.parametrize(
    ("codes", "gold", "message"),
    [
        (bytes(575), (), "576 squares"),
        (bytes(575) + b"\6", (), "0 to 5"),
        (bytes(576), (576,), "gold"),
        (bytes(576), (-1,), "gold"),
    ],
)
def test_it_is_no_map(codes: bytes, gold: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Map(codes, gold)
