"""The rules as data, buying, and how games end."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from librt.vecs import vec
from mypy_extensions import i64

from core.protection.rules import (
    CHAOS,
    HUMAN,
    MINIONS,
    NO_WINNER,
    RULES,
    TERRAINS,
    Rules,
    buy,
    ending,
    minion_costs,
)

SEED, IMPROVED = RULES["seed"], RULES["improved"]


def test_the_grant_grows_by_eight_percent() -> None:
    grants = [SEED.grant(turn) for turn in range(1, 61)]
    assert grants[:10] == [100, 108, 116, 125, 136, 146, 158, 171, 185, 199]
    assert [grants[turn - 1] for turn in (20, 30, 40, 50, 60)] == [431, 931, 2011, 4342, 9375]
    assert [sum(grants[:turn]) for turn in (10, 20, 30, 60)] == [1444, 4566, 11313, 125292]


def test_the_seed_and_improved_rules_differ_in_six_fields_and_the_farmer() -> None:
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


def test_unit_and_minion_tables_match_the_published_tables() -> None:
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
def test_rules_survive_pickling(rules: Rules) -> None:
    copy = pickle.loads(pickle.dumps(rules))
    assert copy == rules and hash(copy) == hash(rules) and copy.name == rules.name
    assert copy.fields() == rules.fields()
    assert SEED != IMPROVED


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((1, "some", 0, 20, 0, 0, 1), "every or first"),
        ((1, "every", -1, 20, 0, 0, 1), "0 .off. or more"),
        ((1, "every", 20_001, 20, 0, 0, 1), "20,000"),
        ((1, "every", 0, 0, 0, 0, 1), "must be at least 1"),
        ((1, "every", 0, 20, 0, 0, 0), "must be at least 1"),
    ],
)
def test_invalid_rules_are_refused(values: tuple[int, str, int, int, int, int, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules("odd", *values)


COSTS = minion_costs()
PREFERENCES = st.lists(st.integers(0, 15), min_size=8, max_size=8)


@pytest.mark.parametrize(
    ("preferences", "dollars", "expected", "left"),
    [
        ("1 1 1 1 1 1 1 1", 2000, "4 4 3 3 3 3 3 3", 0),
        ("0 15 0 0 0 0 0 0", 2000, "0 20 0 0 0 0 0 0", 0),
        ("1 14 0 0 0 0 1 13", 2000, "0 8 0 0 0 0 0 6", 0),
        ("2 14 1 2 1 14 2 14", 2000, "5 6 0 0 0 5 0 5", 0),
        ("0 0 0 0 0 0 0 15", 2190, "0 0 0 0 0 0 0 10", 190),
        ("15 0 1 0 0 0 0 0", 2000, "150 0 10 0 0 0 0 0", 0),
        ("3 5 0 14 2 3 2 5", 20000, "21 35 0 101 14 21 14 34", 0),
        ("5 0 0 0 0 0 0 0", 7, "0 0 0 0 0 0 0 0", 7),
        ("0 0 0 0 0 0 0 0", 2000, "0 0 0 0 0 0 0 0", 2000),
    ],
)
def test_purchases_match_the_published_examples(
    preferences: str, dollars: int, expected: str, left: int
) -> None:
    assert bought(numbers(preferences), dollars) == (numbers(expected), left)


@given(PREFERENCES, st.integers(0, 30_000), st.integers(0, 1200))
def test_buying_whole_rounds_equals_buying_one_minion_at_a_time(
    preferences: list[int], dollars: int, most: int
) -> None:
    counts = [0] * 8
    left = dollars
    while sum(counts) < most:
        able = [kind for kind in range(8) if preferences[kind] and MINIONS[kind].cost <= left]
        if not able:
            break
        best = max(able, key=lambda kind: (preferences[kind] / (counts[kind] + 1), -kind))
        counts[best] += 1
        left -= MINIONS[best].cost
    assert bought(preferences, dollars, most) == (counts, left)


def bought(preferences: list[int], dollars: int, most: int = 20_000) -> tuple[list[int], int]:
    counts = vec[i64]([0] * 8)
    left = buy(vec[i64](preferences), COSTS, dollars, most, counts)
    return [int(count) for count in counts], int(left)


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


@pytest.mark.parametrize(
    ("rules", "turn", "has_units", "treasury", "human", "chaos", "expected"),
    [
        # with nothing left
        ("seed", 1, False, 0, 0, 100, (CHAOS, "eliminated")),
        ("seed", 1, False, 1, 1, 100, None),
        ("seed", 1, False, 19, 19, 100, None),
        ("improved", 1, False, 19, 19, 100, (CHAOS, "eliminated")),
        ("improved", 1, False, 20, 20, 100, None),
        ("improved", 1, True, 0, 20, 100, None),
        ("seed", 1, False, 0, 0, 0, (CHAOS, "eliminated")),  # before surrender
        # twenty to one
        ("seed", 1, True, 0, 1999, 100, None),
        ("seed", 1, True, 0, 2000, 100, None),
        ("seed", 1, True, 0, 2001, 100, (HUMAN, "surrender")),
        ("seed", 1, True, 0, 20, 0, (HUMAN, "surrender")),
        ("improved", 1, True, 0, 2001, 100, (HUMAN, "surrender")),
        ("improved", 1, True, 0, 100, 1999, None),
        ("improved", 1, True, 0, 100, 2000, None),
        ("improved", 1, True, 0, 100, 2001, (CHAOS, "chaos_twenty")),
        ("seed", 1, True, 0, 100, 9999, None),
        # the last turn
        ("improved", 59, True, 0, 500, 400, None),
        ("improved", 60, True, 0, 401, 400, (HUMAN, "turn_cap")),
        ("improved", 60, True, 0, 399, 400, (CHAOS, "turn_cap")),
        ("improved", 60, True, 0, 400, 400, (NO_WINNER, "turn_cap")),
        ("improved", 60, True, 0, 8001, 400, (HUMAN, "surrender")),
        ("seed", 60, True, 0, 401, 400, None),
    ],
)
def test_games_end_by_elimination_value_ratio_or_turn_cap(
    rules: str,
    turn: int,
    has_units: bool,
    treasury: int,
    human: int,
    chaos: int,
    expected: tuple[int, str] | None,
) -> None:
    assert ending(RULES[rules], turn, has_units, treasury, human, chaos) == expected
