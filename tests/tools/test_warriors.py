"""Warriors from files and folders: what is read, what is skipped, what is refused."""

from pathlib import Path

import pytest

from engines.corewar.presets import PRESETS
from protocols.redcode.library import parse, starters
from tools.warriors import collect, preset_for, read, read_text

NOP, NANO = PRESETS["94nop"], PRESETS["nano"]
IMP = ";redcode-94nop\n;name Imp\n;author Ann\n;strategy goes on\n;assert 1\nmov 0, 1\n"


def test_a_file_is_read_with_name_author_and_strategy(tmp_path: Path) -> None:
    path = tmp_path / "imp.red"
    path.write_bytes(IMP.replace("Ann", "Ann\xe9").encode("iso-8859-1"))
    named = read(path, NOP)
    assert (named.label, named.author, named.source, len(named.warrior.cells)) == (
        "Imp",
        "Ann?",
        str(path),
        1,
    )
    assert [line.strip() for line in named.strategy] == ["goes on"]


def test_an_assembly_error_names_the_file_line_and_word() -> None:
    with pytest.raises(ValueError, match=r"(?s)wrong\.red is not a warrior.*line 2.*mvo"):
        parse(";assert 1\nmvo 0, 1\n", NOP, "wrong.red")
    with pytest.raises(ValueError, match="no instruction"):
        parse(";assert 1\n", NOP, "empty.red")


def test_a_folder_is_searched_with_all_its_subfolders(tmp_path: Path) -> None:
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "b.red").write_text(IMP, encoding="ascii")
    (tmp_path / "deep" / "deeper" / "a.RED").write_text(IMP, encoding="ascii")
    (tmp_path / "deep" / "wrong.red").write_text("nonsense\n", encoding="ascii")
    (tmp_path / "deep" / "note.md").write_text(IMP, encoding="ascii")
    skipped: list[str] = []
    found = collect([tmp_path], NOP, skipped)
    assert [Path(each.source).name for each in found] == ["b.red", "a.RED"]
    assert len(skipped) == 1 and "wrong.red" in skipped[0]


def test_folders_without_warriors_and_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "wrong.red").write_text("nonsense\n", encoding="ascii")
    with pytest.raises(ValueError, match="holds no warrior for the nano rules"):
        collect([tmp_path], NANO, [])
    with pytest.raises(ValueError, match="is not a warrior"):
        collect([tmp_path / "wrong.red"], NOP, [])
    with pytest.raises(FileNotFoundError):
        collect([tmp_path / "missing.red"], NOP, [])


def test_a_text_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.red"
    path.write_bytes(b";\n" * (1 << 20))
    with pytest.raises(ValueError, match="too large"):
        read_text(path)


@pytest.mark.parametrize(
    ("text", "preset"),
    [
        (";redcode-94x verbose\n", "94x"),
        (";redcode-tiny\n", "tiny"),
        (";redcode\n;assert CORESIZE == 80\n", "nano"),
        (";redcode\n;assert CORESIZE==800 && 1\n;assert CORESIZE == 800\n", "tiny"),
        (";redcode-nonsense\n;assert CORESIZE == 77\n", "94nop"),
        ("mov 0, 1\n", "94nop"),
    ],
)
def test_the_preset_follows_from_redcode_line_and_assertions(text: str, preset: str) -> None:
    assert preset_for(text).name == preset


def test_starter_warriors_are_those_that_fit_the_rules() -> None:
    assert len(starters(NOP)) == 9
    assert [each.label for each in starters(NANO)] == ["Clear", "Dwarf", "Imp", "Imp-Gate", "Pebble"]
