"""A typed program's or a net's view of a state: every kind of every chain that it uses, for one seat.

Who owns what changes more often than the board: holdings_changed() looks at one chain again, all else stands.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.action import shares_in
from core.acquire.board.board import BIT, CHAIN, EMPTY, LONE, LOWEST
from core.acquire.board.ground import DEAD
from core.acquire.programs.prefix import BIT as BIT_OF
from core.acquire.programs.search import Search
from core.acquire.programs.valuer import Valuer
from core.acquire.ranked.slots import MONEY, OPPONENTS
from core.acquire.rules.bonus import bonuses
from core.acquire.state import AcquireState
from core.acquire.table import (
    BANK,
    CASH,
    DRAWN,
    HANDS,
    LARGE,
    OLD_PRICE,
    OLD_SIZE,
    ON_BOARD,
    PURCHASE,
    ROW,
    SHARES,
)
from core.acquire.table import PRICE as PRICE_OF
from core.acquire.table import SAFE as SAFE_CHAINS
from core.acquire.table import SIZE as SIZE_OF
from core.acquire.typed.slots import (
    BAG_LEFT,
    BEST_OTHER,
    BEST_OTHER_CASH,
    BEST_OTHER_WORTH,
    BONUS,
    BOUGHT,
    CAN_END,
    CHAINS,
    DEFUNCT,
    DISTANCE,
    FEATURES,
    FIRST_KIND,
    FOUND_TILES,
    FOUNDED,
    GAIN,
    GROW_TILES,
    GROWN,
    HELD,
    I_LEAD,
    KTH,
    LEAD,
    LEFT,
    MAJORITY,
    MAX_SIZE,
    MEMORY,
    MERGE_SQUARES,
    MERGE_TILES,
    MY_WORTH,
    NOBODY,
    ON_THE_BOARD,
    OTHERS_BOUGHT,
    PAYOFF,
    PERIMETER,
    PRICE,
    REGISTERS,
    SAFE,
    SECOND,
    SIZE,
    SMALLEST,
    START_PRICE,
    SURVIVOR,
)
from core.acquire.typed.slots import ON_BOARD as IS_ON_BOARD

NONE: Final = i64(NOBODY)
IN_HAND: Final = 1 << MERGE_TILES | 1 << GROW_TILES
AROUND: Final = 1 << PERIMETER | 1 << MERGE_SQUARES
OF_SHARES: Final = 1 << HELD | 1 << LEFT | 1 << LEAD | 1 << BEST_OTHER | 1 << MAJORITY
OF_BONUSES: Final = 1 << PAYOFF | 1 << GAIN | 1 << SECOND
OF_BOARD: Final = (
    1 << SIZE | 1 << PRICE | 1 << START_PRICE | 1 << BONUS | 1 << SAFE | 1 << MAX_SIZE | 1 << IS_ON_BOARD
)


@final
class Move:
    """The chains of the move considered; NONE for those that it has not."""

    def __init__(self) -> None:
        self.founded: i64 = NONE
        self.grown: i64 = NONE
        self.survivor: i64 = NONE
        self.defunct: i64 = NONE
        self.bought: i64 = NONE
        self.all_defunct: i64 = 0  # a set


@final
class ChainView:
    """Of one valuer over core.acquire.typed.slots. `dollar` is what a dollar counts."""

    def __init__(self, valuer: Valuer, dollar: float = 1.0) -> None:
        """ValueError for one over other features."""
        if valuer.features != FEATURES:
            raise ValueError(f"a valuer over {valuer.features} features, not {FEATURES}")
        self.valuer: Final = valuer
        self.dollar: Final = dollar
        self._kinds: i64 = 0  # those that are used
        ranks = valuer.uses >> SMALLEST != 0
        for slot in valuer.reads:
            if slot < FIRST_KIND:
                ranks = True
            else:
                self._kinds |= BIT_OF[(i64(slot) - FIRST_KIND) // CHAINS]
        self._sees_ranks: Final = ranks
        self._sees_worths: Final = valuer.uses & _bits((MY_WORTH, BEST_OTHER_WORTH, I_LEAD)) != 0
        self._sees_found_tiles: Final = valuer.uses & _bits((FOUND_TILES,)) != 0
        self._sees_bonuses: Final = self._sees_worths or self._kinds & OF_BONUSES != 0
        self._sees_holdings: Final = self._sees_bonuses or self._kinds & OF_SHARES != 0
        self._amounts = vec[i64]([0] * 8)  # [seat]
        self._bonus_ranks = vec[i64]([0] * 8)
        self._parts = vec[i64]([0] * 64)  # [chain * 8 + seat]: of worths
        self._worths = vec[i64]([0] * 8)  # [seat], without cash
        self._counts = vec[i64]([0] * 16)
        self._seat: i64 = 0
        self._search = Search()

    def value(self, state: AcquireState, seat: i64, move: Move) -> float:
        """Of the state as it stands, after that move."""
        self.look(state, seat, move)
        return self.again(state, move)

    def again(self, state: AcquireState, move: Move) -> float:
        """Of the state that was looked at, after changes of holdings that were told, and of cash."""
        values = self.valuer.values
        table = state.table
        seat = self._seat
        values[MONEY] = float(table[CASH + seat]) * self.dollar
        values[FOUNDED] = float(move.founded)
        values[GROWN] = float(move.grown)
        values[SURVIVOR] = float(move.survivor)
        values[DEFUNCT] = float(move.defunct)
        values[BOUGHT] = float(move.bought)
        most: i64 = 0
        richest: i64 = 0
        for other in range(state.setting.seats):
            if other != seat:
                cash = table[CASH + other]
                if cash > richest:
                    richest = cash
                if cash + self._worths[other] > most:
                    most = cash + self._worths[other]
        own = table[CASH + seat] + self._worths[seat]
        values[BEST_OTHER_CASH] = float(richest) * self.dollar
        values[MY_WORTH] = float(own) * self.dollar
        values[BEST_OTHER_WORTH] = float(most) * self.dollar
        values[I_LEAD] = 1.0 if own > most else 0.0
        return self.valuer.value()

    def look(self, state: AcquireState, seat: i64, move: Move) -> None:
        """At all but cash."""
        self._seat = seat
        values = self.valuer.values
        table = state.table
        on_board = table[ON_BOARD]
        self.valuer.chains = on_board
        values[OPPONENTS] = float(state.setting.seats - 1)
        values[BAG_LEFT] = float(state.setting.squares - table[DRAWN])
        values[ON_THE_BOARD] = float(_count(on_board))
        values[CAN_END] = 1.0 if state.may_end() else 0.0
        if self._sees_ranks:
            self._rank(state)
        if self._kinds & OF_BOARD:
            for chain in range(state.setting.chains):
                self._look_at_chain(state, chain, move)
        if self._sees_holdings:
            for place in range(i64(64)):
                self._parts[place] = 0
            for other in range(state.setting.seats):
                self._worths[other] = 0
            for chain in range(state.setting.chains):
                self.holdings_changed(state, chain)
        if self._kinds & BIT_OF[OTHERS_BOUGHT]:
            self._look_at_purchases(state)
        if self._kinds & IN_HAND or self._sees_found_tiles:
            self._look_at_hand(state)
        if self._kinds & AROUND:
            self._look_around(state)
        if self._kinds & BIT_OF[DISTANCE]:
            for chain in range(state.setting.chains):
                steps: i64 = 0
                if on_board & BIT[chain]:
                    steps = self._search.distance(state, chain)
                values[FIRST_KIND + CHAINS * DISTANCE + chain] = float(steps)

    def recall(self, memory: vec[float]) -> None:
        """The registers are so from here on."""
        values = self.valuer.values
        for register in range(i64(REGISTERS)):
            values[MEMORY + register] = memory[register]

    def holdings_changed(self, state: AcquireState, chain: i64) -> None:
        """Look again at who owns the chain."""
        if not self._sees_holdings:
            return
        values = self.valuer.values
        table = state.table
        seat = self._seat
        at = FIRST_KIND + chain
        held = table[SHARES + ROW * seat + chain]
        most: i64 = 0
        for other in range(state.setting.seats):
            if other != seat and table[SHARES + ROW * other + chain] > most:
                most = table[SHARES + ROW * other + chain]
        values[at + CHAINS * HELD] = float(held)
        values[at + CHAINS * LEFT] = float(table[BANK + chain])
        values[at + CHAINS * LEAD] = float(held - most)
        values[at + CHAINS * BEST_OTHER] = float(most)
        values[at + CHAINS * MAJORITY] = 1.0 if held > most else 0.0
        if self._sees_bonuses:
            self._look_at_bonuses(state, chain, held < most)

    # -- Parts -------------------------------------------------------------------------------------

    def _look_at_chain(self, state: AcquireState, chain: i64, move: Move) -> None:
        values = self.valuer.values
        table = state.table
        bit = BIT[chain]
        at = FIRST_KIND + chain
        size = table[SIZE_OF + chain]
        price = table[PRICE_OF + chain]
        if move.all_defunct & bit:
            size = table[OLD_SIZE + chain]
            price = table[OLD_PRICE + chain]
        start = state.setting.prices[chain * (state.setting.squares + 1) + 2]
        values[at + CHAINS * SIZE] = float(size)
        values[at + CHAINS * PRICE] = float(price) * self.dollar
        values[at + CHAINS * BONUS] = float(10 * price) * self.dollar
        values[at + CHAINS * START_PRICE] = float(start) * self.dollar
        values[at + CHAINS * SAFE] = 1.0 if table[SAFE_CHAINS] & bit else 0.0
        values[at + CHAINS * MAX_SIZE] = 1.0 if table[LARGE] & bit else 0.0
        values[at + CHAINS * IS_ON_BOARD] = 1.0 if table[ON_BOARD] & bit else 0.0

    def _look_at_bonuses(self, state: AcquireState, chain: i64, is_behind: bool) -> None:
        """What everybody would get for the chain."""
        values = self.valuer.values
        table = state.table
        seats = state.setting.seats
        seat = self._seat
        price = table[PRICE_OF + chain]
        amounts = self._amounts
        bonuses(table, seats, chain, price, amounts, self._bonus_ranks)
        most: i64 = 0
        for other in range(seats):
            part = amounts[other] + table[SHARES + ROW * other + chain] * price
            self._worths[other] += part - self._parts[8 * chain + other]
            self._parts[8 * chain + other] = part
            if other != seat and amounts[other] > most:
                most = amounts[other]
        at = FIRST_KIND + chain
        values[at + CHAINS * PAYOFF] = float(self._parts[8 * chain + seat]) * self.dollar
        values[at + CHAINS * GAIN] = float(amounts[seat] - most) * self.dollar
        values[at + CHAINS * SECOND] = 1.0 if is_behind and amounts[seat] else 0.0

    def _rank(self, state: AcquireState) -> None:
        """Chains by size, ties by their index."""
        values = self.valuer.values
        table = state.table
        for rank in range(i64(CHAINS)):
            values[KTH + rank] = float(NONE)
        left = table[ON_BOARD]
        last = NONE
        place: i64 = KTH + 1
        while left:
            rest = left
            size: i64 = 0
            while rest:
                chain = LOWEST[rest]
                rest &= rest - 1
                if table[SIZE_OF + chain] > size:
                    last, size = chain, table[SIZE_OF + chain]
            left &= ~BIT[last]
            values[place] = float(last)
            place += 1
        values[SMALLEST] = float(last)

    def _look_at_purchases(self, state: AcquireState) -> None:
        """At what the others bought, each in its last turn."""
        values = self.valuer.values
        table = state.table
        for chain in range(state.setting.chains):
            bought: i64 = 0
            for other in range(state.setting.seats):
                if other != self._seat:
                    bought += shares_in(table[PURCHASE + other], chain)
            values[FIRST_KIND + CHAINS * OTHERS_BOUGHT + chain] = float(bought)

    def _look_at_hand(self, state: AcquireState) -> None:
        """At the tiles of the seat."""
        values = self.valuer.values
        table = state.table
        counts = self._counts
        for place in range(i64(16)):
            counts[place] = 0
        founds: i64 = 0
        first = HANDS + ROW * self._seat
        for slot in range(first, first + state.setting.hand):
            tile = table[slot]
            if tile == 0:
                continue
            around = state.around(tile)
            chains = around & CHAIN
            if chains == 0:
                founds += 1 if around & LONE else 0
            elif chains & (chains - 1) == 0:
                counts[LOWEST[chains]] += 1
            elif state.kind(tile) != DEAD:
                while chains:
                    counts[8 + LOWEST[chains]] += 1
                    chains &= chains - 1
        values[FOUND_TILES] = float(founds)
        for chain in range(state.setting.chains):
            values[FIRST_KIND + CHAINS * GROW_TILES + chain] = float(counts[chain])
            values[FIRST_KIND + CHAINS * MERGE_TILES + chain] = float(counts[8 + chain])

    def _look_around(self, state: AcquireState) -> None:
        """At all empty squares beside chains."""
        cells = state.cells
        step = state.setting.stride
        counts = self._counts
        for place in range(i64(16)):
            counts[place] = 0
        for cell in range(step, i64(len(cells)) - step):
            if cells[cell] == EMPTY:
                around = CHAIN & (cells[cell - 1] | cells[cell + 1] | cells[cell - step] | cells[cell + step])
                if around:
                    row: i64 = 8 if around & (around - 1) else 0
                    while around:
                        counts[row + LOWEST[around]] += 1
                        around &= around - 1
        values = self.valuer.values
        for chain in range(state.setting.chains):
            values[FIRST_KIND + CHAINS * PERIMETER + chain] = float(counts[chain] + counts[8 + chain])
            values[FIRST_KIND + CHAINS * MERGE_SQUARES + chain] = float(counts[8 + chain])


def _bits(slots: tuple[int, ...]) -> i64:
    bits: i64 = 0
    for slot in slots:
        bits |= BIT_OF[slot]
    return bits


def _count(mask: i64) -> i64:
    count: i64 = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
