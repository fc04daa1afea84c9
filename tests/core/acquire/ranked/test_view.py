"""Features: those of random states are what a naive look at the board says, in trials too."""

from itertools import pairwise

import pytest

from core.acquire import layout
from core.acquire.program import LEAF, Program
from core.acquire.ranked_player import (
    BONUS,
    DISTANCE,
    FEATURES,
    LAZY,
    MONEY,
    PAYOFF,
    PERIMETER,
    PRICE,
    RANKS,
    RankedFeatures,
    ranked,
)
from core.acquire.rules import GameSpec
from tests.core.acquire.ranked.naive import SETTINGS, every_feature, naive, seen
from tests.core.acquire.tables import random_game


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.rules.name}-{setting.seats}")
def test_features_are_what_a_naive_look_finds(setting: GameSpec) -> None:
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
def test_trials_are_seen_as_if_they_were_played(setting: GameSpec) -> None:
    """What was seen before them is not forgotten, and no trial is mixed up with another."""
    views = [every_feature(), RankedFeatures(Program((LEAF + ranked(DISTANCE, 1),), (), FEATURES, LAZY))]
    alone = others = 0
    for number, state in enumerate(random_game(setting, 5)):
        if state.fields[layout.PHASE] != layout.PLACE or number % 3 == 0:
            continue
        seat = state.player()
        before = naive(state, seat)
        for view in views:
            view.begin_trials(state)
        for tile in [action for action in state.legal_actions() if action < layout.DECLARE_END]:
            kind = state.kind(tile)
            state.mark()
            state.apply(tile)
            while state.fields[layout.PHASE] != layout.BUY:
                state.apply(state.legal_actions()[0])
            after = naive(state, seat)
            assert [view.value(state, seat) for view in views][1] == after[ranked(DISTANCE, 1)]
            assert seen(views[0]) == after
            state.rollback()
            if kind == layout.LONE:
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


def test_a_view_that_uses_one_feature_sees_it_as_one_that_uses_all() -> None:
    everything = every_feature()
    views = [RankedFeatures(Program((LEAF + feature,), (), FEATURES, LAZY)) for feature in range(FEATURES)]
    states = list(random_game(SETTINGS[1], 3))
    for earlier, state in pairwise(states[::7]):
        everything.value(state, 0)
        for feature, view in enumerate(views):
            view.value(earlier, 1)  # leaves nothing behind
            assert view.value(state, 0) == seen(everything)[feature]


def test_what_costs_much_is_said() -> None:
    for kind in (DISTANCE, PERIMETER):
        with pytest.raises(ValueError, match="lazy"):
            RankedFeatures(Program((LEAF + ranked(kind, 1),), (), FEATURES))
