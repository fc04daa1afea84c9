"""The field at the terminal: who is where, fights in words, and a turn replayed that ends as the rules ended it."""

import json
from typing import Any

import msgspec
import pytest

from core.protection.rules import RULES, TERRAINS
from protocols.jsonl.protection_messages import KINDS
from protocols.jsonl.protection_state import ProtectionGameState
from tests.protocols.jsonl.protection_games import begun, decide_of, free, of_kind, protection_server
from tools.play.protection import rules_text
from tools.play.protection_field import (
    GROUND,
    MINIONS,
    UNITS,
    Frame,
    Minion,
    draw_field,
    fight_text,
    frames,
)

RULE: dict[str, Any] = RULES["improved"].fields()
BOARD = {"map": ["t" * 24] * 24, "gold": [[1, 0]]}
WALKS = "4110333385547777c998bbbb0ddcffff" * 8 + "11212232"  # all kinds of minions
PLACED = ("settler", "mine", "drone", "armor", "artillery", "infantry", "mine", "mine")


@pytest.mark.parametrize("seed", range(12))
def test_the_last_frame_is_the_end_of_the_turn(seed: int) -> None:
    table = protection_server()
    client = table.player()
    money = {"human": 14_000, "chaos": 14_000}
    messages = begun(client, seed=seed, options={"detail": "phases", "money": money})
    (start,) = [line for line in messages if line["type"] == "start"]
    play = table.games.games["g-31"].state
    assert isinstance(play, ProtectionGameState)
    squares = list(free(decide_of(messages)))[seed::5][:80]
    place = [{"unit": PLACED[index % len(PLACED)], "at": at} for index, at in enumerate(squares)]
    moves = {
        0: play.parse_action(0, json.dumps({"kind": "setup", "place": place}).encode()),
        1: play.parse_action(1, json.dumps({"kind": "strategy", "string": WALKS}).encode()),
    }
    events = [msgspec.to_builtins(happening.public) for happening in play.apply(moves)]
    (begin,), (end,) = of_kind(events, "turn_start"), of_kind(events, "turn_end")
    units = {tuple(unit["at"]): unit["unit"] for unit in begin["placed"]}
    film = list(frames(units, begin["roster"], of_kind(events, "phases"), RULE))
    assert [frame.phase for frame in film] == list(range(51))
    for frame in film:
        for minion in frame.minions.values():
            ground = start["map"][minion.at[1]][minion.at[0]]
            assert ground != "^" and (ground != "~" or KINDS[minion.kind] == "amphibious")
            assert frame.units.get(minion.at) is None, "nobody stands on a unit"
    left = dict(begin["bought"])
    for name, count in end["chaos"]["lost"].items():
        left[name] -= count
    standing: dict[str, int] = dict.fromkeys(left, 0)
    for minion in film[-1].minions.values():
        standing[KINDS[minion.kind]] += 1
    assert standing == left
    by_id = {unit["id"]: tuple(unit["at"]) for unit in begin["placed"]}
    fallen = {by_id[each["id"]] for each in end["human"]["lost"]}
    assert set(film[-1].units) == set(units) - fallen and len(fallen) > 3


def test_every_terrain_unit_and_minion_has_its_own_letter() -> None:
    assert set(GROUND) == {terrain.letter for terrain in TERRAINS}
    assert list(UNITS) == [unit.name for unit in RULES["improved"].units[1:]]
    letters = [*UNITS.values(), *MINIONS]
    assert len(set(letters)) == len(letters) == 16


def test_the_drawn_field_shows_units_gold_and_side_notes() -> None:
    lines = draw_field(BOARD, {(0, 0): "drone", (1, 0): "settler"}, ["one", "two"]).plain.splitlines()
    assert len(lines) == 25 and lines[1].startswith(" 0 DtSt t t t t") and lines[0].endswith("one")
    assert draw_field(BOARD, {}).plain.splitlines()[1].startswith(" 0  t$t t")


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"plunder": 30}, "common 9 attacks infantry, 6 in 12; rolls 7 and wins, plunders $30"),
        ({"kind": "counter", "win": False}, "infantry strikes back at common 9, 3 in 12; rolls 7 and fails"),
        ({"kind": "mine"}, "a mine attacks common 9, 10 in 12; rolls 7 and wins"),
        ({"kind": "ram"}, "common 9 rams infantry; both are destroyed"),
        ({"kind": "sweep"}, "common 9 sweeps a mine"),
        ({"kind": "bomb"}, "artillery hits common 9, rolls 7 of 12 and wins"),
    ],
)
def test_fights_are_described_with_their_chances(facts: dict[str, Any], text: str) -> None:
    minion = Minion(kind=2, at=(1, 3), facing=0)
    before = Frame(phase=3, minions={9: minion}, units={(1, 2): "infantry"}, fights=[])
    fight = {"phase": 4, "by": 9, "at": [1, 2], "kind": "attack", "n": 7, "of": 12, "win": True} | facts
    assert fight_text(fight, before, RULE) == f"phase 4, 1 2: {text}"


def test_the_rules_text_states_unit_costs_and_the_turn_limit() -> None:
    told = "\n".join(rules_text(RULE))
    assert "kamikazee  $70    0/10, acts twice" in told and "After 60 turns" in told
    assert "After" not in "\n".join(rules_text(RULES["seed"].fields()))


def test_the_rules_text_of_other_rules_has_their_numbers() -> None:
    """`describe` sends all of them."""
    terrains = [each | {"defence": 3 * each["defence"]} for each in RULE["terrains"]]
    numbers = {"phases": 40, "gold_bonus": 5, "mine_attack": 12, "bombing_radius": 3, "jamming_radius": 6}
    rules = RULE | numbers | {"terrains": terrains}
    told = " ".join(rules_text(rules))
    for words in (
        "each of 40 phases; gold ($) adds 5:", "hills +3, mountains +6.", "entering minions with 12;", "all within 3;",
        "within 6 from hearing",
    ):  # fmt: skip
        assert words in told
    before = Frame(phase=3, minions={9: Minion(kind=2, at=(1, 3), facing=0)}, units={}, fights=[])
    mine = {"phase": 4, "by": 9, "at": [1, 2], "kind": "mine", "n": 7, "of": 15, "win": True}
    assert "a mine attacks common 9, 12 in 15" in fight_text(mine, before, rules)
