"""Laws of pairings: who meets whom, how often, and who is best in the end."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.evolution.selection import shuffled
from engines.match.pairing import KINDS, Group, Kind, count, elimination_of, rounds, unmet_pairs, winner_of

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


FOR_TABLES = sorted(set(KINDS) - {"elimination"})  # for more than two, too
SIZES = st.integers(2, 6).flatmap(lambda seats: st.tuples(st.integers(seats, 17), st.just(seats)))


@given(kind=st.sampled_from(FOR_TABLES), sizes=SIZES, seed=st.integers(0, 1000))
def test_rounds_have_full_groups_of_different_players(kind: Kind, sizes: tuple[int, int], seed: int) -> None:
    players, seats = sizes
    played, order = course(kind, players, seats, by_chance(seed))
    assert sorted(order) == list(range(players))
    assert sum(map(len, played)) == count(kind, players, seats)
    for groups in played:
        assert groups and all(len(set(group)) == seats for group in groups)
        assert {player for group in groups for player in group} <= set(range(players))


@given(kind=st.sampled_from(("swiss", "ladder")), sizes=SIZES, seed=st.integers(0, 1000))
def test_no_player_has_two_seats_in_a_round(kind: Kind, sizes: tuple[int, int], seed: int) -> None:
    """Unlike in pairings whose groups all play in one round."""
    played, _ = course(kind, *sizes, by_chance(seed))
    for groups in played:
        sitting = [player for group in groups for player in group]
        assert len(sitting) == len(set(sitting))


@given(sizes=SIZES)
def test_a_round_robin_plays_every_group_once(sizes: tuple[int, int]) -> None:
    players, seats = sizes
    (groups,), order = course("round_robin", players, seats, by_strength)
    assert groups == list(combinations(range(players), seats))
    assert order == list(range(players))[::-1]
    (of_the_first,), _ = course("gauntlet", players, seats, by_strength)
    assert of_the_first == [group for group in groups if group[0] == 0]


@given(players=st.integers(1, 12).map(lambda half: 2 * half), seed=st.integers(0, 10_000))
def test_no_two_players_meet_twice_in_a_swiss_of_an_even_number(players: int, seed: int) -> None:
    played, _ = course("swiss", players, 2, by_chance(seed))
    met = Counter(frozenset(pair) for groups in played for pair in groups)
    assert max(met.values()) == 1
    assert len(played) == (players - 1).bit_length() and all(len(groups) == players // 2 for groups in played)


def test_pairs_are_looked_for_in_bounded_time() -> None:
    """Of 40 players all have met but the first 36 among themselves, so that no pairing of all is new."""
    met: Counter[Group] = Counter(pair for pair in combinations(range(40), 2) if pair[1] >= 36)
    met[36, 37] = 0
    began = process_time()
    assert unmet_pairs(range(40), met) == []
    assert process_time() - began < 0.5
    met[38, 39] = 0
    assert unmet_pairs(range(40), met) == [(number, number + 1) for number in range(0, 40, 2)]


@given(sizes=SIZES, seed=st.integers(0, 1000))
def test_byes_are_shared_evenly(sizes: tuple[int, int], seed: int) -> None:
    players, seats = sizes
    played, _ = course("swiss", players, seats, by_chance(seed))
    games = Counter(player for groups in played for group in groups for player in group)
    assert max(games.values()) - min(games[player] for player in range(players)) <= 1


@given(players=st.integers(3, 20))
def test_the_strongest_wins_a_swiss(players: int) -> None:
    _, order = course("swiss", players, 2, by_strength)
    assert order[0] == players - 1


@given(strengths=st.permutations(range(9)))
def test_a_ladder_sorts_players_by_strength(strengths: list[int]) -> None:
    def results(group: Group) -> list[float]:
        one, other = group
        return [1.0, 0.0] if strengths[one] > strengths[other] else [0.0, 1.0]

    _, order = course("ladder", len(strengths), 2, results)
    assert [strengths[player] for player in order] == list(range(8, -1, -1))


def test_players_with_equal_results_keep_their_rung() -> None:
    _, order = course("ladder", 5, 2, lambda group: [0.5, 0.5])
    assert order == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("players", "seats"), [(1, 2), (3, 4), (4, 1)])
def test_wrong_numbers_of_players_or_seats_are_refused(players: int, seats: int) -> None:
    with pytest.raises(ValueError, match=f"{seats} seats need as many players, not {players}"):
        rounds("swiss", players, seats)


# -- Elimination: everybody is paired until one is left, who lost to nobody -----------------------------


@given(players=st.integers(2, 40), seed=st.integers(0, 2**32))
def test_all_players_but_the_winner_lose_once(players: int, seed: int) -> None:
    """And the strongest of all is left: here the one with the highest number, who always wins."""
    drawn = shuffled(range(players), Random(seed))
    generator = elimination_of(drawn)
    pairs = next(generator)
    losers: list[int] = []
    left = players
    while True:
        assert len(pairs) == left // 2
        losers += [min(pair) for pair in pairs]
        left -= len(pairs)
        try:
            pairs = generator.send([by_strength(pair) for pair in pairs])
        except StopIteration as end:
            assert end.value[0] == players - 1 and sorted(end.value) == list(range(players))
            break
    assert sorted(losers) == list(range(players - 1))


def test_no_player_has_two_byes_in_a_row() -> None:
    generator = elimination_of([4, 2, 0, 1, 3])
    assert next(generator) == [(4, 2), (0, 1)]
    assert generator.send([[1.0, 0.0], [1.0, 0.0]]) == [(3, 4)]
    assert generator.send([[0.0, 1.0]]) == [(0, 4)]


def test_equal_points_are_decided_by_the_lower_player_number() -> None:
    assert winner_of((7, 3), [11, 5]) == 7
    assert winner_of((7, 3), [5, 11]) == 3
    assert winner_of((7, 3), [9, 9]) == 3


def test_an_elimination_of_groups_of_three_is_refused() -> None:
    with pytest.raises(ValueError, match="games of two seats, not 3"):
        rounds("elimination", 4, 3)
    assert count("elimination", 9, 2) == 8
