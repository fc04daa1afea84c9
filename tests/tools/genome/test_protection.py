"""`galapagos genome` on strings of Advanced Protection, by name and from a file."""

import json
from pathlib import Path

import pytest

from engines.protection.genome import Genome
from engines.protection.pool import bundled_pool, handwritten
from tools.__main__ import main


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["genome", *words]) == 0
    return capsys.readouterr().out


def test_a_string_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "show", "commons")
    assert text.startswith("commons: Common barbarians and nobody else")
    assert handwritten()["commons"].hex in text
    facts = json.loads(said(capsys, "show", "commons", "--json"))
    assert facts["preferences"]["common"] == 15
    assert Genome.loads(facts["text"]) == Genome.loads(facts["hex"]) == handwritten()["commons"]


def test_a_file_is_explained_checked_and_normalised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.aps"
    path.write_text(f"{'0' * 255}3f0000000\n")
    assert "scout (preference 15)\n  With nothing to sense it walks." in said(capsys, "explain", str(path))
    assert "warning: scout never broadcasts: preference 15 is wasted" in said(capsys, "check", str(path))
    assert Genome.loads(said(capsys, "normalise", str(path))).hex == "0" * 256 + "f0000000"


def test_strings_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(said(capsys, "compare", "commons", "quilt", "commons", "--json"))
    assert [row["name"] for row in rows] == ["commons", "quilt"]
    assert rows[0]["bits"] == 0 and rows[1]["bits"] > 100
    assert "commons and commons: 0 bits differ" in said(capsys, "compare", "commons", "commons")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["show", "missing.aps"], "'missing.aps' is neither a file nor a bundled string; there are avengers"),
        (["check", "commons", "3"], "commons holds one string"),
        (["check", "pool:250"], "the pool has strings pool:0 to pool:249, and none called '250'"),
        (["compare", "commons", "pyproject.toml"], "pyproject.toml: line 1: '[', the 1. character"),
    ],
)
def test_unknown_and_malformed_strings_are_refused(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["genome", *words]) == 2
    assert reason in capsys.readouterr().err


def test_the_strings_of_the_pool_have_numbers_and_names(capsys: pytest.CaptureFixture[str]) -> None:
    entry = bundled_pool().entries[117]
    for source in ("pool:117", f"pool:{entry.name}"):
        facts = json.loads(said(capsys, "show", source, "--json"))
        assert facts["hex"] == entry.genome.hex
        assert facts["about"].startswith(f"evolved against {entry.provenance['arrangement']} of $")
    assert said(capsys, "explain", "pool:0").startswith("pool:0, avengers: ")
