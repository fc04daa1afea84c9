"""Who meets whom, in which order, over which seed."""

from hypothesis import given
from hypothesis import strategies as st

from engines.seeds import game_seed
from protocols.jsonl.match import Schedule

GROUPS = [(0, 1), (0, 2), (1, 2)]


def test_the_groups_take_turns_and_the_seats_too() -> None:
    setup = Schedule(players=("a", "b", "c"), games=4, mirror=True, seed=1)
    assert setup.total == 12
    contests = list(setup.round_games(GROUPS, 0))
    assert [contest.players for contest in contests[:6]] == [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)]
    assert contests[0].seed == contests[3].seed != contests[1].seed
    assert contests[0].seed == game_seed(1, 0)


def test_three_rotate() -> None:
    setup = Schedule(players=("a", "b", "c"), games=3, seats=3, mirror=True)
    contests = list(setup.round_games([(0, 1, 2)], 0))
    assert {contest.players for contest in contests} == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}
    assert len({contest.seed for contest in contests}) == 1


@given(games=st.integers(1, 12), first=st.integers(0, 100), is_mirrored=st.booleans())
def test_numbers_go_on_and_seeds_are_no_one_elses(games: int, first: int, is_mirrored: bool) -> None:
    setup = Schedule(players=("a", "b", "c"), games=games, mirror=is_mirrored)
    contests = list(setup.round_games(GROUPS, first))
    assert [contest.number for contest in contests] == list(range(first, first + 3 * games))
    assert all(
        contest.players in (GROUPS[contest.group], GROUPS[contest.group][::-1]) for contest in contests
    )
    by_seed: dict[int, set[int]] = {}
    for contest in contests:
        by_seed.setdefault(contest.seed, set()).add(contest.group)
    assert all(len(groups) == 1 for groups in by_seed.values())
    earlier = {contest.seed for contest in setup.round_games(GROUPS, 1000)}
    assert not earlier & set(by_seed)
