"""The players of Acquire, with the interface that all games share (engines.player)."""

from typing import Final

from core.acquire.state import AcquireState
from core.game import State
from core.random import Random
from engines.acquire.registry import PLAYERS, create_player
from engines.player import Player

# Players that simulate games, which takes milliseconds for each decision.
LOOKAHEAD: Final = ("mc-", "search")


class RegistryPlayer(Player):
    """A player of the registry. It is pickled as its name."""

    def __init__(self, name: str) -> None:
        """Create the player of this name. Raises ValueError if the registry has no such player."""
        self.about = PLAYERS.get(name, "")
        self.is_slow = name.startswith(LOOKAHEAD)
        self._name = name
        self._player = create_player(name)

    def __reduce__(self) -> tuple[object, ...]:
        return RegistryPlayer, (self._name,)

    def choose(self, state: State, rng: Random) -> int:
        assert isinstance(state, AcquireState)
        return int(self._player.choose(state, rng))
