"""The players of the house for Acquire: those of the panel, each on a stream of chance of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.acquire.players import Player
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.registry import PLAYERS, create_player
from engines.version import VERSION
from protocols.jsonl.binding.acquire.binding import AcquireBinding
from protocols.jsonl.binding.acquire.play import AcquirePlay
from protocols.jsonl.binding.binding import Agent, Move, Play

SLOW: Final = "mc-"  # who tries tiles out takes milliseconds for each
SEEDS: Final = 2**53


def acquire() -> AcquireBinding:
    """Acquire with the whole panel."""
    return AcquireBinding(tuple(PLAYERS), agent)


def agent(name: str, stream: Callable[[str], Random], seat: int) -> Agent:
    """KeyError if nobody has this name."""
    try:
        player = create_player(name)
    except ValueError:
        raise KeyError(name) from None
    if name.startswith(SLOW):
        return LookaheadAgent(name, stream)
    return NativeAgent(name, player, stream(f"seat|{seat}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookahead:
    """A decision for another process."""

    name: str
    state: AcquireState
    seed: int


class NativeAgent(Agent):
    """A player of the core."""

    def __init__(self, name: str, player: Player, rng: Random) -> None:
        self.about = _about(name)
        self.is_slow = False
        self._player = player
        self._rng = rng

    def choose(self, play: Play, seat: int) -> Move:
        assert isinstance(play, AcquirePlay)
        return self._player.choose(play.state.observation(seat), self._rng)


class LookaheadAgent(Agent):
    """A player who tries tiles out; the chance of each decision follows from the game and its number."""

    def __init__(self, name: str, stream: Callable[[str], Random]) -> None:
        self.about = _about(name)
        self.is_slow = True
        self._name = name
        self._stream = stream

    def choose(self, play: Play, seat: int) -> Move:
        function, task = self.errand(play, seat)
        return function(task)

    def errand(self, play: Play, seat: int) -> tuple[Callable[[Lookahead], Move], Lookahead]:
        assert isinstance(play, AcquirePlay)
        chance = self._stream(f"lookahead|{seat}|{play.moves}")
        seen = play.state.observation(seat)
        return looked_ahead, Lookahead(name=self._name, state=seen, seed=int(chance.below(SEEDS)))


def looked_ahead(task: Lookahead) -> Move:
    """What the player does."""
    return create_player(task.name).choose(task.state, Random(task.seed))


def _about(name: str) -> str:
    what = PLAYERS.get(name, "")
    return f"{name}, galapagos {VERSION}" + (f": {what}" if what else "")
