"""The ledger of a match: kept, torn, of something else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.match.ledger import Ledger

MATCH = {"game": "acquire", "seed": 1}
ENTRIES = st.lists(st.lists(st.integers(), max_size=4) | st.text(max_size=10), max_size=5)


@given(entries=ENTRIES, cut=st.integers(0, 12))
def test_whole_lines_are_read_again(
    tmp_path_factory: pytest.TempPathFactory, entries: list[object], cut: int
) -> None:
    path = tmp_path_factory.mktemp("ledger") / "match.jsonl"
    ledger = Ledger(path, MATCH)
    for entry in entries:
        ledger.add(entry)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - cut])
    again = Ledger(path, MATCH)
    assert again.entries == entries[: len(again.entries)]
    if not cut:
        assert again.entries == entries
    again.add("more")
    assert Ledger(path, MATCH).entries == [*again.entries, "more"]


def test_without_a_file_nothing_is_kept(tmp_path: Path) -> None:
    ledger = Ledger(None, MATCH)
    ledger.add([1])
    assert not ledger.entries and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("shopping list: eggs", "holds no match"),
        ("eggs\nmilk\n", "holds another match, or something else: eggs"),
        ('{"match": {"game": "acquire", "seed": 2}}\n', "holds another match"),
        ('{"match": {"game": "acquire", "seed": 1}}\n[1]\nmilk\n', "line 3: "),
    ],
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        Ledger(path, MATCH)
    assert path.read_text() == text
