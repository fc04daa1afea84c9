"""Whole games played inside the core, their value, and flat Monte Carlo, a player that looks ahead by such games."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import OVER
from core.acquire.board import MERGES
from core.acquire.game import deal, shuffled_bag
from core.acquire.players import Heuristic, Player
from core.acquire.rules import GameSpec
from core.acquire.state import AcquireState
from core.random import Random

MARGIN: Final = 0.2  # the weight of money, in addition to the win


def playout_value(state: AcquireState, seat: i64) -> float:
    """Return the value of a finished game for a seat: 1 for a win, 0.5 for a tie, plus MARGIN times its relative lead."""
    fields = state.fields
    own = fields[layout.NET_WORTH + seat]
    best: i64 = 0
    for other in range(state.spec.seats):
        if other != seat and fields[layout.NET_WORTH + other] > best:
            best = fields[layout.NET_WORTH + other]
    win = 1.0 if own > best else 0.5 if own == best else 0.0
    return win + MARGIN * float(own - best) / float(max(own + best, i64(1)))


@final
class GameRunner:
    """A player of games of one GameSpec, one after the other, all in the same state object."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.state = AcquireState(spec)
        self._seen = AcquireState(spec)

    def play(self, players: list[Player], rotation: int, seed: int) -> list[int]:
        """Play one game from a shuffled bag and return the final worths, in dollars, in the order of `players`.

        The players join in their order, starting with the one whose index is `rotation`. The bag and the random
        source of each player depend on the seed alone: all rotations of one seed share the same bag.
        """
        seats: i64 = len(players)
        state = self.state
        source = Random(seed)
        deal(state, shuffled_bag(self.spec, source))
        order = vec[i64]([0] * 8)
        for seat in range(seats):
            order[seat] = (state.join_order[seat] + rotation) % seats
        sources = [Random(source.bits()) for _ in range(seats)]
        for player in players:
            player.begin()
        seated = [players[order[seat]] for seat in range(seats)]
        rngs = [sources[order[seat]] for seat in range(seats)]
        seen = state  # hands and the bag stay visible: no player reads them, and hiding them takes time
        hides = self.spec.hides_holdings
        if hides:
            seen = self._seen
        while state.fields[layout.PHASE] != OVER:
            seat = state.fields[layout.SEAT]
            if hides:
                seen.observe(state, seat)
            state.play(seated[seat].choose(seen, rngs[seat]))
        worths = [0] * int(seats)
        for seat in range(seats):
            worths[order[seat]] = int(state.fields[layout.NET_WORTH + seat])
        return worths


class MonteCarlo(Heuristic):
    """Flat Monte Carlo for tiles: each tile is tried in `rollouts` games that the heuristic plays for all seats.

    Each of these games draws anew what the seat cannot see (determinization). All other decisions are those of the
    heuristic.
    """

    def __init__(self, rollouts: int) -> None:
        super().__init__()
        if rollouts < 1:
            raise ValueError(f"each tile needs at least 1 game, not {rollouts}")
        self.rollouts: Final[i64] = rollouts
        self._model = Heuristic()  # plays all seats in rollouts, the own seat included

    def place(self, state: AcquireState, rng: Random) -> i64:
        fields = state.fields
        seat = fields[layout.TURN]
        first = layout.HANDS + seat * layout.STRIDE
        tiles = vec[i64]([0] * layout.STRIDE)
        count: i64 = 0
        for slot in range(first, first + state.spec.hand):
            if fields[slot] and state.kind(fields[slot]) <= MERGES:
                tiles[count] = fields[slot]
                count += 1
        if count == 1:
            return tiles[0]
        trial = AcquireState(state.spec)
        best = -1e9
        choice: i64 = 0
        for index in range(count):
            value = 0.0
            for _ in range(self.rollouts):
                trial.resample_from(state, seat, rng)
                trial.play(tiles[index])
                value += self._play_out(trial, seat, rng)
            if value > best:
                best, choice = value, tiles[index]
        return choice

    def _play_out(self, state: AcquireState, seat: i64, rng: Random) -> float:
        """Play to the end and return the value for the seat."""
        model = self._model
        while state.fields[layout.PHASE] != OVER:
            state.play(model.choose(state, rng))
        return playout_value(state, seat)
