"""The random mover: an engine for any game that plays a uniformly random legal action.

In Genetic Chess, section 2, the random mover is the opponent that every evolved player must beat.
"""

from collections.abc import AsyncGenerator

from core.game import State
from core.random import Random
from engines.engine import Engine, Info, Limit, Option


class RandomEngine(Engine):
    """The random mover, which depends on its seed alone: the same seed and states give the same actions.

    The stream of random numbers continues from game to game, because otherwise all games would be the same.
    """

    def __init__(self, seed: int = 0) -> None:
        self.name = "Random"
        self.author = "Galapagos"
        self.options: tuple[Option, ...] = (
            Option(name="Seed", kind="spin", default=str(seed), minimum=0, maximum=2**31 - 1),
        )
        self._rng = Random(seed)

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        actions = limit.actions or state.legal_actions()
        yield Info(action=actions[self._rng.below(len(actions))])

    async def configure(self, name: str, value: str) -> None:
        if name != "Seed":
            await super().configure(name, value)
        self._rng = Random(int(self.options[0].checked(value)))
