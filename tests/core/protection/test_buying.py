"""Buying by preference: published tables, and the law of highest averages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from librt.vecs import vec
from mypy_extensions import i64

from core.protection.rules import MINIONS, buy, minion_costs

COSTS = minion_costs()
PREFERENCES = st.lists(st.integers(0, 15), min_size=8, max_size=8)


@pytest.mark.parametrize(
    ("preferences", "dollars", "expected", "left"),
    [
        ("1 1 1 1 1 1 1 1", 2000, "4 4 3 3 3 3 3 3", 0),
        ("0 15 0 0 0 0 0 0", 2000, "0 20 0 0 0 0 0 0", 0),
        ("1 14 0 0 0 0 1 13", 2000, "0 8 0 0 0 0 0 6", 0),
        ("2 14 1 2 1 14 2 14", 2000, "5 6 0 0 0 5 0 5", 0),
        ("0 0 0 0 0 0 0 15", 2190, "0 0 0 0 0 0 0 10", 190),
        ("15 0 1 0 0 0 0 0", 2000, "150 0 10 0 0 0 0 0", 0),
        ("3 5 0 14 2 3 2 5", 20000, "21 35 0 101 14 21 14 34", 0),
        ("5 0 0 0 0 0 0 0", 7, "0 0 0 0 0 0 0 0", 7),
        ("0 0 0 0 0 0 0 0", 2000, "0 0 0 0 0 0 0 0", 2000),
    ],
)
def test_the_published_purchases(preferences: str, dollars: int, expected: str, left: int) -> None:
    assert bought(numbers(preferences), dollars) == (numbers(expected), left)


@given(PREFERENCES, st.integers(0, 30_000), st.integers(0, 1200))
def test_whole_rounds_at_once_are_the_same_as_one_by_one(
    preferences: list[int], dollars: int, most: int
) -> None:
    counts = [0] * 8
    left = dollars
    while sum(counts) < most:
        able = [kind for kind in range(8) if preferences[kind] and MINIONS[kind].cost <= left]
        if not able:
            break
        best = max(able, key=lambda kind: (preferences[kind] / (counts[kind] + 1), -kind))
        counts[best] += 1
        left -= MINIONS[best].cost
    assert bought(preferences, dollars, most) == (counts, left)


def bought(preferences: list[int], dollars: int, most: int = 20_000) -> tuple[list[int], int]:
    counts = vec[i64]([0] * 8)
    left = buy(vec[i64](preferences), COSTS, dollars, most, counts)
    return [int(count) for count in counts], int(left)


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]
