"""A typed view of random states is what a naive look at the board says, also after changes of who owns what."""

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout, typed_features
from core.acquire.board import ANY_CHAIN, BIT, EMPTY
from core.acquire.bonus import bonuses
from core.acquire.program import ADD, LEAF, READ, Program
from core.acquire.rules import PRESETS, GameSpec, tiles
from core.acquire.state import AcquireState
from core.acquire.typed_features import Move, TypedFeatures
from tests.core.acquire.tables import random_game

SETTINGS = [
    GameSpec(PRESETS[name], seats) for name, seats in (("thesis-2002", 2), ("thesis-7", 2), ("classic", 5))
]


def every_feature() -> TypedFeatures:
    """A view of an expression that uses all kinds and facts."""
    leaves = [LEAF + slot for slot in range(typed_features.BAG_LEFT, typed_features.KTH)]
    reads = [READ + typed_features.first_slot(kind) for kind in range(typed_features.KINDS)]
    nodes = [*leaves, *(node for read in reads for node in (read, LEAF + typed_features.SMALLEST))]
    return TypedFeatures(
        Program((*(ADD for _ in range(len(leaves) + len(reads) - 1)), *nodes), (), typed_features.FEATURES)
    )


def kinds_of(state: AcquireState, seat: int, chain: int) -> dict[int, float]:
    """The naive look, for a chain."""
    table, setting = state.fields, state.spec
    amounts, ranks = vec[i64]([0] * 8), vec[i64]([0] * 8)
    bonuses(table, setting.seats, chain, table[layout.PRICE + chain], amounts, ranks)
    shares = [int(table[layout.SHARES + layout.STRIDE * other + chain]) for other in range(setting.seats)]
    others = [number for other, number in enumerate(shares) if other != seat]
    bonus = [int(amounts[other]) for other in range(setting.seats)]
    price = int(table[layout.PRICE + chain])
    beside = [
        [each for each in range(setting.chains) if state.around(tile) & BIT[each]]
        for tile in setting.tiles
        if state.cells[tile] == EMPTY
    ]
    hand = [int(table[layout.HANDS + layout.STRIDE * seat + slot]) for slot in range(setting.hand)]
    reached = [
        [each for each in range(setting.chains) if state.around(tile) & BIT[each]]
        for tile in hand
        if tile and state.kind(tile) in (2, 3)
    ]
    return {
        typed_features.SIZE: int(table[layout.SIZE + chain]),
        typed_features.PRICE: price,
        typed_features.START_PRICE: setting.rules.price(chain, 2),
        typed_features.HELD: shares[seat],
        typed_features.LEFT: int(table[layout.BANK + chain]),
        typed_features.LEAD: shares[seat] - max(others),
        typed_features.BEST_OTHER: max(others),
        typed_features.BONUS: 10 * price,
        typed_features.PAYOFF: bonus[seat] + shares[seat] * price,
        typed_features.GAIN: bonus[seat] - max(each for other, each in enumerate(bonus) if other != seat),
        typed_features.MAJORITY: shares[seat] > max(others),
        typed_features.SECOND: bonus[seat] > 0 and shares[seat] < max(others),
        typed_features.SAFE: bool(table[layout.SAFE] & BIT[chain]),
        typed_features.MAX_SIZE: bool(table[layout.ENDS_GAME] & BIT[chain]),
        typed_features.ON_BOARD: bool(table[layout.ON_BOARD] & BIT[chain]),
        typed_features.MERGE_TILES: sum(chain in chains and len(chains) > 1 for chains in reached),
        typed_features.GROW_TILES: sum(chains == [chain] for chains in reached),
        typed_features.PERIMETER: sum(chain in chains for chains in beside),
        typed_features.MERGE_SQUARES: sum(chain in chains and len(chains) > 1 for chains in beside),
        typed_features.DISTANCE: steps(state, chain),
    }


def steps(state: AcquireState, chain: int) -> int:
    """To the nearest tile of another chain, by all pairs."""
    rows = int(state.spec.stride)
    places = [(divmod(tile, rows), int(state.cells[tile]) & ANY_CHAIN) for tile in tiles(state.spec.rules)]
    own = [place for place, cell in places if cell == BIT[chain]]
    others = [place for place, cell in places if cell and cell != BIT[chain]]
    pairs = [abs(a - c) + abs(b - d) for a, b in own for c, d in others]
    return min(pairs, default=0)


def assert_agrees(view: TypedFeatures, state: AcquireState, seat: int) -> None:
    values = view.evaluator.values
    for chain in range(state.spec.chains):
        for kind, expected in kinds_of(state, seat, chain).items():
            assert values[typed_features.first_slot(kind) + chain] == expected, (kind, chain)
    worths = vec[i64]([0] * 8)
    state.value(worths)
    own, best = worths[seat], max(worths[other] for other in range(state.spec.seats) if other != seat)
    assert values[typed_features.MY_WORTH] == own and values[typed_features.BEST_OTHER_WORTH] == best
    assert values[typed_features.I_LEAD] == (own > best) and values[typed_features.CAN_END] == state.may_end()
    assert values[typed_features.BAG_LEFT] == state.spec.squares - state.fields[layout.DRAWN]
    assert values[typed_features.BEST_OTHER_CASH] == max(
        state.cash(other) for other in range(state.spec.seats) if other != seat
    )
    board = [chain for chain in range(state.spec.chains) if state.fields[layout.ON_BOARD] & BIT[chain]]
    board.sort(key=lambda chain: -state.size(chain))
    assert [values[typed_features.KTH + 1 + rank] for rank in range(len(board))] == board
    assert values[typed_features.KTH] == typed_features.NO_CHAIN
    assert values[typed_features.SMALLEST] == (board[-1] if board else typed_features.NO_CHAIN)


@pytest.mark.parametrize("setting", SETTINGS, ids=range(len(SETTINGS)))
def test_features_match_a_naive_computation(setting: GameSpec) -> None:
    view = every_feature()
    for seed in range(3):
        for number, state in enumerate(random_game(setting, seed)):
            seat = number % int(setting.seats)
            view.value(state, seat, Move())
            assert_agrees(view, state, seat)


def test_features_after_update_holdings_match_a_naive_computation() -> None:
    view = every_feature()
    for number, state in enumerate(random_game(SETTINGS[2], 5)):
        if number % 9 or not state.fields[layout.ON_BOARD]:
            continue
        view.update(state, 1, Move())
        chain = next(each for each in range(7) if state.fields[layout.ON_BOARD] & BIT[each])
        state.fields[layout.SHARES + layout.STRIDE + chain] += 2
        state.fields[layout.CASH + 1] -= 300
        view.update_holdings(state, chain)
        view.evaluate(state, Move())
        assert_agrees(view, state, 1)
        state.fields[layout.SHARES + layout.STRIDE + chain] -= 2
        state.fields[layout.CASH + 1] += 300


def test_a_wrong_number_of_features_is_refused() -> None:
    with pytest.raises(ValueError, match="features"):
        TypedFeatures(Program((LEAF,), (), 35))
