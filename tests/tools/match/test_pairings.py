"""`galapagos match --pairing`: gauntlet, Swiss system and ladder, of engines and at tables."""

import pytest

from tests.tools.galapagos import Galapagos

ACQUIRE = ("--variant", "mini", "--workers", "1", "--game", "acquire")
DUELS = ("--nodes", "20", "--max-moves", "10")
FIVE = ("random", "pair-1", "random", "random", "heuristic")


@pytest.mark.parametrize(
    ("pairing", "meetings"), [("round_robin", 10), ("gauntlet", 4), ("swiss", 6), ("ladder", 10)]
)
def test_tables(galapagos: Galapagos, pairing: str, meetings: int) -> None:
    words = "match", *FIVE, *ACQUIRE, "--games", "20", "--pairing", pairing
    one = galapagos.data(*words)
    if pairing == "swiss":
        assert galapagos.data(*words[:-4], "--workers", "2", *words[-4:]) == one
    assert one["games"] == 20 * meetings
    assert len(one["players"]) == 5


def test_tables_of_three(galapagos: Galapagos) -> None:
    words = "match", *FIVE, "--game", "acquire", "--workers", "1", "--seats", "3", "--games", "6"
    said = galapagos.printed(*words, "--pairing", "swiss")
    assert said.startswith("classic, 18 games of 3, seed 1: 2 bags a table in each round, Swiss system")
    assert "Plackett-Luce" in said


@pytest.mark.parametrize(("pairing", "meetings"), [("gauntlet", 3), ("swiss", 4), ("ladder", 6)])
def test_duels(galapagos: Galapagos, pairing: str, meetings: int) -> None:
    words = (
        "match",
        "random",
        "chess:handset",
        "random",
        "random",
        *DUELS,
        "--games",
        "2",
        "--pairing",
        pairing,
    )
    outcome = galapagos.data(*words)
    assert outcome["games"] == 2 * meetings
    assert len(outcome["ratings"]) == 4


def test_an_unknown_pairing(galapagos: Galapagos, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        galapagos.refused("match", *FIVE, *ACQUIRE, "--pairing", "knock_out")
    assert "invalid choice: 'knock_out'" in capsys.readouterr().err
