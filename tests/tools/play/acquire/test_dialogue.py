"""Whole games at the terminal: what is told and asked, commands, errors, leaving, resigning, and the record."""

import json

import pytest

from core.acquire.rules import PRESETS
from protocols.jsonl.connection import Refused
from tests.tools.play.acquire.typist import Typist


@pytest.mark.parametrize("variant", PRESETS)
def test_a_whole_game_of_every_variant(variant: str) -> None:
    typist = Typist()
    end = typist.play("random", variant=variant)
    assert end and end["result"]["reason"] in ("declared", "all_tiles_played", "stuck_round")
    lines = typist.shown.splitlines()
    assert max(len(line) for line in lines if "> " not in line) < 80
    assert "not understood" not in typist.shown and "`help`" not in typist.shown, (
        "all that is listed is understood"
    )
    tail = lines[-3:]
    assert tail[0].split()[:4] == ["before", "bonuses", "shares", "worth"]
    worths = []
    for line in tail[1:]:
        name, *sums = line.partition(".")[2].replace("$", "").replace(",", "").split()
        before, bonuses, shares, worth = map(int, sums)
        assert before + bonuses + shares == worth and name in ("Ann", "random")
        worths.append(worth)
    assert worths == sorted(end["result"]["worth"], reverse=True)


def test_six_at_the_table_all_see_their_own() -> None:
    typist = Typist()
    end = typist.play(*["heuristic"] * 5, seed=3, options={"holdings": "hidden"})
    assert end and len(end["result"]["worth"]) == 6
    assert "   ?   ?" in typist.shown
    assert typist.shown.count("Ann draws") and "heuristic draws" not in typist.shown


def test_the_same_seed_is_the_same_game() -> None:
    one, other = Typist(), Typist()
    first, second = one.play(variant="mini"), other.play(variant="mini")
    assert first and second and first["result"] == second["result"] and one.shown == other.shown


def test_commands_and_errors_cost_nothing() -> None:
    """Not a try either, of which there are three."""
    typist = Typist(
        "help", "?", "rules", "board", "moves", "", "3z", "1a", "blah", "4c end", "4C", "quit", goes_on=False
    )
    assert typist.play("heuristic") is None
    shown = typist.shown
    assert shown.count("Write a tile such as 3C") == 2 and "  resign   give the game up" in shown
    assert shown.count(" tiles in the bag") == 3, "at the start, as asked, and the next turn"
    assert "4C, 7E, 8G" in shown and "A chain of 11 is safe." in shown
    assert shown.count("tile: no such tile") == 2 and "tile: not in hand" in shown
    assert "end: not allowed" in shown
    assert "Ann places 4C; it lies alone." in shown
    assert shown.endswith("> quit\nThe game is left unfinished.\n")


def test_a_purchase_that_cannot_be() -> None:
    """3C founds a chain; Imperial costs $400 of $2,000, Luxor is not there, and the bank has 5 left."""
    bag = ["1A", "2C", "4B", "3C", "1B", "4A", "1C", "4C", "2A", "3B", "3A", "2B"]
    typed = ("3c", "x", "imp", "iiii", "l", "4x", "i i i", "quit")
    typist = Typist(*typed, goes_on=False)
    typist.play("random", variant="mini", options={"bag": bag})
    assert "not understood: 'x'; write a chain, or its letter (`help` for help)" in typist.shown
    assert "shares: too many, limit 3 (`help` for help)" in typist.shown
    assert "shares: not on board, chain Luxor (`help` for help)" in typist.shown
    assert "You have $2,000. For sale: Imperial $400 (5)." in typist.shown
    assert "Ann buys 3 Imperial for $1,200." in typist.shown


def test_resigning() -> None:
    """The others play on, unless there is only one."""
    typist = Typist("resign", goes_on=False)
    end = typist.play("heuristic")
    assert end and end["result"]["rank"] == [2, 1]
    assert "The game is over: you resign." in typist.shown
    end = Typist("resign", goes_on=False).play("heuristic", "random")
    assert end and end["result"]["reason"] != "resign"


def test_the_record_is_whole() -> None:
    typist = Typist()
    end = typist.play("heuristic", variant="thesis-7")
    lines = [json.loads(line) for line in typist.dialogue.record()]
    assert lines[0]["format"] == "galapagos-record/1" and lines[0]["variant"] == "thesis-7"
    assert lines[-1] == end and len(lines) > 200


def test_what_is_no_game() -> None:
    for words, complaint in (
        ({"variant": "monopoly"}, "no variant 'monopoly'"),
        ({"options": {"bag": ["1A"]}}, "bag|tiles"),
    ):
        with pytest.raises(Refused, match=complaint):
            Typist().play(**words)
    with pytest.raises(Refused, match="nobody"):
        Typist().play("nobody")
    with pytest.raises(Refused, match="2 to 6 players"):
        Typist().play(*["random"] * 6)
