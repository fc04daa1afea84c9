"""A typed view of random states is what a naive look at the board says, also after changes of who owns what."""

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.board import BIT, CHAIN, EMPTY, tiles
from core.acquire.programs.expression import Expression
from core.acquire.programs.prefix import ADD, LEAF, READ
from core.acquire.rules.bonus import bonuses
from core.acquire.rules.rules import PRESETS
from core.acquire.rules.setting import Setting
from core.acquire.state import AcquireState
from core.acquire.table import BANK, CASH, DRAWN, HANDS, LARGE, ON_BOARD, PRICE, ROW, SHARES, SIZE
from core.acquire.table import SAFE as SAFE_CHAINS
from core.acquire.typed import slots
from core.acquire.typed.view import ChainView, Move
from tests.core.acquire.tables import random_game

SETTINGS = [
    Setting(PRESETS[name], seats) for name, seats in (("thesis-2002", 2), ("thesis-7", 2), ("classic", 5))
]


def every_feature() -> ChainView:
    """A view of an expression that uses all kinds and facts."""
    leaves = [LEAF + slot for slot in range(slots.BAG_LEFT, slots.KTH)]
    reads = [READ + slots.of_chains(kind) for kind in range(slots.KINDS)]
    nodes = [*leaves, *(node for read in reads for node in (read, LEAF + slots.SMALLEST))]
    return ChainView(
        Expression((*(ADD for _ in range(len(leaves) + len(reads) - 1)), *nodes), (), slots.FEATURES)
    )


def kinds_of(state: AcquireState, seat: int, chain: int) -> dict[int, float]:
    """The naive look, for a chain."""
    table, setting = state.table, state.setting
    amounts, ranks = vec[i64]([0] * 8), vec[i64]([0] * 8)
    bonuses(table, setting.seats, chain, table[PRICE + chain], amounts, ranks)
    shares = [int(table[SHARES + ROW * other + chain]) for other in range(setting.seats)]
    others = [number for other, number in enumerate(shares) if other != seat]
    bonus = [int(amounts[other]) for other in range(setting.seats)]
    price = int(table[PRICE + chain])
    beside = [
        [each for each in range(setting.chains) if state.around(tile) & BIT[each]]
        for tile in setting.tiles
        if state.cells[tile] == EMPTY
    ]
    hand = [int(table[HANDS + ROW * seat + slot]) for slot in range(setting.hand)]
    reached = [
        [each for each in range(setting.chains) if state.around(tile) & BIT[each]]
        for tile in hand
        if tile and state.kind(tile) in (2, 3)
    ]
    return {
        slots.SIZE: int(table[SIZE + chain]),
        slots.PRICE: price,
        slots.START_PRICE: setting.rules.price(chain, 2),
        slots.HELD: shares[seat],
        slots.LEFT: int(table[BANK + chain]),
        slots.LEAD: shares[seat] - max(others),
        slots.BEST_OTHER: max(others),
        slots.BONUS: 10 * price,
        slots.PAYOFF: bonus[seat] + shares[seat] * price,
        slots.GAIN: bonus[seat] - max(each for other, each in enumerate(bonus) if other != seat),
        slots.MAJORITY: shares[seat] > max(others),
        slots.SECOND: bonus[seat] > 0 and shares[seat] < max(others),
        slots.SAFE: bool(table[SAFE_CHAINS] & BIT[chain]),
        slots.MAX_SIZE: bool(table[LARGE] & BIT[chain]),
        slots.ON_BOARD: bool(table[ON_BOARD] & BIT[chain]),
        slots.MERGE_TILES: sum(chain in chains and len(chains) > 1 for chains in reached),
        slots.GROW_TILES: sum(chains == [chain] for chains in reached),
        slots.PERIMETER: sum(chain in chains for chains in beside),
        slots.MERGE_SQUARES: sum(chain in chains and len(chains) > 1 for chains in beside),
        slots.DISTANCE: steps(state, chain),
    }


def steps(state: AcquireState, chain: int) -> int:
    """To the nearest tile of another chain, by all pairs."""
    rows = int(state.setting.stride)
    places = [(divmod(tile, rows), int(state.cells[tile]) & CHAIN) for tile in tiles(state.setting.rules)]
    own = [place for place, cell in places if cell == BIT[chain]]
    others = [place for place, cell in places if cell and cell != BIT[chain]]
    pairs = [abs(a - c) + abs(b - d) for a, b in own for c, d in others]
    return min(pairs, default=0)


def assert_agrees(view: ChainView, state: AcquireState, seat: int) -> None:
    values = view.valuer.values
    for chain in range(state.setting.chains):
        for kind, expected in kinds_of(state, seat, chain).items():
            assert values[slots.of_chains(kind) + chain] == expected, (kind, chain)
    worths = vec[i64]([0] * 8)
    state.value(worths)
    own, best = worths[seat], max(worths[other] for other in range(state.setting.seats) if other != seat)
    assert values[slots.MY_WORTH] == own and values[slots.BEST_OTHER_WORTH] == best
    assert values[slots.I_LEAD] == (own > best) and values[slots.CAN_END] == state.may_end()
    assert values[slots.BAG_LEFT] == state.setting.squares - state.table[DRAWN]
    assert values[slots.BEST_OTHER_CASH] == max(
        state.table[CASH + other] for other in range(state.setting.seats) if other != seat
    )
    board = [chain for chain in range(state.setting.chains) if state.table[ON_BOARD] & BIT[chain]]
    board.sort(key=lambda chain: -state.table[SIZE + chain])
    assert [values[slots.KTH + 1 + rank] for rank in range(len(board))] == board
    assert values[slots.KTH] == slots.NOBODY
    assert values[slots.SMALLEST] == (board[-1] if board else slots.NOBODY)


@pytest.mark.parametrize("setting", SETTINGS, ids=range(len(SETTINGS)))
def test_a_naive_look_says_the_same(setting: Setting) -> None:
    view = every_feature()
    for seed in range(3):
        for number, state in enumerate(random_game(setting, seed)):
            seat = number % int(setting.seats)
            view.value(state, seat, Move())
            assert_agrees(view, state, seat)


def test_changes_of_holdings() -> None:
    view = every_feature()
    for number, state in enumerate(random_game(SETTINGS[2], 5)):
        if number % 9 or not state.table[ON_BOARD]:
            continue
        view.look(state, 1, Move())
        chain = next(each for each in range(7) if state.table[ON_BOARD] & BIT[each])
        state.table[SHARES + ROW + chain] += 2
        state.table[CASH + 1] -= 300
        view.holdings_changed(state, chain)
        view.again(state, Move())
        assert_agrees(view, state, 1)
        state.table[SHARES + ROW + chain] -= 2
        state.table[CASH + 1] += 300


def test_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="features"):
        ChainView(Expression((LEAF,), (), 35))
