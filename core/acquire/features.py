"""What players of both kinds compute of a state: the holdings of the others, and how far chains are apart."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.bonus import shared
from core.acquire.layout import BIT
from core.acquire.rules import GameSpec
from core.acquire.state import AcquireState

ALWAYS: Final = i64(2**60)  # the number of a search that never comes


@final
class OpponentHoldings:
    """What the other seats hold of one chain, and what that leaves to one's own shares."""

    def __init__(self) -> None:
        self.most: i64 = 0  # shares of one of them
        self._seats: i64 = 0  # with so many
        self._next: i64 = 0  # the most after these
        self._next_seats: i64 = 0

    def update(self, fields: vec[i64], seats: i64, seat: i64, chain: i64) -> None:
        """Count what all seats but this one hold of the chain."""
        self.most = self._seats = self._next = self._next_seats = 0
        at = layout.SHARES + chain
        for other in range(seats):
            held = fields[at]
            at += layout.STRIDE
            if other == seat:
                continue
            if held > self.most:
                self._next, self._next_seats = self.most, self._seats
                self.most, self._seats = held, 1
            elif held == self.most:
                self._seats += 1
            elif held > self._next:
                self._next, self._next_seats = held, 1
            elif held == self._next:
                self._next_seats += 1

    def payoff(self, held: i64, price: i64) -> i64:
        """Bonus and price of so many own shares, in dollars (compare core.acquire.bonus)."""
        bonus: i64 = 0
        if held == 0:
            return 0
        if held > self.most:
            bonus = 10 * price if self.most else 15 * price
        elif held == self.most:
            bonus = shared(15 * price, 1 + self._seats)
        elif self._seats == 1:
            if held > self._next:
                bonus = 5 * price
            elif held == self._next:
                bonus = shared(5 * price, 1 + self._next_seats)
        return bonus + held * price


def most_of_others(state: AcquireState, seat: i64, chain: i64) -> i64:
    """Shares of the chain that the best of the others holds."""
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
    """A search over the board for how far a chain is from the others.

    It keeps its queue for the next search.
    """

    def __init__(self) -> None:
        self._spec: GameSpec | None = None  # of the board that there is room for
        self._queue = vec[i64]()  # cells
        self._seen = vec[i64]()  # [cell]: the search that saw it last; beyond the edge all have
        self._turns = vec[i64]()
        self._number: i64 = 0

    def distance(self, state: AcquireState, chain: i64) -> i64:
        """Steps from the chain to the nearest tile of another one; 0 if there is no other."""
        fields = state.fields
        others = fields[layout.ON_BOARD] & ~BIT[chain]
        if others == 0:
            return 0
        size: i64 = 0  # of the others, or enough of them
        for other in range(state.spec.chains):
            if other != chain:
                size += fields[layout.SIZE + other]
        starts, targets = BIT[chain], others
        if size < fields[layout.SIZE + chain]:
            starts, targets = others, BIT[chain]
        self._begin(state)
        cells, queue, seen, turns = state.cells, self._queue, self._seen, self._turns
        number = self._number
        end: i64 = 0
        for cell in range(state.spec.stride, i64(len(cells)) - state.spec.stride):
            if cells[cell] & starts:
                seen[cell] = number
                queue[end] = cell
                end += 1
        begin: i64 = 0
        steps: i64 = 1
        while begin < end:
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
        raise AssertionError("there is a way from every square to every other")

    def _begin(self, state: AcquireState) -> None:
        """Make room for a board of this kind, and number the search."""
        spec = state.spec
        if self._spec is not spec:
            self._spec = spec
            step = spec.stride
            cells = spec.empty_board
            self._turns = vec[i64]([0, 2, -1 - step, 2 * step, 0])  # from one neighbour to the next
            self._queue = vec[i64]([0] * len(cells))
            self._seen = vec[i64]([ALWAYS if cell == layout.OFF_BOARD else 0 for cell in cells])
        self._number += 1
