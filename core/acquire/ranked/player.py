"""A player that looks one decision ahead: it tries every option and takes the one whose outcome its program values most.

What it has no program for it decides as the random player does, and so it assumes of everybody in a trial
that asks for more, such as which chain to found. Reference: "Evolving Board Evaluation Functions", sections
3.1.2 and 3.2.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.ground import ALONE, FOUNDS, MERGES
from core.acquire.players.comparing import LEFT_OUT, TIE_RANDOM, Comparing
from core.acquire.ranked.purchases import Purchases
from core.acquire.ranked.view import View
from core.acquire.state import AcquireState
from core.acquire.table import BUY, DISPOSE, OPTIONS, PHASE, TURN
from core.random import Random

# The purchases that are looked at.
ALL_SETS: Final = 0
MOST_SHARES: Final = 1  # of the sets that can be bought those with most shares
SINGLE_SHARES: Final = 2  # nothing, or one share

MOST_CHOICES: Final = 16  # in a trial


@final
class Habits:
    """How a TreePlayer compares options, whatever its programs are."""

    def __init__(self, tie: int = TIE_RANDOM, purchases: int = ALL_SETS, samples: int = 1) -> None:
        """`samples` of the outcome of a tile that needs another choice; 0: all outcomes, by their chance."""
        self.tie: Final[i64] = tie
        self.purchases: Final[i64] = purchases
        self.samples: Final[i64] = samples

    def __reduce__(self) -> tuple[object, tuple[int, int, int]]:
        return Habits, (int(self.tie), int(self.purchases), int(self.samples))


@final
class TreePlayer(Comparing):
    """Places by one program, buys by another; with one option nothing is valued and nothing drawn."""

    def __init__(
        self,
        place: View | None,
        buy: View | None,
        habits: Habits,
        disposing: int,
        ending: int,
        buying: int,
    ) -> None:
        """The last three are the random player's."""
        super().__init__(int(habits.tie), disposing, ending, buying)
        self._place: Final = place
        self._buy: Final = None if buy is None else Purchases(buy)
        self._habits: Final = habits
        self._taken = vec[i64]([0] * MOST_CHOICES)  # [choice in a trial]: the option that is tried
        self._widths = vec[i64]([0] * MOST_CHOICES)  # [choice in a trial]: how many options there are
        self._seed: i64 = 0  # of the dice
        self._dice: Random | None = None  # for trials, once they are needed

    def place(self, state: AcquireState, rng: Random) -> i64:
        view = self._place
        if view is None:
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
                self._seed = rng.bits()  # what comes later must not depend on how often dice are needed
                break
        view.begin_trials(state)
        for index in range(count):
            if state.kind(tiles[index]) != ALONE:
                values[index] = self._outcome(view, state, tiles[index])
                continue
            if not has_value:  # a tile on its own changes nothing that a program sees
                unchanged = view.value(state, state.table[TURN])
                has_value = True
            values[index] = unchanged
        view.end_trials()
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
            purchases.look(state, state.table[TURN])
            for index in range(count):
                values[index] = purchases.value(state, state.purchase(index))
        else:  # all are equal, whatever their value
            for index in range(count):
                values[index] = 0.0
        if self._habits.purchases != ALL_SETS:
            self._leave_out(state, count)
        return state.purchase(self._best(count, rng))

    # -- Tiles -------------------------------------------------------------------------------------

    def _outcome(self, view: View, state: AcquireState, tile: i64) -> float:
        """The value of what comes of the tile, or the mean where that depends on more choices."""
        samples = self._habits.samples
        if samples == 0:
            return self._mean_of_all(view, state, tile)
        value, needed_choices = self._sample(view, state, tile)
        if samples == 1 or not needed_choices:
            return value
        for _ in range(samples - 1):
            value += self._sample(view, state, tile)[0]
        return value / float(samples)

    def _sample(self, view: View, state: AcquireState, tile: i64) -> tuple[float, bool]:
        """The value of one outcome, and whether it needed choices."""
        seat = state.table[TURN]
        state.begin_trial()
        state.play(tile)
        needed_choices = state.table[PHASE] != BUY
        while state.table[PHASE] != BUY:
            state.play(self.choose(state, self._rolled()))
        value = view.value(state, seat)
        state.end_trial()
        return value, needed_choices

    def _mean_of_all(self, view: View, state: AcquireState, tile: i64) -> float:
        """The mean over all choices of chains, each option as likely as another; disposals are as ever."""
        seat = state.table[TURN]
        taken, widths = self._taken, self._widths
        total = 0.0
        prescribed: i64 = 0  # choices
        while True:
            state.begin_trial()
            state.play(tile)
            chance = 1.0
            made: i64 = 0  # choices
            while state.table[PHASE] != BUY:
                if state.table[PHASE] == DISPOSE:
                    state.play(self.dispose(state, self._rolled()))
                    continue
                if made == prescribed:
                    taken[made] = 0
                    widths[made] = _size(state.table[OPTIONS])
                    prescribed += 1
                chance /= float(widths[made])
                state.play(_member(state.table[OPTIONS], taken[made]))
                made += 1
            total += chance * view.value(state, seat)
            state.end_trial()
            while prescribed and taken[prescribed - 1] + 1 == widths[prescribed - 1]:
                prescribed -= 1
            if prescribed == 0:
                return total
            taken[prescribed - 1] += 1

    def _rolled(self) -> Random:
        dice = self._dice
        if dice is None:
            dice = Random(int(self._seed))
            self._dice = dice
        return dice

    # -- Purchases ---------------------------------------------------------------------------------

    def _leave_out(self, state: AcquireState, count: i64) -> None:
        """Of the purchases that the habits exclude."""
        most: i64 = 0
        for index in range(count):
            shares = _shares(state.purchase(index))
            if shares > most:
                most = shares
        for index in range(count):
            shares = _shares(state.purchase(index))
            if shares < most if self._habits.purchases == MOST_SHARES else shares > 1:
                self._values[index] = LEFT_OUT


def _size(mask: i64) -> i64:
    count: i64 = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def _member(mask: i64, place: i64) -> i64:
    """The index of a set bit of the mask: of the lowest for place 0, and so on."""
    for _ in range(place):
        mask &= mask - 1
    index: i64 = 0
    while not mask & 1:
        mask >>= 1
        index += 1
    return index


def _shares(purchase: i64) -> i64:
    count: i64 = 0
    while purchase:
        count += purchase & 15
        purchase >>= 4
    return count
