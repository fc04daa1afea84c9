"""A player inside the core: it decides whatever is to be decided at its seat. This one decides by chance.

Others override what they decide better. A player sees the whole State, and must look at nothing that its
seat may not see: other hands, and the order of the bag.
"""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from core.acquire.action import ENDING, UNIT, disposal, shares_in
from core.acquire.board.board import BIT, LOWEST
from core.acquire.board.ground import MERGES
from core.acquire.players.chance import pick, pick_from
from core.acquire.state import AcquireState
from core.acquire.table import (
    ANNOUNCED,
    BANK,
    CASH,
    DISPOSE,
    FOUND,
    HANDS,
    ON_BOARD,
    OPTIONS,
    ORDER,
    PHASE,
    PLACE,
    PRICE,
    ROW,
    SURVIVOR,
    TURN,
)  # fmt: skip
from core.random import Random

# What to do with the shares of a defunct chain
TRADE_THEN_SELL: Final = 0  # every pair that the bank allows is traded, the rest is sold
SELL_ALL: Final = 1
RANDOM_SPLIT: Final = 2

# When to announce the end, at a purchase at which it may be
COIN: Final = 0
ALWAYS: Final = 1
NEVER: Final = 2

# How to buy by chance
K_UNIFORM: Final = 0  # a number of shares, then so many times a chain that can be paid
MULTISET_UNIFORM: Final = 1  # one of all sets that can be bought


@mypyc_attr(allow_interpreted_subclasses=True)
class Player:
    """The random player, by the customs named above.

    Its defaults are those of "Evolving Board Evaluation Functions", section 3.2.1, where the game decides by
    chance which chain is founded, which survives a tie and whether to end.
    """

    def __init__(self, disposing: int = TRADE_THEN_SELL, ending: int = COIN, buying: int = K_UNIFORM) -> None:
        self.disposing: i64 = disposing
        self.ending: i64 = ending
        self.buying: i64 = buying

    def begin(self) -> None:
        """A game begins; whoever remembers another one forgets it. This one remembers nothing."""

    def choose(self, state: AcquireState, rng: Random) -> i64:
        """The action to apply() to `state`, which is left as it was. The game is not over."""
        phase = state.table[PHASE]
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
        return self.buy(state, rng) | (ENDING if self.ends(state, rng) else 0)

    def place(self, state: AcquireState, rng: Random) -> i64:
        slots: i64 = 0
        table = state.table
        first = HANDS + table[TURN] * ROW
        for slot in range(state.setting.hand):
            tile = table[first + slot]
            if tile and state.kind(tile) <= MERGES:
                slots |= BIT[slot]
        return table[first + pick_from(rng, slots)]

    def found(self, state: AcquireState, rng: Random) -> i64:
        return pick_from(rng, state.table[OPTIONS])

    def survivor(self, state: AcquireState, rng: Random) -> i64:
        return pick_from(rng, state.table[OPTIONS])

    def order(self, state: AcquireState, rng: Random) -> i64:
        return pick_from(rng, state.table[OPTIONS])

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
        """What to buy; whether the end is announced with it, ends() says."""
        if self.buying == MULTISET_UNIFORM:
            return state.purchase(pick(rng, state.list_purchases()))
        cash = state.table[CASH + state.table[TURN]]
        purchase: i64 = 0
        for _ in range(pick(rng, state.setting.max_buy + 1)):
            chains = payable(state, cash, purchase)
            if chains == 0:
                break
            chain = pick_from(rng, chains)
            purchase += UNIT[chain]
            cash -= state.table[PRICE + chain]
        return purchase

    def ends(self, state: AcquireState, rng: Random) -> bool:
        """Whether to announce the end with the purchase."""
        if not state.may_end() or state.table[ANNOUNCED] or self.ending == NEVER:
            return False
        return self.ending == ALWAYS or pick(rng, 2) == 1


def payable(state: AcquireState, cash: i64, purchase: i64) -> i64:
    """The chains of which one share more could be bought, when `purchase` is taken and so much cash left."""
    table = state.table
    left = table[ON_BOARD]
    chains: i64 = 0
    while left:
        chain = LOWEST[left]
        left &= left - 1
        if table[PRICE + chain] <= cash and shares_in(purchase, chain) < table[BANK + chain]:
            chains |= BIT[chain]
    return chains
