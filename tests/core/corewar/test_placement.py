"""Positions and starters: the laws that all of them keep, and numbers that pMARS gives."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.placement import Placement, checksum, fixed, following, from_checksum, seeded
from core.corewar.rules import Rules
from tests.core.corewar.soup import random_warrior, warrior

NANO = Rules(80, 800, 80, 5, 5)


def test_the_generator_is_the_minimal_standard() -> None:
    """Park and Miller: from 1, the 10,000th number is 1043618065."""
    seed = 1
    for _ in range(10_000):
        seed = following(seed)
    assert seed == 1043618065
    assert following(0) == 0


def test_a_fixed_place_is_that_of_the_first_round() -> None:
    assert fixed(Rules(), 2, 4000).next() == ([0, 4000], 0)
    assert fixed(Rules(), 2, 8000).next() == ([0, 199], 0)  # 7,801 places from 100 on


def test_the_least_place_stays() -> None:
    placement = fixed(Rules(), 2, 100)
    assert [placement.next() for _ in range(4)] == [
        ([0, 100], 0),
        ([0, 100], 1),
        ([0, 100], 0),
        ([0, 100], 1),
    ]


def test_permuted_rounds_are_all_places_with_both_starters() -> None:
    for placement in (fixed(NANO, 2, 47, permuted=True), seeded(NANO, 2, 12345, permuted=True)):
        for _ in range(3):
            rounds = [placement.next() for _ in range(142)]
            everything = [([0, place], starter) for place in range(5, 76) for starter in (0, 1)]
            assert sorted(rounds) == sorted(everything)


def test_a_fixed_place_among_permuted_ones_comes_first() -> None:
    assert fixed(NANO, 2, 47, permuted=True).next() == ([0, 47], 0)


@given(
    warriors=st.integers(3, 36),
    distance=st.integers(1, 60),
    spare=st.integers(0, 1000),
    number=st.integers(0, 2**31 - 2),
)
def test_many_warriors_keep_their_distance(warriors: int, distance: int, spare: int, number: int) -> None:
    """With little room the first way of placing gives up and the second one is taken."""
    rules = Rules(size=warriors * distance + spare, length=distance, distance=distance)
    placement = seeded(rules, warriors, number)
    for round in range(5):
        positions, starter = placement.next()
        assert starter == round % warriors
        assert positions[0] == 0
        assert all(later - earlier >= distance for earlier, later in pairwise(sorted(positions)))
        assert max(positions) + distance <= rules.size


def test_the_checksum_sees_every_field_and_the_order() -> None:
    base = [warrior("MOV.I $0,$1"), warrior("ADD.AB #4,$3")]
    assert checksum([warrior("MOV.I $0,$1")]) == 6 + (1 ^ 1) + (1 ^ 2) + (0 ^ 3) + (1 ^ 4)
    others = [
        base[::-1],
        [warrior("ADD.I $0,$1"), base[1]],
        [warrior("MOV.X $0,$1"), base[1]],
        [warrior("MOV.I *0,$1"), base[1]],
        [base[0], warrior("ADD.AB #4,}3")],
        [base[0], warrior("ADD.AB #4,$4")],
    ]
    assert checksum(base) not in [checksum(other) for other in others]


def test_the_checksum_decides_the_places() -> None:
    rng = Random(1)
    warriors = [random_warrior(rng, NANO) for _ in range(3)]
    first, second = from_checksum(NANO, warriors), from_checksum(NANO, warriors)
    assert [first.next() for _ in range(9)] == [second.next() for _ in range(9)]


def test_what_cannot_be_placed_is_refused() -> None:
    with pytest.raises(ValueError, match="no room for 17"):
        seeded(NANO, 17, 1)
    with pytest.raises(ValueError, match="only two warriors"):
        Placement(NANO, 3, 1, permuted=True)
    with pytest.raises(ValueError, match="nearer than the distance"):
        fixed(NANO, 2, 4)
    with pytest.raises(ValueError, match="negative"):
        Placement(NANO, 2, -1)
