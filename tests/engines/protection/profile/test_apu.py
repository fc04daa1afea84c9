"""`.apu` files: the four of old, round trips, strict and lenient reading, and errors that say what was read."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.protection.profile.apu import ProfileError, dumps, loads
from engines.protection.profile.profile import STRINGS, Hybrid, Profile
from tests.engines.protection.strings import GENOMES

RATINGS = st.integers(-(10**9), 10**9)
HYBRIDS = st.lists(st.builds(Hybrid, rating=RATINGS, genome=GENOMES), max_size=3).map(tuple)
PROFILES = st.builds(
    Profile,
    wins=st.integers(0, 999),
    losses=st.integers(0, 999),
    ratings=st.lists(RATINGS, min_size=STRINGS, max_size=STRINGS).map(tuple),
    pool=st.sampled_from(["", "4f6e"]),
    rules=st.sampled_from([("", ""), ("seed", "9abc"), ("improved", "")]),
    mode=st.sampled_from(["", "seed", "fixed:3"]),
    aim=st.sampled_from(["", "0.5"]),
    hybrids=HYBRIDS,
    learnt=st.lists(st.text("0123456789abcdef", min_size=1), max_size=2).map(tuple),
)
LINE = "\t".join(["3", "2", *map(str, range(STRINGS))])


@settings(max_examples=25)
@given(PROFILES)
def test_a_profile_reads_back(profile: Profile) -> None:
    assert loads(dumps(profile)) == profile


@pytest.mark.parametrize(
    ("name", "record", "extremes", "mean", "negative"),
    [
        ("1_11-6", (11, 6), (-1391, 2791), 1104, 28),
        ("2_4-3", (4, 3), (-24197, 31698), 6533, 75),
        ("3_2-4", (2, 4), (-20237, 45852), 9225, 60),
        ("4_2-5", (2, 5), (-11071, 21027), 7002, 45),
    ],
)
def test_the_profiles_of_old(
    shared_data: Path, name: str, record: tuple[int, int], extremes: tuple[int, int], mean: int, negative: int
) -> None:
    text = (shared_data / "protection" / "apu" / f"{name}.apu").read_text()
    profile = loads(text, lenient=True)
    assert (profile.wins, profile.losses) == record
    assert (min(profile.ratings), max(profile.ratings)) == extremes
    assert round(sum(profile.ratings) / STRINGS) == mean
    assert sum(rating < 0 for rating in profile.ratings) == negative
    if name == "3_2-4":
        with pytest.raises(ProfileError, match="a profile has 252 numbers, not 253"):
            loads(text)
    else:
        assert loads(text) == profile


def test_any_white_space_will_do() -> None:
    plain = loads(LINE)
    blanks = LINE.replace("\t", "  ")
    assert plain == loads(LINE.replace("\t", "\n")) == loads(f"  {blanks}\r\n\r\n")
    assert (plain.wins, plain.losses, plain.ratings[249]) == (3, 2, 249)


def test_old_readers_find_the_numbers_in_the_first_line() -> None:
    profile = Profile(wins=1, pool="4f6e", rules=("seed", "9abc"), mode="calibrated", aim="0.6")
    first, *rest = dumps(profile).splitlines()
    assert first.split("\t") == ["1", "0", *["0"] * STRINGS]
    assert rest == ["P\t4f6e", "R\tseed\t9abc", "M\tcalibrated\t0.6"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a profile has 252 numbers, not 0"),
        (LINE.rpartition("\t")[0], "a profile has 252 numbers, not 251"),
        (f"{LINE} 4 5", "a profile has 252 numbers, not 254"),
        (f"{LINE}\t1.5", "line 1: '1.5' is no whole number"),
        (f"{LINE}\t1_5", "line 1: '1_5' is no whole number"),
        (f"-{LINE}", "games are counted from 0, not -3 won and 2 lost"),
        (f"{LINE}\nX\t1", "line 2: no line begins with 'X'"),
        (f"{LINE}\nP", "line 2: behind P there are 1 fields, not 0"),
        (f"{LINE}\nP\ta\nP\tb", "line 3: a second line P"),
        (f"{LINE}\nP\ta\n7", "line 3: numbers come before the lines with letters, not behind them: '7'"),
        (f"{LINE}\nH\t3\t00", "line 2: line 1: a string has 264 hex digits, not 2"),
        (f"{LINE}\nT\ta\tb", "line 2: behind T there is 1 field, not 2"),
        (f"{LINE}\nT\ta\n7", "line 3: numbers come before the lines with letters, not behind them: '7'"),
        (f"{LINE}\nM\ta\x07\t0.5", "no hash, name or mode is 'a\\x07'"),
    ],
)
def test_what_is_no_profile_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        loads(text)
    assert reason in str(refused.value)


@given(st.text())
def test_no_text_raises_anything_else(text: str) -> None:
    with pytest.raises(ValueError):
        loads(text, lenient=True)
