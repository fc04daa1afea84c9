"""The board and the chains on it: what a tile would do, tiles that join, and trials that are taken back."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.board import BIT, CHAIN, LONE
from core.acquire.rules.setting import Setting
from core.acquire.shown.events import Event
from core.acquire.table import LARGE, ON_BOARD, PRICE, SAFE, SIZE, WORDS
from core.game import State

# What a tile would do on the board as it is
ALONE: Final = 0
FOUNDS: Final = 1
GROWS: Final = 2
MERGES: Final = 3
BLOCKED: Final = 4  # it would found a chain, and all are on the board
DEAD: Final = 5  # it would merge two safe chains
KINDS: Final = ("lone", "found", "grow", "merge", "blocked", "dead")

OLD_SHIFT: Final = 8  # a word of the trail is what the cell was, and in the eight bits below, which cell


class Ground(State):
    """All that changes in a game is in `cells` and `table` (see core.acquire.board.board and .table)."""

    def __init__(self, setting: Setting) -> None:
        self.setting: Final = setting
        self.cells = setting.empty_board[:]
        self.table = vec[i64]([0] * WORDS)
        self.is_trial = False
        self.is_watched = False
        self.news: list[Event] = []
        self._saved = self.table
        self._was_watched = False
        self.trail = vec[i64]([0] * (setting.squares + 8))  # what has changed since begin_trial()
        self.painted: i64 = 0  # how often

    @final
    def around(self, tile: i64) -> i64:
        """All that the four neighbours are, in one mask."""
        cells = self.cells
        step = self.setting.stride
        return cells[tile - 1] | cells[tile + 1] | cells[tile - step] | cells[tile + step]

    @final
    def kind(self, tile: i64) -> i64:
        """What the tile would do, ALONE to DEAD."""
        around = self.around(tile)
        chains = around & CHAIN
        if chains == 0:
            if around & LONE == 0:
                return ALONE
            return BLOCKED if self.table[ON_BOARD] == self.setting.all_chains else FOUNDS
        if chains & (chains - 1) == 0:
            return GROWS
        safe = chains & self.table[SAFE]
        return DEAD if safe & (safe - 1) else MERGES

    # -- Trials ------------------------------------------------------------------------------------

    @final
    def begin_trial(self) -> None:
        """What is played from here on is taken back by end_trial().

        A trial stops before the purchase, even where nothing can be bought, and after it: it draws no
        tile and ends no game. Trials do not nest.
        """
        if self.is_trial:
            raise ValueError("a trial within a trial")
        self.is_trial = True
        self._was_watched = self.is_watched
        self.is_watched = False
        self._saved = self.table
        self.table = self.table[:]
        self.painted = 0

    @final
    def end_trial(self) -> None:
        cells = self.cells
        trail = self.trail
        at = self.painted
        while at > 0:
            at -= 1
            word = trail[at]
            cells[word & 0xFF] = word >> OLD_SHIFT
        self.table = self._saved
        self.is_watched = self._was_watched
        self.is_trial = False

    @final
    def recount(self) -> None:
        """Count the chains on the board, which somebody else has set up."""
        for chain in range(self.setting.chains):
            size: i64 = 0
            for tile in self.setting.tiles:
                size += 1 if self.cells[tile] == BIT[chain] else 0
            self._resize(chain, size)

    # -- Changes -----------------------------------------------------------------------------------

    @final
    def _put(self, tile: i64, value: i64) -> None:
        cells = self.cells
        self.trail[self.painted] = (cells[tile] << OLD_SHIFT) | tile
        self.painted += 1
        cells[tile] = value

    @final
    def _paint(self, tile: i64, mask: i64, value: i64) -> i64:
        """Make the tile and all that it connects to and that is in `mask` be `value`; how many they are."""
        cells = self.cells
        trail = self.trail
        step = self.setting.stride
        start = self.painted
        end = start + 1
        trail[start] = (cells[tile] << OLD_SHIFT) | tile
        cells[tile] = value
        at = start
        while at < end:
            here = trail[at] & 0xFF
            at += 1
            near = here - 1
            if cells[near] & mask:
                trail[end] = (cells[near] << OLD_SHIFT) | near
                cells[near] = value
                end += 1
            near = here + 1
            if cells[near] & mask:
                trail[end] = (cells[near] << OLD_SHIFT) | near
                cells[near] = value
                end += 1
            near = here - step
            if cells[near] & mask:
                trail[end] = (cells[near] << OLD_SHIFT) | near
                cells[near] = value
                end += 1
            near = here + step
            if cells[near] & mask:
                trail[end] = (cells[near] << OLD_SHIFT) | near
                cells[near] = value
                end += 1
        self.painted = end
        return end - start

    @final
    def _resize(self, chain: i64, size: i64) -> None:
        """Size, price and what follows from them."""
        table = self.table
        setting = self.setting
        bit = BIT[chain]
        table[SIZE + chain] = size
        table[PRICE + chain] = setting.prices[chain * (setting.squares + 1) + size]
        table[ON_BOARD] = _set(table[ON_BOARD], bit, size > 0)
        table[SAFE] = _set(table[SAFE], bit, size >= setting.safe)
        table[LARGE] = _set(table[LARGE], bit, size >= setting.end)


def _set(mask: i64, bit: i64, on: bool) -> i64:
    return mask | bit if on else mask & ~bit
