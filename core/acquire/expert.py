"""A player by the advice that experienced people give in print: a yardstick that no player is bred or trained against.

The advice, by phase of the game, and where it is from:

    early    Found whenever possible, because of the free share, and near the middle, where mergers come from [1].
             Buy into chains that will disappear in a merger: later that is the only way to get cash [1].
    middle   Fight for the first or second place in few chains rather than own a little of each [2]. Never run out of
             cash for more than a turn [2]. Take the shares of the survivor if they will be worth more [3].
    late     Cash no longer matters: own the large safe chains, as first or at least as second [3]. End the game when
             ahead.

The game is early while fewer than 20 tiles lie on the board or at most three chains have been founded, and no chain is
safe; it is late once at least as many chains are safe as are not [3].

[1] A. Rae, "Comprehensive article on basic strategy", boardgamegeek.com, thread 140153.
[2] B. Bankler, "Too many words about Acquire", taogaming.wordpress.com, 9 August 2014.
[3] J. D. Taylor and others, "strategy.md", github.com/JordanDTaylor/GitAcquire.

The numbers are ours: the sources give none. They were chosen before the first game and not tuned.
"""

from typing import Final, final

from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import disposal
from core.acquire.board import ANY_CHAIN, BIT, FOUNDS, GROWS, LOWEST, MERGES, bit_count
from core.acquire.bonus import bonuses
from core.acquire.features import ChainDistance, OpponentHoldings
from core.acquire.players import Heuristic, best_of_others, largest_chain
from core.acquire.state import AcquireState
from core.random import Random

EARLY: Final = 0
MIDDLE: Final = 1
LATE: Final = 2
EARLY_TILES: Final = 20  # on the board, at most
EARLY_CHAINS: Final = 3

RESERVE: Final = 1500  # dollars to keep in the middle of the game, unless a place is at stake
POOR: Final = 2000  # with less cash, a merger's bonus counts twice
NEAR: Final = 3  # steps between chains that are likely to merge, at most
IN_REACH: Final = 3  # shares behind a place that can still be fought for, at most


@final
class Expert(Heuristic):
    """A player by printed advice; what the advice leaves open it does as the heuristic."""

    def __init__(self) -> None:
        super().__init__(noise=1.0)
        self._holdings: Final = OpponentHoldings()
        self._distance: Final = ChainDistance()

    def found(self, state: AcquireState, rng: Random) -> i64:
        """Return the dearest chain if three of its shares can be paid next, else the cheapest."""
        fields = state.fields
        prices = state.spec.prices
        cash = fields[layout.CASH + fields[layout.TURN]]
        dearest: i64 = -1
        cheapest: i64 = -1
        left = fields[layout.OPTIONS]
        while left:
            chain = LOWEST[left]
            left &= left - 1
            price = prices[chain * (state.spec.squares + 1) + 2]
            if cheapest < 0 or price < prices[cheapest * (state.spec.squares + 1) + 2]:
                cheapest = chain
            if cash >= 3 * price + RESERVE and (
                dearest < 0 or price > prices[dearest * (state.spec.squares + 1) + 2]
            ):
                dearest = chain
        return cheapest if dearest < 0 else dearest

    def survivor(self, state: AcquireState, rng: Random) -> i64:
        """Return the chain in which the seat would gain least if it disappeared."""
        fields = state.fields
        best: i64 = 0
        choice: i64 = -1
        left = fields[layout.OPTIONS]
        while left:
            chain = LOWEST[left]
            left &= left - 1
            gain = self._gain(state, chain)
            if choice < 0 or gain < best:
                best, choice = gain, chain
        return choice

    def dispose(self, state: AcquireState, rng: Random) -> i64:
        """Trade if a share of the survivor is worth two of the chain, or wins a place in the survivor; sell the rest."""
        fields = state.fields
        seat = fields[layout.SEAT]
        survivor = fields[layout.SURVIVOR_OF]
        held = state.held()
        trade = state.most_trade()
        price = fields[layout.PRICE + survivor]
        if phase_of(state) != LATE and fields[layout.CASH + seat] < RESERVE:
            return disposal(0, held)
        if price >= 2 * state.defunct_price():
            return disposal(trade, held - trade)
        holdings = self._holdings
        holdings.update(fields, state.spec.seats, seat, survivor)
        own = fields[layout.SHARES + seat * layout.STRIDE + survivor]
        gain = holdings.payoff(own + (trade >> 1), price) - holdings.payoff(own, price)
        if gain >= trade * state.defunct_price():
            return disposal(trade, held - trade)
        return disposal(0, held)

    # -- Values ------------------------------------------------------------------------------------

    def _value_of_tile(self, state: AcquireState, tile: i64, kind: i64) -> float:
        """Return the value of a tile in dollars, roughly."""
        fields = state.fields
        seat = fields[layout.TURN]
        if kind == FOUNDS:
            return float((6000 if phase_of(state) != LATE else 2000) - 50 * _steps_from_middle(state, tile))
        if kind == MERGES:
            chains = state.around(tile) & ANY_CHAIN
            left = chains & ~BIT[largest_chain(state, chains)]
            value: i64 = 0
            while left:
                chain = LOWEST[left]
                left &= left - 1
                value += self._gain(state, chain)
            return float(2 * value if value > 0 and fields[layout.CASH + seat] < POOR else value)
        if kind != GROWS:
            return 0.0
        chain = LOWEST[state.around(tile) & ANY_CHAIN]
        holdings = self._holdings
        holdings.update(fields, state.spec.seats, seat, chain)
        own = fields[layout.SHARES + seat * layout.STRIDE + chain]
        if own == 0:
            return -1000.0
        return float(100 * (own - holdings.most) + (200 if own >= holdings.most else 0))

    def _gain(self, state: AcquireState, chain: i64) -> i64:
        """Return the seat's bonus less the best other bonus, in dollars, if a chain disappeared now."""
        amounts = self._amounts
        fields = state.fields
        seats = state.spec.seats
        seat = fields[layout.TURN]
        bonuses(fields, seats, chain, fields[layout.PRICE + chain], amounts, self._ranks)
        return amounts[seat] - best_of_others(amounts, seats, seat)

    def _value_of_stopping(self, bought: i64, cash: i64) -> float:
        return 0.0

    def _value_of_share(self, state: AcquireState, chain: i64, bought: i64, cash: i64) -> float:
        """Return the value of one more share of a chain in dollars, less its price; 0 or less if it is not wanted."""
        fields = state.fields
        phase = phase_of(state)
        seat = fields[layout.TURN]
        price = fields[layout.PRICE + chain]
        holdings = self._holdings
        holdings.update(fields, state.spec.seats, seat, chain)
        held = fields[layout.SHARES + seat * layout.STRIDE + chain] + bought
        place = (
            holdings.payoff(held + 1, price) - holdings.payoff(held, price) - price
        )  # what a better place pays
        if phase == LATE:
            return float(place + price)  # cash is worth nothing more, and a share its price
        lead = held - holdings.most
        value = place >> 1
        if -IN_REACH <= lead <= 0:
            value += 6 * price + 600
        elif lead == 1:
            value += 2 * price + 400
        elif lead < 0:
            return 0.0 if place <= 0 else float(value)
        if fields[layout.SAFE] & BIT[chain]:
            value -= 2 * price
        elif self._is_about_to_merge(state, chain):
            value += 5 * price
        if phase == MIDDLE and cash - price < RESERVE and place <= 0:
            return 0.0
        return float(value)

    def _is_about_to_merge(self, state: AcquireState, chain: i64) -> bool:
        """Return whether a chain that is not the largest has another one near."""
        fields = state.fields
        others = fields[layout.ON_BOARD] & ~BIT[chain]
        if others == 0 or fields[layout.SIZE + chain] > fields[layout.SIZE + largest_chain(state, others)]:
            return False
        return self._distance.distance(state, chain) <= NEAR


def _steps_from_middle(state: AcquireState, tile: i64) -> i64:
    """Return the steps from a tile to the middle of the board, along columns and rows."""
    stride = state.spec.stride
    across = 2 * (tile // stride) - i64(len(state.cells)) // stride + 1
    down = 2 * (tile % stride) - stride + 2
    return (max(across, -across) + max(down, -down)) >> 1


def phase_of(state: AcquireState) -> i64:
    """Return EARLY, MIDDLE or LATE."""
    fields = state.fields
    chains = bit_count(fields[layout.ON_BOARD])
    safe = bit_count(fields[layout.SAFE])
    if chains and 2 * safe >= chains:
        return LATE
    on_board = fields[layout.DRAWN] - state.spec.seats * state.spec.hand
    return EARLY if safe == 0 and (on_board < EARLY_TILES or chains <= EARLY_CHAINS) else MIDDLE
