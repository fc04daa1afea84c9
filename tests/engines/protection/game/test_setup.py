"""Setups: applied as a whole or not at all, with every fault."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.protection.board import Scenario
from core.protection.rules import DRONE, FARMER, INFANTRY, RULES, SETTLER, SQUARES
from core.protection.state import ProtectionState
from engines.protection.game.setup import Fault, Placement, Setup, SetupError, apply, faults, preview
from tests.core.protection.boards import at, plain_map

GROUND = plain_map("t", {at(1, 0): "~", at(2, 0): "^"})
SETTING = Scenario(RULES["improved"], GROUND)


def begun(dollars: int = 500) -> ProtectionState:
    return ProtectionState(SETTING, dollars, 2000)


def test_a_setup_is_placed_and_paid() -> None:
    state = begun()
    done = apply(state, Setup(place=(Placement(DRONE, at(5, 5)), Placement(SETTLER, at(6, 5)))))
    assert [(unit.number, unit.code, unit.square) for unit in done.placed] == [
        (1, DRONE, at(5, 5)),
        (2, SETTLER, at(6, 5)),
    ]
    assert state.treasury == 330


def test_every_fault_is_told_with_its_field_and_nothing_is_done() -> None:
    state = begun(120)
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


def test_what_is_salvaged_pays_and_leaves_its_square() -> None:
    """A unit of this setup brings its whole price; the number of a new one is never an old one's."""
    state = begun(100)
    apply(state, Setup(place=(Placement(FARMER, at(5, 5)),)))
    assert faults(state, Setup(place=(Placement(INFANTRY, at(5, 5)),)))[0].reason == "occupied"
    done = apply(state, Setup(place=(Placement(INFANTRY, at(5, 5)),), salvage=(1,)))
    assert done.placed[0].number == 2 and state.treasury == 0
    twice = faults(state, Setup(salvage=(2, 2)))
    assert [(fault.field, fault.reason) for fault in twice] == [("salvage[1]", "twice")]


def test_a_preview_says_what_the_setup_then_does() -> None:
    state = begun()
    setup = Setup(place=(Placement(SETTLER, at(6, 6)), Placement(DRONE, at(7, 6))))
    told = preview(state, setup)
    assert (told.cost, told.refund, told.income) == (170, 0, 4 + 2)  # forest gives 1
    apply(state, setup)
    assert (told.treasury, told.human_value) == (state.treasury, state.human_value())
    with pytest.raises(SetupError):
        preview(state, setup)


def test_a_game_that_is_over_takes_no_setup() -> None:
    state = begun()
    state.resign()
    assert faults(state, Setup()) == (Fault(field="setup", reason="over"),)


PLACEMENTS = st.builds(Placement, st.integers(-1, 10), st.integers(-2, 60))
SETUPS = st.builds(
    Setup,
    place=st.lists(PLACEMENTS, max_size=12).map(tuple),
    salvage=st.lists(st.integers(0, 4), max_size=3).map(tuple),
)


@given(SETUPS)
def test_a_setup_without_a_fault_is_done_and_any_other_changes_nothing(setup: Setup) -> None:
    state = begun(700)
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
    assert bool(faults(begun(), one)) == bool(faults(begun(), other))
