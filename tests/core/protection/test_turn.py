"""A turn: moves, jumps, mines, attacks and bombs, by plans of a few squares."""

from fractions import Fraction

import pytest

from core.protection.policy import Policy
from core.protection.turn import Dice
from core.random import Random
from tests.core.protection.boards import (
    FACINGS,
    MINION_NAMES,
    Forced,
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
def test_moving_forward_wraps_around_the_torus(name: str) -> None:
    steps = 2 if name in ("mobile", "kamikazee") else 1
    for facing, square in zip(
        FACINGS, (at(0, -steps), at(steps, 0), at(0, steps), at(-steps, 0)), strict=True
    ):
        turn = turn_of([(name, at(0, 0), facing)], NOBODY, WALK)
        assert played(turn).acts == ["F" * steps] and where(turn) == (square, facing)


@pytest.mark.parametrize("name", MINION_NAMES)
def test_turning_rotates_a_minion_by_a_quarter(name: str) -> None:
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
def test_a_jumper_jumps_over_a_unit(unit: str) -> None:
    turn = turn_of([("jump", at(5, 5), "E")], units(**{unit: at(6, 5)}), WALK)
    dice = [8] if unit == "artillery" else []  # which fires at the jumper and misses
    assert played(turn, dice).acts == ["J"] and where(turn) == (at(7, 5), "E")


@pytest.mark.parametrize("letter", ["~", "^"])
def test_a_jumper_jumps_over_impassable_ground(letter: str) -> None:
    turn = turn_of([("jump", at(23, 5), "E")], NOBODY, WALK, plain_map("t", {at(0, 5): letter}))
    assert played(turn).acts == ["J"] and where(turn) == (at(1, 5), "E")


@pytest.mark.parametrize("letter", ["~", "^"])
def test_a_jumper_lands_only_on_passable_ground(letter: str) -> None:
    turn = turn_of([("jump", at(5, 5), "N")], units(drone=at(5, 4)), WALK, plain_map("t", {at(5, 3): letter}))
    assert played(turn).acts == ["f"] and where(turn) == (at(5, 5), "N")


def test_a_jumper_can_land_on_a_mine() -> None:
    for roll, survives in ((2, True), (3, False)):
        turn = turn_of([("jump", at(5, 5), "N")], units(drone=at(5, 4), mine=at(5, 3)), WALK)
        log = played(turn, [roll])
        assert log.acts == ["J"] and fights_of(log) == [f"mine {roll}/12" + ("" if survives else " won")]
        assert where(turn) == ((at(5, 3), "N") if survives else None)
        assert survivors(turn) == units(drone=at(5, 4))


def test_a_jumper_does_not_jump_over_a_mine() -> None:
    turn = turn_of([("jump", at(5, 5), "N")], units(mine=at(5, 4)), WALK)
    assert played(turn, [1]).acts == ["F"] and where(turn) == (at(5, 4), "N")


def test_a_jumper_lands_where_its_attack_destroyed_a_unit() -> None:
    turn = turn_of([("jump", at(5, 5), "N")], units(drone=at(5, 4), infantry=at(5, 3)), WALK)
    log = played(turn, [7])
    assert log.acts == ["J"] and fights_of(log) == ["attack 7/12 won"]
    assert where(turn) == (at(5, 3), "N") and survivors(turn) == units(drone=at(5, 4))


def test_a_jumper_stays_when_neither_side_dies() -> None:
    turn = turn_of([("jump", at(5, 5), "N")], units(drone=at(5, 4), infantry=at(5, 3)), WALK)
    log = played(turn, [6, 2])
    assert log.acts == ["f"] and fights_of(log) == ["attack 6/12", "counter 2/5"]
    assert where(turn) == (at(5, 5), "N")


def test_a_jumper_defends_with_the_terrain_of_its_start_square() -> None:
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
def test_a_mine_fires_at_entering_minions(name: str, sides: int) -> None:
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


def test_mountains_improve_the_defence_against_a_mine() -> None:
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


def test_dead_minions_take_no_second_action() -> None:
    string = reacting("mobile", {5: "S"}, otherwise="F")
    turn = turn_of([("mobile", at(5, 5), "N")], units(infantry=at(5, 4)), string)
    log = played(turn, [1, 6])
    assert log.acts == ["S"] and fights_of(log) == ["attack 1/11", "counter 6/6 won"] and where(turn) is None


ATTACK = always()


@pytest.mark.parametrize(
    ("names", "unit", "odds"),
    [
        (("common", "amphibious", "jump"), "drone", "6/7"),
        (("common", "amphibious", "jump"), "farmer", "6/7"),
        (("common", "amphibious", "jump"), "settler", "6/10"),
        (("common", "amphibious", "jump"), "infantry", "6/12"),
        (("common", "amphibious", "jump"), "jammer", "6/8"),
        (("common", "amphibious", "jump"), "artillery", "6/8"),
        (("common", "amphibious", "jump"), "armor", "6/16"),
        (("mobile",), "drone", "5/6"),
        (("mobile",), "settler", "5/9"),
        (("mobile",), "infantry", "5/11"),
        (("mobile",), "jammer", "5/7"),
        (("mobile",), "armor", "5/15"),
        (("armored",), "drone", "15/16"),
        (("armored",), "settler", "15/19"),
        (("armored",), "infantry", "15/21"),
        (("armored",), "artillery", "15/17"),
        (("armored",), "armor", "15/25"),
    ],
)
def test_attacks_win_with_the_published_odds(names: tuple[str, ...], unit: str, odds: str) -> None:
    """Every roll of the first die is tried; those above the defence win."""
    sides = int(odds.split("/")[1])
    for name in names:
        wins = 0
        for roll in range(1, sides + 1):
            turn = turn_of([(name, at(5, 5), "N")], units(**{unit: at(5, 4)}), ATTACK)
            turn.play(Forced(Random(roll), [roll]), None, 1)
            first_wins = roll > sides - int(odds.split("/")[0])
            wins += first_wins
            assert not first_wins or int(turn.field.units[at(5, 4)]) == 0
        assert Fraction(wins, sides) == Fraction(odds)


@pytest.mark.parametrize(
    ("unit", "name", "odds"),
    [
        ("settler", "common", "2/5"),
        ("settler", "jump", "2/4"),
        ("settler", "armored", "2/12"),
        ("infantry", "common", "3/6"),
        ("infantry", "jump", "3/5"),
        ("infantry", "armored", "3/13"),
        ("armor", "common", "8/11"),
        ("armor", "jump", "8/10"),
        ("armor", "armored", "8/18"),
    ],
)
def test_counter_attacks_win_with_the_published_odds(unit: str, name: str, odds: str) -> None:
    strength, sides = (int(word) for word in odds.split("/"))
    for roll in range(1, sides + 1):
        turn = turn_of([(name, at(5, 5), "N")], units(**{unit: at(5, 4)}), ATTACK)
        wins = roll > sides - strength
        assert fights_of(played(turn, [1, roll]))[1] == f"counter {roll}/{sides}" + (" won" if wins else "")
        assert (where(turn) is None) == wins and int(turn.minions_lost() > 0) == wins


@pytest.mark.parametrize("unit", ["drone", "farmer", "jammer"])
def test_units_without_attack_strength_do_not_strike_back(unit: str) -> None:
    turn = turn_of([("common", at(5, 5), "N")], units(**{unit: at(5, 4)}), ATTACK)
    assert len(fights_of(played(turn, [1]))) == 1 and where(turn) == (at(5, 5), "N")


def test_terrain_improves_the_defence_of_both_sides() -> None:
    """Infantry on mountains: 6 + 2; the common barbarian on hills: 3 + 1."""
    ground = plain_map("t", {at(5, 4): "M", at(5, 5): "n"})
    turn = turn_of([("common", at(5, 5), "N")], units(infantry=at(5, 4)), ATTACK, ground)
    assert fights_of(played(turn, [8, 4])) == ["attack 8/14", "counter 4/7"]


def test_a_winning_attacker_does_not_move() -> None:
    turn = turn_of([("common", at(5, 5), "N")], units(infantry=at(5, 4)), ATTACK)
    played(turn, [12])
    assert where(turn) == (at(5, 5), "N")


def test_scouts_and_scavengers_never_attack() -> None:
    for name in ("scout", "scavenger"):
        turn = turn_of([(name, at(5, 5), "N")], units(drone=at(5, 4)), ATTACK)
        assert fights_of(played(turn)) == []


# -- Money that dies and money that is taken


def test_a_ram_burns_the_money_of_the_settler() -> None:
    """The kamikazee turns left twice a phase for ten phases, so it rams in phase 11."""
    nibbles = always(kamikazee="L")
    turn = turn_of([("kamikazee", at(5, 5), "N")], units(settler=at(5, 4)), nibbles)
    played(turn, phases=10)
    turn.policy = Policy(ATTACK)
    assert fights_of(played(turn)) == ["ram won"]
    assert where(turn) is None and int(turn.units_lost()) == 150 and int(turn.minions_lost()) == 70
    assert int(turn.produced()) == 10 * 4 and int(turn.harvest()) == 0
    assert int(turn.plundered) == 0 and int(turn.carried_home()) == 0


def test_plunder_is_lost_with_its_bearer() -> None:
    """In phase 6 it destroys a settler that has made 5 * 4; in phase 7 the infantry beside strikes it down."""
    string = always(common="R")
    turn = turn_of([("common", at(5, 5), "W")], units(settler=at(5, 4), infantry=at(6, 5)), string)
    played(turn, phases=5)
    turn.policy = Policy(ATTACK)
    log = played(turn, [10])
    assert log.fights[0][0] == 6 and log.fights[0][7] == 20
    assert int(turn.carried_home()) == 20 and int(turn.plundered) == 20
    turn.policy = Policy(string)
    played(turn)
    turn.policy = Policy(ATTACK)
    assert fights_of(played(turn, [1, 4])) == ["attack 1/12", "counter 4/6 won"]
    assert int(turn.carried_home()) == 0 and int(turn.plundered) == 20
    assert int(turn.human_change()) == -150 and int(turn.chaos_change()) == -50


@pytest.mark.parametrize("phase", [1, 2, 17, 50])
def test_a_destroyed_unit_earns_nothing_in_its_last_phase(phase: int) -> None:
    turn = turn_of([("armored", at(5, 5), "N")], units(drone=at(5, 4)), always(armored="R"), plain_map(","))
    played(turn, phases=phase - 1)
    turn.minions[0] = int(turn.minions[0]) & ~12
    turn.policy = Policy(ATTACK)
    played(turn, [16])
    assert int(turn.carried_home()) == int(turn.produced()) == 3 * (phase - 1)
    assert int(turn.human_change()) == -20


# -- Artillery


@pytest.mark.parametrize(
    ("distance", "shot", "strength"),
    [(1, 0, 5), (1, 1, 0), (1, 7, 0), (2, 0, 10), (2, 1, 5), (2, 2, 0), (2, 7, 0)],
)
def test_artillery_strength_depends_on_distance_and_dice(distance: int, shot: int, strength: int) -> None:
    for dx, dy in ((distance, 0), (-distance, distance), (0, -distance), (1, distance)):
        turn = turn_of([("armored", at(5, 5), "N")], units(artillery=at(5 + dx, 5 + dy)), always(armored="R"))
        dice = [shot + 1] + ([10 + strength] if strength else [])
        assert fights_of(played(turn, dice)) == (
            [f"bomb {10 + strength}/{10 + strength} won"] if strength else []
        )
        assert (where(turn) is None) == bool(strength)


def test_artillery_out_of_range_rolls_no_dice() -> None:
    turn = turn_of([("armored", at(5, 5), "N")], units(artillery=at(8, 5)), always(armored="R"))
    assert fights_of(played(turn, phases=50)) == []


def test_two_artilleries_fire_at_each_minion_in_turn() -> None:
    """Scout by scout, the artillery of the lower square first, and none at the dead."""
    arrangement = units(artillery=[at(9, 0), at(5, 0)])
    turn = turn_of([("scout", at(7, 0), "N"), ("scout", at(7, 1), "N")], arrangement, always())
    log = played(turn, [1, 11, 3, 2, 6])  # 10 of strength: won; a miss; 5 of strength: won
    assert [(number, square, sides) for _, _, number, square, _, sides, *_ in log.fights] == [
        (0, 5, 11),
        (1, 9, 6),
    ]
    assert int(turn.lost[0]) == 2


def test_an_artillery_that_fell_in_this_phase_does_not_fire() -> None:
    turn = turn_of([("common", at(5, 5), "N")], units(artillery=at(5, 4)), ATTACK)
    assert fights_of(played(turn, [3])) == ["attack 3/8 won"]


# -- Dice


def test_dice_reproduce_the_published_rolls() -> None:
    """The `combat|1` stream of game g-12, seed 42."""
    dice = Dice(Random(0x61901D4B81CFC9AD))
    assert [dice.roll(9) for _ in range(8)] == [9, 2, 6, 2, 3, 6, 2, 4]
