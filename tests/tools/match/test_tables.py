"""`galapagos match` for Acquire: two and more at a table, as text and JSON, with what has to be told of strength."""

from pathlib import Path

import pytest

from tests.tools.galapagos import Galapagos
from tools.__main__ import main

FAST = ("--variant", "thesis-2002", "--workers", "1")


def test_the_table_ranks_the_heuristic_above_the_random_player(galapagos: Galapagos) -> None:
    text = galapagos.printed("match", "acquire:heuristic", "acquire:random", *FAST, "--games", "400")
    head, columns, first, second, between, *customs = text.splitlines()
    assert head == "acquire, thesis-2002: 400 games, seed 1"
    assert columns.split() == ["games", "wins", "draws", "losses", "score", "[95", "%]", "mean", "result"]
    assert first.startswith("heuristic") and " 400 " in first and "% [" in first
    assert second.startswith("random")
    assert between.startswith("heuristic v random: ") and "Elo +" in between
    assert [line.partition(":")[0] for line in customs] == ["heuristic", "random"]
    assert all("disposing" in line and "ending" in line for line in customs)


def test_the_outcome_is_the_same_for_any_number_of_workers(galapagos: Galapagos) -> None:
    players = "acquire:heuristic", "pair-1,tie=last", "random"
    words = "match", *players, "--games", "80", "--variant", "thesis-2002", "--seed", "5"
    one, other = (galapagos.data(*words, "--workers", str(workers)) for workers in (1, 3))
    assert one == other
    assert one["games"] == 240 and one["rating"] == "elo" and one["rules"]["merge_pay"] == "all_bonuses_first"
    rows = {row["player"]: row for row in one["players"]}
    assert set(rows) == {"heuristic", "pair-1,tie=last", "random"}
    assert rows["heuristic"]["score"]["low"] > rows["random"]["score"]["high"]
    assert sum(row["wins"] + row["draws"] / 2 for row in rows.values()) == 240
    assert rows["pair-1,tie=last"]["customs"].startswith("tie last")
    assert len(one["against"]) == 3 and all(
        pair["wins"] + pair["losses"] + pair["draws"] == 80 for pair in one["against"]
    )


def test_the_last_player_fills_the_seats_of_the_table(galapagos: Galapagos) -> None:
    words = "match", "acquire:heuristic", "acquire:random", "--seats", "4", "--games", "80", "--workers", "1"
    data = galapagos.data(*words)
    assert (data["variant"], data["seats"], data["games"], data["rating"]) == (
        "classic",
        4,
        80,
        "plackett-luce",
    )
    names = [row["player"] for row in data["players"]]
    assert names == ["heuristic", "random", "random (2)", "random (3)"]
    assert data["players"][0]["score"]["value"] > 0.9
    assert data["players"][0]["rating"]["low"] > data["players"][1]["rating"]["high"]
    text = galapagos.printed(*words)
    assert (
        "players of equal strength have 25.0%" in text
        and "Plackett-Luce" in text
        and text.count("purchases number first") == 1
    )


def test_each_game_is_recorded_in_a_file_that_can_be_replayed(galapagos: Galapagos, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    galapagos.printed("match", "acquire:heuristic", "random", *FAST, "--games", "4", "--records", folder)
    files = sorted(folder.iterdir())
    assert len(files) == 4
    assert galapagos.printed("replay", *files).endswith("4 files as recorded\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["heuristic"], "two players or more"),
        (["heuristic", "nobody"], "no player is called 'nobody'"),
        (
            ["heuristic", "random", "--variant", "monopoly"],
            "no variant is called 'monopoly'; there are classic",
        ),
        (["heuristic", "random", "--games", "3"], "a multiple of the 2 seats"),
        (["heuristic", "random", "--seats", "7"], "for 2 to 6 players, not 7"),
        (["heuristic", "random", "--seats", "1"], "for 2 to 6 players, not 1"),
        (["heuristic", "random", "--tc", "10+0.1"], "--tc cannot be used in matches of acquire"),
        (["heuristic", "random", "--max-moves", "10"], "--max-moves cannot be used in matches of acquire"),
    ],
)
def test_errors_are_one_clear_line(galapagos: Galapagos, words: list[str], complaint: str) -> None:
    error = galapagos.refused("match", "--game", "acquire", *words)
    assert error.startswith("galapagos match: ") and complaint in error and error.count("\n") == 1


def test_a_records_folder_that_cannot_be_created_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["match", "acquire:random", "random", *FAST, "--records", str(tmp_path / "file" / "x")]) == 2
    assert "Not a directory" in capsys.readouterr().err


# -- Pairings --------------------------------------------------------------------------------------

ACQUIRE = ("--variant", "mini", "--workers", "1", "--game", "acquire")
FIVE = ("random", "pair-1", "random", "random", "heuristic")


@pytest.mark.parametrize(
    ("pairing", "meetings"), [("round_robin", 10), ("gauntlet", 4), ("swiss", 6), ("ladder", 10)]
)
def test_each_pairing_plays_its_number_of_games(galapagos: Galapagos, pairing: str, meetings: int) -> None:
    words = "match", *FIVE, *ACQUIRE, "--games", "20", "--pairing", pairing
    one = galapagos.data(*words)
    if pairing == "swiss":
        assert galapagos.data(*words[:-4], "--workers", "2", *words[-4:]) == one
    assert one["games"] == 20 * meetings
    assert len(one["players"]) == 5


def test_the_strongest_player_climbs_a_ladder_from_the_bottom(galapagos: Galapagos) -> None:
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
    assert [row["rung"] for row in others] == [2, 3, 4] and others[0]["player"] == "random"
    assert sum(row["challenges"] for row in [first, *others]) == 2 * 6
    text = galapagos.printed(*words).splitlines()
    assert "rung 1: heuristic after 3 challenges, from rung 4" in text
    assert [line.partition(":")[0] for line in text if line.startswith("rung")] == [
        f"rung {n}" for n in range(1, 5)
    ]


def test_only_a_ladder_has_rungs(galapagos: Galapagos) -> None:
    words = "match", *FIVE, *ACQUIRE, "--games", "4", "--pairing", "swiss"
    assert galapagos.data(*words)["rungs"] == [] and "rung" not in galapagos.printed(*words)


def test_a_swiss_match_of_three_seats_has_a_plackett_luce_rating(galapagos: Galapagos) -> None:
    words = "match", *FIVE, "--game", "acquire", "--workers", "1", "--seats", "3", "--games", "6"
    text = galapagos.printed(*words, "--pairing", "swiss")
    assert text.startswith("acquire, classic: 18 games of 3, seed 1, Swiss system\n")
    assert "Plackett-Luce" in text


def test_an_unknown_pairing_is_refused(galapagos: Galapagos, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        galapagos.refused("match", *FIVE, *ACQUIRE, "--pairing", "knock_out")
    assert "invalid choice: 'knock_out'" in capsys.readouterr().err
