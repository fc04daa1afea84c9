"""The types of the lines of a record, except events and the end, which are the lines that clients receive.

The same lines are the server's journal. Lines whose type begins with `journal` are for the server only, and are left
out when a record is shown. The page of `record.py` describes the format.
"""

from typing import Any, Final, Literal

from msgspec import Raw, Struct

from protocols.jsonl.messages import ClockTerms, Id, snake_case

FORMAT: Final = "galapagos-record/1"


class RecordLine(Struct, kw_only=True, omit_defaults=True, gc=False, tag_field="type", tag=snake_case):
    """One line of a record."""


class RecordedSeat(Struct, kw_only=True, omit_defaults=True):
    """The player of a seat when the game was created."""

    name: str
    kind: str  # `client` or `agent`
    about: str = ""  # of an agent: its name and version


class RecordHeader(RecordLine, kw_only=True):
    """Everything that a game is a function of, except its actions."""

    format: str
    protocol: str
    generator: str
    game_id: str
    game: str
    variant: str  # as requested; variant and options together determine the rules
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
    """An action that was played."""

    game_id: str
    seq: int
    seat: int
    action: Raw
    forced: str = ""
    given_up: bool = False
    bank_ms: float | None = None  # left on the clock after the action


class GivenUp(RecordLine, kw_only=True):
    """A seat has resigned or forfeited."""

    game_id: str
    seat: int
    reason: Literal["resign", "forfeit"]


class JournalSeat(RecordLine, kw_only=True):
    """A change of the player of a seat: a session, an agent, or neither. For the server only.

    A seat has neither if its client gave it back before the start, or did not come back and the default action is
    played for it.
    """

    game_id: str
    seat: int
    session: str = ""
    token_hash: str = ""
    name: str = ""
    agent: str = ""  # the name of the agent that replaces a client


class JournalDecide(RecordLine, kw_only=True):
    """A decision that a seat owes from this line to its next action. For the server only."""

    game_id: str
    seat: int
    id: Id
