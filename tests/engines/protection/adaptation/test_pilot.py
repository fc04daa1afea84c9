"""The pilot: who is due, and the string that leads there."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.protection.adaptation.choice import Choice
from engines.protection.adaptation.chooser import Known
from engines.protection.adaptation.course import Course
from engines.protection.adaptation.pilot import Pilot
from engines.protection.game.chance import Seeded
from engines.protection.game.ratings import Ratings
from engines.protection.pool.handwritten import handwritten
from engines.protection.profile.profile import STRINGS, Hybrid, Profile

PILOT = Pilot(starter=7)
LADDER = tuple(40 * index - 5000 for index in range(STRINGS))
EVEN = next(
    seed for seed in range(1000) if PILOT.due(Profile(), Seeded(seed).stream("choice|1"))
)  # who is even is due
CHILD = Hybrid(rating=-9000, genome=handwritten()["quilt"])


def known(wins: int, losses: int, ratings: tuple[int, ...] = LADDER) -> Profile:
    return Profile(wins=wins, losses=losses, ratings=ratings)


def choice(profile: Profile, course: Course = Course(), latest: Ratings | None = None) -> Choice:  # noqa: B008
    return PILOT.choose(Known(profile=profile, course=course, latest=latest), Seeded(EVEN))


def test_who_is_new_meets_the_starter() -> None:
    assert choice(Profile()).index == 7


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


@given(st.integers(100, 50_000), st.integers(100, 50_000), st.integers(6, 30), st.booleans())
def test_what_is_wanted_is_nearer_to_the_end(human: int, chaos: int, turn: int, is_due: bool) -> None:
    course = Course(turn=turn, human_value=human, chaos_value=chaos)
    goal = 3.9 if is_due else -3.9
    wanted = PILOT.wanted(known(5, 5), course, is_due)
    assert abs(goal - wanted) <= 0.81 * abs(goal - course.lead) + 0.01
    assert turn <= 9 or abs(goal - wanted) < 0.01


def test_only_the_strongest_can_be_beaten_down_in_the_first_turns() -> None:
    """A game that is to be lost is kept even for five turns."""
    wanted = [
        [PILOT.wanted(known(wins, 6), Course(turn=turn), False) for wins in (7, 12)] for turn in (1, 5, 6)
    ]
    assert wanted[0][0] == wanted[1][0] == 0
    assert all(lead < -0.3 for lead in (wanted[0][1], wanted[1][1], *wanted[2]))


def test_a_rich_human_is_led_to_the_end_by_what_chaos_loses() -> None:
    """$5,000 more are little to who has $80,000; $5,000 less are much to who has $12,000."""
    gains, loses = 0, 1
    latest = Ratings(ratings=(21_000, 19_000), human=(21_000, 14_000))
    others = Ratings(ratings=latest.ratings + (0,) * (STRINGS - 2), human=latest.human + (0,) * (STRINGS - 2))
    course = Course(turn=12, human_value=80_000, chaos_value=12_000)
    found = choice(known(5, 5), course, others)
    assert found.index == loses != gains
    assert found.way and found.way.is_due
    assert found.way.expected == pytest.approx(log(94_000 / 7_000))


def test_before_the_first_turn_the_profile_has_to_do() -> None:
    """Ratings of a rich game are read on the scale of a poor one: the same string either way."""
    rich = tuple(10 * rating for rating in LADDER)
    one, other = (choice(known(6, 6, ratings)) for ratings in (LADDER, rich))
    assert one.way and one.way.expected is None
    assert one.index == other.index and one.rating > 500
    assert one.target is not None and abs(one.rating - one.target) <= 20


def test_hybrids_are_for_the_advanced() -> None:
    """A child that does to the human what no string does: it is played against who wins two thirds of many games."""
    tests = Ratings(ratings=(*[0] * STRINGS, -2000), human=(*[0] * STRINGS, -2000))
    for wins, index in ((10, 0), (30, STRINGS)):
        profile = Profile(wins=wins, losses=6, ratings=LADDER, hybrids=(CHILD,))
        assert choice(profile, Course(turn=3), tests).index == index
        assert choice(profile, Course(turn=3), tests.of(range(STRINGS))).index == 0


def test_a_pilot_that_cannot_be() -> None:
    for facts in ({"aim": 0.0}, {"gain": 0.0}, {"turns": 2}):
        with pytest.raises(ValueError, match="no game is piloted"):
            Pilot(starter=0, **facts)
