"""From turn to turn: what follows the tile and the purchase, the draw, and the end of the game."""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.board import BIT, OUT
from core.acquire.board.ground import DEAD
from core.acquire.merger import Merger
from core.acquire.rules.bonus import bonuses
from core.acquire.shown.events import (
    DEAD_TILE,
    DREW,
    END_ANNOUNCED,
    FINAL_BONUS,
    FINAL_SALE,
    LAST_TILE,
    NEW_HAND,
    NO_TILE,
    TURN_BEGINS,
)
from core.acquire.table import (
    ALL_TILES_PLAYED,
    ANNOUNCED,
    BUY,
    DECLARED,
    DRAWN,
    HANDS,
    IDLE,
    ON_BOARD,
    OVER,
    PHANTOM,
    PHASE,
    PLACE,
    PRICE,
    PURCHASE,
    REASON,
    ROW,
    SAFE,
    SEAT,
    SHARES,
    SILENT,
    STUCK_ROUND,
    TILE,
    TURN,
    WORTH,
)


class Turns(Merger):
    """Asks for the first decision of a turn that there is; a turn without any is passed over."""

    @final
    def begin(self, turn: i64) -> None:
        """The first turn, once all is dealt."""
        self.table[TURN] = turn
        if not self._begin_turn():
            self._end_turn()

    @final
    def _end_turn(self) -> None:
        """End the game, or draw and find the next who has something to decide."""
        table = self.table
        seats = self.setting.seats
        while True:
            if table[ANNOUNCED]:
                return self._finish(DECLARED)
            if self._tiles_are_out():
                return self._finish(ALL_TILES_PLAYED)
            if table[IDLE] >= seats and (self.setting.ends_stuck or table[SILENT] >= seats):
                return self._finish(STUCK_ROUND)
            self._draw()
            if self._tiles_are_out():
                return self._finish(ALL_TILES_PLAYED)
            turn = table[TURN] + 1
            table[TURN] = turn if turn < seats else 0
            if self._begin_turn():
                return None

    @final
    def _begin_turn(self) -> bool:
        """Whether there is anything to decide in this turn."""
        table = self.table
        seat = table[TURN]
        table[SEAT] = seat
        table[TILE] = 0
        table[PURCHASE + seat] = 0
        if self.is_watched:
            self.tell(TURN_BEGINS, seat)
        if self.has_tile() or self._draws_new_hand():
            table[PHASE] = PLACE
            table[IDLE] = 0
            table[SILENT] = 0
            return True
        table[IDLE] += 1
        if self.is_watched:
            self.tell(NO_TILE, seat)
        if self._begin_purchase():
            table[SILENT] = 0
            return True
        table[SILENT] += 1
        return False

    @final
    def _draws_new_hand(self) -> bool:
        """Set aside a hand that cannot be played, once a turn; whether the new one has a tile to place."""
        table = self.table
        setting = self.setting
        if not setting.draws_new_hand or table[DRAWN] == setting.squares:
            return False
        first = HANDS + table[TURN] * ROW
        for slot in range(first, first + setting.hand):
            tile = table[slot]
            if tile:
                self.cells[tile] = OUT
                table[slot] = 0
                if self.is_watched:
                    self.tell(NEW_HAND, table[TURN], tile)
        self.fill(first)
        return self.has_tile()

    @final
    def _tiles_are_out(self) -> bool:
        """Whether the bag and the hands are empty, so that the game ends."""
        table = self.table
        setting = self.setting
        if table[DRAWN] < setting.squares or not setting.ends_without_tiles:
            return False
        for seat in range(setting.seats):
            tiles: i64 = 0
            for slot in range(HANDS + seat * ROW, HANDS + seat * ROW + setting.hand):
                tiles |= table[slot]
            if tiles == 0 and setting.ends_with_first_hand:
                return True
            if tiles and not setting.ends_with_first_hand:
                return False
        return not setting.ends_with_first_hand

    @final
    def _draw(self) -> None:
        """Fill the hand, and replace its dead tiles."""
        table = self.table
        setting = self.setting
        first = HANDS + table[TURN] * ROW
        self.fill(first)
        if not setting.replaces_dead or table[SAFE] & (table[SAFE] - 1) == 0:
            return
        while True:
            found = False
            for slot in range(first, first + setting.hand):
                tile = table[slot]
                if tile and self.kind(tile) == DEAD:
                    found = True
                    table[slot] = 0
                    self.cells[tile] = OUT
                    if self.is_watched:
                        self.tell(DEAD_TILE, table[TURN], tile)
                    if setting.replaces_until_clean:
                        break
            if not found:
                return
            self.fill(first)
            if not setting.replaces_until_clean:
                return

    @final
    def fill(self, first: i64) -> None:
        """Draw tiles into the empty slots of the hand that begins there, while the bag lasts."""
        table = self.table
        bag = self.bag
        squares = self.setting.squares
        for slot in range(first, first + self.setting.hand):
            drawn = table[DRAWN]
            if table[slot] == 0 and drawn < squares:
                table[slot] = bag[drawn]
                table[DRAWN] = drawn + 1
                if self.is_watched:
                    self.tell(DREW, table[TURN], bag[drawn])
                    if drawn + 1 == squares:
                        self.tell(LAST_TILE, table[TURN])

    @final
    def _finish(self, reason: i64) -> None:
        """The final worths; cash and shares stay as they were before the last payment."""
        table = self.table
        table[PHASE] = OVER
        table[REASON] = reason
        self._draw_phantom()
        self.settle()
        if self.is_watched:
            self._tell_final()

    @final
    def settle(self) -> None:
        """Set the final worths."""
        worths = vec[i64]([0] * 8)
        self.value(worths)
        for seat in range(self.setting.seats):
            self.table[WORTH + seat] = worths[seat]

    @final
    def _tell_final(self) -> None:
        table = self.table
        for chain in range(self.setting.chains):
            if table[ON_BOARD] & BIT[chain]:
                price, phantom = table[PRICE + chain], table[PHANTOM]
                bonuses(table, self.setting.seats, chain, price, self._amounts, self._ranks, phantom)
                self._tell_bonuses(FINAL_BONUS, chain)
        for seat in range(self.setting.seats):
            for chain in range(self.setting.chains):
                shares = table[SHARES + seat * ROW + chain]
                if shares and table[ON_BOARD] & BIT[chain]:
                    self.tell(FINAL_SALE, seat, chain, shares, shares * table[PRICE + chain])

    # -- Within a turn -----------------------------------------------------------------------------

    @final
    def _go_on(self) -> None:
        """The tile is placed: the purchase, or the end of the turn if there is nothing to decide."""
        if not self._begin_purchase():
            self._end_turn()

    @final
    def _begin_purchase(self) -> bool:
        table = self.table
        table[SEAT] = table[TURN]
        if self.is_trial or self.can_buy() or (self.may_end() and not table[ANNOUNCED]):
            table[PHASE] = BUY
            return True
        if self.is_watched:
            self._tell_if_poor()
        return False

    @final
    def _announce(self) -> None:
        self.table[ANNOUNCED] = 1
        if self.is_watched:
            self.tell(END_ANNOUNCED, self.table[TURN])
