"""An elimination tournament: everybody is paired until one is left, who lost to nobody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.corewar.battles import Tally
from engines.corewar.ranking.elimination import draw, following, pairs, winner


def tally(wins: int, losses: int, ties: int = 0) -> Tally:
    return Tally.of_two(wins=wins, losses=losses, ties=ties)


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_all_but_one_lose_once(entrants: int, seed: int) -> None:
    """And the strongest of all is left: here the one with the highest number, who always wins."""
    left = draw(entrants, Random(seed))
    assert sorted(left) == list(range(entrants))
    losers: list[int] = []
    while len(left) > 1:
        met = pairs(left)
        assert len(met) == len(left) // 2
        losers += [min(pair) for pair in met]
        before, left = left, following(left, [tally(1, 0) if a > b else tally(0, 1) for a, b in met])
        assert len(left) == (len(before) + 1) // 2
    assert left == [entrants - 1]
    assert sorted(losers) == list(range(entrants - 1))


def test_nobody_waits_twice_in_a_row() -> None:
    left = following([4, 2, 0, 1, 3], [tally(2, 1), tally(2, 1)])
    assert left == [3, 4, 0]


def test_points_decide_and_of_equal_ones_what_is_known() -> None:
    assert winner((7, 3), tally(3, 1, 2)) == 7
    assert winner((7, 3), tally(1, 3, 2)) == 3
    assert winner((7, 3), tally(2, 2, 9)) == 3, "the better one by its number"


def test_nobody_is_no_tournament() -> None:
    with pytest.raises(ValueError, match="an entrant"):
        draw(0, Random(1))
