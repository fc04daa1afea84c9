"""Mergers: the survivor takes the others over, their holders are paid and asked, chain by chain."""

from typing import final

from mypy_extensions import i64

from core.acquire.action import sold, traded
from core.acquire.board.board import BIT, LONE, LOWEST
from core.acquire.ledger import Ledger
from core.acquire.rules.bonus import bonuses
from core.acquire.shown.events import BONUS, DISPOSED, MERGED
from core.acquire.table import (
    BANK,
    CASH,
    DEFUNCT,
    DISPOSE,
    OLD_PRICE,
    OLD_SIZE,
    ORDER,
    OWED,
    PHANTOM,
    PHASE,
    PRICE,
    ROW,
    SEAT,
    SHARES,
    SIZE,
    SURVIVOR_OF,
    TILE,
    TURN,
)


class Merger(Ledger):
    """Goes on to _go_on() when all holders have been asked."""

    def _go_on(self) -> None:
        """The tile is placed and all that it did is done."""
        raise NotImplementedError

    @final
    def _merge(self, survivor: i64) -> None:
        """All chains at the tile become the survivor; then their holders are paid and asked."""
        table = self.table
        defunct = table[OWED] & ~BIT[survivor]
        left = defunct
        while left:
            chain = LOWEST[left]
            left &= left - 1
            table[OLD_SIZE + chain] = table[SIZE + chain]
            table[OLD_PRICE + chain] = table[PRICE + chain]
            self._resize(chain, 0)
        gained = self._paint(table[TILE], LONE | defunct, BIT[survivor])
        self._resize(survivor, table[SIZE + survivor] + gained)
        table[SURVIVOR_OF] = survivor
        table[OWED] = defunct
        if self.is_watched:
            self.tell(MERGED, table[TURN], survivor, defunct, table[SIZE + survivor])
        self._draw_phantom()
        if self.setting.pays_all_first:
            while defunct:
                chain = LOWEST[defunct]
                defunct &= defunct - 1
                self._pay(chain)
        self._next_defunct()

    @final
    def _next_defunct(self) -> None:
        """The largest of the defunct chains whose holders have not been asked, or the purchase."""
        table = self.table
        if table[OWED]:
            only = self._offer(ORDER, self._largest(table[OWED], OLD_SIZE))
            if only >= 0:
                self._dissolve(only)
        else:
            table[PHANTOM] = 0
            self._go_on()

    @final
    def _dissolve(self, chain: i64) -> None:
        table = self.table
        table[OWED] &= ~BIT[chain]
        table[DEFUNCT] = chain
        if not self.setting.pays_all_first:
            self._pay(chain)
        self._ask(table[TURN])

    @final
    def _ask(self, seat: i64) -> None:
        """From `seat` on clockwise, the next holder of the defunct chain; all have been asked at the end."""
        table = self.table
        seats = self.setting.seats
        chain = table[DEFUNCT]
        while True:
            if table[SHARES + seat * ROW + chain]:
                table[PHASE] = DISPOSE
                table[SEAT] = seat
                return
            seat += 1
            if seat == seats:
                seat = 0
            if seat == table[TURN]:
                self._next_defunct()
                return

    @final
    def _dispose(self, action: i64) -> None:
        table = self.table
        trade, sell = traded(action), sold(action)
        held = self.held()
        if trade < 0 or trade & 1 or trade > self.most_trade() or trade + sell > held:
            raise ValueError(f"illegal action: {action}")
        seat, chain, survivor = table[SEAT], table[DEFUNCT], table[SURVIVOR_OF]
        table[SHARES + seat * ROW + chain] -= trade + sell
        table[BANK + chain] += trade + sell
        table[SHARES + seat * ROW + survivor] += trade >> 1
        table[BANK + survivor] -= trade >> 1
        table[CASH + seat] += sell * table[OLD_PRICE + chain]
        if self.is_watched:
            self.tell(DISPOSED, seat, chain, held - trade - sell, trade, sell)
        seat += 1
        if seat == self.setting.seats:
            seat = 0
        if seat == table[TURN]:
            self._next_defunct()
        else:
            self._ask(seat)

    @final
    def _pay(self, chain: i64) -> None:
        """The bonuses of a defunct chain."""
        table = self.table
        amounts = self._amounts
        price, phantom = table[OLD_PRICE + chain], table[PHANTOM]
        bonuses(table, self.setting.seats, chain, price, amounts, self._ranks, phantom)
        for seat in range(self.setting.seats):
            table[CASH + seat] += amounts[seat]
        if self.is_watched:
            self._tell_bonuses(BONUS, chain)
