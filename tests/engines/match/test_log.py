"""The log of a match: read again, cut off, of something else."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.match.log import MatchLog

MATCH = {"game": "acquire", "seed": 1}
ENTRIES = st.lists(
    st.lists(st.integers(), max_size=4) | st.text(st.characters(codec="utf-8"), max_size=10), max_size=5
)


@settings(max_examples=25)
@given(entries=ENTRIES, cut=st.integers(0, 12))
def test_whole_lines_are_read_again(
    tmp_path_factory: pytest.TempPathFactory, entries: list[object], cut: int
) -> None:
    path = tmp_path_factory.mktemp("log") / "match.jsonl"
    log = MatchLog(path, MATCH)
    log.add(entries[:1])
    log.add(entries[1:])
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - cut])
    again = MatchLog(path, MATCH)
    assert again.entries == entries[: len(again.entries)]
    if not cut:
        assert again.entries == entries
    again.add(["more"])
    assert MatchLog(path, MATCH).entries == [*again.entries, "more"]


def test_without_a_file_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = MatchLog(None, MATCH)
    log.add([[1]])
    assert log.entries == [] and list(tmp_path.iterdir()) == []
    assert MatchLog(None, MATCH).entries == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("shopping list: eggs", "holds no match"),
        ("eggs\nmilk\n", "holds no match"),
        (
            '{"match": {"game": "acquire", "seed": 2}}\n',
            "another match: seed is 2 in the file and 1 in this match",
        ),
        ('{"match": {"game": "acquire", "seed": 1}}\n[1]\nmilk\n', "line 3: "),
    ],
)
def test_a_file_of_another_kind_is_refused_and_left_unchanged(
    tmp_path: Path, text: str, complaint: str
) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        MatchLog(path, MATCH)
    assert path.read_text() == text


def test_a_line_of_nested_brackets_is_refused_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    MatchLog(path, {"seed": 1})
    with path.open("a") as file:
        file.write("[" * 5000 + "\n")
    with pytest.raises(ValueError, match="line 2: maximum recursion depth"):
        MatchLog(path, {"seed": 1})
