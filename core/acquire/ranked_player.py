"""The players of the thesis "Evolving Board Evaluation Functions": evolved programs with a lookahead of one decision.

A player tries every option and takes the one whose outcome its program values most. Decisions without a program are
those of the random player (core.acquire.players.Player). If a trial leads to more decisions, such as which chain to
found, they too are made as the random player makes them, for all seats.

A program does not see chains by name, but by rank: the largest, the second and the third. Chains of equal size rank by
index; the features of a rank that no chain has are 0. Money is in dollars or in hundreds of dollars. The distances and
perimeters need a pass over the board, so they are lazy: computed only when a program asks for them
(core.acquire.program).

Reference: sections 3.1.2 and 3.2, Appendix A of the thesis.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import BUY, DISPOSE
from core.acquire.board import ANY_CHAIN, BIT, EMPTY, FOUNDS, LONE, LOWEST, MERGES, bit_count, nth_bit
from core.acquire.features import ChainDistance, OpponentHoldings
from core.acquire.players import LEFT_OUT, GreedyPlayer
from core.acquire.program import FEATURE_BIT, Program
from core.acquire.state import AcquireState
from core.random import Random

# -- Features: what a program can know of a state, each with its index among the program's values ----

MONEY: Final = 0  # cash of the seat
OPPONENTS: Final = 1  # number of the other seats
# From here on, KINDS features for each rank.
FIRST_CHAIN_FEATURE: Final = 2
RANKS: Final = 3  # the largest chain, the second, the third

# The kinds of features of a chain.
DISTANCE: Final = 0  # steps to the nearest tile of another chain; 0 if there is no other
BONUS: Final = 1  # the first bonus
PAYOFF: Final = 2  # bonus and price of the seat's shares, if the chain became defunct now
PERIMETER: Final = 3  # empty squares next to the chain
PRICE: Final = 4
TILES: Final = 5
HELD: Final = 6  # shares that the seat has
LEFT: Final = 7  # shares that the bank has
LEADS: Final = 8  # 1: the seat has more shares than any other seat
ENDS: Final = 9  # 1: the chain is large enough to end the game
SAFE: Final = 10  # 1: the chain is safe
KINDS: Final = 11
FEATURES: Final = FIRST_CHAIN_FEATURE + KINDS * RANKS


def ranked(kind: int, rank: int) -> int:
    """Return the feature of a kind for a rank; ranks count from 0."""
    return FIRST_CHAIN_FEATURE + rank * KINDS + kind


def every_rank(kind: int) -> int:
    """Return the bits of the features of a kind, one for each rank."""
    bits = 0
    for rank in range(RANKS):
        bits |= 2 ** ranked(kind, rank)
    return bits


LAZY: Final = every_rank(DISTANCE) | every_rank(PERIMETER)  # the bits of the features that need a search

NO_CHAIN: Final = i64(7)  # the chain of a rank that no chain has
RANK_BITS: Final = i64(2**KINDS - 1)  # the bits of one rank's features
OPPONENT_KINDS: Final = i64(2**PAYOFF + 2**LEADS)  # the kinds that depend on the shares of other seats
PERIMETERS: Final = i64(every_rank(PERIMETER))

PURCHASE_KINDS: Final = i64(2**PAYOFF + 2**HELD + 2**LEFT + 2**LEADS)  # the kinds that a purchase changes
LEVELS: Final = 4  # a purchase has 0 to 3 shares of a chain
SETS: Final = LEVELS**RANKS  # combinations of numbers of shares for the ranked chains

# The purchases that are considered.
ALL_SETS: Final = 0
MOST_SHARES: Final = 1  # the sets with the most shares that can be bought
SINGLE_SHARES: Final = 2  # nothing, or one share

MAX_CHOICES: Final = 16  # in one trial: a trial makes fewer choices of chains than that


@final
class RankedFeatures:
    """The features that one program uses, computed for one seat.

    `dollar` is the value of a dollar: 1.0, or 0.01 if the program counts money in hundreds.
    """

    def __init__(self, program: Program, dollar: float = 1.0) -> None:
        """Prepare for a program. Raises ValueError if it uses LAZY features that it does not declare as lazy."""
        if program.uses & LAZY & ~program.lazy:
            raise ValueError("the program uses lazy features that it does not declare as lazy")
        self.program: Final = program
        self.dollar: Final = dollar
        self.uses: Final = vec[i64]([0] * RANKS)  # [rank]: the bits of the kinds that are used
        for rank in range(i64(RANKS)):
            self.uses[rank] = (program.uses >> (FIRST_CHAIN_FEATURE + rank * KINDS)) & RANK_BITS
        self.chains: Final = vec[i64]([NO_CHAIN] * RANKS)  # [rank]: the chain
        self._always = vec[i64]()  # the lazy features that every evaluation needs
        for feature in range(i64(FEATURES)):
            if program.always & FEATURE_BIT[feature]:
                self._always = append(self._always, feature)
        self._opponents: Final = OpponentHoldings()
        self._search: Final = ChainDistance()
        self._are_trials = False
        self._asked: i64 = 0  # the bits of the distances that were computed since begin_trials()

    def value(self, state: AcquireState, seat: i64) -> float:
        """Return the value of the state for the seat."""
        self.update(state, seat)
        return self.evaluate(state)

    def update(self, state: AcquireState, seat: i64) -> None:
        """Compute the features that are used, except the lazy ones."""
        self.program.known = 0
        values = self.program.values
        fields = state.fields
        values[MONEY] = float(fields[layout.CASH + seat]) * self.dollar
        values[OPPONENTS] = float(state.spec.seats - 1)
        self._rank(state)
        for rank in range(i64(RANKS)):
            uses = self.uses[rank]
            if uses == 0:
                continue
            at = FIRST_CHAIN_FEATURE + rank * KINDS
            chain = self.chains[rank]
            if chain == NO_CHAIN:
                for kind in range(i64(KINDS)):
                    values[at + kind] = 0.0
                continue
            price = fields[layout.PRICE + chain]
            held = fields[layout.SHARES + layout.STRIDE * seat + chain]
            values[at + BONUS] = float(10 * price) * self.dollar
            values[at + PRICE] = float(price) * self.dollar
            values[at + TILES] = float(fields[layout.SIZE + chain])
            values[at + HELD] = float(held)
            values[at + LEFT] = float(fields[layout.BANK + chain])
            values[at + ENDS] = 1.0 if fields[layout.ENDS_GAME] & BIT[chain] else 0.0
            values[at + SAFE] = 1.0 if fields[layout.SAFE] & BIT[chain] else 0.0
            if uses & OPPONENT_KINDS:
                opponents = self._opponents
                opponents.update(fields, state.spec.seats, seat, chain)
                values[at + LEADS] = 1.0 if held > opponents.most else 0.0
                values[at + PAYOFF] = float(opponents.payoff(held, price)) * self.dollar

    def evaluate(self, state: AcquireState) -> float:
        """Return the value for the features that update() set, and that the caller may have changed since then."""
        program = self.program
        for feature in self._always:
            if program.known & FEATURE_BIT[feature] == 0:
                self._find(state, feature)
        program.begin()
        while True:
            feature = program.run()
            if feature < 0:
                return program.result()
            self._find(state, feature)

    # -- Trials ------------------------------------------------------------------------------------

    def begin_trials(self, state: AcquireState) -> None:
        """Declare that until end_trials() all states are this one, or trials that start from it.

        So distances in a trial can be computed from those in this state. The distances that were needed in the last
        trials are computed now, before the first trial.
        """
        self._are_trials = True
        self._search.forget(state)
        asked, self._asked = self._asked, 0
        if asked:
            self._rank(state)
            for rank in range(i64(RANKS)):
                if (
                    asked & FEATURE_BIT[FIRST_CHAIN_FEATURE + KINDS * rank + DISTANCE]
                    and self.chains[rank] != NO_CHAIN
                ):
                    self._search.remember(state, self.chains[rank])

    def end_trials(self) -> None:
        self._are_trials = False

    # -- Parts -------------------------------------------------------------------------------------

    def _find(self, state: AcquireState, feature: i64) -> None:
        """Compute a lazy feature; perimeters are computed for all ranks together."""
        program = self.program
        if PERIMETERS & FEATURE_BIT[feature]:
            self._update_perimeters(state)
            program.known |= PERIMETERS
            return
        rank: i64 = 0
        while feature != FIRST_CHAIN_FEATURE + KINDS * rank + DISTANCE:
            rank += 1
        program.values[feature] = float(self._distance(state, self.chains[rank], feature))
        program.known |= FEATURE_BIT[feature]

    def _distance(self, state: AcquireState, chain: i64, feature: i64) -> i64:
        if chain == NO_CHAIN:
            return 0
        if not self._are_trials:
            return self._search.distance(state, chain)
        self._asked |= FEATURE_BIT[feature]
        if state.is_trial:
            return self._search.distance_in_trial(state, chain)
        return self._search.remember(state, chain)

    def _rank(self, state: AcquireState) -> None:
        """Find the chains of all ranks; of equal sizes, the chain with the lower index ranks first."""
        fields = state.fields
        first: i64 = 0  # 8 * size + NO_CHAIN - chain, so that equal sizes are ordered by index; as are second and third
        second: i64 = 0
        third: i64 = 0
        left = fields[layout.ON_BOARD]
        while left:
            chain = LOWEST[left]
            left &= left - 1
            size = 8 * fields[layout.SIZE + chain] + NO_CHAIN - chain
            if size > first:
                first, second, third = size, first, second
            elif size > second:
                second, third = size, second
            elif size > third:
                third = size
        chains = self.chains
        chains[0] = NO_CHAIN - (first & 7)
        chains[1] = NO_CHAIN - (second & 7)
        chains[2] = NO_CHAIN - (third & 7)

    def _update_perimeters(self, state: AcquireState) -> None:
        """Compute the perimeters of the ranked chains in one pass over the board."""
        cells = state.cells
        step = state.spec.stride
        chains = self.chains
        first, second, third = BIT[chains[0]], BIT[chains[1]], BIT[chains[2]]
        firsts: i64 = 0
        seconds: i64 = 0
        thirds: i64 = 0
        for cell in range(step, i64(len(cells)) - step):
            if cells[cell] == EMPTY:
                around = ANY_CHAIN & (
                    cells[cell - 1] | cells[cell + 1] | cells[cell - step] | cells[cell + step]
                )
                if around:  # ANY_CHAIN has no bit for NO_CHAIN
                    if around & first:
                        firsts += 1
                    if around & second:
                        seconds += 1
                    if around & third:
                        thirds += 1
        values = self.program.values
        values[FIRST_CHAIN_FEATURE + PERIMETER] = float(firsts)
        values[FIRST_CHAIN_FEATURE + KINDS + PERIMETER] = float(seconds)
        values[FIRST_CHAIN_FEATURE + 2 * KINDS + PERIMETER] = float(thirds)


@final
class Purchases:
    """The values of all sets of shares that a seat could buy, by one program.

    A purchase changes only the seat's cash, and PURCHASE_KINDS of the chains bought. So these kinds are tabulated by
    chain and number of shares. Only the relevant ranks are tabulated: those with a chain of which the program uses
    such a kind. If the program does not use cash, sets that agree in the shares of all relevant ranks have the same
    value, which is computed once. `are_seen` is true if the program uses any feature that a purchase changes.
    """

    def __init__(self, features: RankedFeatures) -> None:
        self._features: Final = features
        self._sees_cash: Final = features.program.uses & FEATURE_BIT[MONEY] != 0
        sees_shares = False
        for uses in features.uses:
            if uses & PURCHASE_KINDS:
                sees_shares = True
        self.are_seen: Final = self._sees_cash or sees_shares
        self._opponents: Final = OpponentHoldings()
        self._cash: i64 = 0
        self._relevant: i64 = 0  # number of relevant ranks, which have the indices below without gaps
        self._starts = vec[i64]([0] * RANKS)  # [relevant rank]: the first feature of the rank
        self._shifts = vec[i64]([0] * RANKS)  # [relevant rank]: the shift of its chain's bits in a purchase
        self._levels = vec[float]([0.0] * (RANKS * LEVELS * KINDS))  # [relevant rank][shares][kind]
        # [shares of all relevant ranks, as the digits of one number to the base LEVELS]
        self._values = vec[float]([0.0] * SETS)
        self._valued = vec[i64]([0] * SETS)  # [as _values]: _updates when the value was computed
        self._updates: i64 = 0  # the number of calls of update()

    def update(self, state: AcquireState, seat: i64) -> None:
        """Prepare for the purchases of a seat in a state."""
        features = self._features
        features.update(state, seat)
        fields = state.fields
        self._updates += 1
        self._cash = fields[layout.CASH + seat]
        self._relevant = 0
        for rank in range(i64(RANKS)):
            chain = features.chains[rank]
            if chain == NO_CHAIN or features.uses[rank] & PURCHASE_KINDS == 0:
                continue
            self._starts[self._relevant] = FIRST_CHAIN_FEATURE + rank * KINDS
            self._shifts[self._relevant] = 4 * chain
            self._opponents.update(fields, state.spec.seats, seat, chain)
            self._tabulate(fields, seat, chain)
            self._relevant += 1

    def value(self, state: AcquireState, purchase: i64) -> float:
        """Return the value of the state given to update(), after the purchase (core.acquire.actions)."""
        shares: i64 = 0
        for index in range(self._relevant):
            shares = LEVELS * shares + ((purchase >> self._shifts[index]) & 15)
        if self._valued[shares] == self._updates and not self._sees_cash:
            return self._values[shares]
        values = self._features.program.values
        levels = self._levels
        if self._sees_cash:
            values[MONEY] = float(self._cash - _cost(state.fields, purchase)) * self._features.dollar
        for index in range(self._relevant):
            start = self._starts[index]
            level = (index * LEVELS + ((purchase >> self._shifts[index]) & 15)) * KINDS
            values[start + HELD] = levels[level + HELD]
            values[start + LEFT] = levels[level + LEFT]
            values[start + LEADS] = levels[level + LEADS]
            values[start + PAYOFF] = levels[level + PAYOFF]
        value = self._features.evaluate(state)
        self._values[shares] = value
        self._valued[shares] = self._updates
        return value

    def _tabulate(self, fields: vec[i64], seat: i64, chain: i64) -> None:
        """Tabulate a chain's features, as the next relevant rank, for each number of shares that could be bought."""
        levels = self._levels
        opponents = self._opponents
        price = fields[layout.PRICE + chain]
        held = fields[layout.SHARES + layout.STRIDE * seat + chain]
        left = fields[layout.BANK + chain]
        level = self._relevant * (LEVELS * KINDS)
        for _ in range(LEVELS):
            levels[level + HELD] = float(held)
            levels[level + LEFT] = float(left)
            levels[level + LEADS] = 1.0 if held > opponents.most else 0.0
            levels[level + PAYOFF] = float(opponents.payoff(held, price)) * self._features.dollar
            level += KINDS
            held += 1
            left -= 1


def _cost(fields: vec[i64], purchase: i64) -> i64:
    cost: i64 = 0
    at: i64 = layout.PRICE
    while purchase:
        cost += (purchase & 15) * fields[at]
        purchase >>= 4
        at += 1
    return cost


@final
class RankedPlayer(GreedyPlayer):
    """A player that places tiles by one program and buys by another; a single option is taken without a valuation."""

    def __init__(
        self,
        place: RankedFeatures | None,
        buy: RankedFeatures | None,
        tie: int,
        disposing: int,
        ending: int,
        buying: int,
        purchases: int = ALL_SETS,
        samples: int = 1,
    ) -> None:
        """Set up the player; `tie`, `disposing`, `ending` and `buying` are those of GreedyPlayer.

        Without `place` or `buy`, the player makes these decisions at random. `purchases` says which are considered
        (ALL_SETS, ...). `samples` is the number of outcomes that are drawn for a tile that leads to another choice; 0
        takes the mean of all outcomes, weighted by their chances.
        """
        super().__init__(tie, disposing, ending, buying)
        self._place: Final = place
        self._buy: Final = None if buy is None else Purchases(buy)
        self._purchases: Final[i64] = purchases
        self._samples: Final[i64] = samples
        self._tried_options = vec[i64]([0] * MAX_CHOICES)  # [choice in a trial]: the option that is tried
        self._widths = vec[i64]([0] * MAX_CHOICES)  # [choice in a trial]: the number of options
        self._seed: i64 = 0  # of `_dice`
        self._dice: Random | None = None  # random source of trials, created when first needed

    def place(self, state: AcquireState, rng: Random) -> i64:
        features = self._place
        if features is None:
            return super().place(state, rng)
        count = self._list_tiles(state)
        tiles = self._tiles
        if count == 1:
            return tiles[0]
        self._dice = None
        values = self._values
        has_value = False
        unchanged = 0.0
        for index in range(count):
            kind = state.kind(tiles[index])
            if kind == FOUNDS or kind == MERGES:
                self._seed = rng.bits()  # so that later draws do not depend on how often trials draw
                break
        features.begin_trials(state)
        for index in range(count):
            if state.kind(tiles[index]) != LONE:
                values[index] = self._outcome(features, state, tiles[index])
                continue
            if not has_value:  # a lone tile changes nothing that a program sees
                unchanged = features.value(state, state.fields[layout.TURN])
                has_value = True
            values[index] = unchanged
        features.end_trials()
        return tiles[self._best(count, rng)]

    def buy(self, state: AcquireState, rng: Random) -> i64:
        purchases = self._buy
        if purchases is None:
            return super().buy(state, rng)
        count = state.list_purchases()
        if count == 1:
            return 0
        values = self._values
        if purchases.are_seen:
            purchases.update(state, state.fields[layout.TURN])
            for index in range(count):
                values[index] = purchases.value(state, state.purchase(index))
        else:  # the program sees no purchase, so all have the same value
            for index in range(count):
                values[index] = 0.0
        if self._purchases != ALL_SETS:
            self._leave_out(state, count)
        return state.purchase(self._best(count, rng))

    # -- Tiles -------------------------------------------------------------------------------------

    def _outcome(self, features: RankedFeatures, state: AcquireState, tile: i64) -> float:
        """Return the value after placing a tile, or the mean of several outcomes if the tile leads to more choices."""
        samples = self._samples
        if samples == 0:
            return self._mean_of_all(features, state, tile)
        value, needed_choices = self._sample(features, state, tile)
        if samples == 1 or not needed_choices:
            return value
        for _ in range(samples - 1):
            value += self._sample(features, state, tile)[0]
        return value / float(samples)

    def _sample(self, features: RankedFeatures, state: AcquireState, tile: i64) -> tuple[float, bool]:
        """Return the value of one outcome of placing a tile, and whether the tile led to more choices."""
        seat = state.fields[layout.TURN]
        state.mark()
        state.play(tile)
        needed_choices = state.fields[layout.PHASE] != BUY
        while state.fields[layout.PHASE] != BUY:
            state.play(self.choose(state, self._trial_dice()))
        value = features.value(state, seat)
        state.rollback()
        return value, needed_choices

    def _mean_of_all(self, features: RankedFeatures, state: AcquireState, tile: i64) -> float:
        """Return the mean over all choices of chains, each option equally likely; disposals are the player's own.

        The choices are counted through like the digits of a number: each trial takes the prescribed options in its
        first choices, and the first option in all others, which are prescribed from then on. After a trial the last
        choice that has another option takes that one, and the choices after it are no longer prescribed.
        """
        seat = state.fields[layout.TURN]
        taken, widths = self._tried_options, self._widths
        total = 0.0
        prescribed: i64 = 0  # the number of choices whose option is in `taken`
        while True:
            state.mark()
            state.play(tile)
            chance = 1.0
            made: i64 = 0  # the number of choices in this trial so far
            while state.fields[layout.PHASE] != BUY:
                if state.fields[layout.PHASE] == DISPOSE:
                    state.play(self.dispose(state, self._trial_dice()))
                    continue
                if made == prescribed:
                    taken[made] = 0
                    widths[made] = bit_count(state.fields[layout.OPTIONS])
                    prescribed += 1
                chance /= float(widths[made])
                state.play(nth_bit(state.fields[layout.OPTIONS], taken[made]))
                made += 1
            total += chance * features.value(state, seat)
            state.rollback()
            while prescribed and taken[prescribed - 1] + 1 == widths[prescribed - 1]:
                prescribed -= 1
            if prescribed == 0:
                return total
            taken[prescribed - 1] += 1

    def _trial_dice(self) -> Random:
        dice = self._dice
        if dice is None:
            dice = Random(int(self._seed))
            self._dice = dice
        return dice

    # -- Purchases ---------------------------------------------------------------------------------

    def _leave_out(self, state: AcquireState, count: i64) -> None:
        """Set the values of those purchases to LEFT_OUT that the player does not consider."""
        most: i64 = 0
        for index in range(count):
            shares = _shares(state.purchase(index))
            if shares > most:
                most = shares
        for index in range(count):
            shares = _shares(state.purchase(index))
            if shares < most if self._purchases == MOST_SHARES else shares > 1:
                self._values[index] = LEFT_OUT


def _shares(purchase: i64) -> i64:
    count: i64 = 0
    while purchase:
        count += purchase & 15
        purchase >>= 4
    return count
