"""A player of a game: an object that makes the decisions of a seat from what the seat sees.

A third-party game need not provide more than this for its players. PlayerEngine turns a player into an engine, for
matches and for the terminal. The game server calls a player in the event loop, or in a worker process if the player
is slow. Players can be pickled.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Protocol

from core.game import State
from core.random import Random
from engines.engine import Engine, Info, Limit, Option


class Player(Protocol):
    """A player, with what the server must know about it."""

    about: str  # a line for people
    is_slow: bool = False  # whether it thinks longer than a few milliseconds

    def choose(self, state: Any, rng: Random) -> Any:
        """Return the decision of a seat that sees `state`; `state` must not change.

        All randomness comes from `rng`. `state` is a core.game.State and the decision one of its legal actions,
        unless the game has types of its own for whole turns.
        """
        ...


class RandomPlayer(Player):
    """A player that chooses any legal action, with equal chances."""

    about = "any legal action"

    def choose(self, state: State, rng: Random) -> int:
        actions = state.legal_actions()
        return actions[int(rng.below(len(actions)))]


class PlayerEngine(Engine):
    """A player as an engine; a slow player thinks in a thread, so that the event loop is not blocked."""

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
