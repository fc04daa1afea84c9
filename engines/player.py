"""A player of a game: it chooses an action from what its seat sees.

This is all that a player of a game of one's own has to be. PlayerEngine makes an engine of it, for matches and for the
terminal; the game server asks it in the event loop, or in a worker process if it is slow. It can be pickled.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Protocol

from core.game import State
from core.random import Random
from engines.engine import Engine, Info, Limit, Option


class Player(Protocol):
    """A player, with what the server must know of it."""

    about: str  # a line for people
    is_slow: bool = False  # whether it thinks longer than a few milliseconds

    def choose(self, state: State, rng: Random) -> int:
        """Return one of the legal actions of a state, which is left as it was. All that is random comes from `rng`."""
        ...


class RandomPlayer(Player):
    """Plays any legal action, each as likely as another."""

    about = "any legal action"

    def choose(self, state: State, rng: Random) -> int:
        actions = state.legal_actions()
        return actions[int(rng.below(len(actions)))]


class PlayerEngine(Engine):
    """A player as an engine. A slow one thinks in a thread, so that the event loop goes on."""

    def __init__(self, name: str, player: Player, seed: int) -> None:
        self.name = name
        self.author = ""
        self.options: tuple[Option, ...] = ()
        self._player = player
        self._rng = Random(seed)

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        if not self._player.is_slow:
            yield Info(action=self._player.choose(state, self._rng))
            return
        yield Info(action=state.legal_actions()[0])  # at once, as every engine does
        yield Info(action=await asyncio.to_thread(self._player.choose, state.clone(), self._rng))
