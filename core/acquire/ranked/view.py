"""An expression's view of a state: the features that it uses, computed for one seat, and its value."""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from core.acquire.board.board import CHAIN, EMPTY, LOWEST
from core.acquire.board.ground import Ground
from core.acquire.programs.expression import Expression
from core.acquire.programs.prefix import BIT
from core.acquire.programs.search import Search
from core.acquire.ranked.rivals import Rivals
from core.acquire.ranked.slots import (
    BONUS,
    DEAR,
    DISTANCE,
    ENDS,
    FEATURES,
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
BY_OTHERS: Final = i64(2**PAYOFF + 2**LEADS)  # the kinds for which the others' shares count
PERIMETERS: Final = i64(every_rank(PERIMETER))


@final
class View:
    """Of one expression. `dollar` is what a dollar counts: 1.0, or 0.01 where money is in hundreds."""

    def __init__(self, expression: Expression, dollar: float = 1.0) -> None:
        """ValueError for an expression that does not know which features cost much (core.acquire.ranked.slots)."""
        if expression.uses & DEAR & ~expression.dear:
            raise ValueError("an expression of dear features that takes them to be cheap")
        self.expression: Final = expression
        self.dollar: Final = dollar
        self.uses: Final = vec[i64]([0] * RANKS)  # [rank]: the bits of the kinds that are used
        for rank in range(i64(RANKS)):
            self.uses[rank] = (expression.uses >> (OF_CHAINS + rank * KINDS)) & OF_RANK
        self.chains: Final = vec[i64]([NOBODY] * RANKS)  # [rank]
        self._always = vec[i64]()  # features that cost much and are always needed
        for feature in range(i64(FEATURES)):
            if expression.always & BIT[feature]:
                self._always = append(self._always, feature)
        self._rivals: Final = Rivals()
        self._search: Final = Search()
        self._are_trials = False
        self._asked: i64 = 0  # distances that trials last asked for

    def value(self, state: Ground, seat: i64) -> float:
        """Of the state as it stands."""
        self.look(state, seat)
        return self.again(state)

    def look(self, state: Ground, seat: i64) -> None:
        """Set the features that are used, but for those that cost much."""
        self.expression.known = 0
        values = self.expression.values
        table = state.table
        values[MONEY] = float(table[CASH_OF + seat]) * self.dollar
        values[OPPONENTS] = float(state.setting.seats - 1)
        self._rank(state)
        for rank in range(i64(RANKS)):
            uses = self.uses[rank]
            if uses == 0:
                continue
            at = OF_CHAINS + rank * KINDS
            chain = self.chains[rank]
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
            if uses & BY_OTHERS:
                rivals = self._rivals
                rivals.look(table, state.setting.seats, seat, chain)
                values[at + LEADS] = 1.0 if held > rivals.most else 0.0
                values[at + PAYOFF] = float(rivals.payoff(held, price)) * self.dollar

    def again(self, state: Ground) -> float:
        """The value of what was looked at, whatever has been set since then."""
        expression = self.expression
        for feature in self._always:
            if expression.known & BIT[feature] == 0:
                self._find(state, feature)
        expression.begin()
        while True:
            feature = expression.go_on()
            if feature < 0:
                return expression.result()
            self._find(state, feature)

    # -- Trials ------------------------------------------------------------------------------------

    def begin_trials(self, state: Ground) -> None:
        """Until end_trials(), all that is looked at is this state, or a trial that begins from it."""
        self._are_trials = True
        self._search.forget(state)
        asked, self._asked = self._asked, 0
        if asked:
            self._rank(state)
            for rank in range(i64(RANKS)):
                if asked & BIT[OF_CHAINS + KINDS * rank + DISTANCE] and self.chains[rank] != NOBODY:
                    self._search.remember(state, self.chains[rank])

    def end_trials(self) -> None:
        self._are_trials = False

    # -- Parts -------------------------------------------------------------------------------------

    def _find(self, state: Ground, feature: i64) -> None:
        """Set one of the features that cost much."""
        expression = self.expression
        if PERIMETERS & BIT[feature]:
            self._look_around(state)
            expression.known |= PERIMETERS
            return
        rank: i64 = 0
        while feature != OF_CHAINS + KINDS * rank + DISTANCE:
            rank += 1
        expression.values[feature] = float(self._distance(state, self.chains[rank], feature))
        expression.known |= BIT[feature]

    def _distance(self, state: Ground, chain: i64, feature: i64) -> i64:
        if chain == NOBODY:
            return 0
        if not self._are_trials:
            return self._search.distance(state, chain)
        self._asked |= BIT[feature]
        if state.is_trial:
            return self._search.distance_in_trial(state, chain)
        return self._search.remember(state, chain)

    def _rank(self, state: Ground) -> None:
        """Find the largest chains, of those of equal size the first."""
        table = state.table
        first: i64 = 0  # eight times the size, and NOBODY less the chain
        second: i64 = 0
        third: i64 = 0
        left = table[ON_BOARD]
        while left:
            chain = LOWEST[left]
            left &= left - 1
            size = 8 * table[SIZE + chain] + NOBODY - chain
            if size > first:
                first, second, third = size, first, second
            elif size > second:
                second, third = size, second
            elif size > third:
                third = size
        chains = self.chains
        chains[0] = NOBODY - (first & 7)
        chains[1] = NOBODY - (second & 7)
        chains[2] = NOBODY - (third & 7)

    def _look_around(self, state: Ground) -> None:
        """The perimeters of the ranked chains, in one pass over the board."""
        cells = state.cells
        step = state.setting.stride
        chains = self.chains
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
