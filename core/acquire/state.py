"""A game of Acquire from decision to decision; all else (drawing, bonuses, prices) happens by itself.

Six kinds of decision: where to place a tile, which chain to found, which survives a merger, which defunct
one is next, what to do with its shares, what to buy. A turn without any is passed over.
"""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.action import ENDING, TILE_BITS, disposal
from core.acquire.board import BIT, CHAIN, LONE, LOWEST, OUT
from core.acquire.bonus import bonuses
from core.acquire.events import (
    BOUGHT,
    DEAD_TILE,
    DREW,
    END_ANNOUNCED,
    FINAL_BONUS,
    FINAL_SALE,
    FOUNDED,
    GREW,
    LAST_TILE,
    MERGER,
    NO_TILE,
    PLACED,
    TURN_BEGINS,
)
from core.acquire.ground import ALONE, DEAD, FOUNDS, GROWS, MERGES
from core.acquire.merger import Merger
from core.acquire.notation import action_text
from core.acquire.setting import Setting
from core.acquire.table import (
    ALL_TILES_PLAYED,
    ANNOUNCED,
    BANK,
    BUY,
    CASH,
    DECLARED,
    DISPOSE,
    DRAWN,
    FOUND,
    HANDS,
    IDLE,
    ON_BOARD,
    OPTIONS,
    OVER,
    OWED,
    PHASE,
    PLACE,
    PRICE,
    REASON,
    ROW,
    SAFE,
    SEAT,
    SHARES,
    SILENT,
    SIZE,
    STUCK_ROUND,
    SURVIVOR,
    TILE,
    TURN,
    WORTH,
)


@final
class AcquireState(Merger):
    """A game under way. `bag` is all tiles in draw order; deal() has put the first ones out."""

    def __init__(self, setting: Setting) -> None:
        """Nothing is dealt yet: core.acquire.deal does it."""
        super().__init__(setting)
        self.bag = setting.tiles
        self.joined = vec[i64]([0] * 8)  # [seat]: which of those who joined sits there

    # -- State -------------------------------------------------------------------------------------

    def player(self) -> int:
        return int(self.table[SEAT])

    def is_terminal(self) -> bool:
        return self.table[PHASE] == OVER

    def apply(self, action: int) -> None:
        if not 0 <= action < 2 * ENDING:
            raise ValueError(f"illegal action: {action}")
        self.play(action)

    def legal_actions(self) -> list[int]:
        """Tiles column by column, chains in their order, purchases depth first; endings come last."""
        table = self.table
        phase = table[PHASE]
        actions: list[int] = []
        if phase == PLACE:
            at = HANDS + table[TURN] * ROW
            for slot in range(at, at + self.setting.hand):
                if table[slot] and self.kind(table[slot]) <= MERGES:
                    actions.append(int(table[slot]))
            actions.sort()
            if self.may_end() and self.setting.ends_any_time:
                actions += [action | ENDING for action in actions]
        elif phase == BUY:
            for index in range(self.list_purchases()):
                actions.append(int(self._purchases[index]))
            if self.may_end() and not table[ANNOUNCED]:
                actions += [action | ENDING for action in actions]
        elif phase == DISPOSE:
            held = self.held()
            for trade in range(i64(0), self.most_trade() + 1, i64(2)):
                for sell in range(held - trade + 1):
                    actions.append(int(disposal(trade, sell)))
        elif phase != OVER:
            for chain in range(self.setting.chains):
                if table[OPTIONS] & BIT[chain]:
                    actions.append(int(chain))
        return actions

    def returns(self) -> list[float]:
        """1 for a sole winner, -1 for those who lost; n who win together have 2/n - 1 each."""
        table = self.table
        seats = int(self.setting.seats)
        if table[PHASE] != OVER:
            return [0.0] * seats
        best = max([table[WORTH + seat] for seat in range(seats)])
        winners = [table[WORTH + seat] == best for seat in range(seats)]
        if all(winners):
            return [0.0] * seats
        return [2.0 / sum(winners) - 1.0 if won else -1.0 for won in winners]

    def action_text(self, action: int) -> str:
        return action_text(self.setting.rules, int(self.table[PHASE]), action)

    def __reduce__(self) -> tuple[object, tuple[Setting, list[int], list[int], list[int], list[int]]]:
        """Pickled word by word."""
        words = [[int(word) for word in words] for words in (self.cells, self.table, self.bag, self.joined)]
        return restored, (self.setting, words[0], words[1], words[2], words[3])

    def clone(self) -> "AcquireState":
        copy = AcquireState(self.setting)
        copy.copy_from(self)
        return copy

    def copy_from(self, other: "AcquireState") -> None:
        """Be as `other` is, which plays by the same setting. What others watch is not copied."""
        self.cells = other.cells[:]
        self.table = other.table[:]
        self.bag = other.bag
        self.joined = other.joined

    # -- Playing -----------------------------------------------------------------------------------

    def play(self, action: i64) -> None:
        """apply() for compiled callers."""
        if not self.is_trial:
            self._painted = 0
        phase = self.table[PHASE]
        if phase == PLACE:
            self._place(action)
        elif phase == BUY:
            self._buy(action)
        elif phase == DISPOSE:
            self._dispose(action)
        elif phase == OVER or not 0 <= action < self.setting.chains or not self.table[OPTIONS] & BIT[action]:
            raise ValueError(f"illegal action: {action}")
        elif phase == FOUND:
            self._found(action)
        elif phase == SURVIVOR:
            self._merge(action)
        else:
            self._dissolve(action)

    def _place(self, action: i64) -> None:
        table = self.table
        tile = action & TILE_BITS
        slot = self._slot(tile)
        ends = action != tile
        if slot < 0 or (ends and not (action == tile | ENDING and self._may_end_before())):
            raise ValueError(f"illegal action: {action}")
        kind = self.kind(tile)
        if kind > MERGES:
            raise ValueError(f"illegal action: {action}")
        seat = table[TURN]
        table[slot] = 0
        table[TILE] = tile
        if ends:
            self._announce()
        if self.is_watched:
            self.tell(PLACED, seat, tile, kind)
        if kind == ALONE:
            self._put(tile, LONE)
            self._go_on()
        elif kind == GROWS:
            chain = LOWEST[self.around(tile) & CHAIN]
            self._resize(chain, table[SIZE + chain] + self._paint(tile, LONE, BIT[chain]))
            if self.is_watched:
                self.tell(GREW, seat, chain, table[SIZE + chain])
            self._go_on()
        elif kind == FOUNDS:
            self._put(tile, LONE)
            only = self._offer(FOUND, self.setting.all_chains & ~table[ON_BOARD])
            if only >= 0:
                self._found(only)
        else:
            chains = self.around(tile) & CHAIN
            self._put(tile, LONE)
            if self.is_watched:
                self.tell(MERGER, seat, chains)
            table[OWED] = chains
            only = self._offer(SURVIVOR, self._largest(chains, SIZE))
            if only >= 0:
                self._merge(only)

    def _found(self, chain: i64) -> None:
        table = self.table
        self._resize(chain, self._paint(table[TILE], LONE, BIT[chain]))
        free = min(table[BANK + chain], i64(1))
        table[BANK + chain] -= free
        table[SHARES + table[TURN] * ROW + chain] += free
        if self.is_watched:
            self.tell(FOUNDED, table[TURN], chain, table[SIZE + chain], free)
        self._go_on()

    def _go_on(self) -> None:
        """The tile is placed: the purchase, or the end of the turn if there is nothing to decide."""
        if not self._begin_purchase():
            self._end_turn()

    def _begin_purchase(self) -> bool:
        table = self.table
        table[SEAT] = table[TURN]
        if self.can_buy() or (self.may_end() and not table[ANNOUNCED]) or self.is_trial:
            table[PHASE] = BUY
            return True
        if self.is_watched:
            self._tell_if_poor()
        return False

    def _buy(self, action: i64) -> None:
        table = self.table
        setting = self.setting
        seat = table[TURN]
        purchase = action & ~ENDING
        ends = action != purchase
        count: i64 = 0
        cost: i64 = 0
        legal = purchase >> (4 * setting.chains) == 0 and (
            not ends or (not table[ANNOUNCED] and self.may_end())
        )
        rest = purchase
        chain: i64 = 0
        while rest > 0:
            shares = rest & 15
            rest >>= 4
            if shares:
                legal = legal and shares <= table[BANK + chain] and table[PRICE + chain] > 0
                count += shares
                cost += shares * table[PRICE + chain]
            chain += 1
            if chain > 7:
                legal = False
                break
        if not legal or count > setting.max_buy or cost > table[CASH + seat]:
            raise ValueError(f"illegal action: {action}")
        if self.is_watched:
            self._tell_if_poor()
            self.tell(BOUGHT, seat, purchase, cost)
        self._take(seat, purchase)
        table[CASH + seat] -= cost
        if ends:
            self._announce()
        if not self.is_trial:
            self._end_turn()

    def _take(self, seat: i64, purchase: i64) -> None:
        table = self.table
        chain: i64 = 0
        while purchase:
            shares = purchase & 15
            purchase >>= 4
            table[SHARES + seat * ROW + chain] += shares
            table[BANK + chain] -= shares
            chain += 1

    def _announce(self) -> None:
        self.table[ANNOUNCED] = 1
        if self.is_watched:
            self.tell(END_ANNOUNCED, self.table[TURN])

    # -- From turn to turn -------------------------------------------------------------------------

    def begin(self, turn: i64) -> None:
        """The first turn, once all is dealt."""
        self.table[TURN] = turn
        if not self._begin_turn():
            self._end_turn()

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

    def _begin_turn(self) -> bool:
        """Whether there is anything to decide in this turn."""
        table = self.table
        seat = table[TURN]
        table[SEAT] = seat
        table[TILE] = 0
        if self.is_watched:
            self.tell(TURN_BEGINS, seat)
        if self.has_tile():
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

    def _finish(self, reason: i64) -> None:
        """The final worths; cash and shares stay as they were before the last payment."""
        table = self.table
        table[PHASE] = OVER
        table[REASON] = reason
        self.settle()
        if self.is_watched:
            self._tell_final()

    def settle(self) -> None:
        """Set the final worths."""
        worths = vec[i64]([0] * 8)
        self.value(worths)
        for seat in range(self.setting.seats):
            self.table[WORTH + seat] = worths[seat]

    # -- Helpers -----------------------------------------------------------------------------------

    def _slot(self, tile: i64) -> i64:
        """Where the tile is in the hand of the one whose turn it is, or -1."""
        table = self.table
        at = HANDS + table[TURN] * ROW
        if tile:
            for slot in range(at, at + self.setting.hand):
                if table[slot] == tile:
                    return slot
        return -1

    def _may_end_before(self) -> bool:
        return self.setting.ends_any_time and self.may_end()

    def _tell_final(self) -> None:
        table = self.table
        for chain in range(self.setting.chains):
            if table[ON_BOARD] & BIT[chain]:
                bonuses(table, self.setting.seats, chain, table[PRICE + chain], self._amounts, self._ranks)
                self._tell_bonuses(FINAL_BONUS, chain)
        for seat in range(self.setting.seats):
            for chain in range(self.setting.chains):
                shares = table[SHARES + seat * ROW + chain]
                if shares and table[ON_BOARD] & BIT[chain]:
                    self.tell(FINAL_SALE, seat, chain, shares, shares * table[PRICE + chain])


def restored(
    setting: Setting, cells: list[int], table: list[int], bag: list[int], joined: list[int]
) -> AcquireState:
    """What __reduce__() took apart."""
    state = AcquireState(setting)
    state.cells, state.table = vec[i64](cells), vec[i64](table)
    state.bag, state.joined = vec[i64](bag), vec[i64](joined)
    return state
