"""A player of the house who plays what a test tells."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.json import encode

from core.random import Random
from protocols.jsonl.binding.acquire.binding import AcquireBinding
from protocols.jsonl.binding.binding import Agent, Binding, Move, Play


class Scripted(Agent):
    """Plays these actions, then whatever is played by default."""

    def __init__(self, actions: Sequence[Mapping[str, Any]]) -> None:
        self.about = "scripted"
        self.is_slow = False
        self._actions = iter(actions)

    def choose(self, play: Play, seat: int) -> Move:
        action = next(self._actions, None)
        return play.default(seat) if action is None else play.read(seat, encode(action))


class AnyLegal(Agent):
    """Any legal action of Acquire, each as likely."""

    def __init__(self, rng: Random) -> None:
        self.about = "any legal action"
        self.is_slow = False
        self._rng = rng

    def choose(self, play: Play, seat: int) -> Move:
        actions = play.state.legal_actions()  # type: ignore[attr-defined]
        return actions[self._rng.below(len(actions))]


def acquire(*actions: Mapping[str, Any]) -> dict[str, Binding]:
    """A house with Acquire, whose `random` begins with these actions."""

    def panel(name: str, stream: Callable[[str], Random], seat: int) -> Agent:
        return Scripted(actions) if actions else AnyLegal(stream(f"seat|{seat}"))

    return {"acquire": AcquireBinding(["random"], panel)}
