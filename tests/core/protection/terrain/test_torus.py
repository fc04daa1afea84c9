"""Squares, distances and quadrants over the edge of the board."""

from hypothesis import given
from hypothesis import strategies as st

from core.protection.board import NEAR, POSES, around, distance, is_in_front, poses_ahead
from core.protection.field import BARBARIANS, ROWS, SCAVENGERS, SWIMMERS, WINDOW, WINDOW_MASK
from core.protection.policy import INPUTS, NIBBLES, STATES, STRING_BYTES
from core.protection.rules import BOMBING_RADIUS, KINDS, LARGEST_HEARING, SIDE, SQUARES
from tests.core.protection.boards import at

ANY_SQUARE = st.integers(0, SQUARES - 1)


def test_numbers_that_are_products() -> None:
    assert SIDE * SIDE == SQUARES and SQUARES * 4 == POSES == SCAVENGERS
    assert (BARBARIANS, SWIMMERS) == (2 * POSES, 3 * POSES)
    assert len(around(0, BOMBING_RADIUS)) - 1 == NEAR
    assert NIBBLES == KINDS * STATES * INPUTS and STRING_BYTES * 2 == NIBBLES + KINDS
    assert WINDOW == 2 * LARGEST_HEARING + 1 and 2**WINDOW - 1 == WINDOW_MASK and ROWS == SIDE + WINDOW


def test_ahead_goes_over_the_edge() -> None:
    ahead = poses_ahead()
    assert [int(ahead[at(0, 0) * 4 + facing]) for facing in range(4)] == [
        at(0, 23) * 4,
        at(1, 0) * 4 + 1,
        at(0, 1) * 4 + 2,
        at(23, 0) * 4 + 3,
    ]


def test_distance_counts_the_longer_of_rows_and_columns() -> None:
    assert distance(at(0, 0), at(23, 0)) == 1
    assert distance(at(1, 22), at(22, 1)) == 3
    assert distance(at(0, 0), at(12, 12)) == 12
    assert distance(at(5, 5), at(5, 9)) == 4


@given(ANY_SQUARE, ANY_SQUARE, st.integers(0, 5))
def test_around_is_all_within_the_distance(square: int, other: int, radius: int) -> None:
    found = around(square, radius)
    assert found == sorted(set(found)) and len(found) == (2 * radius + 1) ** 2
    assert (other in found) == (distance(square, other) <= radius)


def test_diagonals_are_in_two_quadrants_and_the_centre_in_none() -> None:
    for east in range(-3, 4):
        for south in range(-3, 4):
            quadrants = sum(is_in_front(facing, east, south) for facing in range(4))
            expected = 0 if east == south == 0 else 2 if abs(east) == abs(south) else 1
            assert quadrants == expected
    assert is_in_front(0, 1, -2) and is_in_front(1, 2, 1) and is_in_front(2, 0, 1) and is_in_front(3, -1, 1)
