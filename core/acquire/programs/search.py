"""A search over the board for how far a chain is from the others, and how far it would be after a trial."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.board import BIT, CHAIN, OUT
from core.acquire.board.ground import OLD_SHIFT, Ground
from core.acquire.rules.setting import Setting
from core.acquire.table import ON_BOARD, SIZE

FAR: Final = i64(1_000_000)  # steps: there is no other chain
UNKNOWN: Final = i64(-1)
ALWAYS: Final = i64(2**60)  # the number of no search


@final
class Search:
    """Keeps its room for the next time."""

    def __init__(self) -> None:
        self._setting: Setting | None = None  # of the board that there is room for
        self._queue = vec[i64]()  # cells
        self._seen = vec[i64]()  # [cell]: the search that saw it last; beyond the edge all have
        self._turns = vec[i64]()
        self._number: i64 = 0
        self._remembered = vec[i64]([UNKNOWN] * 8)  # [chain]: steps

    def distance(self, state: Ground, chain: i64) -> i64:
        """Steps from the chain to the nearest tile of another one; 0 if there is no other."""
        table = state.table
        others = table[ON_BOARD] & ~BIT[chain]
        if others == 0:
            return 0
        size: i64 = 0  # of the others, or enough of them
        for other in range(state.setting.chains):
            if other != chain:
                size += table[SIZE + other]
        starts, targets = BIT[chain], others
        if size < table[SIZE + chain]:
            starts, targets = others, BIT[chain]
        self._begin(state)
        cells, queue, seen = state.cells, self._queue, self._seen
        end: i64 = 0
        for cell in range(state.setting.stride, i64(len(cells)) - state.setting.stride):
            if cells[cell] & starts:
                seen[cell] = self._number
                queue[end] = cell
                end += 1
        return self._widened(cells, end, targets, FAR)

    # -- Trials ------------------------------------------------------------------------------------

    def forget(self, state: Ground) -> None:
        """Trials begin from this state."""
        for chain in range(i64(8)):
            self._remembered[chain] = UNKNOWN if state.table[ON_BOARD] & BIT[chain] else FAR

    def remember(self, state: Ground, chain: i64) -> i64:
        """distance(), known to the trials from here on."""
        steps = self._remembered[chain]
        if steps == UNKNOWN:
            steps = self.distance(state, chain)
            self._remembered[chain] = steps if steps else FAR
        return 0 if steps == FAR else steps

    def distance_in_trial(self, state: Ground, chain: i64) -> i64:
        """distance(), but where no chain went only what has been joined can be nearer than before."""
        before = self._remembered[chain]
        cells, trail = state.cells, state.trail
        grown = cells[trail[0] & 0xFF]
        if before == UNKNOWN or grown & CHAIN == 0:
            return self.distance(state, chain)
        if state.table[ON_BOARD] == BIT[chain]:
            return 0
        self._begin(state)
        queue, seen = self._queue, self._seen
        end: i64 = 0
        for at in range(state.painted):
            if (trail[at] >> OLD_SHIFT) & CHAIN:
                return self.distance(state, chain)
            cell = trail[at] & 0xFF
            if seen[cell] != self._number:
                seen[cell] = self._number
                queue[end] = cell
                end += 1
        return self._widened(cells, end, CHAIN & ~grown if grown == BIT[chain] else BIT[chain], before)

    # -- Parts -------------------------------------------------------------------------------------

    def _begin(self, state: Ground) -> None:
        setting = state.setting
        if self._setting is not setting:
            self._setting = setting
            step = setting.stride
            cells = setting.empty_board
            self._turns = vec[i64]([0, 2, -1 - step, 2 * step, 0])  # from one neighbour to the next
            self._queue = vec[i64]([0] * len(cells))
            self._seen = vec[i64]([ALWAYS if cell == OUT else 0 for cell in cells])
        self._number += 1

    def _widened(self, cells: vec[i64], end: i64, targets: i64, most: i64) -> i64:
        """Steps from the first cells in the queue to the nearest target, or `most` if that is less."""
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
