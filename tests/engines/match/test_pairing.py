"""Laws of pairings, whatever comes of the games."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.match.pairing import ROUNDS, Group, Kind, count, rounds

Results = Callable[[Group], list[float]]


def course(kind: Kind, players: int, seats: int, results: Results) -> tuple[list[list[Group]], list[int]]:
    """All rounds, and the players, best first."""
    played = []
    generator = rounds(kind, players, seats)
    groups = next(generator)
    while True:
        played.append(groups)
        try:
            groups = generator.send([results(group) for group in groups])
        except StopIteration as end:
            return played, end.value


def by_strength(group: Group) -> list[float]:
    """The one with the highest number wins."""
    return [sum(other < own for other in group) / (len(group) - 1) for own in group]


def by_chance(seed: int) -> Results:
    rng = Random(seed)
    return lambda group: [rng.below(3) / 2 for _ in group]


SIZES = st.integers(2, 6).flatmap(lambda seats: st.tuples(st.integers(seats, 17), st.just(seats)))


@given(kind=st.sampled_from(sorted(ROUNDS)), sizes=SIZES, seed=st.integers(0, 1000))
def test_nobody_sits_twice_in_a_round_of_rounds(kind: Kind, sizes: tuple[int, int], seed: int) -> None:
    players, seats = sizes
    played, order = course(kind, players, seats, by_chance(seed))
    assert sorted(order) == list(range(players))
    assert sum(map(len, played)) == count(kind, players, seats)
    for groups in played:
        assert groups and all(len(set(group)) == seats for group in groups)
        sitting = [player for group in groups for player in group]
        assert set(sitting) <= set(range(players))
        if kind in ("swiss", "ladder"):
            assert len(sitting) == len(set(sitting))


@given(sizes=SIZES)
def test_a_round_robin_is_every_group_once(sizes: tuple[int, int]) -> None:
    players, seats = sizes
    (groups,), order = course("round_robin", players, seats, by_strength)
    assert groups == list(combinations(range(players), seats))
    assert order == list(range(players))[::-1]
    (of_the_first,), _ = course("gauntlet", players, seats, by_strength)
    assert of_the_first == [group for group in groups if group[0] == 0]


@given(players=st.integers(1, 12).map(lambda half: 2 * half), seed=st.integers(0, 10_000))
def test_no_two_meet_twice_in_a_swiss_of_an_even_number(players: int, seed: int) -> None:
    played, _ = course("swiss", players, 2, by_chance(seed))
    met = Counter(frozenset(pair) for groups in played for pair in groups)
    assert max(met.values()) == 1
    assert len(played) == (players - 1).bit_length() and all(len(groups) == players // 2 for groups in played)


@given(sizes=SIZES, seed=st.integers(0, 1000))
def test_byes_go_round(sizes: tuple[int, int], seed: int) -> None:
    players, seats = sizes
    played, _ = course("swiss", players, seats, by_chance(seed))
    games = Counter(player for groups in played for group in groups for player in group)
    assert max(games.values()) - min(games[player] for player in range(players)) <= 1


@given(players=st.integers(3, 20))
def test_the_strongest_wins_a_swiss(players: int) -> None:
    _, order = course("swiss", players, 2, by_strength)
    assert order[0] == players - 1


@given(strengths=st.permutations(range(9)))
def test_a_ladder_sorts(strengths: list[int]) -> None:
    def results(group: Group) -> list[float]:
        one, other = group
        return [1.0, 0.0] if strengths[one] > strengths[other] else [0.0, 1.0]

    _, order = course("ladder", len(strengths), 2, results)
    assert [strengths[player] for player in order] == list(range(8, -1, -1))


def test_who_makes_the_same_stays_on_the_rung() -> None:
    _, order = course("ladder", 5, 2, lambda group: [0.5, 0.5])
    assert order == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("players", "seats"), [(1, 2), (3, 4), (4, 1)])
def test_too_few(players: int, seats: int) -> None:
    with pytest.raises(ValueError, match=f"{seats} seats need as many players, not {players}"):
        rounds("swiss", players, seats)
