"""`galapagos genome` on strings of Advanced Protection, by name and from a file."""

import json
from pathlib import Path

import pytest

from engines.protection.defender import Defender
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


# -- Defenders -------------------------------------------------------------------------------------


@pytest.fixture
def defender(tmp_path: Path) -> Path:
    path = tmp_path / "mine.apd"
    genes = "".join("c8888e8888c8" if kind == 4 else "0" * 12 for kind in range(8))
    path.write_text(f"# settlers\n{genes}\n")
    return path


def test_a_defender_is_shown_explained_and_checked(
    defender: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = json.loads(said(capsys, "show", str(defender), "--json"))
    assert facts["wants"]["settler"] == 12
    assert Defender.loads(facts["text"]) == Defender.loads(facts["hex"])
    assert facts["hex"] in said(capsys, "show", str(defender))
    assert said(capsys, "explain", str(defender)).splitlines()[2:] == [
        "settler, 100% of the units: best on wetlands; on gold; near jammers"
    ]
    assert said(capsys, "check", str(defender)).splitlines() == [f"{defender}: a defender of 96 genes"]
    defender.write_text("0" * 96)
    assert "warning: it wants no unit" in said(capsys, "check", str(defender))
    assert main(["genome", "normalise", str(defender)]) == 2
    assert "is a defender; this verb is for strings" in capsys.readouterr().err


def test_both_sides_are_measured_against_their_yardsticks(
    defender: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, count in ((str(defender), 16), ("growers", 12)):
        facts = json.loads(said(capsys, "measure", name, "--games", "1", "--json"))
        assert len(facts["games"]) == count and all(sum(tally) == 1 for tally in facts["games"].values())
        assert facts["beaten"] == sum(tally[2] for tally in facts["games"].values())
    text = said(capsys, "measure", str(defender), "--games", "1")
    assert (
        f"It beats {json.loads(said(capsys, 'measure', str(defender), '--games', '1', '--json'))['beaten']} of 16"
        in text
    )


def test_a_defender_plays_a_match_by_its_file(defender: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = (f"protection:user:{defender}", f"protection:user:{defender}:0.5", "protection:chaos:fixed:5")
    assert main(["match", *sides, "--games", "1", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert f"user:{defender}" in str(players)
    defender.write_text("drone want 16")
    assert main(["match", *sides, "--games", "1"]) != 0
    assert "mine.apd: line 1: `drone want N" in capsys.readouterr().err
