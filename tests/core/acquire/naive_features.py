"""Features of states as a naive look at every square finds them, and views that use them all."""

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.bonus import bonuses
from core.acquire.program import ADD, LEAF, Program
from core.acquire.ranked_player import (
    BONUS,
    DISTANCE,
    ENDS,
    FEATURES,
    HELD,
    LAZY,
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
    RankedFeatures,
    ranked,
)
from core.acquire.rules import PRESETS, GameSpec, tile_name, tiles
from core.acquire.state import AcquireState

SETTINGS = [
    GameSpec(PRESETS[name], seats) for name, seats in (("thesis-2002", 2), ("thesis-7", 2), ("classic", 5))
]


def every_feature() -> RankedFeatures:
    """A view of an expression that uses all."""
    leaves = [LEAF + feature for feature in range(FEATURES)]
    return RankedFeatures(Program((*(ADD for _ in leaves[1:]), *leaves), (), FEATURES, LAZY))


def naive(state: AcquireState, seat: int) -> list[float]:
    """All features, by looking at every square."""
    rules = state.spec.rules
    table = state.fields
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
    values[MONEY] = float(table[layout.CASH + seat])
    values[OPPONENTS] = float(int(state.spec.seats) - 1)
    for rank, chain in enumerate(present[:RANKS]):
        size = len(where[chain])
        price = rules.price(chain, size)
        holdings = [
            int(table[layout.SHARES + each * layout.STRIDE + chain]) for each in range(int(state.spec.seats))
        ]
        others = [held for each, held in enumerate(holdings) if each != seat]
        amounts, ranks = vec[i64]([0] * 8), vec[i64]([0] * 8)
        bonuses(table, int(state.spec.seats), chain, price, amounts, ranks)
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
            LEFT: int(table[layout.BANK + chain]),
            LEADS: holdings[seat] > max(others),
            ENDS: size >= rules.end,
            SAFE: size >= rules.safe,
        }.items():
            values[ranked(kind, rank)] = float(value)
    return values


def seen(view: RankedFeatures) -> list[float]:
    return [float(value) for value in view.program.values[:FEATURES]]
