"""Acquire at the terminal: what people type, the table that they see, and whole games."""

import io
import json
from typing import Any

import pytest
from rich.console import Console

from core.acquire.rules import PRESETS
from protocols.jsonl.acquire import rules_data
from protocols.jsonl.local import Refused
from tests.tools.play.typists import AcquireTypist as Typist
from tools.play.acquire import action_text, advice, draw_table, offers, parse_action, rules_text

# -- What is typed ---------------------------------------------------------------------------------

CHAINS = [
    {"name": name, "letter": name[0], "tier": 0}
    for name in ("Luxor", "Tower", "American", "Festival", "Imperial")
]
DISPOSALS = [
    {"kind": "dispose", "trade": trade, "sell": sell} for trade in (0, 2, 4) for sell in range(6 - trade)
]
LEGAL: dict[str, Any] = {"dispose": {"actions": DISPOSALS, "held": 5}}


def said(phase: str, text: str) -> dict[str, Any]:
    action = parse_action({"phase": phase, "legal": LEGAL.get(phase, {})}, CHAINS, text)
    assert action.pop("kind") == phase
    return action


def test_tiles_and_chains_are_parsed() -> None:
    assert said("place", "3c") == {"tile": "3C"}
    assert said("place", "12I end") == {"tile": "12I", "end": True}
    for text in ("l", "L", "lux", "Luxor"):
        assert said("found", text) == {"chain": "Luxor"}
    assert said("survivor", "t") == {"chain": "Tower"} and said("order", "f") == {"chain": "Festival"}


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("l", "L"),
        ("llt", "LLT"),
        ("L L T", "LLT"),
        ("2l t", "LLT"),
        ("2 luxor 1 am", "LLA"),
        ("tower fest imp", "TFI"),
        ("fi", "FI"),
        ("-", ""),
        ("Nothing", ""),
        ("pass", ""),
        ("0l", ""),
    ],
)
def test_purchases_are_parsed(text: str, shares: str) -> None:
    expected = [chain["name"] for letter in shares for chain in CHAINS if chain["letter"] == letter]
    assert said("buy", text)["shares"] == expected
    assert said("buy", f"{text} END") == {"shares": expected, "end": True}


def test_an_excessive_number_of_shares_is_capped() -> None:
    assert len(said("buy", "9999999999l")["shares"]) == 99


@pytest.mark.parametrize(
    ("text", "trade", "sell"),
    [
        ("hold", 0, 0),
        ("h", 0, 0),
        ("sell", 0, 5),
        ("sell all", 0, 5),
        ("s3", 0, 3),
        ("trade", 4, 0),
        ("t s", 4, 1),
        ("trade 2 sell 3", 2, 3),
        ("trade 2, hold", None, None),
        ("t2 s1 hold", 2, 1),
    ],
)
def test_disposals_are_parsed(text: str, trade: int | None, sell: int | None) -> None:
    if trade is None:
        with pytest.raises(ValueError, match="not understood"):
            said("dispose", text)
        return
    assert said("dispose", text) == {"trade": trade, "sell": sell}


@pytest.mark.parametrize(
    ("phase", "text"),
    [("found", "x"), ("found", "lt"), ("buy", "luxxor"), ("buy", "3"), ("buy", "l+t"), ("dispose", "5")],
)
def test_meaningless_input_is_refused_with_advice(phase: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"not understood: .*; write "):
        said(phase, text)


def test_action_text_is_parsed_back_to_the_same_action() -> None:
    actions: list[tuple[str, dict[str, Any]]] = [
        ("place", {"tile": "11A"}),
        ("buy", {"shares": ["Luxor", "Imperial", "Imperial"]}),
        ("buy", {"shares": []}),
        ("found", {"chain": "Tower"}),
        *(("dispose", {"trade": each["trade"], "sell": each["sell"]}) for each in DISPOSALS),
    ]
    for phase, action in actions:
        assert said(phase, action_text({"kind": phase, **action}, CHAINS)) == action


def test_advice_mentions_end_when_the_player_may_end_the_game() -> None:
    assert "end" not in advice({"phase": "buy", "legal": {"may_end": False}})
    assert "`end`" in advice({"phase": "buy", "legal": {"may_end": True}})


# -- The table -------------------------------------------------------------------------------------

RULES = rules_data(PRESETS["classic"])
SEEN: dict[str, Any] = {
    "board": ["............"] * 2 + ["..LL.o.TTT.x"] + ["............"] * 5 + ["...........*"],
    "size": [11, 3, 0, 0, 0, 0, 0],
    "price": [700, 400, 0, 0, 0, 0, 0],
    "bank": [0, 20, 25, 25, 25, 25, 25],
    "cash": [1500, 123456],
    "shares": [[13, 0, 0, 0, 0, 0, 0], [12, 5, 0, 0, 0, 0, 0]],
    "bag_left": 3,
    "turn": 1,
    "idle": 0,
    "hand": [["1A", "lone"], ["5C", "grow"], ["7C", "found"], ["9B", "grow"], ["12D", "dead"]],
}
NAMES = ["Ann", "a player with a very long name indeed"]


def drawn(seen: dict[str, Any], *, colours: bool = False) -> list[str]:
    screen = io.StringIO()
    console = Console(
        file=screen, width=80, force_terminal=colours, color_system="truecolor" if colours else None
    )
    console.print(draw_table(RULES, seen, NAMES, 0), soft_wrap=True)
    return screen.getvalue().splitlines()


def test_the_table_shows_board_chains_and_players() -> None:
    lines = drawn(SEEN)
    assert max(map(len, lines)) < 80 and len(lines) < 20
    assert lines[0].startswith("    1  2  3  4  5  6  7  8  9 10 11 12")
    assert lines[3].startswith(" C  .  .  L  L  +  o  +  T  T  T  .  x ")
    assert lines[1].split()[:3] == ["A", "+", "."] and lines[9].split()[12] == "*"
    assert lines[1].endswith("L Luxor          11!   $700     0"), "safe"
    assert lines[3].endswith("A American        -       -    25")
    assert lines[9].endswith("3 tiles in the bag")
    assert any(line.startswith("   Ann ") and "$1,500   13   ." in line for line in lines)
    assert any(line.startswith(" > a player with a very lon") and "$123,456" in line for line in lines)


def test_each_tile_of_the_hand_is_shown_with_its_effect() -> None:
    text = "\n".join(drawn(SEEN))
    for words in (
        "1A  lies alone",
        "5C  grows Luxor",
        "7C  founds a chain",
        "9B  grows Tower",
        "12D  dead: two safe",
    ):
        assert words in text
    merging = "\n".join(
        drawn(SEEN | {"board": ["LLLLLL.TTTTT"] + ["............"] * 8, "hand": [["7A", "merge"]]})
    )
    assert "7A  merges Luxor, Tower" in merging
    around = ["WW.CC" + "." * 7, "..A" + "." * 9] + ["............"] * 7
    three = drawn(SEEN | {"board": around, "hand": [["3A", "merge"], ["12I", "blocked"]]})
    assert three[-2:] == ["  3A  merges American, Worldwide, Continental", " 12I  blocked: no chain is left"]
    assert "You have no tiles." in "\n".join(drawn(SEEN | {"hand": []}))


def test_hidden_holdings_are_shown_as_question_marks() -> None:
    (other,) = [
        line for line in drawn(SEEN | {"cash": [6000, None], "shares": [[0] * 7, None]}) if "> a" in line
    ]
    assert other.count("?") == 8


def test_colours_are_used_only_on_terminals() -> None:
    assert not any("\x1b" in line for line in drawn(SEEN))
    assert "\x1b[1;37;41m L \x1b[0m" in drawn(SEEN, colours=True)[3]


def test_offers_list_the_cash_and_the_shares_for_sale() -> None:
    assert offers(RULES, SEEN, 0) == "You have $1,500. For sale: Tower $400 (20)."
    assert offers(RULES, SEEN | {"price": [0] * 7}, 0).endswith("For sale: nothing.")


def test_the_price_chart_matches_the_rules() -> None:
    lines = list(rules_text(RULES))
    assert max(map(len, lines)) < 80
    table = {line[:6].strip(): line[6:].split() for line in lines[1:5]}
    assert table[""] == ["2", "3", "4", "5", "6-10", "11-20", "21-30", "31-40", "41+"]
    rules = PRESETS["classic"]
    for index, chain in enumerate(rules.chains):
        (row,) = (prices for letters, prices in table.items() if chain.letter in letters)
        assert row == [str(rules.price(index, size)) for size in rules.steps]


# -- Whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", PRESETS)
def test_a_game_of_every_variant_is_played_to_its_end(variant: str) -> None:
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


def test_a_player_at_a_table_of_six_sees_only_their_own_tiles() -> None:
    typist = Typist()
    end = typist.play(*["heuristic"] * 5, seed=3, options={"holdings": "hidden"})
    assert end and len(end["result"]["worth"]) == 6
    assert "   ?   ?" in typist.shown
    assert typist.shown.count("Ann draws") and "heuristic draws" not in typist.shown


def test_the_same_seed_is_the_same_game() -> None:
    one, other = Typist(), Typist()
    first, second = one.play(variant="mini"), other.play(variant="mini")
    assert first and second and first["result"] == second["result"] and one.shown == other.shown


def test_commands_and_errors_use_up_no_turn_or_try() -> None:
    """Not a try either, of which there are three."""
    typist = Typist(
        "help", "?", "rules", "board", "moves", "", "3z", "1a", "blah", "4c end", "4C", "quit", goes_on=False
    )
    assert typist.play("heuristic") is None
    shown = typist.shown
    assert shown.count("Type a tile such as 3C") == 2 and "  resign   give up the game" in shown
    assert shown.count(" tiles in the bag") == 3, "at the start, as asked, and the next turn"
    assert "4C, 7E, 8G" in shown and "A chain of 11 is safe." in shown
    assert shown.count("tile: no such tile") == 2 and "tile: not in hand" in shown
    assert "end: not allowed" in shown
    assert "Ann places 4C; it lies alone." in shown
    assert shown.endswith("> quit\nThe game is left unfinished.\n")


def test_impossible_purchases_are_refused_with_a_reason() -> None:
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


def test_resigning_ends_the_game_only_against_one_opponent() -> None:
    """The others play on, unless there is only one."""
    typist = Typist("resign", goes_on=False)
    end = typist.play("heuristic")
    assert end and end["result"]["rank"] == [2, 1]
    assert "The game has ended: you have resigned." in typist.shown
    end = Typist("resign", goes_on=False).play("heuristic", "random")
    assert end and end["result"]["reason"] != "resign"


def test_the_record_starts_with_a_header_and_ends_with_the_result() -> None:
    typist = Typist()
    end = typist.play("heuristic", variant="thesis-7")
    lines = [json.loads(line) for line in typist.client.record()]
    assert lines[0]["format"] == "galapagos-record/1" and lines[0]["variant"] == "thesis-7"
    assert lines[-1] == end and len(lines) > 200


def test_unknown_variants_players_and_wrong_options_are_refused() -> None:
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
