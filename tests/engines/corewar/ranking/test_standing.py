"""Standings: scores as hills give them, and intervals that hold what they promise."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.corewar.battles import Tally
from engines.corewar.ranking import benchmark, round_robin
from engines.corewar.ranking.standing import score, standing, swapped

WON = Tally.of_two(wins=10, losses=0, ties=0)
TIED = Tally.of_two(wins=0, losses=0, ties=10)
tallies = st.builds(
    Tally.of_two, wins=st.integers(0, 200), losses=st.integers(0, 200), ties=st.integers(1, 200)
)


def test_all_wins_are_300_and_all_ties_100() -> None:
    assert (score([WON]).value, score([TIED]).value, score([swapped(WON)]).value) == (300, 100, 0)


def test_each_opponent_counts_alike() -> None:
    """However many rounds were fought against it."""
    few = Tally.of_two(wins=1, losses=0, ties=0)
    assert score([few, Tally.of_two(wins=0, losses=1000, ties=0)]).value == 150


@given(st.lists(tallies, min_size=1, max_size=6))
def test_the_interval_holds_the_score(fought: list[Tally]) -> None:
    estimate = score(fought)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 300
    exact = score(fought, exact=True)
    assert exact.low == exact.high == exact.value == estimate.value


@given(tallies)
def test_ten_times_the_rounds_make_a_narrower_interval(fought: Tally) -> None:
    more = Tally.of_two(wins=10 * fought.wins, losses=10 * fought.losses, ties=10 * fought.ties)
    assert score([more]).high - score([more]).low <= score([fought]).high - score([fought]).low


@pytest.mark.parametrize("chances", [(0.3, 0.3), (0.05, 0.6), (0.9, 0.05)])
def test_nineteen_of_twenty_intervals_hold_the_truth(chances: tuple[float, float]) -> None:
    """Two opponents, 100 rounds each; wins and ties with these chances, and the other way round."""
    win, tie = chances
    truth = 100 * ((3 * win + tie) + (3 * tie + win)) / 2
    source = random.Random(1)
    held = 0
    for _ in range(1000):
        fought = []
        for first, second in ((win, tie), (tie, win)):
            draws = [source.random() for _ in range(100)]
            wins = sum(draw < first for draw in draws)
            ties = sum(first <= draw < first + second for draw in draws)
            fought.append(Tally.of_two(wins=wins, ties=ties, losses=100 - wins - ties))
        estimate = score(fought)
        held += estimate.low <= truth <= estimate.high
    assert 930 <= held <= 980


def test_no_opponent_is_no_score() -> None:
    with pytest.raises(ValueError, match="no opponent"):
        standing(0, [])


# -- The two orders of fights ------------------------------------------------------------------------


def test_a_round_robin_is_seen_from_both_sides() -> None:
    assert round_robin.pairs("abc") == [("a", "b"), ("a", "c"), ("b", "c")]
    ranked = round_robin.standings(3, [swapped(WON), TIED, WON])
    assert [(each.seat, each.score.value) for each in ranked] == [(1, 300), (0, 50), (2, 50)]
    assert (ranked[0].wins, ranked[1].losses, ranked[2].ties) == (20, 10, 10)


def test_a_benchmark_measures_each_by_all() -> None:
    assert benchmark.pairs("ab", "xy") == [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    ranked = benchmark.standings(2, [TIED, TIED, WON, TIED])
    assert [(each.seat, each.score.value) for each in ranked] == [(1, 200), (0, 100)]


@pytest.mark.parametrize("entrants", ["", "a"])
def test_nobody_fights_alone(entrants: str) -> None:
    with pytest.raises(ValueError, match="two warriors or more"):
        round_robin.pairs(entrants)
    with pytest.raises(ValueError, match="a warrior and an opponent"):
        benchmark.pairs(entrants, "")
