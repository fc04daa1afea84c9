"""A search over the board for how far a chain is from the others."""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board import BIT, CHAIN, OUT
from core.acquire.ground import Ground
from core.acquire.table import ON_BOARD


@final
class Search:
    """Keeps its room for the next time."""

    def __init__(self) -> None:
        self._queue = vec[i64]()  # cells
        self._seen = vec[i64]()  # [cell]: the search that saw it last
        self._turns = vec[i64]()
        self._number: i64 = 0

    def distance(self, state: Ground, chain: i64) -> i64:
        """Steps from the chain to the nearest tile of another one: a search that widens from all its tiles."""
        if state.table[ON_BOARD] == BIT[chain]:
            return 0
        cells = state.cells
        beyond = state.setting.empty_board
        step = state.setting.stride
        if len(self._seen) != len(cells):
            self._seen = vec[i64]([0] * len(cells))
            self._queue = vec[i64]([0] * len(cells))
            self._turns = vec[i64]([0, 2, -1 - step, 2 * step, 0])  # from one neighbour to the next
        turns = self._turns
        self._number += 1
        number = self._number
        seen = self._seen
        queue = self._queue
        end: i64 = 0
        for cell in range(step, i64(len(cells)) - step):
            if cells[cell] == BIT[chain]:
                seen[cell] = number
                queue[end] = cell
                end += 1
        begin: i64 = 0
        distance: i64 = 0
        while begin < end:
            distance += 1
            ring = end
            while begin < ring:
                way: i64 = 0
                near = queue[begin] - 1
                begin += 1
                while way < 4:
                    if seen[near] != number and beyond[near] != OUT:
                        if cells[near] & CHAIN:
                            return distance
                        seen[near] = number
                        queue[end] = near
                        end += 1
                    way += 1
                    near += turns[way]
        return 0
