"""What players do: those who choose alike on the same fixed states behave alike.

The states come from games of random players and are the same in every run; dice are the same for everybody, so
that programs without preferences are alike, too.
"""

from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Final

from core.acquire.deal import deal, shuffled
from core.acquire.players.player import Player
from core.acquire.rules.rules import Rules
from core.acquire.rules.setting import Setting
from core.acquire.state import AcquireState
from core.acquire.table import BUY, PHASE, PLACE
from core.random import Random

PHASE_OF: Final = {"place": PLACE, "buy": BUY}
LATEST: Final = 120  # decisions of a game: half of what a long one has


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
    setting = Setting(rules, 2)
    found: list[AcquireState] = []
    for seed in count():
        if len(found) == wanted:
            return tuple(found)
        rng = Random(seed)
        state = AcquireState(setting)
        deal(state, shuffled(setting, rng))
        if _reached(state, decision, int(rng.below(LATEST)), rng):
            found.append(state)
    raise AssertionError("a count does not end")


def _reached(state: AcquireState, decision: str, after: int, rng: Random) -> bool:
    """Play at least so many decisions, up to one that is wanted; False if the game ends before."""
    player = Player()
    for number in count():
        if state.is_terminal():
            return False
        if number >= after and state.table[PHASE] == PHASE_OF[decision] and len(state.legal_actions()) > 1:
            return True
        state.apply(player.choose(state, rng))
    raise AssertionError("a count does not end")
