"""What players do, as a digest: those who choose alike on the same fixed states behave alike.

The states come from games of random players and are the same in every run; dice are the same for everybody, so
that programs without preferences are alike, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import count
from typing import Final

from core.acquire import layout
from core.acquire.game import deal, shuffled_bag
from core.acquire.players import Player
from core.acquire.rules import GameSpec, Rules
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.genome import Genome
from engines.acquire.programs.evaluation.games import Arena

PHASE_OF: Final = {"place": layout.PLACE, "buy": layout.BUY}
LATEST: Final = 120  # decisions of a game: half of what a long one has


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Some players to be watched, as a task."""

    arena: Arena
    genomes: tuple[Genome, ...]
    decisions: tuple[str, ...]
    states: int  # of each decision

    def play(self) -> list[bytes]:
        """A digest of each."""
        return [self._digest(self.arena.express(genome)) for genome in self.genomes]

    def _digest(self, player: Player) -> bytes:
        chosen = choices(player, self.arena.rules, self.decisions, self.states)
        return blake2b(repr(chosen).encode(), digest_size=8).digest()


def choices(player: Player, rules: Rules, decisions: Sequence[str], states: int) -> list[int]:
    """What it chooses in so many fixed states of each decision, remembering nothing."""
    chosen = []
    for decision in decisions:
        for number, state in enumerate(fixed_states(rules, decision, states)):
            player.begin()
            chosen.append(int(player.choose(state, Random(number))))
    return chosen


@cache
def fixed_states(rules: Rules, decision: str, wanted: int) -> tuple[AcquireState, ...]:
    """So many states with several options, each from a game of its own."""
    setting = GameSpec(rules, 2)
    found: list[AcquireState] = []
    for seed in count():
        if len(found) == wanted:
            return tuple(found)
        rng = Random(seed)
        state = AcquireState(setting)
        deal(state, shuffled_bag(setting, rng))
        if _reached(state, decision, int(rng.below(LATEST)), rng):
            found.append(state)
    raise AssertionError("a count does not end")


def _reached(state: AcquireState, decision: str, after: int, rng: Random) -> bool:
    """Play at least so many decisions, up to one that is wanted; False if the game ends before."""
    player = Player()
    for number in count():
        if state.is_terminal():
            return False
        if (
            number >= after
            and state.fields[layout.PHASE] == PHASE_OF[decision]
            and len(state.legal_actions()) > 1
        ):
            return True
        state.apply(player.choose(state, rng))
    raise AssertionError("a count does not end")
