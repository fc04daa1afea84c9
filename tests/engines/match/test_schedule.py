"""Schedules: who sits where in which game, over which seed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.match import bag_seed, deal_seed
from engines.match.engine_games import DrawnSeeds
from engines.match.schedule import Schedule
from engines.seeds import game_seed

GROUPS = [(0, 1), (0, 2), (1, 2)]


def test_groups_and_seats_take_turns() -> None:
    schedule = Schedule(players=("a", "b", "c"), games=4, mirror=True, seed=1)
    assert schedule.total == 12
    games = list(schedule.round_games(GROUPS, 0))
    assert [game.players for game in games[:6]] == [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)]
    assert games[0].seed == games[3].seed != games[1].seed
    assert games[0].seed == game_seed(1, 0)


def test_three_players_rotate_over_the_seats() -> None:
    schedule = Schedule(players=("a", "b", "c"), games=3, seats=3, mirror=True)
    games = list(schedule.round_games([(0, 1, 2)], 0))
    assert {game.players for game in games} == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}
    assert len({game.seed for game in games}) == 1


@given(count=st.integers(1, 12), first=st.integers(0, 100), is_mirrored=st.booleans())
def test_game_numbers_continue_and_groups_share_no_seed(count: int, first: int, is_mirrored: bool) -> None:
    schedule = Schedule(players=("a", "b", "c"), games=count, mirror=is_mirrored)
    games = list(schedule.round_games(GROUPS, first))
    assert [game.number for game in games] == list(range(first, first + 3 * count))
    assert all(game.players in (GROUPS[game.group], GROUPS[game.group][::-1]) for game in games)
    by_seed: dict[int, set[int]] = {}
    for game in games:
        by_seed.setdefault(game.seed, set()).add(game.group)
    assert all(len(groups) == 1 for groups in by_seed.values())
    earlier = {game.seed for game in schedule.round_games(GROUPS, 1000)}
    assert not earlier & set(by_seed)


@given(count=st.integers(1, 9), block=st.integers(1, 5))
def test_every_group_has_a_block_of_games_before_the_next(count: int, block: int) -> None:
    """And the games of each group are those that it has one by one."""
    schedule = Schedule(players=("a", "b", "c"), games=2 * count, mirror=True, block=block)
    games = list(schedule.round_games(GROUPS, 0))
    assert [game.number for game in games] == list(range(6 * count))
    assert [game.group for game in games[: 3 * min(block, 2 * count)]] == [
        group for group in range(3) for _ in range(min(block, 2 * count))
    ]
    one_by_one = list(Schedule(players=("a", "b", "c"), games=2 * count, mirror=True).round_games(GROUPS, 0))
    for group in range(3):
        assert [(game.seed, game.players, game.turn) for game in games if game.group == group] == [
            (game.seed, game.players, game.turn) for game in one_by_one if game.group == group
        ]


def test_engines_draw_their_seeds_one_after_the_other() -> None:
    """First that of a pair of games, then those of the engines in the first and in the second of them."""
    seeds = DrawnSeeds(9)
    schedule = Schedule(players=("a", "b", "c"), games=4, mirror=True, block=2, seed=9, seeds=seeds)
    rng = Random(9)
    for round_number, first in enumerate((0, 12)):
        games = list(schedule.round_games(GROUPS, first, round_number))
        for one, other in zip(games[::2], games[1::2], strict=True):
            assert one.seed == other.seed == rng.below(2**31)
            assert one.players == other.players[::-1]
            for game in (one, other):
                assert seeds.of_engines(game) == (rng.below(2**31), rng.below(2**31))


@pytest.mark.parametrize("seed", [1, 2**31 - 1])
def test_all_groups_of_a_round_play_the_same_bags(seed: int) -> None:
    schedule = Schedule(players=("a", "b", "c"), games=6, mirror=True, seed=seed, seeds=deal_seed)
    for round_number in range(2):
        games = list(schedule.round_games(GROUPS, 18 * round_number, round_number))
        for group in range(3):
            bags = [game.seed for game in games if game.group == group and game.turn == 0]
            assert bags == [bag_seed(seed, 3 * round_number + bag) for bag in range(3)]
