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


def test_the_rungs_of_a_ladder(galapagos: Galapagos) -> None:
    """The strongest climbs from the bottom, meeting all who stood above it."""
    players = "random", "acquire:pair-3,tie=first", "acquire:pair-1,tie=first", "heuristic"
    words = (
        "match",
        *players,
        "--variant",
        "thesis-2002",
        "--workers",
        "1",
        "--games",
        "40",
        "--pairing",
        "ladder",
    )
    first, *others = galapagos.data(*words)["rungs"]
    assert first == {"rung": 1, "player": "heuristic", "began": 4, "challenges": 3}
    assert [each["rung"] for each in others] == [2, 3, 4] and others[0]["player"] == "random"
    assert sum(each["challenges"] for each in [first, *others]) == 2 * 6
    said = galapagos.printed(*words).splitlines()
    assert "rung 1: heuristic after 3 challenges, from rung 4" in said
    assert [line.partition(":")[0] for line in said if line.startswith("rung")] == [
        f"rung {n}" for n in range(1, 5)
    ]


def test_no_rungs_but_of_a_ladder(galapagos: Galapagos) -> None:
    words = "match", *FIVE, *ACQUIRE, "--games", "4", "--pairing", "swiss"
    assert galapagos.data(*words)["rungs"] == [] and "rung" not in galapagos.printed(*words)


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
    if pairing == "ladder":
        assert [each["rung"] for each in outcome["rungs"]] == [1, 2, 3, 4]
        assert sum(each["challenges"] for each in outcome["rungs"]) == 2 * meetings


def test_an_unknown_pairing(galapagos: Galapagos, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        galapagos.refused("match", *FIVE, *ACQUIRE, "--pairing", "knock_out")
    assert "invalid choice: 'knock_out'" in capsys.readouterr().err
