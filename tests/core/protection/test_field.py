"""What minions sense: the three tables of inputs, priorities, broadcasts, jamming and gold."""

import pytest

from core.protection.board import POSES, STEPS, arrangement_of
from core.protection.turn import Turn
from tests.core.protection.boards import (
    FACINGS,
    MINION_NAMES,
    PROBE,
    UNIT_NAMES,
    always,
    at,
    fights_of,
    packed,
    plain_map,
    played,
    sensed,
    turn_of,
    units,
)

NOBODY = units()
SEEN = {  # by scouts, scavengers, barbarians; scavengers on hills have no bonus: 4
    "drone": (4, 0, 4),
    "mine": (7, 4, 0),
    "farmer": (4, 0, 4),
    "infantry": (5, 0, 5),
    "settler": (5, 0, 5),
    "jammer": (5, 0, 7),
    "armor": (6, 0, 6),
    "artillery": (5, 0, 7),
}
SINGLE = [name for name in MINION_NAMES if name not in ("mobile", "kamikazee")]  # act once a phase


@pytest.mark.parametrize("unit", SEEN)
@pytest.mark.parametrize("facing", FACINGS)
@pytest.mark.parametrize("corner", [at(0, 0), at(23, 23), at(11, 7)])
def test_minions_sense_the_unit_in_front(unit: str, facing: str, corner: int) -> None:
    east, south = STEPS[FACINGS.index(facing)]
    front = at(corner % 24 + east, corner // 24 + south)
    arrangement = arrangement_of({front: UNIT_NAMES.index(unit)})
    for name in SINGLE:
        expected = SEEN[unit][min(MINION_NAMES.index(name), 2)]
        turn = turn_of([(name, corner, facing)], arrangement, PROBE, plain_map("n"))
        assert entry(turn, name, corner, facing) == expected
        if unit != "artillery":  # which would fire
            assert sensed(turn, 0) == expected


@pytest.mark.parametrize(("letter", "swims"), [("~", True), ("^", False)])
def test_minions_sense_impassable_ground_in_front(letter: str, swims: bool) -> None:
    ground = plain_map("n", {at(5, 4): letter})
    for name in SINGLE:
        turn = turn_of([(name, at(5, 5), "N")], NOBODY, PROBE, ground)
        assert sensed(turn, 0) == (0 if swims and name == "amphibious" else 1), name


@pytest.mark.parametrize(("distance", "expected"), [(4, 2), (5, 0)])
def test_scouts_sense_jamming(distance: int, expected: int) -> None:
    for dx, dy in ((distance, 0), (-distance, distance), (0, -distance), (2, distance)):
        turn = turn_of([("scout", at(1, 1), "E")], units(jammer=at(1 + dx, 1 + dy)), PROBE)
        assert sensed(turn, 0) == expected


def test_scouts_sense_artillery_before_jamming_and_walls_before_both() -> None:
    both = units(jammer=at(9, 9), artillery=at(10, 10))
    for x, y, facing, expected in ((8, 8, "N", 3), (7, 8, "N", 2), (8, 9, "E", 5), (12, 12, "E", 3)):
        turn = turn_of([("scout", at(x, y), facing)], both, PROBE)
        assert entry(turn, "scout", at(x, y), facing) == expected
    turn = turn_of([("scout", at(8, 8), "N")], both, PROBE, plain_map("t", {at(8, 7): "^"}))
    assert entry(turn, "scout", at(8, 8), "N") == 1


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("common", ["0000000", "0333330", "0233320", "0222220", "0222220", "0222220", "0000000"]),
        ("armored", ["3333333", "2333332", "2233322", "2222222", "2222222", "2222222", "2222222"]),
    ],
)
def test_a_broadcast_reaches_minions_within_hearing_range(name: str, picture: list[str]) -> None:
    """The pictures are for a barbarian that faces north, in the middle."""
    string = bytes([0xFF]) * 16 + PROBE[16:]  # scouts broadcast
    for quarter, facing in enumerate(FACINGS):
        for south in range(-4, 5):
            for east in range(-4, 5):
                turned = (east, south)
                for _ in range(quarter):
                    turned = (turned[1], -turned[0])  # a quarter to the left
                within = max(abs(east), abs(south)) <= 3
                expected = int(picture[turned[1] + 3][turned[0] + 3]) if within else 0
                for x, y in ((12, 12), (1, 22)):
                    men = [("scout", at(x + east, y + south), "N"), (name, at(x, y), facing)]
                    assert sensed(turn_of(men, NOBODY, string), 1) == expected, (facing, east, south)


def test_one_broadcasting_scout_in_front_is_enough() -> None:
    string = bytes([0xFF]) * 16 + PROBE[16:]
    men = [("scout", at(5, 6), "N"), ("scout", at(5, 2), "N"), ("common", at(5, 5), "N")]
    assert sensed(turn_of(men, NOBODY, string), 2) == 2  # the other is too far away
    men[1] = ("scout", at(5, 4), "N")
    assert sensed(turn_of(men, NOBODY, string), 2) == 3


@pytest.mark.parametrize(("distance", "expected"), [(4, 0), (5, 2)])
def test_a_jammer_blocks_broadcasts_near_the_receiver(distance: int, expected: int) -> None:
    string = bytes([0xFF]) * 16 + PROBE[16:]
    for scout in (at(5, 6), at(5, 5)):
        men = [("scout", scout, "N"), ("common", at(5, 5), "N")]
        assert sensed(turn_of(men, units(jammer=at(5, 5 + distance)), string), 1) == expected
    men = [("scout", at(5, 7), "N"), ("common", at(5, 5), "N")]
    assert sensed(turn_of(men, units(jammer=at(5, 11)), string), 1) == 2  # only the scout is near the jammer


def test_a_broadcast_lasts_for_its_phase_only() -> None:
    """The scout broadcasts in state 0 and then walks on in state 1."""
    nibbles = [0b0111] * 8 + [0b0100] * 24  # S, then F
    string = packed(nibbles) + PROBE[16:]
    turn = turn_of([("scout", at(5, 6), "S"), ("common", at(5, 5), "N")], NOBODY, string)
    assert sensed(turn, 1) == 2
    assert sensed(turn, 1) == 0


def test_units_and_walls_outrank_a_broadcast() -> None:
    string = bytes([0xFF]) * 16 + PROBE[16:]
    men = [("scout", at(5, 6), "N"), ("common", at(5, 5), "N")]
    assert sensed(turn_of(men, units(settler=at(5, 4)), string), 1) == 5
    assert sensed(turn_of(men, NOBODY, string, plain_map("t", {at(5, 4): "^"})), 1) == 1


@pytest.mark.parametrize(
    ("letter", "gold", "expected"),
    [
        (",", (), 6),
        ("t", (), 5),
        ("n", (), 4),
        ("M", (), 4),
        (",", ((5, 5),), 7),  # 4 counts as 3
        ("t", ((5, 5),), 7),
        ("n", ((5, 5), (5, 4)), 6),  # on gold the bonus counts
        ("M", ((5, 5),), 5),
        (",", ((5, 3),), 3),
        (",", ((3, 2),), 3),
        (",", ((2, 4),), 2),
        (",", ((8, 8),), 2),
        (",", ((2, 2),), 3),
        (",", ((5, 9),), 6),
        (",", ((5, 9), (9, 5), (6, 4)), 3),
    ],
)
def test_scavengers_sense_gold_or_the_bonus(
    letter: str, gold: tuple[tuple[int, int], ...], expected: int
) -> None:
    ground = plain_map(letter, gold=[at(x, y) for x, y in gold])
    assert sensed(turn_of([("scavenger", at(5, 5), "N")], NOBODY, PROBE, ground), 0) == expected


def test_destroyed_units_are_no_longer_sensed() -> None:
    """Two attackers face one drone from two sides: the second sees it no more in the same phase."""
    men = [("common", at(5, 5), "E"), ("jump", at(7, 5), "W")]
    turn = turn_of(men, units(drone=at(6, 5)), always())
    assert entry(turn, "common", at(7, 5), "W") == 4
    assert fights_of(played(turn, [7])) == ["attack 7/7 won"]
    assert entry(turn, "common", at(7, 5), "W") == 0
    turn.reset()
    assert entry(turn, "common", at(7, 5), "W") == 4


def entry(turn: Turn, name: str, square: int, facing: str) -> int:
    """The input that is kept for a pose; no artillery fires at who asks."""
    table = min(MINION_NAMES.index(name), 2) * POSES
    return int(turn.field.sensors[table + square * 4 + FACINGS.index(facing)]) & 7
