"""A player by rules of thumb whose weights evolve: as fast as the heuristic, from whose rules it begins.

Every tile, and every share that can be bought, has a value that is a sum of a few terms, each a weight times a number
that is quickly found: no trial, no search of the board. A game of this player takes a third longer than one of the
heuristic, and a fiftieth of one of an evolved net. This makes it the model of the player that looks ahead, which plays
thousands of games to the end (core.acquire.look_ahead).
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import disposal
from core.acquire.board import ANY_CHAIN, BIT, FOUNDS, GROWS, LOWEST, MERGES
from core.acquire.bonus import bonuses
from core.acquire.features import max_opponent_shares
from core.acquire.players import Heuristic, best_of_others, largest_chain
from core.acquire.state import AcquireState
from core.random import Random

CLOSE: Final = 2  # shares behind the leader, at most, to be close
CERTAIN: Final = 12  # with more shares than this the majority is certain

# The places of the weights. A share's value: one of three sums by the lead over the best opponent ...
AHEAD: Final = 0
AHEAD_LEAD: Final = 1  # times the lead
NEAR: Final = 2  # level, or CLOSE
NEAR_LEAD: Final = 3
BEHIND: Final = 4
BEHIND_LEAD: Final = 5
# ... and for all shares
COST: Final = 6  # times the price
LATE_COST: Final = 7  # times the price and the part of the tiles that are drawn
OPEN: Final = 8  # the chain is not safe
LATE_OPEN: Final = 9  # the same, times the part of the tiles that are drawn
ENOUGH: Final = 10  # the seat holds more than CERTAIN
TILES: Final = 11  # times the size of the chain
LATE_LEAD: Final = 12  # times the lead and the part of the tiles that are drawn
SUPPLY: Final = 13  # times the shares of the bank
LEVEL: Final = 14  # the seat would be level with the best opponent
UNOPPOSED: Final = 15  # no opponent holds a share
FIRST: Final = 16  # the seat holds none
# The value of buying nothing more.
STOP: Final = 17
STOP_BOUGHT: Final = 18  # times the shares bought in this turn
STOP_CASH: Final = 19  # times the cash
# A tile's value.
FOUND: Final = 20  # it founds a chain
FOUND_LATE: Final = 21  # the same, times the tiles drawn
GROW_LEAD: Final = 22  # it makes a chain grow; times the lead
GROW_NONE: Final = 23  # the same, and the seat holds none
GROW_TILES: Final = 24  # times the size of the chain
GROW_SAFE: Final = 25  # the chain is safe
MERGE: Final = 26  # it merges chains
MERGE_GAIN: Final = 27  # times the seat's bonus less the best other bonus, for each chain that disappears
MERGE_BONUS: Final = 28  # times the seat's bonus
# Shares of a chain that disappears are traded if the survivor's price is at least TRADE_PRICE times the lowest price
# of the chain, and the seat has more than TRADE_CASH; otherwise they are sold.
TRADE_PRICE: Final = 29
TRADE_CASH: Final = 30
WEIGHTS: Final = 31


@final
class RulesOfThumb(Heuristic):
    """A player by rules of thumb with given weights; it ends the game as the heuristic does."""

    def __init__(self, weights: tuple[float, ...]) -> None:
        """Create a player. Raises ValueError unless there are WEIGHTS weights."""
        if len(weights) != WEIGHTS:
            raise ValueError(f"rules of thumb have {WEIGHTS} weights, not {len(weights)}")
        super().__init__()
        self._weights: Final = vec[float](weights)

    def dispose(self, state: AcquireState, rng: Random) -> i64:
        fields = state.fields
        spec = state.spec
        held = state.held()
        lowest = spec.prices[fields[layout.DEFUNCT] * (spec.squares + 1) + 2]  # the price with two tiles
        price = fields[layout.PRICE + fields[layout.SURVIVOR_OF]]
        is_expensive = float(price) >= self._weights[TRADE_PRICE] * float(lowest)
        if is_expensive and float(fields[layout.CASH + fields[layout.SEAT]]) > self._weights[TRADE_CASH]:
            trade = state.most_trade()
            return disposal(trade, held - trade)
        return disposal(0, held)

    # -- Values ------------------------------------------------------------------------------------

    def _value_of_stopping(self, bought: i64, cash: i64) -> float:
        weights = self._weights
        return weights[STOP] + weights[STOP_BOUGHT] * float(bought) + weights[STOP_CASH] * float(cash)

    def _value_of_share(self, state: AcquireState, chain: i64, bought: i64, cash: i64) -> float:
        fields = state.fields
        weights = self._weights
        seat = fields[layout.TURN]
        held = fields[layout.SHARES + seat * layout.STRIDE + chain] + bought
        most = max_opponent_shares(state, seat, chain)
        lead = held - most
        late = float(fields[layout.DRAWN]) / float(state.spec.squares)
        price = float(fields[layout.PRICE + chain])
        if lead > 0:
            value = weights[AHEAD] + weights[AHEAD_LEAD] * float(lead)
        elif lead >= -CLOSE:
            value = weights[NEAR] + weights[NEAR_LEAD] * float(lead)
        else:
            value = weights[BEHIND] + weights[BEHIND_LEAD] * float(lead)
        value += (weights[COST] + weights[LATE_COST] * late) * price
        value += weights[LATE_LEAD] * float(lead) * late
        value += weights[TILES] * float(fields[layout.SIZE + chain])
        value += weights[SUPPLY] * float(fields[layout.BANK + chain])
        if not fields[layout.SAFE] & BIT[chain]:
            value += weights[OPEN] + weights[LATE_OPEN] * late
        if held > CERTAIN:
            value += weights[ENOUGH]
        if lead == 0:
            value += weights[LEVEL]
        if most == 0:
            value += weights[UNOPPOSED]
        if held == 0:
            value += weights[FIRST]
        return value

    def _value_of_tile(self, state: AcquireState, tile: i64, kind: i64) -> float:
        fields = state.fields
        weights = self._weights
        seat = fields[layout.TURN]
        if kind == FOUNDS:
            return weights[FOUND] + weights[FOUND_LATE] * float(fields[layout.DRAWN])
        if kind == GROWS:
            chain = LOWEST[state.around(tile) & ANY_CHAIN]
            held = fields[layout.SHARES + seat * layout.STRIDE + chain]
            value = weights[GROW_LEAD] * float(held - max_opponent_shares(state, seat, chain))
            value += weights[GROW_TILES] * float(fields[layout.SIZE + chain])
            if held == 0:
                value += weights[GROW_NONE]
            if fields[layout.SAFE] & BIT[chain]:
                value += weights[GROW_SAFE]
            return value
        if kind != MERGES:
            return 0.0
        chains = state.around(tile) & ANY_CHAIN
        value = weights[MERGE]
        left = chains & ~BIT[largest_chain(state, chains)]
        amounts = self._amounts
        while left:
            chain = LOWEST[left]
            left &= left - 1
            bonuses(fields, state.spec.seats, chain, fields[layout.PRICE + chain], amounts, self._ranks)
            most = best_of_others(amounts, state.spec.seats, seat)
            value += weights[MERGE_GAIN] * float(amounts[seat] - most)
            value += weights[MERGE_BONUS] * float(amounts[seat])
        return value
