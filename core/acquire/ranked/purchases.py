"""What an expression thinks of purchases: every set of shares on a board that is looked at once.

A purchase changes only the seat's cash, and of the chains bought what is told by their shares. So tables of few shares
make all features, and where cash does not count, sets that differ only in other chains have one value.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.ground import Ground
from core.acquire.programs.prefix import BIT
from core.acquire.ranked.rivals import Rivals
from core.acquire.ranked.slots import (
    HELD,
    KINDS,
    LEADS,
    LEFT,
    MONEY,
    OF_CHAINS,
    PAYOFF,
    RANKS,
)
from core.acquire.ranked.view import NOBODY, View
from core.acquire.table import BANK, CASH, PRICE, ROW, SHARES

BY_PURCHASE: Final = i64(2**PAYOFF + 2**HELD + 2**LEFT + 2**LEADS)  # the kinds that a purchase changes
LEVELS: Final = 4  # of shares of a chain that may have been bought
SETS: Final = LEVELS**RANKS


@final
class Purchases:
    """In one view. `are_seen` if there is anything in it that a purchase changes."""

    def __init__(self, view: View) -> None:
        self._view: Final = view
        self._sees_cash: Final = view.expression.uses & BIT[MONEY] != 0
        sees_shares = False
        for uses in view.uses:
            if uses & BY_PURCHASE:
                sees_shares = True
        self.are_seen: Final = self._sees_cash or sees_shares
        self._rivals: Final = Rivals()
        self._cash: i64 = 0
        self._ranks: i64 = 0  # that have a chain of which shares count, so many of
        self._features = vec[i64]([0] * RANKS)  # [place]: where those of the rank begin
        self._shifts = vec[i64]([0] * RANKS)  # [place]: where a purchase has the shares of its chain
        self._levels = vec[float]([0.0] * (RANKS * LEVELS * KINDS))  # [place][shares][kind]
        self._values = vec[float]([0.0] * SETS)  # [shares by place]
        self._valued = vec[i64]([0] * SETS)  # [shares by place]: the look that it was valued after
        self._looks: i64 = 0

    def look(self, state: Ground, seat: i64) -> None:
        """Look at the state, and at what any purchase of the seat would make of it."""
        view = self._view
        view.look(state, seat)
        table = state.table
        self._looks += 1
        self._cash = table[CASH + seat]
        self._ranks = 0
        for rank in range(i64(RANKS)):
            chain = view.chains[rank]
            if chain == NOBODY or view.uses[rank] & BY_PURCHASE == 0:
                continue
            self._features[self._ranks] = OF_CHAINS + rank * KINDS
            self._shifts[self._ranks] = 4 * chain
            self._rivals.look(table, state.setting.seats, seat, chain)
            self._look_at_shares(table, seat, chain)
            self._ranks += 1

    def value(self, state: Ground, purchase: i64) -> float:
        """Of the state that was looked at, after the purchase (core.acquire.action)."""
        shares: i64 = 0
        for place in range(self._ranks):
            shares = LEVELS * shares + ((purchase >> self._shifts[place]) & 15)
        if self._valued[shares] == self._looks and not self._sees_cash:
            return self._values[shares]
        values = self._view.expression.values
        levels = self._levels
        if self._sees_cash:
            values[MONEY] = float(self._cash - _cost(state.table, purchase)) * self._view.dollar
        for place in range(self._ranks):
            feature = self._features[place]
            level = (place * LEVELS + ((purchase >> self._shifts[place]) & 15)) * KINDS
            values[feature + HELD] = levels[level + HELD]
            values[feature + LEFT] = levels[level + LEFT]
            values[feature + LEADS] = levels[level + LEADS]
            values[feature + PAYOFF] = levels[level + PAYOFF]
        value = self._view.again(state)
        self._values[shares] = value
        self._valued[shares] = self._looks
        return value

    def _look_at_shares(self, table: vec[i64], seat: i64, chain: i64) -> None:
        """At the features of every number of shares of the chain that could be bought."""
        levels = self._levels
        rivals = self._rivals
        price = table[PRICE + chain]
        held = table[SHARES + ROW * seat + chain]
        left = table[BANK + chain]
        level = self._ranks * (LEVELS * KINDS)
        for _ in range(LEVELS):
            levels[level + HELD] = float(held)
            levels[level + LEFT] = float(left)
            levels[level + LEADS] = 1.0 if held > rivals.most else 0.0
            levels[level + PAYOFF] = float(rivals.payoff(held, price)) * self._view.dollar
            level += KINDS
            held += 1
            left -= 1


def _cost(table: vec[i64], purchase: i64) -> i64:
    cost: i64 = 0
    at: i64 = PRICE
    while purchase:
        cost += (purchase & 15) * table[at]
        purchase >>= 4
        at += 1
    return cost
