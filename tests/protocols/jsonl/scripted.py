"""A player who plays what a test wants."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.json import encode

from core.random import Random
from protocols.jsonl.acquire import AcquireAdapter
from protocols.jsonl.adapter import Agent, GameAdapter, GameState, Move


class Scripted(Agent):
    """Plays these actions, then whatever is played by default."""

    def __init__(self, actions: Sequence[Mapping[str, Any]]) -> None:
        self.about = "scripted"
        self.is_slow = False
        self._actions = iter(actions)

    def choose(self, state: GameState, seat: int) -> Move:
        action = next(self._actions, None)
        return state.default_action(seat) if action is None else state.parse_action(seat, encode(action))


class AnyLegal(Agent):
    """Any legal action of Acquire, each as likely."""

    def __init__(self, rng: Random) -> None:
        self.about = "any legal action"
        self.is_slow = False
        self._rng = rng

    def choose(self, state: GameState, seat: int) -> Move:
        actions = state.state.legal_actions()  # type: ignore[attr-defined]
        return actions[self._rng.below(len(actions))]


class Panel(AcquireAdapter):
    """Acquire, whose only player is `random`, as a test wants it."""

    def __init__(self, actions: Sequence[Mapping[str, Any]]) -> None:
        super().__init__()
        self.agents = ("random",)
        self._actions = actions

    def has_agent(self, name: str, seat: int) -> bool:
        return True

    def agent(self, name: str, state: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        return Scripted(self._actions) if self._actions else AnyLegal(stream(f"seat|{seat}"))


def acquire(*actions: Mapping[str, Any]) -> dict[str, GameAdapter]:
    """A server's games: Acquire, whose `random` begins with these actions."""
    return {"acquire": Panel(actions)}
