"""Chaos between turns: the course that it knows, what it learns, and news of the user from other games."""

from dataclasses import replace

from core.protection.rules import DRONE, FARMER, RULES
from engines.protection.adaptation.course import Course
from engines.protection.adaptation.modes import chooser
from engines.protection.chaos import Chaos
from engines.protection.game.chance import Seeded
from engines.protection.game.game import ProtectionGame, begun
from engines.protection.game.ratings import rated
from engines.protection.game.setup import Placement, Setup
from engines.protection.pool.handwritten import handwritten
from engines.protection.pool.stock import bundled
from engines.protection.profile.profile import STRINGS, Hybrid, Profile

POOL = tuple(entry.genome for entry in bundled().entries)
SAVING = bytes(132)
OTHER = Hybrid(rating=-1, genome=handwritten()["quilt"])


def farmed() -> ProtectionGame:
    """A game with a farmer on its first two free squares."""
    game = begun(RULES["improved"], Seeded(6))
    squares = [square for square in range(576) if game.state.is_free(square)][:2]
    game.set_up(Setup(place=tuple(Placement(FARMER, square) for square in squares)))
    return game


def test_the_course_is_that_of_the_turns_and_not_of_the_setup() -> None:
    """A farmer that is sold for $80 costs $20 of value, which nobody but the human knows yet."""
    game = farmed()
    assert Course.of(game) == Course()
    played = game.play(SAVING)
    course = Course.of(game)
    assert (course.turn, course.human_value, course.chaos_value) == (2, played.human_value, 2100)
    assert len(course.standings) == 1 and course.standings[0] > 0.5
    game.set_up(Setup(salvage=(1,), place=(Placement(DRONE, game.state.units[1].square),)))
    assert game.state.human_value() == course.human_value - 20 and Course.of(game) == course


def learnt(turns: int) -> Chaos:
    """After some turns on the same arrangement."""
    game = farmed()
    chaos = Chaos(pool=POOL, chooser=chooser("pilot", 0), profile=Profile(), tests=1)
    for _ in range(turns):
        trial = chaos.trial(game.state, game.chance)
        chaos = chaos.rated(trial, rated(trial))
        game.play(SAVING)
    return chaos


def test_tests_of_hybrids_stand_beside_those_of_the_strings() -> None:
    """In the order of the profile; a child's rating is that of its test."""
    chaos = learnt(2)
    assert chaos.latest and len(chaos.latest.ratings) == STRINGS + len(chaos.profile.hybrids) > STRINGS
    assert chaos.latest.ratings[STRINGS:] == tuple(each.rating for each in chaos.profile.hybrids)
    assert chaos.string(STRINGS) == chaos.profile.hybrids[0].genome.code


def test_another_game_of_the_user_may_have_changed_the_profile() -> None:
    chaos = learnt(2)
    assert chaos.latest
    won = chaos.knowing(chaos.profile.finished(True))
    assert (won.profile.wins, won.latest) == (1, chaos.latest)
    other = chaos.knowing(replace(chaos.profile, hybrids=(OTHER,)))
    assert other.latest == chaos.latest.of(range(STRINGS)), "of this hybrid nothing was tested here"


def test_a_new_game_begins_without_the_tests_of_the_last() -> None:
    """They are those of another, perhaps far richer, arrangement."""
    chaos = learnt(1)
    assert chaos.latest and chaos.finished(0).latest is None
    assert chaos.finished(0).profile.games == 1
