"""A player that gives every option a value and takes the best one, by a rule for those that are equal."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.action import MOST_PURCHASES
from core.acquire.board.ground import MERGES
from core.acquire.players.chance import pick
from core.acquire.players.player import Player
from core.acquire.rules.rules import MOST_TILES
from core.acquire.state import AcquireState
from core.acquire.table import HANDS, ROW, TURN
from core.random import Random

# Which of equal options is taken; they are in the order of legal_actions().
TIE_RANDOM: Final = 0
TIE_FIRST: Final = 1
TIE_LAST: Final = 2

LEAST: Final = -1e300  # a value; what is less, or no number, counts as much
LEFT_OUT: Final = -1e301  # the value of an option that is not looked at


class Comparing(Player):
    """Decides nothing itself; `_tiles` and `_values` are what is compared."""

    def __init__(self, tie: int, disposing: int, ending: int, buying: int) -> None:
        """The last three are the random player's."""
        super().__init__(disposing, ending, buying)
        self._tie: Final[i64] = tie
        self._tiles = vec[i64]([0] * MOST_TILES)
        self._values = vec[float]([0.0] * (MOST_PURCHASES + 8))

    def _list_tiles(self, state: AcquireState) -> i64:
        """Put the legal tiles in order; how many there are."""
        table = state.table
        tiles = self._tiles
        count: i64 = 0
        first = HANDS + ROW * table[TURN]
        for slot in range(first, first + state.setting.hand):
            tile = table[slot]
            if tile and state.kind(tile) <= MERGES:
                at = count
                while at > 0 and tiles[at - 1] > tile:
                    tiles[at] = tiles[at - 1]
                    at -= 1
                tiles[at] = tile
                count += 1
        return count

    def _best(self, count: i64, rng: Random) -> i64:
        """The place of the highest value, by the rule for ties."""
        values = self._values
        best = LEFT_OUT
        ties: i64 = 0
        last: i64 = 0
        for index in range(count):
            value = values[index]
            if value != LEFT_OUT and not value > LEAST:
                value = LEAST
                values[index] = value
            if value > best:
                best, ties, last = value, 1, index
            elif value == best:
                ties += 1
                last = index
        if ties == 1 or self._tie == TIE_LAST:
            return last
        wanted: i64 = 0
        if self._tie != TIE_FIRST:
            wanted = pick(rng, ties)
        for index in range(count):
            if values[index] == best:
                if wanted == 0:
                    return index
                wanted -= 1
        return last
