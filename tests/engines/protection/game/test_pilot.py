"""The pilot: who is due, and the string that leads there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.protection.game.course import Course
from engines.protection.game.pilot import Pilot
from engines.protection.profile.profile import STRINGS, Profile

PILOT = Pilot(starter=7)
LADDER = tuple(40 * index - 5000 for index in range(STRINGS))


def known(wins: int, losses: int, ratings: tuple[int, ...] = LADDER) -> Profile:
    return Profile(wins=wins, losses=losses, ratings=ratings)


def test_who_is_new_meets_the_starter() -> None:
    assert PILOT.choose(Profile(), Course(), Random(1)).index == 7


def test_who_is_ahead_is_due_to_lose_and_who_is_behind_to_win() -> None:
    """In the number of games: ten more wins weigh the same after 10 games and after 1000."""
    for games in (0, 1000):
        assert not any(PILOT.due(known(games + 10, games), Random(seed)) for seed in range(100))
        assert all(PILOT.due(known(games, games + 10), Random(seed)) for seed in range(100))
        even = sum(PILOT.due(known(games, games), Random(seed)) for seed in range(1000))
        assert 430 < even < 570


@pytest.mark.parametrize("aim", [0.4, 0.5, 0.6])
def test_the_share_settles_at_the_aim_where_strings_have_the_power(aim: float) -> None:
    """A user who wins nearly always when due and now and then when not."""
    rng, wins, losses = Random(5), 0, 0
    pilot = Pilot(starter=0, aim=aim)
    for game in range(300):
        has_won = rng.chance(0.95 if pilot.due(known(wins, losses), Random(game)) else 0.1)
        wins, losses = wins + has_won, losses + (not has_won)
    assert abs(wins / (wins + losses) - aim) < 0.03


@given(st.integers(100, 50_000), st.integers(100, 50_000), st.integers(6, 9))
def test_a_string_that_leads_where_the_game_is_to_go(human: int, chaos: int, turn: int) -> None:
    """A rating of the target, half of it on each side, brings the lead nearer to the goal."""
    course = Course(turn=turn, human_value=human, chaos_value=chaos)
    for is_due in (True, False):
        change = PILOT.target(is_due, course, (0, 1)) / 2
        after = Course(human_value=round(human + change), chaos_value=round(chaos - change))
        goal = 3.9 if is_due else -3.9
        assert abs(goal - after.lead) <= abs(goal - course.lead) + 0.05


def test_no_user_is_beaten_down_in_the_first_turns() -> None:
    """Even at the start, a game that is to be lost is kept even for five turns."""
    targets = [PILOT.target(False, Course(turn=turn), LADDER) for turn in (1, 3, 5, 6)]
    assert targets[:3] == [0, 0, 0] and targets[3] < -500


def test_a_game_that_lasts_too_long_is_ended_by_all_means() -> None:
    late = Course(turn=10, human_value=400_000, chaos_value=15_000)
    assert PILOT.target(True, late, LADDER) == max(LADDER)
    assert PILOT.target(False, late, LADDER) == min(LADDER)


def test_ratings_of_a_rich_game_are_read_on_the_scale_of_a_poor_one() -> None:
    rich = tuple(10 * rating for rating in LADDER)
    poor_target, rich_target = (PILOT.target(True, Course(), ratings) for ratings in (LADDER, rich))
    assert rich_target == pytest.approx(10 * poor_target)
    later = Course(turn=2, human_value=2000, chaos_value=2000)
    assert PILOT.target(True, later, LADDER) == PILOT.target(True, later, rich)


def test_a_pilot_that_cannot_be() -> None:
    for facts in ({"aim": 0.0}, {"gain": 0.0}, {"turns": 2}):
        with pytest.raises(ValueError, match="no game is piloted"):
            Pilot(starter=0, **facts)  # type: ignore[arg-type]
