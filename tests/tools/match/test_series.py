"""`galapagos match` of whole games: Advanced Protection's two sides, warriors round by round, and games of other packages."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engines.corewar.battles import Tally
from tests.tools.galapagos import Galapagos

SIDES = ("protection:user:mines", "protection:user:greedy", "protection:chaos:random")
WARRIORS = ("corewar:dwarf", "corewar:imp")


def test_each_player_of_one_side_meets_all_of_the_other_side(galapagos: Galapagos) -> None:
    outcome = galapagos.data("match", *SIDES, "--games", "2", "--workers", "1")
    assert (outcome["game"], outcome["variant"], outcome["games"]) == ("protection", "improved", 4)
    met = {
        (each["first"], each["second"]): each["wins"] + each["losses"] + each["draws"]
        for each in outcome["against"]
    }
    assert met == {("user:mines", "chaos:random"): 2, ("user:greedy", "chaos:random"): 2}
    assert not any(row["failed"] for row in outcome["players"])
    text = galapagos.printed("match", *SIDES, "--games", "2", "--workers", "1")
    assert (
        text.startswith("protection, improved: 4 games, seed 1, all of one side against all of the other\n")
        and "user:mines v chaos:random: " in text
    )


def test_the_table_is_the_same_for_any_workers_and_after_an_interrupt(
    galapagos: Galapagos, tmp_path: Path
) -> None:
    words = ("match", *WARRIORS, "corewar:paper", "--games", "60", "--seed", "4", "--pairing", "swiss")
    whole = galapagos.data(*words, "--workers", "1")
    saved = tmp_path / "match.jsonl"
    assert galapagos.data(*words, "--workers", "2", "--save", saved) == whole
    lines = saved.read_bytes().splitlines(keepends=True)
    saved.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:20])
    assert galapagos.data(*words, "--workers", "2", "--save", saved) == whole
    assert "holds another match" in galapagos.refused(*words[:-1], "ladder", "--save", saved)


def test_a_round_of_core_war_counts_as_a_game(galapagos: Galapagos) -> None:
    """The dwarf bombs the imp or does not: it never loses; and what each makes is 3 points a win, 1 a tie."""
    outcome = galapagos.data("match", *WARRIORS, "--games", "300", "--workers", "1", "--variant", "94nop")
    dwarf, imp = outcome["players"]
    assert dwarf["games"] == imp["games"] == 300 and dwarf["losses"] == imp["wins"] == 0
    tally = Tally.of_two(wins=dwarf["wins"], losses=0, ties=dwarf["draws"])
    assert dwarf["mean_result"] == pytest.approx(tally.score / 100)
    assert 0.1 < dwarf["wins"] / 300 < 0.4
    assert outcome["against"][0]["score"] == dwarf["score"]


def test_equal_players_have_distinct_names(galapagos: Galapagos) -> None:
    outcome = galapagos.data("match", "corewar:paper", "corewar:paper", "--games", "40", "--workers", "1")
    assert Counter(row["player"] for row in outcome["players"]) == {"paper": 1, "paper (2)": 1}
    assert outcome["against"][0]["wins"] == outcome["against"][0]["losses"]


def test_a_sequential_test_ends_the_match_early(galapagos: Galapagos, tmp_path: Path) -> None:
    words = (
        "match",
        "corewar:paper",
        "corewar:dwarf",
        "--games",
        "2000",
        "--workers",
        "2",
        "--sprt",
        "0,100",
    )
    outcome = galapagos.data(*words)
    assert outcome["games"] < 100 and outcome["sprt"]["verdict"] == "H1"
    assert "SPRT of 0 against 100 normalized Elo: H1" in galapagos.printed(*words)
    saved = tmp_path / "match.jsonl"
    assert galapagos.data(*words, "--save", saved) == galapagos.data(*words, "--save", saved) == outcome


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (SIDES[:2], "no two players can meet, because all of them take the same side"),
        ((*SIDES, "--pairing", "swiss"), "can only be paired by round_robin"),
        ((*SIDES[:1], "protection:user:nobody"), "protection has no player 'user:nobody'"),
        ((*SIDES, "--variant", "classic"), "no variant is called 'classic'"),
        ((*SIDES, "--seats", "3"), "protection needs 2 seats, for the human and Chaos, not 3"),
        ((*SIDES, "--tc", "10+0.1"), "--tc cannot be used in matches of protection"),
        ((*SIDES, "--sprt", "0,5"), "--sprt compares two players"),
        ((*WARRIORS, "--games", "3"), "a multiple of the 2 seats"),
        ((*WARRIORS, "--variant", "nohill"), "no hill is called 'nohill'"),
        ((*WARRIORS, "--seats", "3"), "warriors fight in pairs"),
        ((*WARRIORS, "--records", "folder"), "--records cannot be used in matches of corewar"),
        (("corewar:dwarf", "corewar:nowhere.red"), "nowhere.red"),
    ],
)
def test_impossible_matches_are_refused(words: tuple[str, ...], complaint: str, galapagos: Galapagos) -> None:
    assert complaint in galapagos.refused("match", *words)


OTHER_PLAYERS = {"number": 0, "seed": 1, "players": [0, 9], "group": 0}
OTHER_GROUP = {"number": 0, "seed": 1, "players": [0, 1], "group": 7}
RESULT = {"ranks": [1, 2], "results": [3, 0], "seconds": [0, 0], "forced": [0, 0]}


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ([], "cannot be read: Expected `object`, got `array`"),
        ({}, "cannot be read: Object missing required field `game`"),
        ({"game": 1}, "cannot be read: Expected `object`, got `int` - at `$[0].game`"),
        (
            {"game": OTHER_PLAYERS, "ranks": "x"},
            "cannot be read: Expected `array`, got `str` - at `$[0].ranks`",
        ),
        ({"game": OTHER_PLAYERS, **RESULT}, "are of other players or groups"),
        ({"game": OTHER_GROUP, **RESULT}, "are of other players or groups"),
    ],
)
def test_a_saved_file_with_malformed_games_is_refused(
    entry: Any, complaint: str, tmp_path: Path, galapagos: Galapagos
) -> None:
    saved = tmp_path / "match.jsonl"
    words = ("match", *WARRIORS, "--games", "2", "--workers", "1", "--save", str(saved))
    galapagos.printed(*words)
    head = saved.read_bytes().splitlines(keepends=True)[0]
    saved.write_bytes(head + json.dumps(entry).encode() + b"\n")
    assert galapagos.refused(*words).startswith(f"galapagos match: the saved games in {saved} {complaint}")
