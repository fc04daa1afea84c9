"""A player of a game: it makes the decisions of a seat from what that seat sees.

A player of a third-party game has to be no more than this. PlayerEngine makes an engine of a player, for matches and for the
terminal; the game server asks a player in the event loop, or in a worker process if the player is slow. Players can be
pickled.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Protocol

from core.game import State
from core.random import Random
from engines.engine import Engine, Info, Limit, Option


class Player(Protocol):
    """A player, and what the server needs to know about the player."""

    about: str  # a line for people
    is_slow: bool = False  # whether it thinks longer than a few milliseconds

    def choose(self, state: Any, rng: Random) -> Any:
        """Return the decision of a seat that sees `state`, and leave `state` unchanged. All randomness comes from `rng`.

        `state` is a core.game.State and the decision one of its legal actions, unless the game has types of its own for
        whole turns.
        """
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
