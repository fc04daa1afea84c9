"""Purchases: each is valued as if it were made."""

import pytest

from core.acquire import layout
from core.acquire.program import ADD, IF, LEAF, Program
from core.acquire.ranked_player import (
    DISTANCE,
    FEATURES,
    HELD,
    KINDS,
    LAZY,
    LEADS,
    LEFT,
    MONEY,
    OPPONENTS,
    PAYOFF,
    PERIMETER,
    RANKS,
    Purchases,
    RankedFeatures,
    ranked,
)
from core.acquire.rules import GameSpec
from tests.core.acquire.ranked.naive import SETTINGS, every_feature, naive, seen
from tests.core.acquire.tables import random_game


def view_of(*prefix: int) -> RankedFeatures:
    return RankedFeatures(Program(prefix, (), FEATURES, LAZY))


def purchases_of(*prefix: int) -> Purchases:
    return Purchases(view_of(*prefix))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.rules.name}-{setting.seats}")
def test_a_purchase_is_valued_as_if_it_were_made(setting: GameSpec) -> None:
    view = every_feature()
    purchases = Purchases(view)
    checked = 0
    for number, state in enumerate(random_game(setting, 2)):
        if state.fields[layout.PHASE] != layout.BUY or number % 3:
            continue
        seat = state.player()
        purchases.update(state, seat)
        for index in range(0, int(state.list_purchases()), 3):
            purchase = int(state.purchase(index))
            purchases.value(state, purchase)
            found = seen(view)
            state.mark()
            state.apply(purchase)
            assert found == naive(state, seat)
            state.rollback()
            checked += 1
    assert checked > 30


@pytest.mark.parametrize(
    "prefix",
    [
        (LEAF + ranked(LEADS, 0),),
        (ADD, LEAF + ranked(HELD, 1), LEAF + ranked(LEFT, 2)),
        (IF, LEAF + ranked(LEADS, 1), LEAF + MONEY, LEAF + ranked(PERIMETER, 0)),
        (IF, LEAF + ranked(LEADS, 1), LEAF + ranked(DISTANCE, 0), LEAF + ranked(PAYOFF, 0)),
    ],
)
def test_every_purchase_has_the_value_of_the_state_after_it(prefix: tuple[int, ...]) -> None:
    """Those that have a value in common included."""
    purchases, fresh = purchases_of(*prefix), view_of(*prefix)
    values = set()
    for number, state in enumerate(random_game(SETTINGS[1], 4)):
        if state.fields[layout.PHASE] != layout.BUY or number % 5:
            continue
        seat = state.player()
        purchases.update(state, seat)
        for index in range(int(state.list_purchases())):
            purchase = int(state.purchase(index))
            state.mark()
            state.apply(purchase)
            expected = fresh.value(state, seat)
            state.rollback()
            assert purchases.value(state, purchase) == expected
            values.add(expected)
    assert len(values) > 1


@pytest.mark.parametrize("kind", range(KINDS))
def test_what_a_purchase_changes_is_known(kind: int) -> None:
    for rank in range(RANKS):
        assert purchases_of(LEAF + ranked(kind, rank)).are_seen is (kind in (PAYOFF, HELD, LEFT, LEADS))
    assert purchases_of(LEAF + MONEY).are_seen
    assert not purchases_of(LEAF + OPPONENTS).are_seen
