"""`galapagos match --save`: a match that is interrupted anywhere ends with the same outcome."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.galapagos import Galapagos

TABLES = (
    "match", "random", "heuristic", "random", "pair-1", "--game", "acquire", "--variant", "mini", "--workers", "1",
    "--games", "40",
)  # fmt: skip
DUELS = ("match", "random", "chess:handset", "random", "--nodes", "20", "--max-moves", "6", "--games", "4")


def without_time(lines: list[bytes]) -> list[Any]:
    return [{**json.loads(line), "seconds": []} for line in lines]


@pytest.mark.parametrize(
    ("words", "pairing"),
    [(TABLES, "swiss"), (DUELS, "ladder")],
)
def test_a_match_interrupted_anywhere_ends_with_the_same_outcome(
    galapagos: Galapagos, tmp_path: Path, words: tuple[str, ...], pairing: str
) -> None:
    saved = tmp_path / "match.jsonl"
    command: tuple[str | Path, ...] = (*words, "--pairing", pairing, "--save", saved)
    whole = galapagos.data(*command)
    lines = saved.read_bytes().splitlines(keepends=True)
    for kept in (1, len(lines) // 2, len(lines)):
        saved.write_bytes(b"".join(lines[:kept]) + b'{"torn')
        assert galapagos.data(*command) == whole
        assert without_time(saved.read_bytes().splitlines()) == without_time(lines)


def test_the_saved_file_of_another_match_is_refused(galapagos: Galapagos, tmp_path: Path) -> None:
    saved = tmp_path / "match.jsonl"
    galapagos.data(*TABLES, "--save", saved)
    assert "holds another match" in galapagos.refused(*TABLES, "--seed", "9", "--save", saved)
    before: Any = saved.read_bytes()
    assert "holds another match" in galapagos.refused(*DUELS, "--save", saved)
    assert saved.read_bytes() == before


def test_saved_lines_that_are_no_games_are_refused(galapagos: Galapagos, tmp_path: Path) -> None:
    for words in (TABLES, DUELS):
        saved = tmp_path / words[-1]
        galapagos.data(*words, "--save", saved)
        saved.write_bytes(saved.read_bytes().splitlines(keepends=True)[0] + b"7\n")
        assert "cannot be read" in galapagos.refused(*words, "--save", saved)
