"""A seat of a game: its player, its clock, and the decision that it owes."""

from dataclasses import dataclass
from math import floor, inf
from typing import Final, Literal

from msgspec import DecodeError
from msgspec.json import decode

from protocols.jsonl.adapter import Agent, PastAgent
from protocols.jsonl.messages import ClockLeft, ClockTerms, Id, Player
from protocols.jsonl.session import Session

REMEMBERED: Final = 64  # accepted actions of a seat, to recognize duplicates
ROUNDING: Final = 1e-3  # milliseconds: differences of times are not exact


class SeatClock:
    """The clock of a seat: a decision uses up its free time, then the bank, then the grace.

    Times in methods are seconds from any origin, amounts are milliseconds, as on the wire.
    """

    def __init__(self, terms: ClockTerms | None) -> None:
        self.terms = terms
        self.bank_ms = float(terms.bank_ms) if terms else 0.0
        self._decisions = 0

    def deadline(self, began: float) -> float:
        """Return when a decision that began at `began` runs out of time; inf without terms."""
        if self.terms is None:
            return inf
        return began + (self._free_ms() + self.bank_ms + self.terms.grace_ms) / 1000

    def left(self, began: float, now: float) -> ClockLeft | None:
        """Return the time left at `now` for a decision that began at `began`; None without terms."""
        if self.terms is None:
            return None
        used = (now - began) * 1000
        free = self._free_ms()
        # The first decision may take longer than `move_ms` in the result.
        move = min(max(free - used, 0.0), self.terms.move_ms)
        bank = max(self.bank_ms - max(used - free, 0.0), 0.0)
        return ClockLeft(bank_ms=floor(bank + ROUNDING), move_ms=floor(move + ROUNDING))

    def stop(self, began: float, now: float) -> None:
        """Charge a decision that was made at `now` to the bank, and add the increment."""
        if self.terms is None:
            return
        over = max((now - began) * 1000 - self._free_ms(), 0.0)
        self.bank_ms = max(self.bank_ms - over, 0.0) + self.terms.inc_ms
        self._decisions += 1

    def resume(self, bank_ms: float) -> None:
        """Set the clock to its state after a decision that left `bank_ms` in the bank."""
        self.bank_ms = bank_ms
        self._decisions += 1

    def _free_ms(self) -> float:
        if self.terms is None:
            return inf
        return max(self.terms.init_ms, self.terms.move_ms) if not self._decisions else self.terms.move_ms


@dataclass(slots=True, kw_only=True)
class Decision:
    """A decision that a client owes."""

    id: Id
    seq: int
    began: float  # seconds
    tries_left: int


class Seat:
    """One seat of a game, which has an agent, a session, or no player yet."""

    def __init__(self, index: int, name: str, agent: Agent | None, terms: ClockTerms | None) -> None:
        self.index = index
        self.name = name
        self.agent = agent
        self.session: Session | None = None
        self.clock = SeatClock(terms)
        self.decision: Decision | None = None
        self.decisions = 0  # that were asked for
        self.thinking = 0  # the number of the slow agent's present decision; 0: none
        self.forced = 0  # how many default actions were played for the seat
        self.given_up: Literal["", "resign", "forfeit"] = ""
        self.is_absent = False
        self._accepted: dict[Id, bytes | None] = {}  # the actions by decide; None: not known

    @property
    def is_open(self) -> bool:
        return self.agent is None and self.session is None

    def decides_at_once(self) -> bool:
        """Return whether neither a client nor a slow agent decides for this seat."""
        if self.given_up or self.agent is None:
            return bool(self.given_up) or self.session is None
        return not self.agent.is_slow

    @property
    def decides_last(self) -> bool:
        return self.agent is not None and self.agent.decides_last

    @property
    def deadline(self) -> float:
        """The time at which the seat's decision runs out of time; inf if it owes none, or has no clock."""
        return self.clock.deadline(self.decision.began) if self.decision else inf

    def close(self, now: float, action: bytes = b"") -> None:
        """Close the open decision, if there is one; `action` is the text of the client's action, or b""."""
        if self.decision:
            self.clock.stop(self.decision.began, now)
            self.accept(self.decision.id, action)
            self.decision = None

    def retire(self) -> None:
        """Release the data that are useless after the game: the agent, and all accepted actions but the last."""
        if self.agent:
            self.agent = PastAgent(self.agent.about)
        self._accepted = dict(list(self._accepted.items())[-1:])

    def player(self, viewer: Session | None) -> Player:
        """Return the player of the seat for a viewer, whose own seats have the name `me`."""
        if self.agent:
            return Player(name=self.name, kind="agent")
        return Player(name="me" if viewer and self.session is viewer else self.name, kind="client")

    def accept(self, decide: Id, action: bytes | None) -> None:
        """Remember the action that has closed a decision; b"" if it was closed without an action of the client."""
        self._accepted[decide] = action
        if len(self._accepted) > REMEMBERED:
            del self._accepted[next(iter(self._accepted))]

    def has_accepted(self, decide: Id) -> bool:
        return decide in self._accepted

    def is_accepted_action(self, decide: Id, action: bytes) -> bool:
        """Return whether an accepted decision was made by this action; True if that is not known."""
        accepted = self._accepted[decide]
        if accepted is None or accepted == action:
            return True
        try:
            return bool(accepted) and decode(accepted) == decode(action)
        except (DecodeError, RecursionError):
            return False
