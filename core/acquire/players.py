"""Players inside the core: a random player, a base for players that compare options, and a player by rules of thumb.

A player makes all decisions of its seat. It gets the seat's observation(). If the rules hide only the hands and the
bag, it may get the state itself instead; then it must not read the bag or the hands of other seats.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from core.acquire import layout
from core.acquire.actions import (
    DECLARE_END,
    DISPOSE,
    FOUND,
    MAX_PURCHASES,
    ORDER,
    PLACE,
    SURVIVOR,
    UNIT,
    disposal,
    shares_in,
)
from core.acquire.board import ANY_CHAIN, BIT, FOUNDS, GROWS, LOWEST, MERGES, bit_count, nth_bit
from core.acquire.bonus import bonuses
from core.acquire.features import max_opponent_shares
from core.acquire.rules import MAX_TILES
from core.acquire.state import AcquireState
from core.random import Random, shifted

# What to do with the shares of a defunct chain.
TRADE_THEN_SELL: Final = 0  # every pair that the bank allows is traded, the rest is sold
SELL_ALL: Final = 1
RANDOM_SPLIT: Final = 2

# Whether to announce the end with a purchase, where the rules allow that.
COIN: Final = 0  # with a probability of one half
ALWAYS: Final = 1
NEVER: Final = 2

# How to buy at random.
K_UNIFORM: Final = 0  # draw a number of shares, then for each share a chain that can be bought
MULTISET_UNIFORM: Final = 1  # draw one of all sets of shares that can be bought, with equal chances

# Which of several options with the highest value is taken; options are in the order of legal_actions().
TIE_RANDOM: Final = 0
TIE_FIRST: Final = 1
TIE_LAST: Final = 2

MIN_VALUE: Final = -1e300  # the lowest value of an option; lower values and NaN count as MIN_VALUE
LEFT_OUT: Final = -1e301  # the value of an option that is not considered


@mypyc_attr(allow_interpreted_subclasses=True)
class Player:
    """The random player, and the base of all others, which override the decisions that they make better.

    place(), found(), survivor(), order(), dispose() and buy() each return an action of their phase
    (core.acquire.actions). The default arguments follow "Evolving Board Evaluation Functions", section 3.2.1, where
    the choice of the chain to found, of the survivor of a tie, and of the end of the game are random.
    """

    def __init__(self, disposing: int = TRADE_THEN_SELL, ending: int = COIN, buying: int = K_UNIFORM) -> None:
        """Set the player's ways of disposing, ending and buying, by the constants above."""
        self.disposing: i64 = disposing
        self.ending: i64 = ending
        self.buying: i64 = buying

    def begin(self) -> None:
        """Start a new game: discard all memory of the last game. This player has no memory."""

    def choose(self, state: AcquireState, rng: Random) -> i64:
        """Return the action to apply to `state`, which is not changed. The game must not be over."""
        phase = state.fields[layout.PHASE]
        if phase == PLACE:
            return self.place(state, rng)
        if phase == FOUND:
            return self.found(state, rng)
        if phase == SURVIVOR:
            return self.survivor(state, rng)
        if phase == ORDER:
            return self.order(state, rng)
        if phase == DISPOSE:
            return self.dispose(state, rng)
        return self.buy(state, rng) | (DECLARE_END if self.ends(state, rng) else 0)

    def place(self, state: AcquireState, rng: Random) -> i64:
        slots: i64 = 0
        fields = state.fields
        first = layout.HANDS + fields[layout.TURN] * layout.STRIDE
        for slot in range(state.spec.hand):
            tile = fields[first + slot]
            if tile and state.kind(tile) <= MERGES:
                slots |= BIT[slot]
        return fields[first + pick_bit(rng, slots)]

    def found(self, state: AcquireState, rng: Random) -> i64:
        return pick_bit(rng, state.fields[layout.OPTIONS])

    def survivor(self, state: AcquireState, rng: Random) -> i64:
        return pick_bit(rng, state.fields[layout.OPTIONS])

    def order(self, state: AcquireState, rng: Random) -> i64:
        return pick_bit(rng, state.fields[layout.OPTIONS])

    def dispose(self, state: AcquireState, rng: Random) -> i64:
        held = state.held()
        if self.disposing == SELL_ALL:
            return disposal(0, held)
        if self.disposing == TRADE_THEN_SELL:
            trade = state.most_trade()
            return disposal(trade, held - trade)
        trade = 2 * pick(rng, (state.most_trade() >> 1) + 1)
        return disposal(trade, pick(rng, held - trade + 1))

    def buy(self, state: AcquireState, rng: Random) -> i64:
        """Return a purchase, without DECLARE_END, which choose() adds if ends() is true."""
        if self.buying == MULTISET_UNIFORM:
            return state.purchase(pick(rng, state.list_purchases()))
        cash = state.fields[layout.CASH + state.fields[layout.TURN]]
        purchase: i64 = 0
        for _ in range(pick(rng, state.spec.max_buy + 1)):
            chains = affordable(state, cash, purchase)
            if chains == 0:
                break
            chain = pick_bit(rng, chains)
            purchase += UNIT[chain]
            cash -= state.fields[layout.PRICE + chain]
        return purchase

    def ends(self, state: AcquireState, rng: Random) -> bool:
        """Return whether to announce the end with the purchase."""
        if not state.may_end() or state.fields[layout.ANNOUNCED] or self.ending == NEVER:
            return False
        return self.ending == ALWAYS or pick(rng, 2) == 1


class GreedyPlayer(Player):
    """The base of players that write the value of every option to `_values` and take the option with the highest."""

    def __init__(self, tie: int, disposing: int, ending: int, buying: int) -> None:
        """Set the rule for ties (TIE_RANDOM, ...); `disposing`, `ending` and `buying` are those of Player."""
        super().__init__(disposing, ending, buying)
        self._tie: Final[i64] = tie
        self._tiles = vec[i64]([0] * MAX_TILES)
        self._values = vec[float]([0.0] * (MAX_PURCHASES + 8))

    def _list_tiles(self, state: AcquireState) -> i64:
        """Write the legal tiles to `_tiles` in ascending order, and return their number."""
        fields = state.fields
        tiles = self._tiles
        count: i64 = 0
        first = layout.HANDS + layout.STRIDE * fields[layout.TURN]
        for slot in range(first, first + state.spec.hand):
            tile = fields[slot]
            if tile and state.kind(tile) <= MERGES:
                at = count
                while at > 0 and tiles[at - 1] > tile:
                    tiles[at] = tiles[at - 1]
                    at -= 1
                tiles[at] = tile
                count += 1
        return count

    def _best(self, count: i64, rng: Random) -> i64:
        """Return the index of the highest of the first `count` values; the rule for ties chooses among equal ones."""
        values = self._values
        best = LEFT_OUT
        ties: i64 = 0
        last: i64 = 0
        for index in range(count):
            value = values[index]
            if value != LEFT_OUT and not value > MIN_VALUE:
                value = MIN_VALUE
                values[index] = value
            if value > best:
                best, ties, last = value, 1, index
            elif value == best:
                ties += 1
                last = index
        if ties == 1 or self._tie == TIE_LAST:
            return last
        wanted: i64 = 0
        if self._tie != TIE_FIRST:
            wanted = pick(rng, ties)
        for index in range(count):
            if values[index] == best:
                if wanted == 0:
                    return index
                wanted -= 1
        return last


class Heuristic(Player):
    """A player by rules of thumb, against which others are measured; no player is ever trained against it.

    This player founds whenever it can, grows the chains in which it leads, merges chains whose bonuses favour it, and
    buys shares of chains in which it is or could become first. The values of options compare like dollars, but are
    no estimates of a gain.

    Other rules of thumb are subclasses with other values: `_value_of_tile`, `_value_of_share`, `_value_of_stopping`.
    """

    def __init__(self, noise: float = 100.0) -> None:
        """Create a player that adds to the value of each tile, at random, 0 to 4 times `noise`."""
        super().__init__()
        self._noise: Final = noise
        self._amounts = vec[i64]([0] * 8)
        self._ranks = vec[i64]([0] * 8)

    def place(self, state: AcquireState, rng: Random) -> i64:
        fields = state.fields
        first = layout.HANDS + fields[layout.TURN] * layout.STRIDE
        best = 0.0
        choice: i64 = 0
        for slot in range(first, first + state.spec.hand):
            tile = fields[slot]
            if tile:
                kind = state.kind(tile)
                if kind <= MERGES:
                    value = self._value_of_tile(state, tile, kind) + self._noise * float(pick(rng, 5))
                    if choice == 0 or value > best:
                        best, choice = value, tile
        return choice

    def dispose(self, state: AcquireState, rng: Random) -> i64:
        """Trade if the survivor is expensive and the seat has more than $2,000; otherwise sell.

        The survivor is expensive if its share costs at least twice the lowest price of the defunct chain.
        """
        fields = state.fields
        spec = state.spec
        held = state.held()
        two_tiles = spec.prices[fields[layout.DEFUNCT] * (spec.squares + 1) + 2]
        if (
            fields[layout.PRICE + fields[layout.SURVIVOR_OF]] >= 2 * two_tiles
            and fields[layout.CASH + fields[layout.SEAT]] > 2000
        ):
            trade = state.most_trade()
            return disposal(trade, held - trade)
        return disposal(0, held)

    def buy(self, state: AcquireState, rng: Random) -> i64:
        """Return a purchase of shares chosen one by one, each time the most valuable, until stopping is worth as much."""
        fields = state.fields
        cash = fields[layout.CASH + fields[layout.TURN]]
        purchase: i64 = 0
        for bought in range(state.spec.max_buy):
            best = self._value_of_stopping(bought, cash)
            choice: i64 = -1
            left = affordable(state, cash, purchase)
            while left:
                chain = LOWEST[left]
                left &= left - 1
                value = self._value_of_share(state, chain, shares_in(purchase, chain), cash)
                if value > best:
                    best, choice = value, chain
            if choice < 0:
                break
            purchase += UNIT[choice]
            cash -= fields[layout.PRICE + choice]
        return purchase

    def ends(self, state: AcquireState, rng: Random) -> bool:
        """Return whether the seat would be ahead of all others if the game ended now."""
        if not state.may_end() or state.fields[layout.ANNOUNCED]:
            return False
        worths = self._ranks
        state.value(worths)
        seat = state.fields[layout.TURN]
        for other in range(state.spec.seats):  # noqa: SIM110 compiled, a loop is faster than all()
            if other != seat and worths[other] >= worths[seat]:
                return False
        return True

    # -- Values ------------------------------------------------------------------------------------

    def _value_of_tile(self, state: AcquireState, tile: i64, kind: i64) -> float:
        """Return the value of a legal tile of a kind (core.acquire.board)."""
        fields = state.fields
        seat = fields[layout.TURN]
        if kind == FOUNDS:
            return 100_000_000.0
        if kind == GROWS:
            chain = LOWEST[state.around(tile) & ANY_CHAIN]
            held = fields[layout.SHARES + seat * layout.STRIDE + chain]
            return float(1200 * (held - max_opponent_shares(state, seat, chain)) - (0 if held else 2000))
        if kind != MERGES:
            return 0.0
        chains = state.around(tile) & ANY_CHAIN
        value: i64 = 4000
        left = chains & ~BIT[largest_chain(state, chains)]
        amounts = self._amounts
        while left:
            chain = LOWEST[left]
            left &= left - 1
            bonuses(fields, state.spec.seats, chain, fields[layout.PRICE + chain], amounts, self._ranks)
            value += 8 * (amounts[seat] - best_of_others(amounts, state.spec.seats, seat))
        return float(value)

    def _value_of_share(self, state: AcquireState, chain: i64, bought: i64, cash: i64) -> float:
        """Return the value of one more share of a chain, of which `bought` were bought in this turn; `cash` is left."""
        fields = state.fields
        seat = fields[layout.TURN]
        held = fields[layout.SHARES + seat * layout.STRIDE + chain] + bought
        lead = held - max_opponent_shares(state, seat, chain)
        value: i64
        if lead > 0:
            value = 3000 - 300 * lead
        elif lead >= -2:
            value = 6000 + 600 * lead
        else:
            value = 2000 + 200 * lead
        value = 4 * value - 6 * fields[layout.PRICE + chain]
        if not fields[layout.SAFE] & BIT[chain]:
            value += 2000
        if held > 12:
            value -= 50_000
        return float(value)

    def _value_of_stopping(self, bought: i64, cash: i64) -> float:
        """Return the value above which a share is bought, after `bought` shares in this turn, with `cash` left."""
        return MIN_VALUE


# -- Random choices: a game makes many, so most of them need no division -----------------------------


def pick(rng: Random, n: i64) -> i64:
    """Return a number in 0..n-1 without bias; 1 <= n < 2**31 (D. Lemire, ACM TOMACS 29, 2019)."""
    product = shifted(rng.bits(), 32) * n
    if product & 0xFFFFFFFF < n:
        least = 0x100000000 % n
        while product & 0xFFFFFFFF < least:
            product = shifted(rng.bits(), 32) * n
    return product >> 32


def pick_bit(rng: Random, mask: i64) -> i64:
    """Return the index of a random set bit of a mask, which must not be empty; a single bit uses no random number."""
    count = bit_count(mask)
    return nth_bit(mask, pick(rng, count) if count > 1 else 0)


# -- Helpers ----------------------------------------------------------------------------------------


def affordable(state: AcquireState, cash: i64, purchase: i64) -> i64:
    """Return the mask of chains of which one more share could be bought after `purchase`, with `cash` left."""
    fields = state.fields
    left = fields[layout.ON_BOARD]
    chains: i64 = 0
    while left:
        chain = LOWEST[left]
        left &= left - 1
        if fields[layout.PRICE + chain] <= cash and shares_in(purchase, chain) < fields[layout.BANK + chain]:
            chains |= BIT[chain]
    return chains


def largest_chain(state: AcquireState, chains: i64) -> i64:
    """Return the largest chain of a mask that is not empty; the first of equals."""
    fields = state.fields
    largest = LOWEST[chains]
    while chains:
        chain = LOWEST[chains]
        chains &= chains - 1
        if fields[layout.SIZE + chain] > fields[layout.SIZE + largest]:
            largest = chain
    return largest


def best_of_others(amounts: vec[i64], seats: i64, seat: i64) -> i64:
    """Return the largest amount of another seat, or 0 if none is above 0."""
    most: i64 = 0
    for other in range(seats):
        if other != seat and amounts[other] > most:
            most = amounts[other]
    return most
