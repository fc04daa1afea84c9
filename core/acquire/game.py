"""Acquire as a Game."""

from typing import final

from core.acquire.deal import deal, shuffled
from core.acquire.rules.rules import Rules
from core.acquire.rules.setting import Setting
from core.acquire.shown.dump import state_from_text
from core.acquire.state import AcquireState
from core.game import Game
from core.random import Random


@final
class Acquire(Game):
    """The game by `rules` among `players`. ValueError if the rules are not for so many."""

    def __init__(self, rules: Rules, players: int) -> None:
        super().__init__("acquire", players)
        self.setting = Setting(rules, players)

    def new_state(self, rng: Random) -> AcquireState:
        """A game with a shuffled bag."""
        state = AcquireState(self.setting)
        deal(state, shuffled(self.setting, rng))
        return state

    def state_from(self, text: str) -> AcquireState:
        """The state of a state_text()."""
        return state_from_text(self.setting, text)
