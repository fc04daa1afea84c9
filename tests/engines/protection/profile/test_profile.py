"""What a profile learns: games, and ratings that go half of the way toward zero."""

import pytest

from engines.protection.profile.profile import STRINGS, Profile, halfway


@pytest.mark.parametrize(
    ("old", "latest", "new"),
    [(0, 7, 3), (0, -7, -3), (-7, 0, -3), (5, -8, -1), (-1, 0, 0), (1, 0, 0), (-3, 3, 0), (100, 200, 150)],
)
def test_a_rating_goes_halfway_toward_zero(old: int, latest: int, new: int) -> None:
    assert halfway(old, latest) == new


def test_games_and_turns() -> None:
    profile = Profile()
    assert profile.is_new
    won = profile.finished(True).finished(True).finished(False)
    assert (won.wins, won.losses, won.games, won.is_new) == (2, 1, 3, False)
    rated = won.rated([-9] * STRINGS).rated([10] * STRINGS)
    assert set(rated.ratings) == {3}
    assert rated.forgotten().ratings == (0,) * STRINGS
    assert rated.forgotten().wins == 2
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        profile.rated([1])


def test_what_is_no_profile() -> None:
    with pytest.raises(ValueError, match="250 ratings, not 1"):
        Profile(ratings=(1,))
    with pytest.raises(ValueError, match="-1 won"):
        Profile(wins=-1)
