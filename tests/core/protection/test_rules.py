"""The two records of rules: the grant, what differs, and that a record travels."""

import pickle

import pytest

from core.protection.rules import MINIONS, RULES, TERRAINS, Rules

SEED, IMPROVED = RULES["seed"], RULES["improved"]


def test_the_grant_grows_by_eight_percent() -> None:
    grants = [SEED.grant(turn) for turn in range(1, 61)]
    assert grants[:10] == [100, 108, 116, 125, 136, 146, 158, 171, 185, 199]
    assert [grants[turn - 1] for turn in (20, 30, 40, 50, 60)] == [431, 931, 2011, 4342, 9375]
    assert [sum(grants[:turn]) for turn in (10, 20, 30, 60)] == [1444, 4566, 11313, 125292]


def test_the_records_differ_in_six_fields_and_the_farmer() -> None:
    improved = IMPROVED.fields()
    different = {
        name: (value, improved[name])
        for name, value in SEED.fields().items()
        if value != improved[name] and name != "units"
    }
    assert different == {
        "farmer_rate": (1, 2),
        "scavenger_yield": ("every", "first"),
        "max_minions": (0, 1000),
        "chaos_wins_ratio": (0, 20),
        "turn_cap": (0, 60),
        "elimination_below": (1, 20),
    }
    assert [unit.rate for unit in SEED.units] == [0, 1, 0, 1, 0, 3, 0, 0, 0]
    assert [unit.rate for unit in IMPROVED.units] == [0, 1, 0, 2, 0, 3, 0, 0, 0]


def test_the_tables_are_the_published_ones() -> None:
    units = [(unit.name, unit.cost, unit.salvage, unit.attack, unit.defence) for unit in SEED.units[1:]]
    assert units == [
        ("drone", 20, 20, 0, 1),
        ("mine", 50, 25, 0, 0),
        ("farmer", 100, 80, 0, 1),
        ("infantry", 100, 90, 3, 6),
        ("settler", 150, 120, 2, 4),
        ("jammer", 150, 90, 0, 2),
        ("armor", 200, 150, 8, 10),
        ("artillery", 400, 300, 3, 2),
    ]
    minions = [
        (kind.name, kind.cost, kind.attack, kind.defence, kind.actions, kind.hears) for kind in MINIONS
    ]
    assert minions == [
        ("scout", 10, 0, 1, 1, 0),
        ("scavenger", 100, 0, 1, 1, 0),
        ("common", 50, 6, 3, 1, 2),
        ("amphibious", 60, 6, 3, 1, 2),
        ("mobile", 70, 5, 3, 2, 3),
        ("jump", 70, 6, 2, 1, 2),
        ("kamikazee", 70, 0, 10, 2, 2),
        ("armored", 200, 15, 10, 1, 3),
    ]
    assert sum(terrain.share for terrain in TERRAINS) == 100


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_record_travels(rules: Rules) -> None:
    copy = pickle.loads(pickle.dumps(rules))
    assert copy == rules and hash(copy) == hash(rules) and copy.name == rules.name
    assert copy.fields() == rules.fields()
    assert SEED != IMPROVED


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((1, "some", 0, 20, 0, 0, 1), "every or first"),
        ((1, "every", -1, 20, 0, 0, 1), "limits"),
        ((1, "every", 20_001, 20, 0, 0, 1), "20,000"),
        ((1, "every", 0, 0, 0, 0, 1), "can win and lose"),
        ((1, "every", 0, 20, 0, 0, 0), "can win and lose"),
    ],
)
def test_no_game_can_be_played_so(values: tuple[int, str, int, int, int, int, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules("odd", *values)
