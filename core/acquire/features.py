"""Features of a state that ranked and typed players share: other seats' holdings, and distances between chains."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.board import ANY_CHAIN, BIT, OFF_BOARD
from core.acquire.bonus import shared
from core.acquire.layout import CELL_SHIFT
from core.acquire.rules import GameSpec
from core.acquire.state import AcquireState

FAR: Final = i64(1_000_000)  # steps; stands for the distance where there is no other chain
UNKNOWN: Final = i64(-1)
ALWAYS: Final = i64(2**60)  # larger than the number of any search: such cells count as seen in all


@final
class OpponentHoldings:
    """The shares of one chain that other seats hold, from which follows the bonus for a seat's own shares."""

    def __init__(self) -> None:
        self.most: i64 = 0  # the most shares that one other seat holds
        self._seats: i64 = 0  # other seats with `most` shares
        self._second_most: i64 = 0  # the most after `most`
        self._second_most_seats: i64 = 0  # other seats with `_second_most` shares

    def update(self, fields: vec[i64], seats: i64, seat: i64, chain: i64) -> None:
        """Count the shares of the chain that each seat but `seat` holds."""
        self.most = self._seats = self._second_most = self._second_most_seats = 0
        at = layout.SHARES + chain
        for other in range(seats):
            held = fields[at]
            at += layout.STRIDE
            if other == seat:
                continue
            if held > self.most:
                self._second_most, self._second_most_seats = self.most, self._seats
                self.most, self._seats = held, 1
            elif held == self.most:
                self._seats += 1
            elif held > self._second_most:
                self._second_most, self._second_most_seats = held, 1
            elif held == self._second_most:
                self._second_most_seats += 1

    def payoff(self, held: i64, price: i64) -> i64:
        """Return the bonus and price of `held` own shares, in dollars (by the rules of core.acquire.bonus)."""
        bonus: i64 = 0
        if held == 0:
            return 0
        if held > self.most:
            bonus = 10 * price if self.most else 15 * price
        elif held == self.most:
            bonus = shared(15 * price, 1 + self._seats)
        elif self._seats == 1:
            if held > self._second_most:
                bonus = 5 * price
            elif held == self._second_most:
                bonus = shared(5 * price, 1 + self._second_most_seats)
        return bonus + held * price


def max_opponent_shares(state: AcquireState, seat: i64, chain: i64) -> i64:
    """Return the most shares of the chain that one of the other seats holds."""
    fields = state.fields
    most: i64 = 0
    at = layout.SHARES + chain
    for other in range(state.spec.seats):
        if other != seat and fields[at] > most:
            most = fields[at]
        at += layout.STRIDE
    return most


@final
class ChainDistance:
    """A search over the board for the distance of a chain from the others, now or after a trial.

    The vectors of the search are reused, and searches are numbered, so that `_seen` is never cleared.
    """

    def __init__(self) -> None:
        self._spec: GameSpec | None = None  # of the board that the vectors fit
        self._queue = vec[i64]()  # cells
        self._seen = vec[i64]()  # [cell]: the last search that saw it; ALWAYS beyond the edge
        self._turns = vec[i64]()
        self._number: i64 = 0
        self._remembered = vec[i64]([UNKNOWN] * 8)  # [chain]: steps at forget(), FAR, or UNKNOWN

    def distance(self, state: AcquireState, chain: i64) -> i64:
        """Return the steps from the chain to the nearest tile of another chain; 0 if there is no other."""
        fields = state.fields
        others = fields[layout.ON_BOARD] & ~BIT[chain]
        if others == 0:
            return 0
        size: i64 = 0  # tiles of the others
        for other in range(state.spec.chains):
            if other != chain:
                size += fields[layout.SIZE + other]
        starts, targets = BIT[chain], others
        if size < fields[layout.SIZE + chain]:
            starts, targets = others, BIT[chain]
        self._begin(state)
        cells, queue, seen = state.cells, self._queue, self._seen
        end: i64 = 0
        for cell in range(state.spec.stride, i64(len(cells)) - state.spec.stride):
            if cells[cell] & starts:
                seen[cell] = self._number
                queue[end] = cell
                end += 1
        return self._widened(cells, end, targets, FAR)

    # -- Trials ------------------------------------------------------------------------------------

    def forget(self, state: AcquireState) -> None:
        """Discard all known distances; the next trials start from this state."""
        for chain in range(i64(8)):
            self._remembered[chain] = UNKNOWN if state.fields[layout.ON_BOARD] & BIT[chain] else FAR

    def remember(self, state: AcquireState, chain: i64) -> i64:
        """Return distance(), and keep it for the trials that follow."""
        steps = self._remembered[chain]
        if steps == UNKNOWN:
            steps = self.distance(state, chain)
            self._remembered[chain] = steps if steps else FAR
        return 0 if steps == FAR else steps

    def distance_in_trial(self, state: AcquireState, chain: i64) -> i64:
        """Return distance() in a trial, at less cost if remember() knows the distance before the trial.

        As long as no chain has disappeared, only the cells that the trial has changed can be nearer.
        """
        before = self._remembered[chain]
        cells, undo_log = state.cells, state.undo_log
        grown = cells[undo_log[0] & 0xFF]
        if before == UNKNOWN or grown & ANY_CHAIN == 0:
            return self.distance(state, chain)
        if state.fields[layout.ON_BOARD] == BIT[chain]:
            return 0
        self._begin(state)
        queue, seen = self._queue, self._seen
        end: i64 = 0
        for at in range(state.undo_size):
            if (undo_log[at] >> CELL_SHIFT) & ANY_CHAIN:
                return self.distance(state, chain)
            cell = undo_log[at] & 0xFF
            if seen[cell] != self._number:
                seen[cell] = self._number
                queue[end] = cell
                end += 1
        return self._widened(cells, end, ANY_CHAIN & ~grown if grown == BIT[chain] else BIT[chain], before)

    # -- Parts -------------------------------------------------------------------------------------

    def _begin(self, state: AcquireState) -> None:
        spec = state.spec
        if self._spec is not spec:
            self._spec = spec
            step = spec.stride
            cells = spec.empty_board
            self._turns = vec[i64]([0, 2, -1 - step, 2 * step, 0])  # from one neighbour to the next
            self._queue = vec[i64]([0] * len(cells))
            self._seen = vec[i64]([ALWAYS if cell == OFF_BOARD else 0 for cell in cells])
        self._number += 1

    def _widened(self, cells: vec[i64], end: i64, targets: i64, most: i64) -> i64:
        """Return the steps from the first `end` cells in the queue to the nearest target, at most `most`."""
        queue, seen, turns = self._queue, self._seen, self._turns
        number = self._number
        begin: i64 = 0
        steps: i64 = 1
        while begin < end and steps < most:
            ring = end
            while begin < ring:
                way: i64 = 0
                near = queue[begin] - 1
                begin += 1
                while way < 4:
                    if seen[near] < number:
                        if cells[near] & targets:
                            return steps
                        seen[near] = number
                        queue[end] = near
                        end += 1
                    way += 1
                    near += turns[way]
            steps += 1
        return most
