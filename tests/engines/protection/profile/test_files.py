"""Profiles in a folder: names that are no paths, files that are replaced as a whole."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.protection.profile.apu import ProfileError
from engines.protection.profile.files import file_name, read_profile, write_profile
from engines.protection.profile.profile import Profile


@pytest.mark.parametrize("user", ["Ann", "a b", "x_y-z", "Jürgen 2", "7", "n" * 40])
def test_names(user: str) -> None:
    assert file_name(user) == f"{user}.apu"


@pytest.mark.parametrize(
    "user", ["", " ", "..", ".", "a/b", "a\\b", "../x", "a.b", "C:", "x\x00", "n" * 41, "a\n", "~", "\u202e"]
)
def test_what_is_no_name(user: str) -> None:
    with pytest.raises(ValueError, match="1 to 40 letters"):
        file_name(user)


@given(st.text())
def test_no_name_is_a_path(user: str) -> None:
    try:
        name = file_name(user)
    except ValueError:
        return
    assert Path(name).name == name and not name.startswith(".")


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    assert read_profile(tmp_path, "Ann") is None
    for wins in (1, 2):
        profile = Profile(wins=wins)
        assert write_profile(tmp_path, "Ann", profile) == tmp_path / "Ann.apu"
        assert read_profile(tmp_path, "Ann") == profile
    assert [path.name for path in tmp_path.iterdir()] == ["Ann.apu"]


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_profile(tmp_path, "Ann", Profile(wins=1))

    def refuse(self: Path, target: Path) -> None:
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        write_profile(tmp_path, "Ann", Profile(wins=2))
    assert read_profile(tmp_path, "Ann") == Profile(wins=1)
    assert [path.name for path in tmp_path.iterdir()] == ["Ann.apu"]


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "Ann.apu").write_bytes(b"\xff\xfe 1")
    with pytest.raises(ProfileError):
        read_profile(tmp_path, "Ann")
