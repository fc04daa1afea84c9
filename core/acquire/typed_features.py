"""The features of typed programs and nets: facts, the chains of a move by their parts, and kinds for every chain.

A chain is a number like the others: its index, or NO_CHAIN for no chain, for which every kind is 0. Each kind has eight
slots in a row, one for each chain. The first slots of all are those of core.acquire.ranked_player. Holdings change
more often than the board, so update_holdings() computes the features of one chain anew and keeps all others.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import shares_in
from core.acquire.board import ANY_CHAIN, BIT, DEAD, EMPTY, LOWEST, UNINCORPORATED, bit_count
from core.acquire.bonus import bonuses
from core.acquire.features import ChainDistance
from core.acquire.program import FEATURE_BIT, Evaluator
from core.acquire.ranked_player import FEATURES as RANKED
from core.acquire.ranked_player import MONEY, OPPONENTS
from core.acquire.state import AcquireState

CHAINS: Final = 8  # slots of a kind
NO_CHAIN: Final = 7

# Facts, in addition to MONEY and OPPONENTS of core.acquire.ranked_player.
BAG_LEFT: Final = RANKED  # tiles left to draw
ON_THE_BOARD: Final = RANKED + 1  # chains
MY_WORTH: Final = RANKED + 2  # what the seat would have if the game ended now
BEST_OTHER_WORTH: Final = RANKED + 3
BEST_OTHER_CASH: Final = RANKED + 4
FOUND_TILES: Final = RANKED + 5  # tiles of the seat that would found a chain
CAN_END: Final = RANKED + 6  # 1: the end may be announced
I_LEAD: Final = RANKED + 7  # 1: the seat's worth is above that of every other seat

# Chains of the move considered.
FOUNDED: Final = RANKED + 8
GROWN: Final = RANKED + 9  # by the tile, without a merger
SURVIVOR: Final = RANKED + 10
DEFUNCT: Final = RANKED + 11  # of several, the one with the highest price before the merger
BOUGHT: Final = RANKED + 12

# Chains by size.
SMALLEST: Final = RANKED + 13
KTH: Final = RANKED + 14  # [rank; 1 is the largest]: eight slots; the first is NO_CHAIN

# Kinds.
FIRST_KIND: Final = KTH + CHAINS
SIZE: Final = 0  # tiles; for a chain that the move merges away, size and price before the move
PRICE: Final = 1
START_PRICE: Final = 2  # of a chain of two tiles
HELD: Final = 3  # shares of the seat
LEFT: Final = 4  # shares of the bank
LEAD: Final = 5  # the seat's shares less BEST_OTHER
BEST_OTHER: Final = 6  # the most shares that another seat holds
BONUS: Final = 7  # of the majority
PAYOFF: Final = 8  # what the seat would get if the chain were taken over now and the seat sold
GAIN: Final = 9  # the seat's bonus if the chain were taken over now, less the best bonus of another seat
MAJORITY: Final = 10  # 1: the seat has more shares than any other seat
SECOND: Final = 11  # 1: the seat would get a bonus, but not that of the first
SAFE: Final = 12  # 1: the chain is safe
MAX_SIZE: Final = 13  # 1: the chain is large enough to end the game
ON_BOARD: Final = 14  # 1: the chain is on the board
MERGE_TILES: Final = 15  # tiles of the seat that would merge the chain with another
GROW_TILES: Final = 16  # tiles of the seat that would make the chain grow
PERIMETER: Final = 17  # empty squares next to the chain
MERGE_SQUARES: Final = 18  # the squares of PERIMETER that are next to another chain, too
DISTANCE: Final = 19  # steps to the nearest tile of another chain; 0 if there is no other
OTHERS_BOUGHT: Final = 20  # shares that the other seats have bought, each in its last turn
KINDS: Final = 21

# The registers of the player.
MEMORY: Final = FIRST_KIND + KINDS * CHAINS  # a number for each register
REGISTERS: Final = 4
FEATURES: Final = MEMORY + REGISTERS


def first_slot(kind: int) -> int:
    """Return the slot of a kind for chain 0."""
    return FIRST_KIND + CHAINS * kind


NONE: Final = i64(NO_CHAIN)
HAND_KINDS: Final = 1 << MERGE_TILES | 1 << GROW_TILES
PERIMETER_KINDS: Final = 1 << PERIMETER | 1 << MERGE_SQUARES
SHARE_KINDS: Final = 1 << HELD | 1 << LEFT | 1 << LEAD | 1 << BEST_OTHER | 1 << MAJORITY
BONUS_KINDS: Final = 1 << PAYOFF | 1 << GAIN | 1 << SECOND
BOARD_KINDS: Final = (
    1 << SIZE | 1 << PRICE | 1 << START_PRICE | 1 << BONUS | 1 << SAFE | 1 << MAX_SIZE | 1 << ON_BOARD
)


@final
class Move:
    """The chains of the move considered, by their part in it; NONE for a part that no chain has."""

    def __init__(self) -> None:
        self.founded: i64 = NONE
        self.grown: i64 = NONE
        self.survivor: i64 = NONE
        self.defunct: i64 = NONE
        self.bought: i64 = NONE
        self.all_defunct: i64 = 0  # a mask of chains


@final
class TypedFeatures:
    """The features that one evaluator uses, computed for one seat; `dollar` is the value of a dollar."""

    def __init__(self, evaluator: Evaluator, dollar: float = 1.0) -> None:
        """Prepare for an evaluator. Raises ValueError if its number of features is not FEATURES."""
        if evaluator.features != FEATURES:
            raise ValueError(f"the evaluator must have {FEATURES} features, not {evaluator.features}")
        self.evaluator: Final = evaluator
        self.dollar: Final = dollar
        self._kinds: i64 = 0  # bits of the kinds that are used
        ranks = evaluator.uses >> SMALLEST != 0
        for slot in evaluator.reads:
            if slot < FIRST_KIND:
                ranks = True
            else:
                self._kinds |= FEATURE_BIT[(i64(slot) - FIRST_KIND) // CHAINS]
        self._sees_ranks: Final = ranks
        self._sees_worths: Final = evaluator.uses & _bits((MY_WORTH, BEST_OTHER_WORTH, I_LEAD)) != 0
        self._sees_found_tiles: Final = evaluator.uses & _bits((FOUND_TILES,)) != 0
        self._sees_bonuses: Final = self._sees_worths or self._kinds & BONUS_KINDS != 0
        self._sees_holdings: Final = self._sees_bonuses or self._kinds & SHARE_KINDS != 0
        self._amounts = vec[i64]([0] * 8)  # [seat]
        self._bonus_ranks = vec[i64]([0] * 8)
        self._parts = vec[i64]([0] * 64)  # [chain * 8 + seat]: the part of the worth from one chain
        self._worths = vec[i64]([0] * 8)  # [seat], without cash
        self._counts = vec[i64]([0] * 16)
        self._seat: i64 = 0
        self._search = ChainDistance()

    def value(self, state: AcquireState, seat: i64, move: Move) -> float:
        """Return the value of the state that a move has led to."""
        self.update(state, seat, move)
        return self.evaluate(state, move)

    def evaluate(self, state: AcquireState, move: Move) -> float:
        """Return the value after update(), with changes of cash since, and of holdings given to update_holdings()."""
        values = self.evaluator.values
        fields = state.fields
        seat = self._seat
        values[MONEY] = float(fields[layout.CASH + seat]) * self.dollar
        values[FOUNDED] = float(move.founded)
        values[GROWN] = float(move.grown)
        values[SURVIVOR] = float(move.survivor)
        values[DEFUNCT] = float(move.defunct)
        values[BOUGHT] = float(move.bought)
        most: i64 = 0
        richest: i64 = 0
        for other in range(state.spec.seats):
            if other != seat:
                cash = fields[layout.CASH + other]
                if cash > richest:
                    richest = cash
                if cash + self._worths[other] > most:
                    most = cash + self._worths[other]
        own = fields[layout.CASH + seat] + self._worths[seat]
        values[BEST_OTHER_CASH] = float(richest) * self.dollar
        values[MY_WORTH] = float(own) * self.dollar
        values[BEST_OTHER_WORTH] = float(most) * self.dollar
        values[I_LEAD] = 1.0 if own > most else 0.0
        return self.evaluator.value()

    def update(self, state: AcquireState, seat: i64, move: Move) -> None:
        """Compute all features that are used, except those of cash and of the move, which evaluate() sets."""
        self._seat = seat
        values = self.evaluator.values
        fields = state.fields
        on_board = fields[layout.ON_BOARD]
        self.evaluator.chains = on_board
        values[OPPONENTS] = float(state.spec.seats - 1)
        values[BAG_LEFT] = float(state.spec.squares - fields[layout.DRAWN])
        values[ON_THE_BOARD] = float(bit_count(on_board))
        values[CAN_END] = 1.0 if state.may_end() else 0.0
        if self._sees_ranks:
            self._rank(state)
        if self._kinds & BOARD_KINDS:
            for chain in range(state.spec.chains):
                self._update_chain(state, chain, move)
        if self._sees_holdings:
            for place in range(i64(64)):
                self._parts[place] = 0
            for other in range(state.spec.seats):
                self._worths[other] = 0
            for chain in range(state.spec.chains):
                self.update_holdings(state, chain)
        if self._kinds & FEATURE_BIT[OTHERS_BOUGHT]:
            self._update_purchases(state)
        if self._kinds & HAND_KINDS or self._sees_found_tiles:
            self._update_hand(state)
        if self._kinds & PERIMETER_KINDS:
            self._update_perimeters(state)
        if self._kinds & FEATURE_BIT[DISTANCE]:
            for chain in range(state.spec.chains):
                steps: i64 = 0
                if on_board & BIT[chain]:
                    steps = self._search.distance(state, chain)
                values[FIRST_KIND + CHAINS * DISTANCE + chain] = float(steps)

    def recall(self, memory: vec[float]) -> None:
        """Set the registers to remembered numbers."""
        values = self.evaluator.values
        for register in range(i64(REGISTERS)):
            values[MEMORY + register] = memory[register]

    def update_holdings(self, state: AcquireState, chain: i64) -> None:
        """Compute the features of a chain that depend on holdings anew."""
        if not self._sees_holdings:
            return
        values = self.evaluator.values
        fields = state.fields
        seat = self._seat
        at = FIRST_KIND + chain
        held = fields[layout.SHARES + layout.STRIDE * seat + chain]
        most: i64 = 0
        for other in range(state.spec.seats):
            if other != seat and fields[layout.SHARES + layout.STRIDE * other + chain] > most:
                most = fields[layout.SHARES + layout.STRIDE * other + chain]
        values[at + CHAINS * HELD] = float(held)
        values[at + CHAINS * LEFT] = float(fields[layout.BANK + chain])
        values[at + CHAINS * LEAD] = float(held - most)
        values[at + CHAINS * BEST_OTHER] = float(most)
        values[at + CHAINS * MAJORITY] = 1.0 if held > most else 0.0
        if self._sees_bonuses:
            self._update_bonuses(state, chain, held < most)

    # -- Parts -------------------------------------------------------------------------------------

    def _update_chain(self, state: AcquireState, chain: i64, move: Move) -> None:
        values = self.evaluator.values
        fields = state.fields
        bit = BIT[chain]
        at = FIRST_KIND + chain
        size = fields[layout.SIZE + chain]
        price = fields[layout.PRICE + chain]
        if move.all_defunct & bit:
            size = fields[layout.OLD_SIZE + chain]
            price = fields[layout.OLD_PRICE + chain]
        start = state.spec.prices[chain * (state.spec.squares + 1) + 2]
        values[at + CHAINS * SIZE] = float(size)
        values[at + CHAINS * PRICE] = float(price) * self.dollar
        values[at + CHAINS * BONUS] = float(10 * price) * self.dollar
        values[at + CHAINS * START_PRICE] = float(start) * self.dollar
        values[at + CHAINS * SAFE] = 1.0 if fields[layout.SAFE] & bit else 0.0
        values[at + CHAINS * MAX_SIZE] = 1.0 if fields[layout.ENDS_GAME] & bit else 0.0
        values[at + CHAINS * ON_BOARD] = 1.0 if fields[layout.ON_BOARD] & bit else 0.0

    def _update_bonuses(self, state: AcquireState, chain: i64, is_behind: bool) -> None:
        """Compute what each seat would get for the chain, and the features that follow from that."""
        values = self.evaluator.values
        fields = state.fields
        seats = state.spec.seats
        seat = self._seat
        price = fields[layout.PRICE + chain]
        amounts = self._amounts
        bonuses(fields, seats, chain, price, amounts, self._bonus_ranks)
        most: i64 = 0
        for other in range(seats):
            part = amounts[other] + fields[layout.SHARES + layout.STRIDE * other + chain] * price
            self._worths[other] += part - self._parts[8 * chain + other]
            self._parts[8 * chain + other] = part
            if other != seat and amounts[other] > most:
                most = amounts[other]
        at = FIRST_KIND + chain
        values[at + CHAINS * PAYOFF] = float(self._parts[8 * chain + seat]) * self.dollar
        values[at + CHAINS * GAIN] = float(amounts[seat] - most) * self.dollar
        values[at + CHAINS * SECOND] = 1.0 if is_behind and amounts[seat] else 0.0

    def _rank(self, state: AcquireState) -> None:
        """Rank the chains by size, chains of equal size by index."""
        values = self.evaluator.values
        fields = state.fields
        for rank in range(i64(CHAINS)):
            values[KTH + rank] = float(NONE)
        left = fields[layout.ON_BOARD]
        last = NONE
        place: i64 = KTH + 1
        while left:
            rest = left
            size: i64 = 0
            while rest:
                chain = LOWEST[rest]
                rest &= rest - 1
                if fields[layout.SIZE + chain] > size:
                    last, size = chain, fields[layout.SIZE + chain]
            left &= ~BIT[last]
            values[place] = float(last)
            place += 1
        values[SMALLEST] = float(last)

    def _update_purchases(self, state: AcquireState) -> None:
        """Count the shares that the other seats bought in their last turns."""
        values = self.evaluator.values
        fields = state.fields
        for chain in range(state.spec.chains):
            bought: i64 = 0
            for other in range(state.spec.seats):
                if other != self._seat:
                    bought += shares_in(fields[layout.PURCHASE + other], chain)
            values[FIRST_KIND + CHAINS * OTHERS_BOUGHT + chain] = float(bought)

    def _update_hand(self, state: AcquireState) -> None:
        """Count the tiles of the seat that would found, grow or merge chains."""
        values = self.evaluator.values
        fields = state.fields
        counts = self._counts
        for place in range(i64(16)):
            counts[place] = 0
        founds: i64 = 0
        first = layout.HANDS + layout.STRIDE * self._seat
        for slot in range(first, first + state.spec.hand):
            tile = fields[slot]
            if tile == 0:
                continue
            around = state.around(tile)
            chains = around & ANY_CHAIN
            if chains == 0:
                founds += 1 if around & UNINCORPORATED else 0
            elif chains & (chains - 1) == 0:
                counts[LOWEST[chains]] += 1
            elif state.kind(tile) != DEAD:
                while chains:
                    counts[8 + LOWEST[chains]] += 1
                    chains &= chains - 1
        values[FOUND_TILES] = float(founds)
        for chain in range(state.spec.chains):
            values[FIRST_KIND + CHAINS * GROW_TILES + chain] = float(counts[chain])
            values[FIRST_KIND + CHAINS * MERGE_TILES + chain] = float(counts[8 + chain])

    def _update_perimeters(self, state: AcquireState) -> None:
        """Count the empty squares next to each chain, and those next to another chain, too."""
        cells = state.cells
        step = state.spec.stride
        counts = self._counts
        for place in range(i64(16)):
            counts[place] = 0
        for cell in range(step, i64(len(cells)) - step):
            if cells[cell] == EMPTY:
                around = ANY_CHAIN & (
                    cells[cell - 1] | cells[cell + 1] | cells[cell - step] | cells[cell + step]
                )
                if around:
                    row: i64 = 8 if around & (around - 1) else 0
                    while around:
                        counts[row + LOWEST[around]] += 1
                        around &= around - 1
        values = self.evaluator.values
        for chain in range(state.spec.chains):
            values[FIRST_KIND + CHAINS * PERIMETER + chain] = float(counts[chain] + counts[8 + chain])
            values[FIRST_KIND + CHAINS * MERGE_SQUARES + chain] = float(counts[8 + chain])


def _bits(slots: tuple[int, ...]) -> i64:
    bits: i64 = 0
    for slot in slots:
        bits |= FEATURE_BIT[slot]
    return bits
