"""What the server answers to a request."""

from typing import Any

from msgspec import Raw, Struct

from protocols.jsonl.messages.values import Answer, Id


class Allowance(Struct, kw_only=True):
    """The limits that a client plans by."""

    max_line: int  # bytes
    rate: int  # messages a second
    burst: int  # messages
    games: int  # of a session


class Welcome(Answer, kw_only=True):
    """The server introduces itself."""

    protocol: str
    version: int
    server: str
    generator: str
    games: dict[str, list[str]]  # the variants of each
    features: list[str]
    session: str
    resume: str  # the token of resume
    heartbeat_ms: int
    limits: Allowance


class Ok(Answer, kw_only=True):
    """Done."""

    duplicate: bool = False


class Error(Answer, kw_only=True):
    """Not done; `message` is for people, `code` for programs."""

    game_id: str | None = None
    code: str
    number: int
    message: str
    data: dict[str, Any] | None = None
    fatal: bool
    decide_again: bool = False
    tries_left: int | None = None


class Listed(Struct, kw_only=True, omit_defaults=True):
    """A game in a listing."""

    game_id: str
    game: str
    variant: str
    seats: list[str]  # names; "" is open
    state: str
    rated: bool = False
    seq: int = 0


class ListedMatch(Struct, kw_only=True):
    """A match in a listing."""

    match_id: str
    game: str
    done: int
    of: int


class Listing(Answer, kw_only=True):
    """A page of what is there."""

    games: list[Listed] | None = None
    agents: dict[str, list[str]] | None = None
    matches: list[ListedMatch] | None = None
    profiles: list[Any] | None = None  # names, or what is known of one
    total: int
    offset: int = 0


class Description(Answer, kw_only=True):
    """The rules of a game, its options and its schemas."""

    game: str
    variant: str
    rules_hash: str
    rules: Any
    seats: tuple[int, int]
    options: dict[str, Any]
    actions: list[str]
    schemas: dict[str, Any]


class Created(Answer, kw_only=True):
    """A game is there."""

    game_id: str
    seat: int | None = None
    rated: bool
    rules_hash: str
    seed_commit: str


class Joined(Answer, kw_only=True):
    """A seat is taken."""

    game_id: str
    seat: int


class Checked(Answer, kw_only=True):
    """Every problem of an action."""

    ok: bool
    problems: list[dict[str, Any]]
    preview: Any = None


class Resumption(Struct, kw_only=True, omit_defaults=True):
    """Where a resumed game stands."""

    game_id: str
    seq: int
    pending: Id | None = None


class Resumed(Answer, kw_only=True):
    """The session is yours again."""

    session: str
    games: list[Resumption]


class Watching(Answer, kw_only=True):
    """You look on."""

    game_id: str
    seq: int


class Observation(Answer, kw_only=True):
    """The full observation, with the number of the last event in it."""

    game_id: str
    seq: int
    observation: Any


class Recorded(Answer, kw_only=True):
    """Lines of a record, from `offset` on; `total` is their number."""

    game_id: str
    format: str
    offset: int
    total: int
    lines: list[Raw]


class Explained(Answer, kw_only=True):
    """What an opponent was about."""

    turn: int | None = None
    index: int | None = None
    string: str | None = None
    text: list[str]
    aim: Any = None


class Matched(Answer, kw_only=True):
    """The match has begun."""

    match_id: str


class Limited(Answer, kw_only=True):
    """The limits, and how much of each is in use."""

    limits: dict[str, float]
    used: dict[str, float]
