"""A seat at a table: who sits there, what it has been shown, and the decision that it owes."""

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from protocols.jsonl.adapter import Agent
from protocols.jsonl.messages import ClockTerms, Id, Player
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.clock import SeatClock

REMEMBERED = 64  # accepted decisions, for duplicates


@dataclass(slots=True, kw_only=True)
class Decision:
    """A decision that is due."""

    id: Id
    seq: int
    began: float  # seconds
    tries_left: int


class Seat:
    """One seat. It has an agent, or a session, or waits for somebody to join."""

    def __init__(self, index: int, name: str, agent: Agent | None, terms: ClockTerms | None) -> None:
        self.index = index
        self.name = name
        self.agent = agent
        self.session: Session | None = None
        self.clock = SeatClock(terms)
        self.seen: Struct | None = None  # the last observation sent
        self.decision: Decision | None = None
        self.decisions = 0
        self.thinking = 0  # the number of the agent's decision under way; 0: none
        self.forced = 0  # actions
        self.given_up: Literal["", "resign", "forfeit"] = ""
        self.is_absent = False
        self._accepted: dict[Id, None] = {}

    @property
    def is_open(self) -> bool:
        return self.agent is None and self.session is None

    def player(self, viewer: Session | None) -> Player:
        """As a session is told who sits here; its own seats are `me`."""
        if self.agent:
            return Player(name=self.name, kind="agent")
        return Player(name="me" if viewer and self.session is viewer else self.name, kind="client")

    def accept(self, decide: Id) -> None:
        """Remember that this decide has been answered."""
        self._accepted[decide] = None
        if len(self._accepted) > REMEMBERED:
            del self._accepted[next(iter(self._accepted))]

    def has_accepted(self, decide: Id) -> bool:
        return decide in self._accepted

    def difference(self, observation: Struct) -> dict[str, object]:
        """The fields that differ from what the seat has seen last, as whole new values."""
        now, seen = asdict(observation), asdict(self.seen) if self.seen else {}
        return {name: value for name, value in now.items() if name not in seen or value != seen[name]}
