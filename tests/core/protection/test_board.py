"""The torus, maps, arrangements, and maps with their rules."""

import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.protection.board import (
    NEAR,
    POSES,
    Arrangement,
    Map,
    Scenario,
    around,
    arrangement_of,
    distance,
    generate_map,
    is_in_front,
    poses_ahead,
)
from core.protection.field import BARBARIANS, ROWS, SCAVENGERS, SWIMMERS, WINDOW, WINDOW_MASK
from core.protection.policy import INPUTS, NIBBLES, STATES, STRING_BYTES
from core.protection.rules import (
    BOMBING_RADIUS,
    DRONE,
    FARMER,
    FOREST,
    HILLS,
    KINDS,
    LARGEST_HEARING,
    MOUNTAINS,
    PEAKS,
    RULES,
    SETTLER,
    SIDE,
    SQUARES,
    WATER,
    WETLANDS,
)
from core.random import Random
from tests.core.protection.boards import LETTERS, always, at, plain_map, played, setting_of, turn_of, units

ANY_SQUARE = st.integers(0, SQUARES - 1)


def test_derived_constants_are_consistent() -> None:
    assert SIDE * SIDE == SQUARES and SQUARES * 4 == POSES == SCAVENGERS
    assert (BARBARIANS, SWIMMERS) == (2 * POSES, 3 * POSES)
    assert len(around(0, BOMBING_RADIUS)) - 1 == NEAR
    assert NIBBLES == KINDS * STATES * INPUTS and STRING_BYTES * 2 == NIBBLES + KINDS
    assert WINDOW == 2 * LARGEST_HEARING + 1 and 2**WINDOW - 1 == WINDOW_MASK and ROWS == SIDE + WINDOW


def test_poses_ahead_wrap_around_the_torus() -> None:
    ahead = poses_ahead()
    assert [int(ahead[at(0, 0) * 4 + facing]) for facing in range(4)] == [
        at(0, 23) * 4,
        at(1, 0) * 4 + 1,
        at(0, 1) * 4 + 2,
        at(23, 0) * 4 + 3,
    ]


def test_distance_counts_the_longer_of_rows_and_columns() -> None:
    assert distance(at(0, 0), at(23, 0)) == 1
    assert distance(at(1, 22), at(22, 1)) == 3
    assert distance(at(0, 0), at(12, 12)) == 12
    assert distance(at(5, 5), at(5, 9)) == 4


@given(ANY_SQUARE, ANY_SQUARE, st.integers(0, 5))
def test_around_lists_all_squares_within_the_radius(square: int, other: int, radius: int) -> None:
    found = around(square, radius)
    assert found == sorted(set(found)) and len(found) == (2 * radius + 1) ** 2
    assert (other in found) == (distance(square, other) <= radius)


def test_diagonals_are_in_two_quadrants_and_the_centre_in_none() -> None:
    for east in range(-3, 4):
        for south in range(-3, 4):
            quadrants = sum(is_in_front(facing, east, south) for facing in range(4))
            expected = 0 if east == south == 0 else 2 if abs(east) == abs(south) else 1
            assert quadrants == expected
    assert is_in_front(0, 1, -2) and is_in_front(1, 2, 1) and is_in_front(2, 0, 1) and is_in_front(3, -1, 1)


@given(st.integers(0, 2**64 - 1))
def test_generated_maps_have_fixed_terrain_shares(seed: int) -> None:
    ground = generate_map(Random(seed))
    shares = {WATER: 69, WETLANDS: 115, FOREST: 150, HILLS: 127, MOUNTAINS: 81, PEAKS: 34}
    assert Counter(ground.codes) == shares
    assert len(ground.gold) == 16 and all(ground.is_land(square) for square in ground.gold)
    assert generate_map(Random(seed)) == ground


def test_neighbouring_squares_have_similar_heights() -> None:
    """Smoothing makes neighbours alike: water beside peaks is rare."""
    ground = generate_map(Random(3))
    steps = [abs(ground.codes[at(x, y)] - ground.codes[at(x + 1, y)]) for x in range(24) for y in range(24)]
    assert sum(steps) / SQUARES < 0.8


def test_terrain_determines_farming_defence_and_land() -> None:
    ground = Map(bytes(range(6)) * 96, (7, 3, 7))
    assert [ground.farming(square) for square in range(6)] == [0, 2, 1, 0, -1, 0]
    assert [ground.defence(square) for square in range(6)] == [0, 0, 0, 1, 2, 0]
    assert [ground.is_land(square) for square in range(6)] == [False, True, True, True, True, False]
    assert ground.gold == (3, 7)


def test_maps_survive_pickling() -> None:
    ground = generate_map(Random(1))
    copy = pickle.loads(pickle.dumps(ground))
    assert copy == ground and hash(copy) == hash(ground) and copy != plain_map()


@pytest.mark.parametrize(
    ("codes", "gold", "message"),
    [
        (bytes(575), (), "576 squares"),
        (bytes(575) + b"\6", (), "0 to 5"),
        (bytes(576), (576,), "gold"),
        (bytes(576), (-1,), "gold"),
    ],
)
def test_invalid_maps_are_refused(codes: bytes, gold: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Map(codes, gold)


def test_units_are_listed_in_order_of_squares() -> None:
    arrangement = units(artillery=at(0, 1), drone=[at(5, 0), at(2, 0)])
    assert arrangement.units() == [(2, 1), (5, 1), (24, 8)]
    assert arrangement.value(RULES["seed"]) == 440
    assert Arrangement(bytes(576)).units() == [] and Arrangement(bytes(576)).value(RULES["seed"]) == 0


def test_arrangements_survive_pickling() -> None:
    arrangement = units(mine=7)
    copy = pickle.loads(pickle.dumps(arrangement))
    assert copy == arrangement and hash(copy) == hash(arrangement) and copy != units(mine=8)


@pytest.mark.parametrize("codes", [bytes(575), bytes(577), bytes(575) + b"\x09"])
def test_invalid_arrangements_are_refused(codes: bytes) -> None:
    with pytest.raises(ValueError, match=r"576 squares|1 to 8"):
        Arrangement(codes)


@pytest.mark.parametrize(("square", "code"), [(-1, 1), (576, 1), (0, 0), (0, 9)])
def test_unknown_units_and_squares_are_refused(square: int, code: int) -> None:
    with pytest.raises(ValueError, match="cannot stand on"):
        arrangement_of({square: code})


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
def test_farming_units_yield_by_terrain_gold_and_rules(
    rules: str, code: int, yields: tuple[int, ...]
) -> None:
    codes = bytes(LETTERS.index(letter) for letter in GROUNDS * 2) + bytes(SQUARES - 8)
    setting = setting_of(rules, Map(codes, (4, 5, 6, 7)))
    made = tuple(int(setting.yields[code * SQUARES + square]) for square in range(8))
    assert made == yields + tuple(dollars + 2 for dollars in yields)


def test_only_farming_units_yield_money() -> None:
    setting = setting_of("improved", plain_map(",", gold=[7]))
    for code, unit in enumerate(setting.rules.units):
        assert unit.farms == any(setting.yields[code * SQUARES + square] for square in range(SQUARES))


@pytest.mark.parametrize(("letter", "dollars"), [(",", 4), ("t", 3), ("n", 2), ("M", 1)])
def test_scavengers_collect_by_terrain_and_gold(letter: str, dollars: int) -> None:
    for gold, more in (([], 0), ([at(5, 5)], 2)):
        turn = turn_of([("scavenger", at(5, 5), "N")], units(), always(), plain_map(letter, gold=gold))
        played(turn, phases=50)
        assert int(turn.carried_home()) == int(turn.chaos_change()) == 50 * (dollars + more)


@pytest.mark.parametrize(("rules", "second"), [("seed", 4), ("improved", 0)])
def test_a_second_scavenger_on_a_square_collects_only_in_seed_rules(rules: str, second: int) -> None:
    men = [("scavenger", at(5, 5), "N"), ("scavenger", at(5, 5), "E"), ("scavenger", at(5, 6), "N")]
    turn = turn_of(men, units(), always(), plain_map(","), rules)
    played(turn, phases=3)
    assert [int(dollars) for dollars in turn.carried][:3] == [12, 3 * second, 12]


def test_scenarios_survive_pickling() -> None:
    setting = Scenario(RULES["improved"], generate_map(Random(2)))
    copy = pickle.loads(pickle.dumps(setting))
    assert (
        copy == setting
        and hash(copy) == hash(setting)
        and list(copy.scavenger_senses) == list(setting.scavenger_senses)
    )
    assert setting != Scenario(RULES["seed"], setting.map)
