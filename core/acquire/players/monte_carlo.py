"""Flat Monte Carlo over the tile: what comes of each one, when all play by rules of thumb from there on."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.board import EMPTY
from core.acquire.board.ground import MERGES
from core.acquire.deal import shuffle
from core.acquire.players.heuristic import Heuristic
from core.acquire.state import AcquireState
from core.acquire.table import HANDS, OVER, PHASE, ROW, TURN, WORTH
from core.random import Random

MARGIN: Final = 0.2  # what money counts beside the win


class MonteCarlo(Heuristic):
    """Tries each tile in so many games, in each of which what its seat cannot see is shuffled anew."""

    def __init__(self, rollouts: int) -> None:
        super().__init__()
        if rollouts < 1:
            raise ValueError(f"one game a tile at least, not {rollouts}")
        self.rollouts: Final[i64] = rollouts
        self._model = Heuristic()  # of everybody, oneself included

    def place(self, state: AcquireState, rng: Random) -> i64:
        table = state.table
        seat = table[TURN]
        first = HANDS + seat * ROW
        tiles = vec[i64]([0] * ROW)
        count: i64 = 0
        for slot in range(first, first + state.setting.hand):
            if table[slot] and state.kind(table[slot]) <= MERGES:
                tiles[count] = table[slot]
                count += 1
        if count == 1:
            return tiles[0]
        trial = AcquireState(state.setting)
        best = -1e9
        choice: i64 = 0
        for index in range(count):
            value = 0.0
            for _ in range(self.rollouts):
                trial.copy_from(state)
                shuffle_unseen(trial, seat, rng)
                trial.play(tiles[index])
                value += self._play_out(trial, seat, rng)
            if value > best:
                best, choice = value, tiles[index]
        return choice

    def _play_out(self, state: AcquireState, seat: i64, rng: Random) -> float:
        """Play to the end: 1 for a win of `seat`, and a little for its share of the money."""
        model = self._model
        while state.table[PHASE] != OVER:
            state.play(model.choose(state, rng))
        table = state.table
        own = table[WORTH + seat]
        best: i64 = 0
        for other in range(state.setting.seats):
            if other != seat and table[WORTH + other] > best:
                best = table[WORTH + other]
        win = 1.0 if own > best else 0.5 if own == best else 0.0
        return win + MARGIN * float(own - best) / float(max(own + best, i64(1)))


def shuffle_unseen(state: AcquireState, seat: i64, rng: Random) -> None:
    """Shuffle all that `seat` cannot see, the other hands together with the bag.

    The outcome does not depend on where the tiles were, so that nothing of it can leak.
    """
    table, cells, setting = state.table, state.cells, state.setting
    bag = state.bag[:]
    start = setting.squares  # unseen tiles from here on, first the hands, then the rest of the bag
    own = HANDS + seat * ROW
    for tile in setting.tiles:
        unseen = cells[tile] == EMPTY
        for slot in range(own, own + setting.hand):
            if table[slot] == tile:
                unseen = False
        if unseen:
            start -= 1
            bag[start] = tile
    shuffle(bag, start, setting.squares, rng)
    for other in range(setting.seats):
        if other != seat:
            for slot in range(HANDS + other * ROW, HANDS + other * ROW + setting.hand):
                if table[slot]:
                    table[slot] = bag[start]
                    start += 1
    state.bag = bag
