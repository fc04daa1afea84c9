"""`galapagos genome` on programs of Acquire: shown, explained and compared, by name, from a file, from a run."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.random import Random
from engines.acquire.net_genome import CHAIN_SLOTS, TABLE_SLOTS, NetGenome, Shape
from engines.acquire.registry import thesis_players
from tools.__main__ import main


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["genome", *words]) == 0
    return capsys.readouterr().out


def test_a_player_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "show", "pair-2", "--svg", str(tmp_path / "drawn"))
    assert "buy: 7 nodes, 3 levels; simplified, 3 nodes\n" in text
    assert "= 0 - size-of-chain-1\n" in text
    assert text.endswith(thesis_players()["pair-2"].dumps())
    for name in ("place", "buy"):
        assert ElementTree.parse(tmp_path / "drawn" / f"{name}.svg").getroot().tag.endswith("svg")


def test_a_file_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.lisp"
    path.write_text("(define buy (if-chain-3-is-of-maximum-size 1 (size-of-chain-1)))\n")
    text = said(capsys, "explain", str(path))
    assert "Buy the shares after which this is largest:\n  the size of the largest chain\n" in text
    assert "1, because there it never holds that the third chain has the maximum size" in text
    assert (
        "3 nodes, 1 of them needed\nWith the needed nodes alone, it has the same value on 100.0% of 2,000 random boards"
        in text
    )
    facts = json.loads(said(capsys, "explain", str(path), "--json"))
    assert facts["programs"]["buy"]["simplified"] == "(size-of-chain-1)"


def test_players_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(said(capsys, "compare", "pair-1", "pair-1", "pair-4", "--json"))
    assert rows[0] == {"name": "pair-1", "edited_nodes": 0, "different_choices": 0.0}
    assert rows[1]["name"] == "pair-4" and rows[1]["edited_nodes"] > 10


def test_programs_without_place_and_buy_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tmp_path / "one.lisp", tmp_path / "other.lisp"
    one.write_text("(define end (i-lead))")
    other.write_text("(define end (not (i-lead)))")
    (row,) = json.loads(said(capsys, "compare", str(one), str(other), "--json"))
    assert row["edited_nodes"] == 1 and row["different_choices"] == 1.0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["show", "missing.lisp"], "neither a file"),
        (["show", "evolved", "--svg", "x"], "--svg draws programs"),
        (["compare", "pair-1", "heuristic"], "heuristic is a player without a genome"),
        (["compare", "pair-1", "nobody"], "no player is called 'nobody'"),
    ],
)
def test_unknown_players_and_players_without_programs_are_refused(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["genome", *words]) == 2
    assert reason in capsys.readouterr().err


# `galapagos genome` on nets of Acquire: shown, explained by what moves them, and compared.


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A net that wants to be worth much, and cares for nothing else."""
    shape = Shape(chain_units=1, table_units=1)
    zeros = NetGenome(shape=shape, weights=(0.0,) * shape.size)
    text = (
        zeros.dumps().replace("(table my-worth 0)", "(table my-worth 1)").replace("(result 0)", "(result 2)")
    )
    (tmp_path / "mine.lisp").write_text(f"; greedy\n{text}")
    return str(tmp_path / "mine.lisp")


def test_a_net_is_shown(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "show", path)
    assert f"{len(CHAIN_SLOTS)} inputs for each chain feed 1 unit;" in text and "(table my-worth 1)" in text
    facts = json.loads(said(capsys, "show", path, "--json"))
    assert NetGenome.loads(facts["text"]).dumps() == facts["text"]
    assert facts["net"]["chain_units"] == 1


def test_explain_measures_which_inputs_change_the_choices_of_a_net(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads(said(capsys, "explain", path, "--json"))["inputs"]
    assert len(rows) == len(CHAIN_SLOTS) + len(TABLE_SLOTS)
    first, *others = rows
    assert (first["layer"], first["name"]) == ("table", "my-worth")
    assert first["changed"] > 0.3 and first["pull"] > 0
    assert all(each["changed"] == 0 and not each["pull"] for each in others)
    assert said(capsys, "explain", path).splitlines()[-len(rows)].startswith("table my-worth ")


def test_nets_are_compared_by_their_choices(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.lisp"
    other.write_text(NetGenome.random(Random(1)).dumps())
    rows = json.loads(said(capsys, "compare", path, path, str(other), "--json"))
    assert rows[0] == {"name": path, "edited_nodes": None, "different_choices": 0.0}
    assert rows[1]["different_choices"] > 0.2
    assert said(capsys, "compare", path, path).endswith("    -    0.0%\n")


def test_drawing_a_net_and_reading_a_broken_net_are_refused(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["genome", "show", path, "--svg", str(tmp_path / "x")]) == 2
    assert "--svg draws programs" in capsys.readouterr().err
    (tmp_path / "bad.lisp").write_text("(net 1)\n(chain size one)")
    assert main(["genome", "show", str(tmp_path / "bad.lisp")]) == 2
    assert "bad.lisp: line 2: a number is expected, not 'one'" in capsys.readouterr().err
