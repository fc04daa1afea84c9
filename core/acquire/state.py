"""A game of Acquire from decision to decision; all else (drawing, bonuses, prices) happens by itself.

Six kinds of decision: where to place a tile, which chain to found, which survives a merger, which defunct
one is next, what to do with its shares, what to buy. A turn without any is passed over.
"""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.action import ENDING, TILE_BITS, disposal
from core.acquire.board.board import BIT, CHAIN, LONE, LOWEST
from core.acquire.board.ground import ALONE, FOUNDS, GROWS, MERGES
from core.acquire.rules.setting import Setting
from core.acquire.shown.events import BOUGHT, FOUNDED, GREW, MERGER, PLACED
from core.acquire.shown.notation import action_text
from core.acquire.table import (
    ANNOUNCED,
    BANK,
    BUY,
    CASH,
    DISPOSE,
    FOUND,
    HANDS,
    ON_BOARD,
    OPTIONS,
    OVER,
    OWED,
    PHASE,
    PLACE,
    PRICE,
    PURCHASE,
    ROW,
    SEAT,
    SHARES,
    SIZE,
    SURVIVOR,
    TILE,
    TURN,
    WORTH,
)
from core.acquire.turns import Turns


@final
class AcquireState(Turns):
    """A game under way. Of its bag, deal() has put the first tiles out."""

    def __init__(self, setting: Setting) -> None:
        """Nothing is dealt yet: core.acquire.deal does it."""
        super().__init__(setting)
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
            self.painted = 0
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
        if slot < 0 or (
            ends and not (action == tile | ENDING and self.setting.ends_any_time and self.may_end())
        ):
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
        table[PURCHASE + seat] = purchase
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

    def _slot(self, tile: i64) -> i64:
        """Where the tile is in the hand of the one whose turn it is, or -1."""
        table = self.table
        at = HANDS + table[TURN] * ROW
        if tile:
            for slot in range(at, at + self.setting.hand):
                if table[slot] == tile:
                    return slot
        return -1


def restored(
    setting: Setting, cells: list[int], table: list[int], bag: list[int], joined: list[int]
) -> AcquireState:
    """What __reduce__() took apart."""
    state = AcquireState(setting)
    state.cells, state.table = vec[i64](cells), vec[i64](table)
    state.bag, state.joined = vec[i64](bag), vec[i64](joined)
    return state
