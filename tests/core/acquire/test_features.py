"""Features: those of random states are what a naive look at the board says, after purchases too."""

from itertools import pairwise

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.action import shares_in
from core.acquire.board import tile_name, tiles
from core.acquire.bonus import bonuses
from core.acquire.expression import ADD, LEAF, Expression
from core.acquire.features import View
from core.acquire.rules import PRESETS
from core.acquire.setting import Setting
from core.acquire.slots import (
    BONUS,
    DEAR,
    DISTANCE,
    ENDS,
    FEATURES,
    HELD,
    KINDS,
    LEADS,
    LEFT,
    MONEY,
    OPPONENTS,
    PAYOFF,
    PERIMETER,
    PRICE,
    RANKS,
    SAFE,
    TILES,
    ranked,
)
from core.acquire.state import AcquireState
from core.acquire.table import BANK, BUY, CASH, PHASE, ROW, SHARES
from tests.core.acquire.tables import random_game

SETTINGS = [
    Setting(PRESETS[name], seats) for name, seats in (("thesis-2002", 2), ("thesis-7", 2), ("classic", 5))
]


def every_feature() -> View:
    """A view of an expression that uses all."""
    leaves = [LEAF + feature for feature in range(FEATURES)]
    return View(Expression((*(ADD for _ in leaves[1:]), *leaves), (), FEATURES, DEAR))


def naive(state: AcquireState, seat: int) -> list[float]:
    """All features, by looking at every square."""
    rules = state.setting.rules
    table = state.table
    where: dict[int, list[tuple[int, int]]] = {chain: [] for chain in range(len(rules.chains))}
    squares: dict[tuple[int, int], int] = {}
    for tile in tiles(rules):
        name = tile_name(rules, tile)
        square = int(name[:-1]), ord(name[-1])
        squares[square] = int(state.cells[tile])
        for chain in where:
            if squares[square] == 1 << chain:
                where[chain].append(square)
    present = sorted(
        (chain for chain in where if where[chain]), key=lambda chain: (-len(where[chain]), chain)
    )
    values = [0.0] * FEATURES
    values[MONEY] = float(table[CASH + seat])
    values[OPPONENTS] = float(int(state.setting.seats) - 1)
    for rank, chain in enumerate(present[:RANKS]):
        size = len(where[chain])
        price = rules.price(chain, size)
        holdings = [int(table[SHARES + each * ROW + chain]) for each in range(int(state.setting.seats))]
        others = [held for each, held in enumerate(holdings) if each != seat]
        amounts, ranks = vec[i64]([0] * 8), vec[i64]([0] * 8)
        bonuses(table, int(state.setting.seats), chain, price, amounts, ranks)
        near = {
            (column + x, row + y)
            for column, row in where[chain]
            for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if squares.get((column + x, row + y)) == 0
        }
        distances = [
            abs(column - x) + abs(row - y)
            for column, row in where[chain]
            for other in present
            if other != chain
            for x, y in where[other]
        ]
        for kind, value in {
            DISTANCE: min(distances, default=0),
            BONUS: 10 * price,
            PAYOFF: int(amounts[seat]) + holdings[seat] * price,
            PERIMETER: len(near),
            PRICE: price,
            TILES: size,
            HELD: holdings[seat],
            LEFT: int(table[BANK + chain]),
            LEADS: holdings[seat] > max(others),
            ENDS: size >= rules.end,
            SAFE: size >= rules.safe,
        }.items():
            values[ranked(kind, rank)] = float(value)
    return values


def seen(view: View) -> list[float]:
    return [float(value) for value in view.expression.values[:FEATURES]]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.rules.name}-{setting.seats}")
def test_features_are_what_a_naive_look_finds(setting: Setting) -> None:
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
def test_a_purchase_is_valued_as_if_it_were_made(setting: Setting) -> None:
    view = every_feature()
    checked = 0
    for number, state in enumerate(random_game(setting, 2)):
        if state.table[PHASE] != BUY or number % 3:
            continue
        seat = state.player()
        view.look_at_purchases(state, seat)
        for index in range(0, int(state.list_purchases()), 3):
            purchase = int(state.purchase(index))
            cost = sum(
                int(shares_in(purchase, chain)) * setting.rules.price(chain, int(state.table[24 + chain]))
                for chain in range(len(setting.rules.chains))
            )
            view.purchase_value(state, purchase, cost)
            found = seen(view)
            state.begin_trial()
            state.apply(purchase)
            assert found == naive(state, seat)
            state.end_trial()
            checked += 1
    assert checked > 30


def test_money_may_be_counted_in_hundreds() -> None:
    dollars, hundreds = every_feature(), View(every_feature().expression, 0.01)
    state = list(random_game(SETTINGS[0], 1))[60]
    dollars.value(state, 0)
    plain = seen(dollars)
    hundreds.value(state, 0)
    money = {MONEY, *(ranked(kind, rank) for kind in (BONUS, PAYOFF, PRICE) for rank in range(RANKS))}
    for feature, (one, other) in enumerate(zip(plain, seen(hundreds), strict=True)):
        assert other == pytest.approx(one / 100 if feature in money else one)


@pytest.mark.parametrize("kind", range(KINDS))
def test_what_a_purchase_changes_is_known(kind: int) -> None:
    for rank in range(RANKS):
        view = View(Expression((LEAF + ranked(kind, rank),), (), FEATURES, DEAR))
        assert view.sees_purchases is (kind in (PAYOFF, HELD, LEFT, LEADS))
    assert View(Expression((LEAF + MONEY,), (), FEATURES, DEAR)).sees_purchases
    assert not View(Expression((LEAF + OPPONENTS,), (), FEATURES, DEAR)).sees_purchases


def test_a_view_that_uses_one_feature_sees_it_as_one_that_uses_all() -> None:
    everything = every_feature()
    views = [View(Expression((LEAF + feature,), (), FEATURES, DEAR)) for feature in range(FEATURES)]
    states = list(random_game(SETTINGS[1], 3))
    for earlier, state in pairwise(states[::7]):
        everything.value(state, 0)
        for feature, view in enumerate(views):
            view.value(earlier, 1)  # leaves nothing behind
            assert view.value(state, 0) == seen(everything)[feature]


def test_what_costs_much_is_said() -> None:
    for kind in (DISTANCE, PERIMETER):
        with pytest.raises(ValueError, match="dear"):
            View(Expression((LEAF + ranked(kind, 1),), (), FEATURES))
