"""The lines of a record: the header, what happened with everything hidden, and the end.

The same lines are the server's journal: those whose type begins with `journal` are for the server alone and not part of
what is shown. Events and the end are the lines that clients get.
"""

from typing import Any, Final, Literal

from msgspec import Raw, Struct

from protocols.jsonl.messages import ClockTerms, Id, snake_case

FORMAT: Final = "galapagos-record/1"


class RecordLine(Struct, kw_only=True, omit_defaults=True, gc=False, tag_field="type", tag=snake_case):
    """One line of a record."""


class RecordedSeat(Struct, kw_only=True, omit_defaults=True):
    """Who sat there; an agent with its version."""

    name: str
    kind: str
    about: str = ""


class RecordHeader(RecordLine, kw_only=True):
    """Everything that a game is a function of, but its actions."""

    format: str
    protocol: str
    generator: str
    game_id: str
    game: str
    variant: str  # as it was asked for; with the options it makes the rules
    rules: Any
    rules_hash: str
    options: dict[str, Any]
    seed: int
    salt: str
    seed_chosen_by: str = ""
    rated: bool = False
    clock: ClockTerms | None = None
    seats: list[RecordedSeat]
    on_gone: str = ""


class RecordAction(RecordLine, kw_only=True, tag="action"):
    """An action that was played, in the order in which the rules took them."""

    game_id: str
    seq: int
    seat: int
    action: Raw
    forced: str = ""
    given_up: bool = False
    bank_ms: float | None = None  # left on the clock after it


class GivenUp(RecordLine, kw_only=True):
    """A seat was given up: `resign` or `forfeit`."""

    game_id: str
    seat: int
    reason: Literal["resign", "forfeit"]


class JournalSeat(RecordLine, kw_only=True):
    """Of the server alone: who has taken a seat; nobody, if it was given back or its owner has not come back."""

    game_id: str
    seat: int
    session: str = ""
    token_hash: str = ""
    name: str = ""
    agent: str = ""  # who plays on for somebody


class JournalDecide(RecordLine, kw_only=True):
    """Of the server alone: a decision that a seat owes from here on, until it acts."""

    game_id: str
    seat: int
    id: Id
