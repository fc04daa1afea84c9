"""An expression's view of a state: the features that it uses, computed for one seat, and its value.

A purchase changes only the seat's cash, and of the chains bought what is told by their shares; the sets of
shares to choose from are therefore valued from small tables, on a board that is looked at once.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board import CHAIN, EMPTY, LOWEST
from core.acquire.bonus import shared
from core.acquire.expression import BIT, Expression
from core.acquire.ground import Ground
from core.acquire.search import Search
from core.acquire.slots import (
    BONUS,
    DEAR,
    ENDS,
    HELD,
    KINDS,
    LEADS,
    LEFT,
    MONEY,
    OF_CHAINS,
    OPPONENTS,
    PAYOFF,
    PERIMETER,
    PRICE,
    RANKS,
    SAFE,
    TILES,
    every_rank,
)
from core.acquire.table import BANK, LARGE, ON_BOARD, ROW, SHARES, SIZE
from core.acquire.table import CASH as CASH_OF
from core.acquire.table import PRICE as PRICE_OF
from core.acquire.table import SAFE as SAFE_CHAINS

NOBODY: Final = i64(7)  # the chain of a rank that no chain has
OF_RANK: Final = i64(2**KINDS - 1)  # the bits of one rank's features
MOST_BOUGHT: Final = 3
LEVELS: Final = MOST_BOUGHT + 1  # of shares that may have been bought


def _bits(kinds: tuple[int, ...]) -> i64:
    return i64(sum([2**kind for kind in kinds]))


BY_PURCHASE: Final = _bits((PAYOFF, HELD, LEFT, LEADS))  # the kinds that a purchase changes
BY_SHARES: Final = _bits((PAYOFF, LEADS))  # those for which the others' shares count
PERIMETERS: Final = i64(every_rank(PERIMETER))


@final
class View:
    """Of one expression. `dollar` is what a dollar counts: 1.0, or 0.01 where money is in hundreds."""

    def __init__(self, expression: Expression, dollar: float = 1.0) -> None:
        """ValueError for an expression that does not know which features cost much (core.acquire.slots)."""
        if expression.uses & DEAR & ~expression.dear:
            raise ValueError("an expression of dear features that takes them to be cheap")
        self.expression: Final = expression
        self.dollar: Final = dollar
        self.sees_purchases: bool = expression.uses & BIT[MONEY] != 0
        for rank in range(i64(RANKS)):
            if self._wanted(rank) & BY_PURCHASE:
                self.sees_purchases = True
        self._chains = vec[i64]([NOBODY] * RANKS)  # [rank]
        self._cash: i64 = 0
        self._levels = vec[float]([0.0] * (RANKS * KINDS * LEVELS))  # [rank][kind][shares bought]
        self._most: i64 = 0  # shares of another seat in the chain that is looked at
        self._most_seats: i64 = 0  # with so many
        self._next: i64 = 0  # the most after these
        self._next_seats: i64 = 0
        self._search = Search()

    def value(self, state: Ground, seat: i64) -> float:
        """Of the state as it stands."""
        self.look(state, seat)
        return self._computed(state)

    def look(self, state: Ground, seat: i64) -> None:
        """Set the features that are used, but for those that cost much."""
        self.expression.known = 0
        values = self.expression.values
        table = state.table
        values[MONEY] = float(table[CASH_OF + seat]) * self.dollar
        values[OPPONENTS] = float(state.setting.seats - 1)
        self._rank(state)
        for rank in range(i64(RANKS)):
            wanted = self._wanted(rank)
            at = OF_CHAINS + rank * KINDS
            chain = self._chains[rank]
            if wanted == 0:
                continue
            if chain == NOBODY:
                for kind in range(i64(KINDS)):
                    values[at + kind] = 0.0
                continue
            price = table[PRICE_OF + chain]
            held = table[SHARES + ROW * seat + chain]
            values[at + BONUS] = float(10 * price) * self.dollar
            values[at + PRICE] = float(price) * self.dollar
            values[at + TILES] = float(table[SIZE + chain])
            values[at + HELD] = float(held)
            values[at + LEFT] = float(table[BANK + chain])
            values[at + ENDS] = 1.0 if table[LARGE] & BIT[chain] else 0.0
            values[at + SAFE] = 1.0 if table[SAFE_CHAINS] & BIT[chain] else 0.0
            if wanted & BY_SHARES:
                self._look_at_others(state, seat, chain)
                values[at + LEADS] = 1.0 if held > self._most else 0.0
                values[at + PAYOFF] = self._payoff(held, price)

    # -- Purchases ---------------------------------------------------------------------------------

    def look_at_purchases(self, state: Ground, seat: i64) -> None:
        """Look at the state, and at what any purchase of the seat would make of it."""
        self.look(state, seat)
        table = state.table
        levels = self._levels
        self._cash = table[CASH_OF + seat]
        for rank in range(i64(RANKS)):
            chain = self._chains[rank]
            if chain == NOBODY or not self._wanted(rank) & BY_PURCHASE:
                continue
            price = table[PRICE_OF + chain]
            held = table[SHARES + ROW * seat + chain]
            left = table[BANK + chain]
            self._look_at_others(state, seat, chain)
            for bought in range(i64(LEVELS)):
                at = rank * (KINDS * LEVELS) + bought
                levels[at + HELD * LEVELS] = float(held + bought)
                levels[at + LEFT * LEVELS] = float(left - bought)
                levels[at + LEADS * LEVELS] = 1.0 if held + bought > self._most else 0.0
                levels[at + PAYOFF * LEVELS] = self._payoff(held + bought, price)

    def purchase_value(self, state: Ground, purchase: i64, cost: i64) -> float:
        """Of the state that was looked at, after the purchase (core.acquire.action) of so many dollars."""
        values = self.expression.values
        levels = self._levels
        values[MONEY] = float(self._cash - cost) * self.dollar
        for rank in range(i64(RANKS)):
            chain = self._chains[rank]
            if chain == NOBODY or not self._wanted(rank) & BY_PURCHASE:
                continue
            at = OF_CHAINS + rank * KINDS
            level = rank * (KINDS * LEVELS) + ((purchase >> (4 * chain)) & 15)
            values[at + HELD] = levels[level + HELD * LEVELS]
            values[at + LEFT] = levels[level + LEFT * LEVELS]
            values[at + LEADS] = levels[level + LEADS * LEVELS]
            values[at + PAYOFF] = levels[level + PAYOFF * LEVELS]
        return self._computed(state)

    # -- Parts -------------------------------------------------------------------------------------

    def _computed(self, state: Ground) -> float:
        """The expression's value, with what it turns out to need."""
        expression = self.expression
        expression.begin()
        while True:
            feature = expression.go_on()
            if feature < 0:
                return expression.result()
            self.search(state, feature)

    def search(self, state: Ground, feature: i64) -> None:
        """Set one of the features that cost much."""
        expression = self.expression
        if PERIMETERS & BIT[feature]:
            self._look_around(state)
            expression.known |= PERIMETERS
            return
        chain = self._chains[(feature - OF_CHAINS) // KINDS]
        expression.values[feature] = 0.0 if chain == NOBODY else float(self._search.distance(state, chain))
        expression.known |= BIT[feature]

    def _wanted(self, rank: i64) -> i64:
        """The bits of the kinds that are used of this rank."""
        return (self.expression.uses >> (OF_CHAINS + rank * KINDS)) & OF_RANK

    def _rank(self, state: Ground) -> None:
        table = state.table
        chains = self._chains
        left = table[ON_BOARD]
        for rank in range(i64(RANKS)):
            largest = NOBODY
            size: i64 = 0
            rest = left
            while rest:
                chain = LOWEST[rest]
                rest &= rest - 1
                if table[SIZE + chain] > size:
                    largest, size = chain, table[SIZE + chain]
            chains[rank] = largest
            if largest != NOBODY:
                left &= ~BIT[largest]

    def _look_around(self, state: Ground) -> None:
        """The perimeters of the ranked chains, in one pass over the board."""
        cells = state.cells
        step = state.setting.stride
        chains = self._chains
        first, second, third = BIT[chains[0]], BIT[chains[1]], BIT[chains[2]]
        firsts: i64 = 0
        seconds: i64 = 0
        thirds: i64 = 0
        for cell in range(step, i64(len(cells)) - step):
            if cells[cell] == EMPTY:
                around = CHAIN & (cells[cell - 1] | cells[cell + 1] | cells[cell - step] | cells[cell + step])
                if around:  # NOBODY's bit is none of these
                    if around & first:
                        firsts += 1
                    if around & second:
                        seconds += 1
                    if around & third:
                        thirds += 1
        values = self.expression.values
        values[OF_CHAINS + PERIMETER] = float(firsts)
        values[OF_CHAINS + KINDS + PERIMETER] = float(seconds)
        values[OF_CHAINS + 2 * KINDS + PERIMETER] = float(thirds)

    def _look_at_others(self, state: Ground, seat: i64, chain: i64) -> None:
        """Who among the other seats holds most of a chain, and next to most."""
        table = state.table
        most: i64 = 0
        most_seats: i64 = 0
        next: i64 = 0
        next_seats: i64 = 0
        for other in range(state.setting.seats):
            if other == seat:
                continue
            held = table[SHARES + ROW * other + chain]
            if held > most:
                next, next_seats = most, most_seats
                most, most_seats = held, 1
            elif held == most:
                most_seats += 1
            elif held > next:
                next, next_seats = held, 1
            elif held == next:
                next_seats += 1
        self._most, self._most_seats = most, most_seats
        self._next, self._next_seats = next, next_seats

    def _payoff(self, held: i64, price: i64) -> float:
        """Bonus and price of so many shares, beside those of the others (compare core.acquire.bonus)."""
        bonus: i64 = 0
        if held == 0:
            return 0.0
        if held > self._most:
            bonus = 10 * price if self._most else 15 * price
        elif held == self._most:
            bonus = shared(15 * price, 1 + self._most_seats)
        elif self._most_seats == 1:
            if held > self._next:
                bonus = 5 * price
            elif held == self._next:
                bonus = shared(5 * price, 1 + self._next_seats)
        return float(bonus + held * price) * self.dollar
