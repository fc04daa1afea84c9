"""Features of states as a naive look at every square finds them, and views that use them all."""

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.board import tile_name, tiles
from core.acquire.programs.expression import Expression
from core.acquire.programs.prefix import ADD, LEAF
from core.acquire.ranked.slots import (
    BONUS,
    DEAR,
    DISTANCE,
    ENDS,
    FEATURES,
    HELD,
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
from core.acquire.ranked.view import View
from core.acquire.rules.bonus import bonuses
from core.acquire.rules.rules import PRESETS
from core.acquire.rules.setting import Setting
from core.acquire.state import AcquireState
from core.acquire.table import BANK, CASH, ROW, SHARES

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
