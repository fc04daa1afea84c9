"""What messages are made of: numbers, ids, names and small objects that several of them share."""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

SAFE: Final = 2**53 - 1  # the largest integer that every JSON reader keeps exactly
PRINTABLE: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029/\\]+\Z"

Integer = Annotated[int, Meta(ge=-SAFE, le=SAFE)]
Count = Annotated[int, Meta(ge=0, le=SAFE)]
Id = Annotated[int, Meta(ge=0, le=SAFE)] | Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=PRINTABLE)]
Key = Annotated[str, Meta(max_length=64)]  # of a game, a session, a match
Prose = Annotated[str, Meta(max_length=4000)]


def snake_case(name: str) -> str:
    """`MatchCancel` -> `match_cancel`, the tag of a message on the wire."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


class Message(Struct, kw_only=True, omit_defaults=True, gc=False, tag_field="type", tag=snake_case):
    """One line of the protocol. A field that is missing and one that is null mean the same."""


class Request(Message, kw_only=True):
    """Wants an answer, which repeats its `id`."""

    id: Id | None = None


class Answer(Message, kw_only=True):
    """The answer to the request whose `id` was `re`."""

    re: Id | None = None


class Ping(Request, kw_only=True):
    """Are you there?"""


class Pong(Answer, kw_only=True):
    """I am."""

    server_ms: Count | None = None
    latency_ms: float | None = None  # from the server's ping to the client's pong, if it was measured


class Bye(Message, kw_only=True):
    """The orderly end of a connection."""

    reason: str | None = None


class ClockTerms(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A clock as a game is created with; milliseconds."""

    bank_ms: Count = 0
    move_ms: Count = 0  # free for each decision
    inc_ms: Count = 0  # to the bank after each decision
    grace_ms: Count = 0
    init_ms: Count = 10_000  # instead of move_ms for the first decision
    on_timeout: Literal["default_action", "forfeit"] = "default_action"


class ClockLeft(Struct, kw_only=True):
    """What is left for a decision; milliseconds."""

    bank_ms: int
    move_ms: int


class Player(Struct, kw_only=True):
    """Who sits in a seat."""

    name: str
    kind: Literal["client", "agent", "human"]


class Position(Struct, kw_only=True):
    """How far a resuming client has followed a game."""

    game_id: Key
    from_seq: Count | None = None
    full: bool | None = None  # a fresh observation in place of events


class Stop(Struct, kw_only=True):
    """When a match may end before its number of games."""

    ci: float | None = None  # half width of the first player's 95 % interval
    games: Count | None = None
    minutes: float | None = None


Options = dict[str, Any]
