"""What a square yields, under both records of rules."""

import pickle

import pytest

from core.protection.board import Map, Scenario, generate_map
from core.protection.rules import DRONE, FARMER, RULES, SETTLER, SQUARES
from core.random import Random
from tests.core.protection.boards import LETTERS, always, at, plain_map, played, setting_of, turn_of, units

GROUNDS = ",tnM"


@pytest.mark.parametrize(
    ("rules", "code", "yields"),
    [
        ("seed", DRONE, (3, 2, 1, 0)),
        ("seed", FARMER, (3, 2, 1, 0)),
        ("seed", SETTLER, (5, 4, 3, 2)),
        ("improved", DRONE, (3, 2, 1, 0)),
        ("improved", FARMER, (4, 3, 2, 1)),
        ("improved", SETTLER, (5, 4, 3, 2)),
    ],
)
def test_what_units_make_a_phase(rules: str, code: int, yields: tuple[int, ...]) -> None:
    codes = bytes(LETTERS.index(letter) for letter in GROUNDS * 2) + bytes(SQUARES - 8)
    setting = setting_of(rules, Map(codes, (4, 5, 6, 7)))
    made = tuple(int(setting.yields[code * SQUARES + square]) for square in range(8))
    assert made == yields + tuple(dollars + 2 for dollars in yields)


def test_fighters_make_nothing() -> None:
    setting = setting_of("improved", plain_map(",", gold=[7]))
    for code, unit in enumerate(setting.rules.units):
        assert unit.farms == any(setting.yields[code * SQUARES + square] for square in range(SQUARES))


@pytest.mark.parametrize(("letter", "dollars"), [(",", 4), ("t", 3), ("n", 2), ("M", 1)])
def test_what_scavengers_take(letter: str, dollars: int) -> None:
    for gold, more in (([], 0), ([at(5, 5)], 2)):
        turn = turn_of([("scavenger", at(5, 5), "N")], units(), always(), plain_map(letter, gold=gold))
        played(turn, phases=50)
        assert int(turn.carried_home()) == int(turn.chaos_change()) == 50 * (dollars + more)


@pytest.mark.parametrize(("rules", "second"), [("seed", 4), ("improved", 0)])
def test_two_scavengers_on_a_square(rules: str, second: int) -> None:
    men = [("scavenger", at(5, 5), "N"), ("scavenger", at(5, 5), "E"), ("scavenger", at(5, 6), "N")]
    turn = turn_of(men, units(), always(), plain_map(","), rules)
    played(turn, phases=3)
    assert [int(dollars) for dollars in turn.carried][:3] == [12, 3 * second, 12]


def test_a_setting_travels() -> None:
    setting = Scenario(RULES["improved"], generate_map(Random(2)))
    copy = pickle.loads(pickle.dumps(setting))
    assert (
        copy == setting
        and hash(copy) == hash(setting)
        and list(copy.scavenger_senses) == list(setting.scavenger_senses)
    )
    assert setting != Scenario(RULES["seed"], setting.map)
