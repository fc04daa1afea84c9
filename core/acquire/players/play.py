"""Whole games of players inside the core, many a call: a game is a function of its seed and its players."""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.deal import deal, shuffled
from core.acquire.players.player import Player
from core.acquire.rules.setting import Setting
from core.acquire.state import AcquireState
from core.acquire.table import OVER, PHASE, SEAT, WORTH
from core.random import Random


@final
class Tables:
    """Plays games by one setting, one after the other."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.state = AcquireState(setting)

    def play(self, players: list[Player], rotation: int, seed: int) -> list[int]:
        """One game from a shuffled bag; the final worths, in dollars, in the order of `players`.

        The players join in their order, from the one whose number is `rotation` on. The bag and what each
        player rolls for depend on the seed alone: rotations of one seed have the bag in common.
        """
        seats: i64 = len(players)
        state = self.state
        source = Random(seed)
        deal(state, shuffled(self.setting, source))
        order = vec[i64]([0] * 8)
        for seat in range(seats):
            order[seat] = (state.joined[seat] + rotation) % seats
        sources = [Random(source.bits()) for _ in range(seats)]
        for player in players:
            player.begin()
        seated = [players[order[seat]] for seat in range(seats)]
        rngs = [sources[order[seat]] for seat in range(seats)]
        while state.table[PHASE] != OVER:
            seat = state.table[SEAT]
            state.play(seated[seat].choose(state, rngs[seat]))
        worths = [0] * int(seats)
        for seat in range(seats):
            worths[order[seat]] = int(state.table[WORTH + seat])
        return worths
