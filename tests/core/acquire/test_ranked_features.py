"""The features of ranked programs, on states and on purchases, against a naive reading of the rules."""

from itertools import pairwise

import pytest

from core.acquire.actions import BUY, DECLARE_END, PLACE
from core.acquire.board import LONE
from core.acquire.program import ADD, IF, LEAF, Program
from core.acquire.ranked_player import (
    BONUS,
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
    PRICE,
    RANKS,
    Purchases,
    RankedFeatures,
    ranked,
)
from core.acquire.rules import GameSpec
from tests.core.acquire.naive_features import SETTINGS, every_feature, naive, seen
from tests.core.acquire.tables import random_game


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.rules.name}-{setting.seats}")
def test_features_match_a_naive_computation(setting: GameSpec) -> None:
    view = every_feature()
    checked = 0
    for seed in range(4):
        for number, state in enumerate(random_game(setting, seed)):
            if number % 3 == 0:
                for seat in range(int(setting.seats)):
                    view.value(state, seat)
                    assert seen(view) == naive(state, seat)
                    checked += 1
    assert checked > 300


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.rules.name}-{setting.seats}")
def test_trial_tiles_give_the_features_of_the_played_state(setting: GameSpec) -> None:
    """What was seen before them is not forgotten, and no trial is mixed up with another."""
    views = [every_feature(), RankedFeatures(Program((LEAF + ranked(DISTANCE, 1),), (), FEATURES, LAZY))]
    alone = others = 0
    for number, state in enumerate(random_game(setting, 5)):
        if state.phase() != PLACE or number % 3 == 0:
            continue
        seat = state.player()
        before = naive(state, seat)
        for view in views:
            view.begin_trials(state)
        for tile in [action for action in state.legal_actions() if action < DECLARE_END]:
            kind = state.kind(tile)
            state.mark()
            state.apply(tile)
            while state.phase() != BUY:
                state.apply(state.legal_actions()[0])
            after = naive(state, seat)
            assert [view.value(state, seat) for view in views][1] == after[ranked(DISTANCE, 1)]
            assert seen(views[0]) == after
            state.rollback()
            if kind == LONE:
                assert after == before
                alone += 1
            else:
                others += 1
        for view in views:
            view.value(state, seat)
            view.end_trials()
        assert seen(views[0]) == before
    assert alone > 10 and others > 10


def test_money_may_be_counted_in_hundreds() -> None:
    dollars, hundreds = every_feature(), RankedFeatures(every_feature().program, 0.01)
    state = list(random_game(SETTINGS[0], 1))[60]
    dollars.value(state, 0)
    plain = seen(dollars)
    hundreds.value(state, 0)
    money = {MONEY, *(ranked(kind, rank) for kind in (BONUS, PAYOFF, PRICE) for rank in range(RANKS))}
    for feature, (one, other) in enumerate(zip(plain, seen(hundreds), strict=True)):
        assert other == pytest.approx(one / 100 if feature in money else one)


def test_single_feature_views_agree_with_a_view_of_all_features() -> None:
    everything = every_feature()
    views = [RankedFeatures(Program((LEAF + feature,), (), FEATURES, LAZY)) for feature in range(FEATURES)]
    states = list(random_game(SETTINGS[1], 3))
    for earlier, state in pairwise(states[::7]):
        everything.value(state, 0)
        for feature, view in enumerate(views):
            view.value(earlier, 1)  # leaves nothing behind
            assert view.value(state, 0) == seen(everything)[feature]


def test_costly_features_must_be_declared_lazy() -> None:
    for kind in (DISTANCE, PERIMETER):
        with pytest.raises(ValueError, match="lazy"):
            RankedFeatures(Program((LEAF + ranked(kind, 1),), (), FEATURES))


def view_of(*prefix: int) -> RankedFeatures:
    return RankedFeatures(Program(prefix, (), FEATURES, LAZY))


def purchases_of(*prefix: int) -> Purchases:
    return Purchases(view_of(*prefix))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.rules.name}-{setting.seats}")
def test_purchase_features_match_those_of_the_state_after_the_purchase(setting: GameSpec) -> None:
    view = every_feature()
    purchases = Purchases(view)
    checked = 0
    for number, state in enumerate(random_game(setting, 2)):
        if state.phase() != BUY or number % 3:
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
        if state.phase() != BUY or number % 5:
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
def test_purchases_are_seen_only_by_features_that_they_change(kind: int) -> None:
    for rank in range(RANKS):
        assert purchases_of(LEAF + ranked(kind, rank)).are_seen is (kind in (PAYOFF, HELD, LEFT, LEADS))
    assert purchases_of(LEAF + MONEY).are_seen
    assert not purchases_of(LEAF + OPPONENTS).are_seen
