"""Whole games of Advanced Protection at the terminal: setups, fights, and how Chaos played."""

import json
import re
from pathlib import Path

import pytest

from engines.protection.profile import ProfileStore
from protocols.jsonl.local import Refused
from tests.tools.play.typists import ProtectionTypist as Typist

LINES = ["t" * 24] * 12 + [",~^nM" + "t" * 19] * 12
BOARD = {"map": {"lines": LINES, "gold": [[2, 2]]}}
POOR = {**BOARD, "money": {"human": 600, "chaos": 100}, "turn_cap": 3}


def test_a_game_is_played_to_its_end() -> None:
    typist = Typist("place settler 5 5 6 5", "drone 7 5", "go", goes_on=True)
    end = typist.play(options=POOR)
    assert end and end["result"]["reason"] in ("turn_cap", "eliminated", "surrender", "chaos_twenty")
    lines = typist.shown.splitlines()
    assert max(len(line) for line in lines if "> " not in line) < 84
    assert "Turn 1 begins with 2 settlers and 1 drone placed. Chaos sends" in " ".join(typist.shown.split())
    assert "You are worth $" in typist.shown


def test_undo_takes_back_placements_and_salvages() -> None:
    typed = (
        "drone 0 0 1 0 2 0", "undo", "settler 3 0", "salvage 1 0", "map", "undo", "undo", "undo", "undo",
        "salvage 9 9", "go", "map", "quit",
    )  # fmt: skip
    typist = Typist(*typed)
    assert typist.play(options=POOR) is None
    prompts = [line.partition(" left")[0] for line in typist.shown.splitlines() if "a phase> " in line]
    assert prompts[:9] == ["$600", "$540", "$560", "$410", "$430", "$430", "$580", "$600", "$600"]
    assert "there is nothing to undo" in typist.shown and "you have no unit on 9 9" in typist.shown
    assert typist.shown.endswith("quit\nThe game is left unfinished.\n")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("drone 1 12", "drone 1 12: no unit can stand on water"),
        ("drone 2 13", "drone 2 13: no unit can stand on peaks"),
        ("artillery 0 0 1 0", "artillery 1 0: it costs $400, but only $200 are left"),
        ("mine 0 0 0 0", "mine 0 0: another unit stands there"),
        ("drone 5", "squares are pairs of numbers"),
        ("drone 5 24", "X and Y must be 0 to 23"),
        ("queen 5 5", "not understood: 'queen'; the units are drone, mine"),
        ("ar 5 5", "not understood: 'ar'"),
        ("dance", "not understood: 'dance' (`help` for help)"),
        ("log", "no turn has ended yet"),
        ("rules", "An attack of A wins A times in A + D."),
        ("help", "salvage X Y ...    sell units"),
    ],
)
def test_commands_and_impossible_placements_are_answered(typed: str, answer: str) -> None:
    typist = Typist(typed, "quit")
    typist.play(options=POOR)
    assert answer in typist.shown


def test_log_describes_the_last_turn_fight_by_fight() -> None:
    field = " ".join(f"{x} {y}" for x in range(8) for y in range(8))
    typist = Typist(f"settler {field}", "go", "log", "quit", "quit")
    typist.play(options={**BOARD, "money": {"human": 10_000, "chaos": 4000}, "chaos_wins_ratio": 0})
    assert re.search(
        r"phase \d+, \d \d: \w+ \d+ attacks settler, \d+ in \d+; rolls", " ".join(typist.shown.split())
    )


def test_the_review_shows_how_chaos_played() -> None:
    typist = Typist("drone 0 0", "go", "resign", "1", "2", "x", "log 1", "film 1", "log", "")
    end = typist.play(options=POOR)
    assert end and end["result"]["reason"] == "resign"
    typist.client.review()
    told = " ".join(typist.shown.partition("How Chaos played")[2].split())
    assert "Turn 1: string 3, by mode fixed:3." in told and "turn 1: 100 - 100 spent" in told
    assert "Chaos buys" in told and told.count("type a number from 1 to 1, alone or after log") == 4
    assert re.search("phase [0-9]+, 0 0: |there were no fights", told)


def test_the_review_shows_the_fights_of_the_last_turn() -> None:
    """It was over with the game, so nobody could ask for its fights before."""
    typist = Typist("drone 0 0", "go", "go", "go", "log 3", "log 1", "")
    assert typist.play(options={**BOARD, "turn_cap": 3, "chaos_wins_ratio": 0})
    typist.client.review()
    told = typist.shown.partition("How Chaos played")[2]
    assert told.count("there were no fights") + bool(re.search("phase [0-9]+, ", told)) >= 2


def test_resigning_before_the_first_turn_gives_an_empty_review() -> None:
    typist = Typist("resign")
    assert typist.play("chaos:pilot", options=POOR)
    typist.client.review()
    assert typist.shown.endswith(
        "Chaos wins: you have resigned.\nYou are worth $600, Chaos $100 before the first turn.\n"
        "\nHow Chaos played\nChaos won before the first turn.\n"
    )


def test_the_review_shows_the_aim_of_the_pilot(tmp_path: Path) -> None:
    """Who was to win, and how far ahead; and whole sentences for what fell."""
    typist = Typist("settler 0 0 1 0", "go", "go", "resign", "", profiles=tmp_path)
    assert typist.play("chaos:pilot", options={**BOARD, "profile": "Ann"})
    typist.client.review()
    told = " ".join(typist.shown.partition("How Chaos played")[2].split())
    assert "Chaos won after 2 turns." in told and "by mode pilot." in told
    assert re.search(
        r"Turn 2: string \d+\. The intended winner was (you|Chaos), with [\w ]+ worth .+ after the turn",
        told,
    )


def test_replacing_a_profile_of_other_strings_needs_consent(tmp_path: Path) -> None:
    (tmp_path / "Ann.apu").write_text("\t".join(["1", "2", *["7"] * 250]) + "\n")
    no = Typist("no", profiles=tmp_path)
    with pytest.raises(Refused, match="other strings"):
        no.play(options={"profile": "Ann"})
    yes = Typist("yes", "resign", profiles=tmp_path)
    assert yes.play(options={"profile": "Ann"})
    profiles = yes.adapters["protection"].profiles
    assert isinstance(profiles, ProfileStore)
    profiles.flush()
    assert (tmp_path / "Ann.apu").read_text().startswith("1\t3\t0\t0")


def test_the_record_starts_with_a_header_and_ends_with_the_result() -> None:
    typist = Typist("go", "resign")
    end = typist.play(options=POOR)
    lines = [json.loads(line) for line in typist.client.record()]
    assert lines[0]["format"] == "galapagos-record/1" and lines[-1] == end


def test_unknown_variants_opponents_and_targets_are_refused() -> None:
    for words, complaint in (
        ({"variant": "chess"}, "no variant"),
        ({"chaos": "chaos:nobody"}, "nobody"),
        ({"options": {"target": "master"}}, "target"),
    ):
        with pytest.raises(Refused, match=complaint):
            Typist().play(**words)
