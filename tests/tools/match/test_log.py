"""The log of a match: read again, cut off, of something else."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.galapagos import Galapagos
from tools.match.log import MatchLog

MATCH = {"game": "acquire", "seed": 1}
ENTRIES = st.lists(st.lists(st.integers(), max_size=4) | st.text(max_size=10), max_size=5)


@settings(max_examples=25)
@given(entries=ENTRIES, cut=st.integers(0, 12))
def test_whole_lines_are_read_again(
    tmp_path_factory: pytest.TempPathFactory, entries: list[object], cut: int
) -> None:
    path = tmp_path_factory.mktemp("log") / "match.jsonl"
    log = MatchLog(path, MATCH)
    for entry in entries:
        log.add(entry)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - cut])
    again = MatchLog(path, MATCH)
    assert again.entries == entries[: len(again.entries)]
    if not cut:
        assert again.entries == entries
    again.add("more")
    assert MatchLog(path, MATCH).entries == [*again.entries, "more"]


def test_without_a_file_nothing_is_kept(tmp_path: Path) -> None:
    log = MatchLog(None, MATCH)
    log.add([1])
    assert not log.entries and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("shopping list: eggs", "holds no match"),
        ("eggs\nmilk\n", "holds no match"),
        ('{"match": {"game": "acquire", "seed": 2}}\n', "another match: seed is 2 there and 1 here"),
        ('{"match": {"game": "acquire", "seed": 1}}\n[1]\nmilk\n', "line 3: "),
    ],
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        MatchLog(path, MATCH)
    assert path.read_text() == text


# -- `galapagos match --save`: a match that is interrupted anywhere ends with the same outcome -------

TABLES = (
    "match", "random", "heuristic", "random", "pair-1", "--game", "acquire", "--variant", "mini", "--workers", "1",
    "--games", "40",
)  # fmt: skip
DUELS = ("match", "random", "chess:handset", "random", "--nodes", "20", "--max-moves", "6", "--games", "4")


@pytest.mark.parametrize(
    ("words", "pairing"),
    [(TABLES, "swiss"), (DUELS, "ladder")],
)
def test_interrupted_anywhere(
    galapagos: Galapagos, tmp_path: Path, words: tuple[str, ...], pairing: str
) -> None:
    saved = tmp_path / "match.jsonl"
    command: tuple[str | Path, ...] = (*words, "--pairing", pairing, "--save", saved)
    whole = galapagos.data(*command)
    lines = saved.read_bytes().splitlines(keepends=True)
    for kept in (1, len(lines) // 2, len(lines)):
        saved.write_bytes(b"".join(lines[:kept]) + b'{"torn')
        assert galapagos.data(*command) == whole
        assert saved.read_bytes().splitlines(keepends=True) == lines


def test_another_match_is_refused(galapagos: Galapagos, tmp_path: Path) -> None:
    saved = tmp_path / "match.jsonl"
    galapagos.data(*TABLES, "--save", saved)
    assert "holds another match" in galapagos.refused(*TABLES, "--seed", "9", "--save", saved)
    before: Any = saved.read_bytes()
    assert "holds another match" in galapagos.refused(*DUELS, "--save", saved)
    assert saved.read_bytes() == before


def test_lines_that_are_no_games(galapagos: Galapagos, tmp_path: Path) -> None:
    for words in (TABLES, DUELS):
        saved = tmp_path / words[-1]
        galapagos.data(*words, "--save", saved)
        saved.write_bytes(saved.read_bytes().splitlines(keepends=True)[0] + b"7\n")
        assert "cannot be read" in galapagos.refused(*words, "--save", saved)


def test_a_line_of_nested_brackets_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    MatchLog(path, {"seed": 1})
    with path.open("a") as file:
        file.write("[" * 5000 + "\n")
    with pytest.raises(ValueError, match="line 2: maximum recursion depth"):
        MatchLog(path, {"seed": 1})
