"""`galapagos genome` on programs of Acquire: shown, explained and compared, by name, from a file, from a run."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engines.acquire.genome import thesis_players
from tools.__main__ import main


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["genome", *words]) == 0
    return capsys.readouterr().out


def test_a_player_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "show", "pair-2", "--svg", str(tmp_path / "drawn"))
    assert "buy: 7 nodes, 3 levels; simplified 3 nodes\n" in text
    assert "= 0 - size-of-chain-1\n" in text
    assert text.endswith(thesis_players()["pair-2"].dumps())
    for name in ("place", "buy"):
        assert ElementTree.parse(tmp_path / "drawn" / f"{name}.svg").getroot().tag.endswith("svg")


def test_a_file_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.lisp"
    path.write_text("(define buy (if-chain-3-is-of-maximum-size 1 (size-of-chain-1)))\n")
    text = said(capsys, "explain", str(path))
    assert "Buy the shares after which this is largest:\n  the size of the largest chain\n" in text
    assert "1, for there it is never so that the third chain has the maximum size" in text
    assert (
        "3 nodes, 1 of them needed\nWith these alone it has the same value on 100.0% of 2,000 random boards"
        in text
    )
    facts = json.loads(said(capsys, "explain", str(path), "--json"))
    assert facts["programs"]["buy"]["simplified"] == "(size-of-chain-1)"


def test_players_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(said(capsys, "compare", "pair-1", "pair-1", "pair-4", "--json"))
    assert rows[0] == {"name": "pair-1", "edited_nodes": 0, "different_choices": 0.0}
    assert rows[1]["name"] == "pair-4" and rows[1]["edited_nodes"] > 10


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["show", "missing.lisp"], "neither a file"),
        (["show", "evolved", "--svg", "x"], "--svg draws programs of Acquire"),
        (["compare", "pair-1", "heuristic"], "heuristic is no player with programs"),
        (["compare", "pair-1", "nobody"], "no player is called 'nobody'"),
    ],
)
def test_what_cannot_be(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["genome", *words]) == 2
    assert reason in capsys.readouterr().err
