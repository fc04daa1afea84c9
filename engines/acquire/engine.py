"""The engine of Acquire: a player of the registry at one seat."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Final

from core.acquire.state import AcquireState
from core.game import State
from core.random import Random
from engines.acquire.registry import PLAYERS, create_player
from engines.engine import Engine, Info, Limit, Option

DEFAULT: Final = "heuristic"
OPTIONS: Final = (
    Option(name="Player", kind="combo", default=DEFAULT, choices=tuple(PLAYERS)),
    Option(name="Seed", kind="spin", default="0", minimum=0, maximum=2**31 - 1),
)


class AcquireEngine(Engine):
    """An engine that decides at once. Its decisions follow from its seed and the states that it has seen."""

    author = "the Galapagos developers"
    options: tuple[Option, ...] = OPTIONS

    def __init__(self, player: str | None = None, name: str | None = None, seed: int = 0) -> None:
        self.name = name or player or DEFAULT
        self._player = create_player(player or DEFAULT)
        self._rng = Random(seed)

    async def configure(self, name: str, value: str) -> None:
        option = next((option for option in self.options if option.name == name), None)
        if option is None:
            raise ValueError(f"no option is named {name[:40]!r}")
        value = option.checked(value)
        if name == "Player":
            self._player = create_player(value)
        else:
            self._rng = Random(int(value))
        self.options = tuple(replace(o, default=value) if o.name == name else o for o in self.options)

    async def new_game(self) -> None:
        self._player.begin()

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        """Yield a single Info, which is final: no player of Acquire improves with more time."""
        assert isinstance(state, AcquireState)
        action = int(self._player.choose(state.observation(state.player()), self._rng))
        if limit.actions and action not in limit.actions:
            action = limit.actions[self._rng.below(len(limit.actions))]
        yield Info(action=action, line=(action,), depth=1, nodes=1)
