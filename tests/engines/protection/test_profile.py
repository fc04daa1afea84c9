"""Profiles: what games and ratings change, `.apu` files old and new, and a store of them by names that are no paths."""

import os
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.protection.profile import (
    STRINGS,
    Hybrid,
    Profile,
    ProfileError,
    ProfileStore,
    dumps,
    halfway,
    loads,
    normalised_name,
)
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


@pytest.mark.parametrize(
    ("old", "latest", "new"),
    [(0, 7, 3), (0, -7, -3), (-7, 0, -3), (5, -8, -1), (-1, 0, 0), (1, 0, 0), (-3, 3, 0), (100, 200, 150)],
)
def test_a_rating_moves_halfway_and_is_rounded_toward_zero(old: int, latest: int, new: int) -> None:
    assert halfway(old, latest) == new


def test_games_and_ratings_change_a_profile() -> None:
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


def test_invalid_profiles_are_refused() -> None:
    with pytest.raises(ValueError, match="250 ratings, not 1"):
        Profile(ratings=(1,))
    with pytest.raises(ValueError, match="-1 won"):
        Profile(wins=-1)


# -- The `.apu` file -------------------------------------------------------------------------------


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
def test_profiles_of_1999_are_read(
    shared_data: Path, name: str, record: tuple[int, int], extremes: tuple[int, int], mean: int, negative: int
) -> None:
    text = (shared_data / "protection" / "apu" / f"{name}.apu").read_text()
    if name == "3_2-4":
        with pytest.raises(ProfileError, match="a profile has 252 numbers, not 253"):
            loads(text)
    profile = loads(" ".join(text.split()[: STRINGS + 2]))
    assert (profile.wins, profile.losses) == record
    assert (min(profile.ratings), max(profile.ratings)) == extremes
    assert round(sum(profile.ratings) / STRINGS) == mean
    assert sum(rating < 0 for rating in profile.ratings) == negative


def test_any_white_space_separates_the_numbers() -> None:
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
        (f"{LINE}\t1.5", "line 1: '1.5' is not a whole number"),
        (f"{LINE}\t1_5", "line 1: '1_5' is not a whole number"),
        (f"-{LINE}", "games are counted from 0, not -3 won and 2 lost"),
        (f"{LINE}\nX\t1", "line 2: a line starts with P, R, M, H, T, V, O or C, not 'X'"),
        (f"{LINE}\nP", "line 2: a line P has 1 field, not 0"),
        (f"{LINE}\nP\ta\nP\tb", "line 3: the line P is there twice"),
        (f"{LINE}\nP\ta\n7", "line 3: numbers must come before the lines with letters, not after them: '7'"),
        (f"{LINE}\nH\t3\t00", "line 2: line 1: a string has 264 hex digits, not 2"),
        (f"{LINE}\nT\ta\tb", "line 2: a line T has 1 field, not 2"),
        (f"{LINE}\nT\ta\n7", "line 3: numbers must come before the lines with letters, not after them: '7'"),
        (f"{LINE}\nM\ta\x07\t0.5", "'a\\x07' cannot be a hash, a name or a mode"),
    ],
)
def test_invalid_profile_files_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        loads(text)
    assert reason in str(refused.value)


@given(st.text())
def test_arbitrary_text_is_refused_as_a_profile(text: str) -> None:
    with pytest.raises(ValueError):
        loads(text)


# -- The store -------------------------------------------------------------------------------------


@pytest.mark.parametrize("user", ["Ann", "a b", "x_y-z", "Jürgen 2", "7", "n" * 40])
def test_valid_user_names_are_accepted(user: str) -> None:
    assert normalised_name(user) == normalised_name(f" {user} ") == user


@pytest.mark.parametrize(
    "user",
    [
        "",
        " ",
        "..",
        ".",
        "a/b",
        "a\\b",
        "../x",
        "a.b",
        "C:",
        "x\x00",
        "n" * 41,
        "a\n",
        "~",
        "\u202e",
        "Ann\u3164",
        "a" + "\u0327\u0301" * 500,
    ],
)
def test_invalid_user_names_are_refused(user: str) -> None:
    with pytest.raises(ValueError, match="1 to 40 letters"):
        normalised_name(user)


@given(name=st.text(max_size=45))
def test_any_name_stays_in_the_folder(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("profiles")
    store = ProfileStore(folder)
    try:
        store.put(name, Profile(wins=3))
    except ValueError:
        store.flush()
        assert not list(folder.iterdir())
        return
    store.flush()
    (path,) = folder.iterdir()
    assert path.parent == folder and store.names() == [path.stem] and store.get(name) == Profile(wins=3)
    store.delete(name)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("has_folder", [True, False])
def test_a_profile_is_kept_and_deleted(has_folder: bool, tmp_path: Path) -> None:
    store = ProfileStore(tmp_path if has_folder else None)
    assert store.get("Ann") is store.find("Ann") is None
    for wins in (1, 2):
        store.put("Ann", Profile(wins=wins))
        assert store.get("Ann") == store.find("Ann") == Profile(wins=wins)
    store.flush()
    assert [path.name for path in tmp_path.iterdir()] == (["Ann.apu"] if has_folder else [])
    store.delete("Ann")
    assert store.names() == []
    with pytest.raises(KeyError):
        store.delete("Ann")


def test_profiles_that_cannot_be_written_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = ProfileStore(tmp_path)
    store.put("Ann", Profile(wins=1))
    store.flush()

    def refuse(self: Path, target: Path) -> None:
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", refuse)
    store.put("Ann", Profile(wins=2))
    store.flush()
    assert caplog.messages == ["the profile of Ann cannot be written: no"]
    assert store.get("Ann") == Profile(wins=2) and ProfileStore(tmp_path).get("Ann") == Profile(wins=1)
    assert [path.name for path in tmp_path.iterdir()] == ["Ann.apu"]
    monkeypatch.undo()
    store.put("Ann", Profile(wins=3))
    store.flush()
    assert store.get("Ann") == ProfileStore(tmp_path).get("Ann") == Profile(wins=3)


def test_profile_operations_do_not_wait_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes a minute to write delays no game; only the newest of what waits is written."""
    (tmp_path / "Bob.apu").write_text(dumps(Profile(wins=4)))
    disk_works, written = Event(), list[str]()

    def write_slowly(path: Path, text: str, mode: int) -> None:
        assert disk_works.wait(60)
        written.append(text)

    store = ProfileStore(tmp_path)
    monkeypatch.setattr("engines.protection.profile.write_atomically", write_slowly)
    monkeypatch.setattr("engines.protection.profile.open_file", None)  # nothing is read any more, either
    for wins in range(1, 100):
        store.put("Ann", Profile(wins=wins))
        assert store.get("Ann") == store.find("Ann") == Profile(wins=wins)
    assert store.names() == ["Ann", "Bob"] and store.get("Bob") == Profile(wins=4) and not written
    disk_works.set()
    store.flush()
    assert len(written) <= 2 and written[-1] == dumps(Profile(wins=99))


def test_a_damaged_profile_file_raises_an_error(tmp_path: Path) -> None:
    (tmp_path / "Ann.apu").write_bytes(b"\xff\xfe 1")
    with pytest.raises(ProfileError):
        ProfileStore(tmp_path).get("Ann")
    with pytest.raises(ValueError, match="the profile of Ann cannot be used: line 1"):
        ProfileStore(tmp_path).find("Ann")


def test_the_least_recently_used_small_owned_profile_is_evicted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.protection.profile.MAX_PROFILES", 4)
    for name, profile, seconds in (
        ("Machine", Profile(), 1), ("Often", Profile(wins=3, owner="a"), 2), ("Old", Profile(owner="b"), 3),
        ("Used", Profile(wins=2, owner="c"), 4),
    ):  # fmt: skip
        (tmp_path / f"{name}.apu").write_text(dumps(profile))
        os.utime(tmp_path / f"{name}.apu", (seconds, seconds))
    store = ProfileStore(tmp_path)
    store.claim("New", "d")
    assert store.names() == ["Machine", "New", "Often", "Used"]
    store.put("Used", Profile(wins=2, owner="c"))
    store.claim("Newer", "e")
    assert store.names() == ["Machine", "Newer", "Often", "Used"]
    for name in ("Newer", "Used"):
        store.put(name, Profile(losses=3, owner="f"))
    store.make_room("Used")
    with pytest.raises(ValueError, match="there are 4 profiles"):
        store.claim("Newest", "g")
    store.flush()
    assert sorted(path.stem for path in tmp_path.iterdir()) == store.names() == ProfileStore(tmp_path).names()


def test_an_owner_is_kept_and_a_newer_version_is_refused() -> None:
    owned = Profile(wins=1, owner="12ab")
    assert dumps(owned).endswith("V\t2\nO\t12ab\n") and loads(dumps(owned)) == owned
    assert "V" not in dumps(Profile(wins=1)), "a file of before, as other programs read it"
    with pytest.raises(ProfileError, match="version '4', this program reads up to 3"):
        loads(dumps(owned).replace("V\t2", "V\t4"))


def test_agreement_to_a_study_is_kept_in_a_file_of_version_3() -> None:
    agreeing = Profile(wins=1, agrees=True)
    assert dumps(agreeing).endswith("V\t3\nC\tstudy\n") and loads(dumps(agreeing)) == agreeing
    with pytest.raises(ProfileError, match="line 3: a line C has the word study, not 'yes'"):
        loads(dumps(agreeing).replace("C\tstudy", "C\tyes"))
