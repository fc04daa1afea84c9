"""Modes of adaptation: the strings that four known profiles lead to, when hybrids are played, and the pilot."""

from dataclasses import replace
from itertools import islice
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.protection.rules import DRONE, FARMER, RULES
from core.random import Random
from engines.protection import MODES
from engines.protection.adaptation import (
    ADVANCED,
    AIMS,
    Calibration,
    Choice,
    GameHistory,
    Known,
    Mode,
    Ratings,
    choose_by_paper_rule,
    is_due_to_win,
    score_fraction,
    wanted_lead,
)
from engines.protection.game import Placement, Setup, new_game
from engines.protection.pool import handwritten
from engines.protection.profile import STRINGS, Hybrid, Profile, loads
from engines.seeds import SeededStreams

RATINGS = st.lists(st.integers(-50, 50), min_size=1, max_size=40)
STARTER = 7
KNOWN = Profile(wins=3, losses=1, ratings=tuple(range(-100, 150)))
LADDER = tuple(40 * index - 5000 for index in range(STRINGS))
CHILD = Hybrid(rating=-9000, genome=handwritten()["quilt"])


def known(folder: Path, name: str) -> Profile:
    """One of four profiles of 1999, of which one has a number too many."""
    words = (folder / "protection" / "apu" / f"{name}.apu").read_text().split()
    return loads(" ".join(words[: STRINGS + 2]))


def record(wins: int, losses: int, ratings: tuple[int, ...] = LADDER) -> Profile:
    return Profile(wins=wins, losses=losses, ratings=ratings)


def index(mode: str, profile: Profile, *scores: float) -> int:
    asked = Known(profile=profile, history=GameHistory(scores=scores))
    return Mode(mode, STARTER).choose(asked, SeededStreams(5)).index


# -- The paper's rule and the calibrated one -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "target", "index", "rating"),
    [
        ("1_11-6", -409.1, 70, -412),
        ("2_4-3", -3456.7, 202, -3502),
        ("3_2-4", 0, 43, 31),
        ("4_2-5", 0, 219, 14),
    ],
)
def test_the_rule_of_the_paper_chooses_its_known_strings(
    shared_data: Path, name: str, target: float, index: int, rating: int
) -> None:
    asked = Known(profile=known(shared_data, name), history=GameHistory())
    choice = Mode("seed", 0).choose(asked, SeededStreams(5))
    assert (choice.index, choice.rating) == (index, rating)
    assert choice.target == pytest.approx(target, abs=0.06)


def test_the_rule_of_the_paper_chooses_by_wins_and_lowest_rating() -> None:
    ratings = [50, -100, -60, -20, 10]
    even = Choice(index=4, rating=10, target=0.0)
    assert choose_by_paper_rule(0, 0, ratings) == choose_by_paper_rule(1, 3, ratings) == even
    assert choose_by_paper_rule(1, 0, ratings) == Choice(index=1, rating=-100, target=-100.0)
    assert choose_by_paper_rule(3, 1, ratings) == Choice(index=2, rating=-60, target=-50.0)
    no_good = choose_by_paper_rule(3, 1, [8, 4, 6])
    assert no_good == Choice(index=1, rating=4, target=2.0), "no string may be below 0"


def test_equal_distances_select_the_first_string() -> None:
    """A third of -3 is -1, exactly."""
    assert choose_by_paper_rule(2, 1, [-3, 1, -3]).index == 0
    assert choose_by_paper_rule(2, 1, [0, -2, -3]).index == 0, "-1 is as far from 0 as from -2"
    assert choose_by_paper_rule(2, 1, [-2, 0, -3]).index == 0


@given(RATINGS, st.integers(0, 9), st.integers(0, 9))
def test_the_chosen_rating_is_the_nearest_to_the_target(ratings: list[int], wins: int, losses: int) -> None:
    choice = choose_by_paper_rule(wins, losses, ratings)
    games, ahead = max(wins + losses, 1), max(wins - losses, 0)
    far = [abs(rating * games - min(ratings) * ahead) for rating in ratings]
    assert far.index(min(far)) == choice.index


@pytest.mark.parametrize(
    ("name", "aim", "mercy", "share", "target", "index", "rating"),
    [
        ("1_11-6", 0.5, 0.5, 0.6190, -331.2, 20, -326),
        ("2_4-3", 0.5, 0.5, 0.5455, -2199.7, 33, -2106),
        ("3_2-4", 0.5, 0.0, 0.4000, 0, 43, 31),
        ("3_2-4", 0.5, 0.5, 0.4000, 4585.2, 212, 4459),
        ("4_2-5", 0.5, 0.0, 0.3636, 0, 219, 14),
        ("4_2-5", 0.5, 0.5, 0.3636, 2867.3, 76, 2886),
        ("1_11-6", 0.6, 0.5, 0.6381, -132.5, 166, -118),
        ("1_11-6", 0.4, 0.5, 0.6000, -463.7, 92, -463),
        ("2_4-3", 0.4, 0.5, 0.5091, -4399.5, 16, -4201),
    ],
)
def test_calibrated_choices_have_known_targets_and_strings(
    shared_data: Path,
    name: str,
    aim: float,
    mercy: float,
    share: float,
    target: float,
    index: int,
    rating: int,
) -> None:
    profile, calibration = known(shared_data, name), Calibration(aim=aim, mercy=mercy)
    assert calibration.share(profile) == pytest.approx(share, abs=5e-5)
    asked = Known(profile=profile, history=GameHistory())
    choice = Mode("calibrated", 0, calibration).choose(asked, SeededStreams(5))
    assert (choice.index, choice.rating) == (index, rating)
    assert choice.target == pytest.approx(target, abs=0.06)


def test_few_games_weigh_little_and_a_game_in_progress_counts() -> None:
    calibration = Calibration()
    assert calibration.target(calibration.share(record(1, 0)), [-100, 100]) == pytest.approx(-20)
    assert calibration.target(calibration.share(Profile()), [-100, 100]) == 0
    assert calibration.share(Profile(), [0.9, 0.5]) == pytest.approx((2 + 0.7) / 5)
    assert calibration.share(Profile(), [0.1]) < 0.5 < calibration.share(Profile(), [0.9])


def test_the_score_fraction_is_symmetric_in_both_values() -> None:
    assert score_fraction(2000, 2000) == 0.5
    assert score_fraction(20, 1) == pytest.approx(0.5 + 0.5 * 0.76159, abs=1e-5)
    assert score_fraction(1, 20) == pytest.approx(1 - score_fraction(20, 1))
    assert score_fraction(0, 0) == score_fraction(-5, 1) == 0.5


@given(
    st.lists(st.integers(-50, 50), min_size=2), st.floats(0.01, 0.99), st.integers(0, 50), st.integers(0, 50)
)
def test_mercy_never_aims_at_a_negative_rating(
    ratings: list[int], aim: float, wins: int, losses: int
) -> None:
    calibration = Calibration(aim=aim)
    share = calibration.share(record(wins, losses))
    assert share >= aim or 0 <= calibration.target(share, ratings) <= max(0, *ratings)


def test_aims_and_mercy_outside_their_ranges_are_refused() -> None:
    assert dict(AIMS) == {
        "easy": 0.7, "even": 0.5, "hard": 0.3, "novice": 0.6, "intermediate": 0.5, "expert": 0.4,
    }  # fmt: skip
    for values in ({"aim": 0.0}, {"aim": 1.0}, {"mercy": -0.1}, {"mercy": 1.1}):
        with pytest.raises(ValueError, match="an aim must be between 0 and 1"):
            Calibration(**values)


# -- Modes -----------------------------------------------------------------------------------------


def test_a_new_user_meets_the_starter() -> None:
    assert {index(mode, Profile()) for mode in MODES if mode != "random"} == {STARTER}


def test_each_mode_chooses_its_known_string() -> None:
    assert index("seed", KNOWN) == 50
    assert index("calibrated", KNOWN) == 75  # 5 of 8 games: a quarter of the best
    assert index("best", KNOWN) == 0
    assert index("fixed:249", KNOWN) == index("fixed:249", Profile()) == 249
    asked, drawn = Known(profile=KNOWN, history=GameHistory()), Mode("random", 0)
    strings = {drawn.choose(asked, SeededStreams(seed)).index for seed in range(999)}
    assert len(strings) > 220 and max(strings) < STRINGS


def test_calibration_reacts_to_a_game_in_progress() -> None:
    assert index("calibrated", KNOWN, 0.9) < index("calibrated", KNOWN) < index("calibrated", KNOWN, 0.1)
    assert index("seed", KNOWN, 0.9) == index("seed", KNOWN)


def test_hybrids_are_played_only_against_advanced_users() -> None:
    few, many = (replace(KNOWN, wins=wins, losses=0, hybrids=(CHILD,)) for wins in (1, 99))
    assert Calibration().share(few) < ADVANCED < Calibration().share(many)
    assert index("best", few) == 0
    assert index("best", many) == index("calibrated", many) == STRINGS
    assert index("seed", many) == 0
    assert index("best", replace(many, hybrids=())) == 0


@pytest.mark.parametrize("name", ["", "Seed", "fixed", "fixed:", "fixed:250", "fixed:-1", "fixed:²"])
def test_invalid_modes_and_starters_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no mode is called"):
        Mode(name, 0)
    with pytest.raises(ValueError, match="the starter must be 0 to 249"):
        Mode("seed", 250)


def test_only_the_adaptive_modes_learn_and_breed() -> None:
    modes = [Mode(name, STARTER) for name in (*MODES, "fixed:7")]
    assert {mode.name for mode in modes if mode.learns} == {"pilot", "calibrated", "seed", "best"}
    assert {mode.name for mode in modes if mode.breeds} == {"pilot", "calibrated", "best"}


def test_the_history_contains_turns_but_not_the_current_setup() -> None:
    """A farmer that is sold for $80 costs $20 of value, which nobody but the human knows yet."""
    game = new_game(RULES["improved"], SeededStreams(6))
    squares = islice(filter(game.state.is_free, range(576)), 2)
    game.set_up(Setup(place=tuple(Placement(FARMER, square) for square in squares)))
    assert GameHistory.of(game) == GameHistory()
    record = game.play(bytes(132))
    history = GameHistory.of(game)
    assert (history.turn, history.human_value, history.chaos_value) == (2, record.human_value, 2100)
    assert len(history.scores) == 1 and history.scores[0] > 0.5
    game.set_up(Setup(salvage=(1,), place=(Placement(DRONE, game.state.units[1].square),)))
    assert game.state.human_value() == history.human_value - 20 and GameHistory.of(game) == history


# -- The pilot -------------------------------------------------------------------------------------

DUE = next(
    seed for seed in range(1000) if is_due_to_win(Profile(), 0.5, SeededStreams(seed).stream("choice|1"))
)


def piloted(profile: Profile, history: GameHistory | None = None, latest: Ratings | None = None) -> Choice:
    """In a game that an even user is due to win."""
    asked = Known(profile=profile, history=history or GameHistory(), latest=latest)
    return Mode("pilot", STARTER).choose(asked, SeededStreams(DUE))


def test_users_ahead_should_lose_and_users_behind_should_win() -> None:
    """In the number of games: ten more wins weigh the same after 10 games and after 1000."""
    for games in (0, 1000):
        assert not any(is_due_to_win(record(games + 10, games), 0.5, Random(seed)) for seed in range(100))
        assert all(is_due_to_win(record(games, games + 10), 0.5, Random(seed)) for seed in range(100))
        even = sum(is_due_to_win(record(games, games), 0.5, Random(seed)) for seed in range(1000))
        assert 430 < even < 570


@pytest.mark.parametrize("aim", [0.4, 0.5, 0.6])
def test_the_share_of_wins_settles_at_the_aim(aim: float) -> None:
    """A user who wins nearly always when due and now and then when not."""
    rng, wins, losses = Random(5), 0, 0
    for game in range(300):
        has_won = rng.chance(0.95 if is_due_to_win(record(wins, losses), aim, Random(game)) else 0.1)
        wins, losses = wins + has_won, losses + (not has_won)
    assert abs(wins / (wins + losses) - aim) < 0.03


@given(st.integers(100, 50_000), st.integers(100, 50_000), st.integers(6, 30), st.booleans())
def test_the_wanted_lead_is_nearer_to_the_goal_than_the_current_lead(
    human: int, chaos: int, turn: int, is_due: bool
) -> None:
    history = GameHistory(turn=turn, human_value=human, chaos_value=chaos)
    goal = 3.9 if is_due else -3.9
    wanted = wanted_lead(record(5, 5), history, 0.5, is_due)
    assert abs(goal - wanted) <= 0.81 * abs(goal - history.lead) + 0.01
    assert turn <= 9 or abs(goal - wanted) < 0.01


def test_only_the_strongest_users_are_pressed_in_the_first_turns() -> None:
    """A game that is to be lost is kept even for five turns."""
    wanted = [
        [wanted_lead(record(wins, 6), GameHistory(turn=turn), 0.5, False) for wins in (7, 12)]
        for turn in (1, 5, 6)
    ]
    assert wanted[0][0] == wanted[1][0] == 0
    assert all(lead < -0.3 for lead in (wanted[0][1], wanted[1][1], *wanted[2]))


def test_users_who_are_behind_are_helped_from_the_first_turn() -> None:
    """A user at the aim is led to a win step by step, a user who is half a game behind at once."""
    at_aim, behind = (
        wanted_lead(record(*counts), GameHistory(turn=1), 0.5, True) for counts in ((6, 6), (5, 6))
    )
    assert 0 < at_aim < 1 < log(20) < behind


def test_the_pilot_lets_a_rich_human_win_by_losses_of_chaos() -> None:
    """$5,000 more are little to who has $80,000; $5,000 less are much to who has $12,000."""
    rest = (0,) * (STRINGS - 2)
    latest = Ratings(ratings=(21_000, 19_000, *rest), human=(21_000, 14_000, *rest))
    found = piloted(record(5, 5), GameHistory(turn=12, human_value=80_000, chaos_value=12_000), latest)
    assert found.index == 1, "the one by which Chaos loses, and not the one by which the human gains"
    assert found.plan and found.plan.is_due
    assert found.plan.expected == pytest.approx(log(94_000 / 7_000))


def test_before_the_first_turn_the_pilot_uses_the_scaled_profile() -> None:
    """Ratings of a rich game are read on the scale of a poor one: the same string either way."""
    rich = tuple(10 * rating for rating in LADDER)
    one, other = (piloted(record(6, 6, ratings)) for ratings in (LADDER, rich))
    assert one.plan and one.plan.expected is None
    assert one.index == other.index and one.rating > 500
    assert one.target is not None and abs(one.rating - one.target) <= 20


def test_the_pilot_plays_hybrids_against_advanced_users() -> None:
    """A child that does to the human what no string does: it is played against who wins two thirds of many games."""
    tests = Ratings(ratings=(*[0] * STRINGS, -2000), human=(*[0] * STRINGS, -2000))
    for wins, index in ((10, 0), (30, STRINGS)):
        profile = Profile(wins=wins, losses=6, ratings=LADDER, hybrids=(CHILD,))
        assert piloted(profile, GameHistory(turn=3), tests).index == index
        assert piloted(profile, GameHistory(turn=3), tests.of(range(STRINGS))).index == 0
