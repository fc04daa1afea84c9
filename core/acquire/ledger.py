"""What can be asked of a game: what may be bought, traded and ended, and what everybody would have."""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.action import MOST_PURCHASES, UNIT, shares_in
from core.acquire.board.board import BIT, LOWEST
from core.acquire.board.ground import MERGES, Ground
from core.acquire.rules.bonus import bonuses
from core.acquire.rules.phantom import phantom_tile
from core.acquire.rules.setting import Setting
from core.acquire.shown.events import CANNOT_BUY, PHANTOM_DRAWN
from core.acquire.table import (
    BANK,
    CASH,
    DEFUNCT,
    DRAWN,
    HANDS,
    LARGE,
    ON_BOARD,
    OPTIONS,
    PHANTOM,
    PHASE,
    PRICE,
    ROW,
    SAFE,
    SEAT,
    SHARES,
    SURVIVOR_OF,
    TURN,
)


class Ledger(Ground):
    """The board with the money, the shares, the hands and the bag."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.bag = setting.tiles  # in draw order
        self._amounts = vec[i64]([0] * 8)  # [seat]: the bonuses last counted
        self._ranks = vec[i64]([0] * 8)  # [seat]: and what for
        self._purchases = vec[i64]([0] * (MOST_PURCHASES + 8))

    @final
    def may_end(self) -> bool:
        """Whether the end could be announced now: a chain is large enough, or all chains are safe."""
        table = self.table
        return table[LARGE] != 0 or (table[SAFE] != 0 and table[SAFE] == table[ON_BOARD])

    @final
    def can_buy(self) -> bool:
        """Whether the one whose turn it is could buy a share."""
        table = self.table
        cash = table[CASH + table[TURN]]
        left = table[ON_BOARD]
        if self.setting.max_buy == 0:
            return False
        while left:
            chain = LOWEST[left]
            left &= left - 1
            if table[PRICE + chain] <= cash and table[BANK + chain]:
                return True
        return False

    @final
    def has_tile(self) -> bool:
        """Whether the one whose turn it is could place a tile."""
        table = self.table
        at = HANDS + table[TURN] * ROW
        for slot in range(at, at + self.setting.hand):
            if table[slot] and self.kind(table[slot]) <= MERGES:
                return True
        return False

    @final
    def held(self) -> i64:
        """Shares of the defunct chain, of the one who is asked."""
        table = self.table
        return table[SHARES + table[SEAT] * ROW + table[DEFUNCT]]

    @final
    def most_trade(self) -> i64:
        """How many of them can be traded: two for each of the survivor's that the bank has."""
        held = self.held()
        return min(held - (held & 1), 2 * self.table[BANK + self.table[SURVIVOR_OF]])

    @final
    def list_purchases(self) -> i64:
        """Write every purchase that can be made now to purchase(0), purchase(1) ...; how many there are."""
        return self._list(0, 0, 0, self.setting.max_buy, self.table[CASH + self.table[TURN]])

    @final
    def purchase(self, index: i64) -> i64:
        return self._purchases[index]

    @final
    def value(self, out: vec[i64]) -> None:
        """Write to out[seat] what each would have if the game were over now."""
        table = self.table
        seats = self.setting.seats
        amounts = self._amounts
        for seat in range(seats):
            out[seat] = table[CASH + seat]
        left = table[ON_BOARD]
        while left:
            chain = LOWEST[left]
            left &= left - 1
            price = table[PRICE + chain]
            bonuses(table, seats, chain, price, amounts, self._ranks, table[PHANTOM])
            for seat in range(seats):
                out[seat] += amounts[seat] + table[SHARES + seat * ROW + chain] * price

    # -- For the games that go on from here --------------------------------------------------------

    @final
    def _offer(self, phase: i64, options: i64) -> i64:
        """Ask the one whose turn it is for one of the chains, unless there is but one: that, else -1."""
        if options & (options - 1) == 0:
            return LOWEST[options]
        table = self.table
        table[PHASE] = phase
        table[SEAT] = table[TURN]
        table[OPTIONS] = options
        return -1

    @final
    def _largest(self, chains: i64, sizes: i64) -> i64:
        """Those of the chains that no other exceeds in size; `sizes` is SIZE or OLD_SIZE."""
        table = self.table
        largest: i64 = 0
        best: i64 = -1
        while chains:
            chain = LOWEST[chains]
            chains &= chains - 1
            if table[sizes + chain] > best:
                best = table[sizes + chain]
                largest = 0
            if table[sizes + chain] == best:
                largest |= BIT[chain]
        return largest

    @final
    def _list(self, count: i64, purchase: i64, chain: i64, most: i64, cash: i64) -> i64:
        table = self.table
        purchases = self._purchases
        purchases[count] = purchase
        count += 1
        if most:
            for more in range(chain, self.setting.chains):
                price = table[PRICE + more]
                if price and price <= cash and shares_in(purchase, more) < table[BANK + more]:
                    count = self._list(count, purchase + UNIT[more], more, most - 1, cash - price)
        return count

    @final
    def _draw_phantom(self) -> None:
        """The shares of the phantom in the bonuses to come: none in a trial, which draws no tile."""
        table = self.table
        setting = self.setting
        if not setting.has_phantom or self.is_trial or table[DRAWN] == setting.squares:
            return
        if table[ON_BOARD] == 0:  # the end of a game without chains
            return
        tile = phantom_tile(self.bag, table[DRAWN], table[PHASE])
        table[PHANTOM] = tile // setting.stride
        if self.is_watched:
            self.tell(PHANTOM_DRAWN, table[TURN], tile, table[PHANTOM])

    # -- For those who watch -----------------------------------------------------------------------

    @final
    def tell(self, kind: i64, seat: i64, a: i64 = 0, b: i64 = 0, c: i64 = 0, d: i64 = 0) -> None:
        self.news.append((kind, seat, a, b, c, d))

    @final
    def _tell_bonuses(self, kind: i64, chain: i64) -> None:
        """The bonuses last counted, the highest first."""
        for turn in range(i64(2)):
            for seat in range(self.setting.seats):
                is_minor = self._ranks[seat] == 1 or self._ranks[seat] == 4
                if self._amounts[seat] and is_minor == (turn == 1):
                    self.tell(kind, seat, chain, self._ranks[seat], self._amounts[seat])

    @final
    def _tell_if_poor(self) -> None:
        """There are shares, and none that the one whose turn it is can pay."""
        table = self.table
        shares: i64 = 0
        for chain in range(self.setting.chains):
            if table[ON_BOARD] & BIT[chain]:
                shares += table[BANK + chain]
        if shares and not self.can_buy():
            self.tell(CANNOT_BUY, table[TURN])
