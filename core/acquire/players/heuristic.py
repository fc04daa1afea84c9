"""The yardstick: a player by simple rules of thumb, to be measured against and never trained on.

It founds whenever it can, grows the chains that it leads, merges what pays it better than others, and buys
where it is first or could be.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.action import UNIT, disposal, shares_in
from core.acquire.board.board import BIT, CHAIN, LOWEST
from core.acquire.board.ground import FOUNDS, GROWS, MERGES
from core.acquire.players.chance import pick
from core.acquire.players.player import Player, payable
from core.acquire.rules.bonus import bonuses
from core.acquire.state import AcquireState
from core.acquire.table import (
    ANNOUNCED,
    CASH,
    DEFUNCT,
    HANDS,
    PRICE,
    ROW,
    SAFE,
    SEAT,
    SHARES,
    SIZE,
    SURVIVOR_OF,
    TURN,
)  # fmt: skip
from core.random import Random

WORST: Final = -1_000_000_000


class Heuristic(Player):
    """Values are dollars, more or less."""

    def __init__(self) -> None:
        super().__init__()
        self._amounts = vec[i64]([0] * 8)
        self._ranks = vec[i64]([0] * 8)

    def place(self, state: AcquireState, rng: Random) -> i64:
        table = state.table
        first = HANDS + table[TURN] * ROW
        best: i64 = WORST
        choice: i64 = 0
        for slot in range(first, first + state.setting.hand):
            tile = table[slot]
            if tile:
                kind = state.kind(tile)
                if kind <= MERGES:
                    value = self._tile_value(state, tile, kind) + 100 * pick(rng, 5)
                    if value > best:
                        best, choice = value, tile
        return choice

    def dispose(self, state: AcquireState, rng: Random) -> i64:
        """Trade, if the survivor is dear and cash no worry; else sell."""
        table = state.table
        setting = state.setting
        held = state.held()
        two_tiles = setting.prices[table[DEFUNCT] * (setting.squares + 1) + 2]
        if table[PRICE + table[SURVIVOR_OF]] >= 2 * two_tiles and table[CASH + table[SEAT]] > 2000:
            trade = state.most_trade()
            return disposal(trade, held - trade)
        return disposal(0, held)

    def buy(self, state: AcquireState, rng: Random) -> i64:
        """One share after the other of the best chain."""
        table = state.table
        cash = table[CASH + table[TURN]]
        purchase: i64 = 0
        for _ in range(state.setting.max_buy):
            best: i64 = WORST
            choice: i64 = -1
            left = payable(state, cash, purchase)
            while left:
                chain = LOWEST[left]
                left &= left - 1
                value = _share_value(state, chain, shares_in(purchase, chain))
                if value > best:
                    best, choice = value, chain
            if choice < 0:
                break
            purchase += UNIT[choice]
            cash -= table[PRICE + choice]
        return purchase

    def ends(self, state: AcquireState, rng: Random) -> bool:
        """If it would be ahead of everybody."""
        if not state.may_end() or state.table[ANNOUNCED]:
            return False
        worths = self._ranks
        state.value(worths)
        seat = state.table[TURN]
        for other in range(state.setting.seats):
            if other != seat and worths[other] >= worths[seat]:
                return False
        return True

    def _tile_value(self, state: AcquireState, tile: i64, kind: i64) -> i64:
        """What placing the tile is worth."""
        table = state.table
        seat = table[TURN]
        if kind == FOUNDS:
            return 100_000_000
        if kind == GROWS:
            chain = LOWEST[state.around(tile) & CHAIN]
            held = table[SHARES + seat * ROW + chain]
            return 1200 * (held - most_of_others(state, seat, chain)) - (0 if held else 2000)
        if kind != MERGES:
            return 0
        chains = state.around(tile) & CHAIN
        survivor = LOWEST[chains]
        left = chains
        while left:
            chain = LOWEST[left]
            left &= left - 1
            if table[SIZE + chain] > table[SIZE + survivor]:
                survivor = chain
        value: i64 = 4000
        left = chains & ~BIT[survivor]
        amounts = self._amounts
        while left:
            chain = LOWEST[left]
            left &= left - 1
            bonuses(table, state.setting.seats, chain, table[PRICE + chain], amounts, self._ranks)
            most: i64 = 0
            for other in range(state.setting.seats):
                if other != seat and amounts[other] > most:
                    most = amounts[other]
            value += 8 * (amounts[seat] - most)
        return value


def most_of_others(state: AcquireState, seat: i64, chain: i64) -> i64:
    """Shares of the chain that the best of the others holds."""
    table = state.table
    most: i64 = 0
    at = SHARES + chain
    for other in range(state.setting.seats):
        if other != seat and table[at] > most:
            most = table[at]
        at += ROW
    return most


def _share_value(state: AcquireState, chain: i64, bought: i64) -> i64:
    """What one more share is worth when so many have been bought this turn."""
    table = state.table
    seat = table[TURN]
    held = table[SHARES + seat * ROW + chain] + bought
    lead = held - most_of_others(state, seat, chain)
    value: i64
    if lead > 0:
        value = 3000 - 300 * lead
    elif lead >= -2:
        value = 6000 + 600 * lead
    else:
        value = 2000 + 200 * lead
    value = 4 * value - 6 * table[PRICE + chain]
    if not table[SAFE] & BIT[chain]:
        value += 2000
    if held > 12:
        value -= 50_000
    return value
