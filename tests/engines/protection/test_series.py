"""Series: deterministic, remembered from game to game, and the pilot beside a fixed string."""

from core.protection.rules import CHAOS, HUMAN
from engines.protection.adaptation import Mode
from engines.protection.chaos import Chaos
from engines.protection.pool import handwritten
from engines.protection.profile import STRINGS, Profile
from engines.protection.series import Outcome, Series, play_games

BY_HAND = list(handwritten().values())
POOL = tuple(BY_HAND[index % len(BY_HAND)] for index in range(STRINGS))


def outcomes(user: str, mode: str, games: int, seed: int = 1) -> list[Outcome]:
    series = Series(user=user, skill=1.0, rules="improved", games=games, seed=seed)
    return list(play_games(series, Chaos(pool=POOL, mode=Mode(mode, 2), profile=Profile(), tests=1)))


def test_equal_series_have_equal_outcomes() -> None:
    assert outcomes("random", "pilot", 2) == outcomes("random", "pilot", 2)
    assert outcomes("random", "pilot", 1) != outcomes("random", "pilot", 1, seed=2)


def test_a_fixed_string_beats_farmers_always_and_the_pilot_does_not() -> None:
    """Strings are chosen by what was rated: the user wins some, loses some."""
    fixed = outcomes("farmers", "fixed:2", 8)
    assert {game.winner for game in fixed} == {CHAOS}
    assert all(set(game.strings) == {2} for game in fixed)
    piloted = outcomes("farmers", "pilot", 8)
    assert [game.winner for game in piloted] == [CHAOS, CHAOS, HUMAN, HUMAN, HUMAN, CHAOS, HUMAN, CHAOS]
    assert any(len(set(game.strings)) > 2 for game in piloted)
