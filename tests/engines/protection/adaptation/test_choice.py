"""The choice of old and the calibrated one: the strings that the four known profiles lead to, and ties."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.protection.adaptation.calibration import AIMS, Calibration, standing
from engines.protection.adaptation.choice import Choice, chosen
from engines.protection.profile.apu import loads
from engines.protection.profile.profile import Profile

RATINGS = st.lists(st.integers(-50, 50), min_size=1, max_size=40)


def known(folder: Path, name: str) -> Profile:
    return loads((folder / "protection" / "apu" / f"{name}.apu").read_text(), lenient=True)


@pytest.mark.parametrize(
    ("name", "target", "index", "rating"),
    [
        ("1_11-6", -409.1, 70, -412),
        ("2_4-3", -3456.7, 202, -3502),
        ("3_2-4", 0, 43, 31),
        ("4_2-5", 0, 219, 14),
    ],
)
def test_the_choice_of_old(shared_data: Path, name: str, target: float, index: int, rating: int) -> None:
    profile = known(shared_data, name)
    choice = chosen(profile.wins, profile.losses, profile.ratings)
    assert (choice.index, choice.rating) == (index, rating)
    assert choice.target == pytest.approx(target, abs=0.06)


def test_small_choices() -> None:
    ratings = [50, -100, -60, -20, 10]
    assert chosen(0, 0, ratings) == chosen(1, 3, ratings) == Choice(index=4, rating=10, target=0.0)
    assert chosen(1, 0, ratings) == Choice(index=1, rating=-100, target=-100.0)
    assert chosen(3, 1, ratings) == Choice(index=2, rating=-60, target=-50.0)
    assert chosen(3, 1, [8, 4, 6]) == Choice(index=1, rating=4, target=2.0), "no string may be below 0"


def test_equal_distances_are_equal() -> None:
    """A third of -3 is -1, exactly."""
    assert chosen(2, 1, [-3, 1, -3]).index == 0
    assert chosen(2, 1, [0, -2, -3]).index == 0, "-1 is as far from 0 as from -2"
    assert chosen(2, 1, [-2, 0, -3]).index == 0


@given(RATINGS, st.integers(0, 9), st.integers(0, 9))
def test_nothing_is_nearer_than_what_is_chosen(ratings: list[int], wins: int, losses: int) -> None:
    choice = chosen(wins, losses, ratings)
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
def test_the_calibrated_choice(
    shared_data: Path,
    name: str,
    aim: float,
    mercy: float,
    share: float,
    target: float,
    index: int,
    rating: int,
) -> None:
    profile = known(shared_data, name)
    calibration = Calibration(aim=aim, mercy=mercy)
    found = calibration.share(profile.wins, profile.losses)
    assert found == pytest.approx(share, abs=5e-5)
    choice = calibration.chosen(found, profile.ratings)
    assert (choice.index, choice.rating) == (index, rating)
    assert choice.target == pytest.approx(target, abs=0.06)


def test_few_games_say_little() -> None:
    calibration = Calibration()
    assert calibration.target(calibration.share(1, 0), [-100, 100]) == pytest.approx(-20)
    assert calibration.target(calibration.share(0, 0), [-100, 100]) == 0


def test_a_game_under_way_counts() -> None:
    calibration = Calibration()
    assert calibration.share(0, 0, [0.9, 0.5]) == pytest.approx((2 + 0.7) / 5)
    assert calibration.share(0, 0, [0.1]) < 0.5 < calibration.share(0, 0, [0.9])


def test_how_a_game_stands() -> None:
    assert standing(2000, 2000) == 0.5
    assert standing(20, 1) == pytest.approx(0.5 + 0.5 * 0.76159, abs=1e-5)
    assert standing(1, 20) == pytest.approx(1 - standing(20, 1))
    assert standing(0, 0) == standing(-5, 1) == 0.5


@given(RATINGS, st.floats(0.01, 0.99), st.integers(0, 50), st.integers(0, 50))
def test_mercy_is_never_harm(ratings: list[int], aim: float, wins: int, losses: int) -> None:
    calibration = Calibration(aim=aim)
    share = calibration.share(wins, losses)
    if share < aim:
        assert 0 <= calibration.target(share, ratings) <= max(0, *ratings) if len(ratings) > 1 else True


def test_settings() -> None:
    assert dict(AIMS) == {"novice": 0.6, "intermediate": 0.5, "expert": 0.4}
    for values in ({"aim": 0.0}, {"aim": 1.0}, {"mercy": -0.1}, {"mercy": 1.1}):
        with pytest.raises(ValueError, match="an aim is between 0 and 1"):
            Calibration(**values)
