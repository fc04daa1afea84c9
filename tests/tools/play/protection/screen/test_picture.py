"""The field as letters: who stands where, the ground, the panel; odds of fights in words."""

from core.protection.rules import RULES, TERRAINS
from tools.play.protection.screen.film import Frame, Minion
from tools.play.protection.screen.picture import GROUND, MINIONS, UNITS, chart, odds, picture

RULE = RULES["improved"].fields()
BOARD = {"map": ["t" * 24] * 24, "gold": [[1, 0]]}


def test_a_letter_for_everything() -> None:
    assert set(GROUND) == {terrain.letter for terrain in TERRAINS}
    assert list(UNITS) == [unit.name for unit in RULES["improved"].units[1:]]
    letters = [*UNITS.values(), *MINIONS]
    assert len(set(letters)) == len(letters) == 16


def test_who_stands_where() -> None:
    minions = {
        0: Minion(kind=2, at=(3, 0), facing=0),
        1: Minion(kind=2, at=(4, 0), facing=0),
        2: Minion(kind=7, at=(4, 0), facing=0),
    }
    frame = Frame(phase=1, minions=minions, units={}, fights=[])
    lines = picture(BOARD, {(0, 0): "drone", (1, 0): "settler"}, ["one", "two"], frame).plain.splitlines()
    assert len(lines) == 25 and lines[1].startswith(" 0 DtSt tct#t t") and lines[0].endswith("one")
    assert picture(BOARD, {}).plain.splitlines()[1].startswith(" 0  t$t t")


def test_the_chance_of_a_fight() -> None:
    common, infantry = RULE["minions"][2], RULE["units"][3]  # type: ignore[index]
    fight = {
        "phase": 4,
        "by": 9,
        "at": [1, 2],
        "kind": "attack",
        "n": 7,
        "of": 12,
        "win": True,
        "plunder": 30,
    }
    assert odds(fight, common, infantry) == (
        "phase 4, 1 2: common 9 attacks infantry, 6 in 12; rolls 7 and wins, plunders $30"
    )
    fight |= {"kind": "counter", "win": False, "plunder": 0, "n": 1, "of": 6}
    assert odds(fight, common, infantry).endswith(
        "infantry strikes back at common 9, 3 in 6; rolls 1 and fails"
    )


def test_the_rules_are_told_by_numbers() -> None:
    told = "\n".join(chart(RULE))
    assert "kamikazee  $70    0/10, acts twice" in told and "After 60 turns" in told
    assert "After" not in "\n".join(chart(RULES["seed"].fields()))
