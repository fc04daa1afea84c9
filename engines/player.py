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
from engines.engine import Engine, EngineError, Info, Limit, Option


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
    """A player as an engine; a slow player thinks in a thread, so that the event loop is not blocked.

    The option Seed starts the random numbers anew, so that a game of a match does not depend on the games before it.
    """

    def __init__(self, name: str, player: Player, seed: int) -> None:
        self.name = name
        self.author = type(player).__module__.partition(".")[0]  # the package of the player
        self.options: tuple[Option, ...] = (
            Option(name="Seed", kind="spin", default=str(seed), minimum=0, maximum=2**31 - 1),
        )
        self._player = player
        self._rng = Random(seed)

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        seen = state.clone()  # so that a player that changes what it sees does not change the game
        if not self._player.is_slow:
            yield Info(action=_allowed(self._choose(seen), limit))
            return
        first = limit.actions or state.legal_actions()
        yield Info(action=first[0])  # at once, as every engine does
        yield Info(action=_allowed(await asyncio.to_thread(self._choose, seen), limit))

    async def configure(self, name: str, value: str) -> None:
        if name != "Seed":
            await super().configure(name, value)
        self._rng = Random(int(self.options[0].checked(value)))

    def _choose(self, seen: State) -> int:
        """Return the choice of the player. Raises EngineError if the player raises any exception."""
        try:
            return int(self._player.choose(seen, self._rng))
        except Exception as error:  # the code of another package may raise anything
            raise EngineError(f"{self.name} has failed: {error!r}") from error


def _allowed(action: int, limit: Limit) -> int:
    """Return the action, or another one if the limit excludes it."""
    return action if action in limit.actions or not limit.actions else limit.actions[0]
