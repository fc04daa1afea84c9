"""How minions move: blocked ways, jumps, mines, and two actions a phase."""

import pytest

from tests.core.protection.boards import (
    FACINGS,
    MINION_NAMES,
    always,
    at,
    fights_of,
    plain_map,
    played,
    reacting,
    survivors,
    turn_of,
    units,
    where,
)

NOBODY = units()
WALK = always(**dict.fromkeys(MINION_NAMES, "F"))


@pytest.mark.parametrize("name", MINION_NAMES)
def test_forward_goes_over_the_edge(name: str) -> None:
    steps = 2 if name in ("mobile", "kamikazee") else 1
    for facing, square in zip(
        FACINGS, (at(0, -steps), at(steps, 0), at(0, steps), at(-steps, 0)), strict=True
    ):
        turn = turn_of([(name, at(0, 0), facing)], NOBODY, WALK)
        assert played(turn).acts == ["F" * steps] and where(turn) == (square, facing)


@pytest.mark.parametrize("name", MINION_NAMES)
def test_turns_are_quarters(name: str) -> None:
    for letter, once, twice in (("R", "E", "S"), ("L", "W", "S")):
        turn = turn_of([(name, at(3, 3), "N")], NOBODY, always(**{name: letter}))
        expected = twice if name in ("mobile", "kamikazee") else once
        assert set(played(turn).acts[0]) == {letter} and where(turn) == (at(3, 3), expected)


@pytest.mark.parametrize("name", [name for name in MINION_NAMES if name != "jump"])
@pytest.mark.parametrize("unit", ["drone", "settler", "armor", "jammer"])
def test_a_unit_blocks_the_way(name: str, unit: str) -> None:
    turn = turn_of([(name, at(5, 5), "S")], units(**{unit: at(5, 6)}), WALK)
    assert set(played(turn).acts[0]) == {"f"} and where(turn) == (at(5, 5), "S")


@pytest.mark.parametrize("letter", ["~", "^"])
def test_impassable_ground_blocks_the_way(letter: str) -> None:
    for name in MINION_NAMES:
        ground = plain_map("t", {at(5, 4): letter, at(5, 3): letter})
        turn = turn_of([(name, at(5, 5), "N")], NOBODY, WALK, ground)
        played(turn)
        swims = name == "amphibious" and letter == "~"
        assert where(turn) == (at(5, 4 if swims else 5), "N"), name


def test_the_state_changes_also_when_the_move_is_blocked() -> None:
    """Golden automaton: walks and advances its state on no input; turns right at walls."""
    string = bytes.fromhex("4110333385547777c998bbbb0ddcffff" * 8 + "00000000")
    turn = turn_of([("common", at(5, 5), "N")], NOBODY, string, plain_map("t", {at(5, 3): "^"}))
    played(turn)
    assert int(turn.minions[0]) & 3 == 1 and where(turn) == (at(5, 4), "N")
    played(turn)
    assert int(turn.minions[0]) & 3 == 1 and where(turn) == (at(5, 4), "E")


# -- The jump


@pytest.mark.parametrize("unit", ["drone", "infantry", "armor", "artillery"])
def test_it_jumps_over_a_unit(unit: str) -> None:
    turn = turn_of([("jump", at(5, 5), "E")], units(**{unit: at(6, 5)}), WALK)
    dice = [8] if unit == "artillery" else []  # which fires at the jumper and misses
    assert played(turn, dice).acts == ["J"] and where(turn) == (at(7, 5), "E")


@pytest.mark.parametrize("letter", ["~", "^"])
def test_it_jumps_over_impassable_ground(letter: str) -> None:
    turn = turn_of([("jump", at(23, 5), "E")], NOBODY, WALK, plain_map("t", {at(0, 5): letter}))
    assert played(turn).acts == ["J"] and where(turn) == (at(1, 5), "E")


@pytest.mark.parametrize("letter", ["~", "^"])
def test_it_lands_on_passable_ground_only(letter: str) -> None:
    turn = turn_of([("jump", at(5, 5), "N")], units(drone=at(5, 4)), WALK, plain_map("t", {at(5, 3): letter}))
    assert played(turn).acts == ["f"] and where(turn) == (at(5, 5), "N")


def test_it_lands_on_a_mine() -> None:
    for roll, survives in ((2, True), (3, False)):
        turn = turn_of([("jump", at(5, 5), "N")], units(drone=at(5, 4), mine=at(5, 3)), WALK)
        log = played(turn, [roll])
        assert log.acts == ["J"] and fights_of(log) == [f"mine {roll}/12" + ("" if survives else " won")]
        assert where(turn) == ((at(5, 3), "N") if survives else None)
        assert survivors(turn) == units(drone=at(5, 4))


def test_it_does_not_jump_over_a_mine() -> None:
    turn = turn_of([("jump", at(5, 5), "N")], units(mine=at(5, 4)), WALK)
    assert played(turn, [1]).acts == ["F"] and where(turn) == (at(5, 4), "N")


def test_it_lands_where_it_has_destroyed_a_unit() -> None:
    turn = turn_of([("jump", at(5, 5), "N")], units(drone=at(5, 4), infantry=at(5, 3)), WALK)
    log = played(turn, [7])
    assert log.acts == ["J"] and fights_of(log) == ["attack 7/12 won"]
    assert where(turn) == (at(5, 3), "N") and survivors(turn) == units(drone=at(5, 4))


def test_it_stays_where_neither_dies() -> None:
    turn = turn_of([("jump", at(5, 5), "N")], units(drone=at(5, 4), infantry=at(5, 3)), WALK)
    log = played(turn, [6, 2])
    assert log.acts == ["f"] and fights_of(log) == ["attack 6/12", "counter 2/5"]
    assert where(turn) == (at(5, 5), "N")


def test_its_defence_is_that_of_the_square_it_came_from() -> None:
    """On mountains 2 + 2: a 4 of 7 does not win, where on flat ground a 3 of 5 does."""
    arrangement = units(drone=at(5, 4), infantry=at(5, 3))
    turn = turn_of([("jump", at(5, 5), "N")], arrangement, WALK, plain_map("t", {at(5, 5): "M"}))
    assert fights_of(played(turn, [6, 4])) == ["attack 6/12", "counter 4/7"]
    assert where(turn) == (at(5, 5), "N")
    turn = turn_of([("jump", at(5, 5), "N")], arrangement, WALK)
    assert fights_of(played(turn, [6, 3])) == ["attack 6/12", "counter 3/5 won"]
    assert where(turn) is None


# -- Mines


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("scout", 11),
        ("scavenger", 11),
        ("common", 13),
        ("amphibious", 13),
        ("mobile", 13),
        ("jump", 12),
        ("kamikazee", 20),
    ],
)
def test_a_mine_fires_at_who_enters(name: str, sides: int) -> None:
    for roll in (sides - 10, sides - 9):
        wins = roll > sides - 10
        string = always(**{name: "F"})
        turn = turn_of([(name, at(5, 5), "N")], units(mine=at(5, 4)), string)
        assert fights_of(played(turn, [roll])) == [f"mine {roll}/{sides}" + (" won" if wins else "")]
        assert survivors(turn) == NOBODY and int(turn.units_lost()) == 50
        steps = 2 if name in ("mobile", "kamikazee") else 1
        assert where(turn) == (None if wins else (at(5, 5 - steps), "N"))
        assert int(turn.living) == (0 if wins else 1)


def test_the_armored_sweeps_mines() -> None:
    turn = turn_of([("armored", at(5, 5), "N")], units(mine=[at(5, 4), at(5, 3)]), WALK)
    assert fights_of(played(turn, phases=2)) == ["sweep won", "sweep won"]
    assert where(turn) == (at(5, 3), "N") and survivors(turn) == NOBODY


def test_a_mine_on_a_mountain_strikes_a_better_defence() -> None:
    turn = turn_of([("scout", at(5, 5), "N")], units(mine=at(5, 4)), WALK, plain_map("t", {at(5, 4): "M"}))
    assert fights_of(played(turn, [3])) == ["mine 3/13"]


@pytest.mark.parametrize("name", MINION_NAMES[2:])
def test_a_mine_cannot_be_attacked(name: str) -> None:
    turn = turn_of([(name, at(5, 5), "N")], units(mine=at(5, 4)), always())
    assert fights_of(played(turn)) == [] and survivors(turn) == units(mine=at(5, 4))


# -- Two actions


def test_the_second_action_sees_the_new_board() -> None:
    """A mobile that attacks drones and else walks: it wins, then moves on in the same phase."""
    string = reacting("mobile", {4: "S"}, otherwise="F")
    turn = turn_of([("mobile", at(5, 5), "N")], units(drone=at(5, 4)), string)
    log = played(turn, [6])
    assert log.acts == ["SF"] and fights_of(log) == ["attack 6/6 won"] and where(turn) == (at(5, 4), "N")


def test_the_dead_have_no_second_action() -> None:
    string = reacting("mobile", {5: "S"}, otherwise="F")
    turn = turn_of([("mobile", at(5, 5), "N")], units(infantry=at(5, 4)), string)
    log = played(turn, [1, 6])
    assert log.acts == ["S"] and fights_of(log) == ["attack 1/11", "counter 6/6 won"] and where(turn) is None
