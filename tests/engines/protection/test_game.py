"""Games: setups applied as a whole or not at all, random streams, turns, money and ends."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.protection.board import Scenario
from core.protection.rules import ARMOR, DRONE, FARMER, INFANTRY, RULES, SETTLER, SQUARES
from core.protection.state import ProtectionState
from core.protection.turn import TurnLog
from core.random import Random
from engines.protection.game import (
    MAP,
    Fault,
    Placement,
    ProtectionGame,
    Setup,
    SetupError,
    apply,
    combat_purpose,
    faults,
    new_game,
    placement_purpose,
    preview,
    rating_purpose,
)
from engines.protection.genome import Genome
from engines.protection.pool import handwritten
from engines.seeds import SeededStreams
from tests.core.protection.boards import always, at, plain_map

STRINGS = [genome.code for genome in handwritten().values()]
NOBODY_BOUGHT = bytes(132)


def test_the_streams_are_those_of_the_protocol() -> None:
    """The seeds that `galapagos/1` gives for the seed 42 and this salt."""
    chance = SeededStreams(42, "9f2c4e0b7d1a55c3a1e6b87f20d4c913")
    purposes = [MAP, placement_purpose(1), combat_purpose(1), rating_purpose(1, 17, 0)]
    assert [f"{chance.stream_seed(purpose):016x}" for purpose in purposes] == [
        "e675ae3af30c26db",
        "cfacbfde8393084b",
        "61901d4b81cfc9ad",
        "fa4ef30d80f20732",
    ]
    rolls = chance.stream(combat_purpose(1))
    assert [rolls.below(9) + 1 for _ in range(8)] == [9, 2, 6, 2, 3, 6, 2, 4]


# -- Setups ----------------------------------------------------------------------------------------

GROUND = plain_map("t", {at(1, 0): "~", at(2, 0): "^"})
SETTING = Scenario(RULES["improved"], GROUND)


def new_state(dollars: int = 500) -> ProtectionState:
    return ProtectionState(SETTING, dollars, 2000)


def test_a_setup_is_placed_and_paid() -> None:
    state = new_state()
    done = apply(state, Setup(place=(Placement(DRONE, at(5, 5)), Placement(SETTLER, at(6, 5)))))
    assert [(unit.number, unit.code, unit.square) for unit in done.placed] == [
        (1, DRONE, at(5, 5)),
        (2, SETTLER, at(6, 5)),
    ]
    assert state.treasury == 330


def test_every_fault_is_reported_with_its_field_and_nothing_is_applied() -> None:
    state = new_state(120)
    apply(state, Setup(place=(Placement(DRONE, at(9, 9)),)))
    setup = Setup(
        place=(
            Placement(FARMER, at(0, 0)),  # the last $100
            Placement(FARMER, at(3, 0)),
            Placement(DRONE, at(1, 0)),
            Placement(DRONE, at(2, 0)),
            Placement(DRONE, at(9, 9)),
            Placement(DRONE, at(0, 0)),
            Placement(9, at(4, 4)),
            Placement(DRONE, SQUARES),
        ),
        salvage=(7,),
    )
    assert faults(state, setup) == (
        Fault(field="salvage[0]", reason="unit"),
        Fault(field="place[1]", reason="money", need=100, have=0),
        Fault(field="place[2]", reason="terrain", terrain="water"),
        Fault(field="place[3]", reason="terrain", terrain="peaks"),
        Fault(field="place[4]", reason="occupied"),
        Fault(field="place[5]", reason="twice"),
        Fault(field="place[6]", reason="unit"),
        Fault(field="place[7]", reason="square"),
    )
    with pytest.raises(SetupError, match=r"salvage\[0\]: unit") as caught:
        apply(state, setup)
    assert len(caught.value.faults) == 8
    assert state.treasury == 100 and len(state.units) == 1


def test_salvaged_units_are_refunded_and_leave_their_squares() -> None:
    """A unit of this setup brings its whole price; the number of a new one is never an old one's."""
    state = new_state(100)
    apply(state, Setup(place=(Placement(FARMER, at(5, 5)),)))
    assert faults(state, Setup(place=(Placement(INFANTRY, at(5, 5)),)))[0].reason == "occupied"
    done = apply(state, Setup(place=(Placement(INFANTRY, at(5, 5)),), salvage=(1,)))
    assert done.placed[0].number == 2 and state.treasury == 0
    twice = faults(state, Setup(salvage=(2, 2)))
    assert [(fault.field, fault.reason) for fault in twice] == [("salvage[1]", "twice")]


def test_a_preview_predicts_the_effect_of_the_setup() -> None:
    state = new_state()
    setup = Setup(place=(Placement(SETTLER, at(6, 6)), Placement(DRONE, at(7, 6))))
    told = preview(state, setup)
    assert (told.cost, told.refund, told.income) == (170, 0, 4 + 2)  # forest gives 1
    apply(state, setup)
    assert (told.treasury, told.human_value) == (state.treasury, state.human_value())
    with pytest.raises(SetupError):
        preview(state, setup)


def test_a_game_that_has_ended_takes_no_setup() -> None:
    state = new_state()
    state.resign()
    assert faults(state, Setup()) == (Fault(field="setup", reason="over"),)


PLACEMENTS = st.builds(Placement, st.integers(-1, 10), st.integers(-2, 60))
SETUPS = st.builds(
    Setup,
    place=st.lists(PLACEMENTS, max_size=12).map(tuple),
    salvage=st.lists(st.integers(0, 4), max_size=3).map(tuple),
)


@given(SETUPS)
def test_faultless_setups_are_applied_and_faulty_ones_change_nothing(setup: Setup) -> None:
    state = new_state(700)
    apply(state, Setup(place=(Placement(DRONE, at(3, 1)), Placement(SETTLER, at(4, 1)))))
    before = (state.treasury, sorted(state.units))
    if faults(state, setup):
        with pytest.raises(SetupError):
            apply(state, setup)
        assert (state.treasury, sorted(state.units)) == before
    else:
        told = preview(state, setup)
        apply(state, setup)
        assert state.treasury == told.treasury >= 0
        assert state.human_value() == told.human_value == 700


@given(st.lists(PLACEMENTS, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_decide_whether_a_setup_is_good(
    items: list[Placement], shuffler: random.Random
) -> None:
    shuffled = list(items)
    shuffler.shuffle(shuffled)
    one, other = Setup(place=tuple(items)), Setup(place=tuple(shuffled))
    assert bool(faults(new_state(), one)) == bool(faults(new_state(), other))


# -- Games -----------------------------------------------------------------------------------------


def played(seed: int, strings: list[bytes], turns: int = 6) -> ProtectionGame:
    """A human who buys at random."""
    game, rng = new_game(RULES["improved"], SeededStreams(seed)), Random(seed)
    while game.over is None and len(game.turns) < turns:
        free = [square for square in range(576) if game.state.is_free(square)]
        squares = sorted({free[rng.below(len(free))] for _ in range(12)})
        kinds = [rng.below(5) + 1 for _ in squares]
        costs = [game.state.scenario.rules.units[kind].cost for kind in kinds]
        if sum(costs) <= game.state.treasury:
            game.set_up(Setup(place=tuple(map(Placement, kinds, squares))))
        game.play(strings[rng.below(len(strings))])
    return game


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 1 << 53))
def test_chaos_pays_from_its_own_treasury_and_every_dollar_is_in_the_audit(seed: int) -> None:
    game = played(seed, STRINGS)
    before = 2000
    for turn in game.turns:
        audit = turn.audit
        assert audit.before == before and 0 <= audit.spent <= before
        assert audit.after == before - audit.spent + audit.refunds + audit.brought + audit.grant
        assert turn.chaos_value == audit.after - audit.grant
        before = audit.after
    assert game.state.chaos_treasury == before
    assert [turn.audit.grant for turn in game.turns[:3]] == [100, 108, 116][: len(game.turns)] or game.over


def test_each_turn_places_minions_by_its_own_random_stream() -> None:
    """A first turn with many dice and one with none: the same minions of the second turn stand where they stood."""
    rosters = []
    for first in (always(common="S")[:-4] + bytes([0, 0xF0, 0, 0]), NOBODY_BOUGHT):
        game = ProtectionGame(Scenario(RULES["improved"], plain_map("t")), SeededStreams(5), 2000, 2000)
        game.set_up(Setup(place=(Placement(ARMOR, at(3, 3)),)))
        game.play(first)
        log = TurnLog()
        game.play(always(common="R")[:-4] + bytes([0, 0xF0, 0, 0]), log)
        rosters.append(log.roster)
    shorter = min(len(roster) for roster in rosters)
    assert shorter > 30 and rosters[0][:shorter] == rosters[1][:shorter]


def ending(human: int, chaos: int, setup: Setup, turns: int = 1) -> tuple[tuple[int, str] | None, int]:
    """On hills, where a drone makes $50 a turn, against minions that are never bought."""
    game = ProtectionGame(Scenario(RULES["improved"], plain_map("n")), SeededStreams(1), human, chaos)
    for _ in range(turns):
        game.set_up(setup)
        played = game.play(NOBODY_BOUGHT)
        if game.over:
            break
    return game.over, played.audit.grant


def test_games_end_above_their_ratios_before_the_grant() -> None:
    infantry = Setup(place=(Placement(INFANTRY, at(1, 1)),))
    assert ending(2000, 100, infantry)[0] is None
    assert ending(2001, 100, infantry) == ((0, "surrender"), 0)
    assert ending(1999, 100, infantry)[0] is None
    assert ending(100, 2000, infantry) == (None, 100)
    assert ending(100, 2001, infantry) == ((1, "chaos_twenty"), 0)
    assert ending(19, 200, Setup()) == ((1, "eliminated"), 0)
    assert ending(20, 200, Setup())[0] is None


def test_turn_60_goes_to_the_higher_value() -> None:
    """Chaos has been granted $115,949 after 59 turns; the drone makes $50 each turn."""
    drone = Setup(place=(Placement(DRONE, at(1, 1)),))
    game = ProtectionGame(Scenario(RULES["improved"], plain_map("n")), SeededStreams(1), 60_000, 60_000)
    game.set_up(drone)
    while game.over is None:
        game.play(NOBODY_BOUGHT)
    assert len(game.turns) == 60 and game.over == (1, "turn_cap")
    granted = sum(RULES["improved"].grant(turn) for turn in range(1, 60))
    assert game.turns[-1].chaos_value == 60_000 + granted


def test_random_strings_can_be_played() -> None:
    assert played(3, [Genome.random(Random(number)).code for number in range(5)]).turns
