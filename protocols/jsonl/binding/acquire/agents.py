"""The players of the house for Acquire: those of the panel, each on a stream of chance of its own."""

from collections.abc import Callable

from core.acquire.players.player import Player
from core.random import Random
from engines.acquire.panel import MEMBERS, member
from engines.version import VERSION
from protocols.jsonl.binding.acquire.binding import AcquireBinding
from protocols.jsonl.binding.acquire.play import AcquirePlay
from protocols.jsonl.binding.binding import Agent, Move, Play


class NativeAgent(Agent):
    """A player of the core; even the slowest of the panel decides within some 15 ms."""

    def __init__(self, name: str, player: Player, rng: Random) -> None:
        what = MEMBERS.get(name, "")
        self.about = f"{name}, galapagos {VERSION}" + (f": {what}" if what else "")
        self.is_slow = False
        self._player = player
        self._rng = rng

    def choose(self, play: Play, seat: int) -> Move:
        assert isinstance(play, AcquirePlay)
        return self._player.choose(play.state, self._rng)


def acquire() -> AcquireBinding:
    """Acquire with the whole panel."""
    return AcquireBinding(tuple(MEMBERS), _agent)


def _agent(name: str, stream: Callable[[str], Random], seat: int) -> Agent:
    try:
        player = member(name)
    except ValueError:
        raise KeyError(name) from None
    return NativeAgent(name, player, stream(f"seat|{seat}"))
