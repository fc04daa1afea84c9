"""Every message of the JSON lines in both directions, and the error codes.

The types decode, encode and check what is on the wire, and the published JSON Schema is written from them, names and
docstrings included. Fields that each game fills in its own way are typed by its adapter.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Raw, Struct

from engines.names import near

SAFE: Final = 2**53 - 1  # the largest integer that every JSON reader keeps exactly
PRINTABLE: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029/\\]+\Z"

Integer = Annotated[int, Meta(ge=-SAFE, le=SAFE)]
Count = Annotated[int, Meta(ge=0, le=SAFE)]
Id = Annotated[int, Meta(ge=0, le=SAFE)] | Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=PRINTABLE)]
Key = Annotated[str, Meta(max_length=64)]  # of a game, a session, a match
Prose = Annotated[str, Meta(max_length=4000)]


def snake_case(name: str) -> str:
    """Return the tag of a message on the wire: `match_cancel` of MatchCancel, `match` of MatchRequest."""
    words = name.removesuffix("Request") or name
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in words).lstrip("_")


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
    kind: Literal["client", "agent"]


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


# -- Errors ------------------------------------------------------------------------------------------


NUMBERS: Final[dict[str, int]] = {
    "parse": -32700,
    "invalid_message": -32600,
    "unknown_type": -32601,
    "invalid_params": -32602,
    "internal": -32603,
    "version": -32000,
    "not_ready": -32001,
    "not_your_turn": -32002,
    "stale_seq": -32003,
    "timeout": -32004,
    "no_such_game": -32005,
    "no_such_agent": -32006,
    "seat_taken": -32007,
    "not_permitted": -32008,
    "game_over": -32009,
    "illegal_action": -32010,
    "too_long": -32011,
    "rate_limited": -32012,
    "busy": -32013,
    "resume_expired": -32014,
}


class Refusal(ValueError):
    """A request that is not done; the fields are those of the error message."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        data: dict[str, Any] | None = None,
        fatal: bool = False,
        re: int | str | None = None,
        tries_left: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.fatal = fatal
        self.re = re
        self.tries_left = tries_left  # None: there is nothing to decide again


class MalformedLine(Refusal):
    """Neither a message nor nearly one."""


def missing(code: str, kind: str, name: str, path: str = "", known: Iterable[str] = ()) -> Refusal:
    """Return the refusal of an unknown name, with what is near among the `known` names that everybody may see."""
    names = list(known)
    advice = f"; {near(name, names)}" if names else ""
    return Refusal(code, f"there is no {kind} {name[:40]!r}{advice}", data={"path": path} if path else None)


def invalid(path: str, message: str, reason: str = "") -> Refusal:
    """A refusal for a field, `path` as in `$.seats[1]`; `reason` is for programs, where the path does not say enough."""
    data = {"path": path, "reason": reason} if reason else {"path": path}
    return Refusal("invalid_params", message, data=data)


# -- Events of every game ----------------------------------------------------------------------------


class GameEvent(Struct, kw_only=True, omit_defaults=True, gc=False, tag_field="kind"):
    """The part of an event that is the game's; its tag is the event's kind."""

    def text(self, names: Sequence[str]) -> str:
        """One English sentence about it; `names` of the players by seat."""
        raise NotImplementedError


class Forced(GameEvent, kw_only=True, tag="forced"):
    """The server played for a seat: `illegal`, `timeout` or `gone`."""

    seat: int
    reason: str

    def text(self, names: Sequence[str]) -> str:
        return f"The server plays for {names[self.seat]}, who {FORCED.get(self.reason, self.reason)}."


class Left(GameEvent, kw_only=True, tag="left"):
    """A seat is given up, or nobody is there any more."""

    seat: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} has left."


class Rejoined(GameEvent, kw_only=True, tag="rejoined"):
    """Somebody is there again."""

    seat: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is back."


COMMON_EVENTS = (Forced, Left, Rejoined)
FORCED: Final = {
    "illegal": "made too many illegal moves",
    "timeout": "was out of time",
    "gone": "is gone",
}


def enumeration(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


# -- Requests ----------------------------------------------------------------------------------------


class Hello(Request, kw_only=True):
    """Opens the conversation."""

    versions: Annotated[list[Integer], Meta(max_length=64)]
    name: Name | None = None
    role: Literal["player", "watcher", "director"] | None = None
    legal: Literal["list", "rules"] | None = None
    say: bool | None = None
    token: str | None = None
    max_line: Annotated[int, Meta(ge=256)] | None = None  # bytes


class ListRequest(Request, kw_only=True):
    """What is there? One page of games, or the agents, or the matches, or profiles."""

    what: Literal["games", "agents", "matches"] | None = None
    game: str | None = None
    state: Literal["open", "running", "over"] | None = None
    profile_list: bool | None = None  # of a game that keeps profiles of people; with their names:
    profile_show: Name | None = None
    profile_delete: Name | None = None
    profile_token: Name | None = (
        None  # of the one to show or delete; programs of this machine and directors need none
    )
    offset: Count | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] | None = None


class Describe(Request, kw_only=True):
    """How is this game played?"""

    game: str
    variant: str | None = None


class Create(Request, kw_only=True):
    """Opens a game; `seats` holds `me`, `open` or the name of an agent for each seat."""

    game: str
    variant: str | None = None
    seats: Annotated[list[Name], Meta(min_length=1, max_length=16)]
    seed: Count | None = None  # every seat is told that it was chosen; the game is not rated then
    clock: ClockTerms | None = None
    options: Options | None = None
    rated: bool | None = None
    on_gone: Name | None = None  # forfeit, default_action or agent:NAME
    profile_token: Name | None = (
        None  # of the profile that the options name, from the `created` of its first game
    )


class Join(Request, kw_only=True):
    """Takes an open seat."""

    game_id: Key
    seat: Count | None = None


class Check(Request, kw_only=True):
    """Would this action be legal?"""

    re: Id
    game_id: Key
    action: Raw


class Action(Request, kw_only=True):
    """Answers the decide whose `id` was `re`."""

    re: Id
    game_id: Key
    seq: Count | None = None
    action: Raw


class Resign(Request, kw_only=True):
    """Gives up a seat."""

    game_id: Key


class Leave(Request, kw_only=True):
    """Gives a seat back before the start."""

    game_id: Key


class Resume(Request, kw_only=True):
    """Goes on with a session whose connection was lost."""

    token: str
    games: Annotated[list[Position], Meta(max_length=64)] | None = None  # all of them


class Watch(Request, kw_only=True):
    """Ask for what happens in a game from now on, or from the event `from_seq` on."""

    game_id: Key
    from_seq: Count | None = None


class Unwatch(Request, kw_only=True):
    """Looks away."""

    game_id: Key


class StateRequest(Request, kw_only=True):
    """Asks for the full observation of the own seat."""

    game_id: Key


class Replay(Request, kw_only=True, rename={"from_": "from"}):
    """Asks for the phase log of a finished turn."""

    game_id: Key
    turn: Count
    from_: Count | None = None
    to: Count | None = None


class Record(Request, kw_only=True):
    """Asks for the record of a finished game, from its line `offset` on."""

    game_id: Key
    format: str | None = None
    offset: Count | None = None
    profile_token: Name | None = None  # for the format `apu`, where this session did not create the game


class Explain(Request, kw_only=True):
    """Why did the opponent play so?"""

    game_id: Key
    turn: Count | None = None
    profile_token: Name | None = None  # of the game's profile, where this session did not create the game


class MatchRequest(Request, kw_only=True):
    """Lets agents play many games."""

    game: str
    variant: str | None = None
    players: Annotated[list[Name], Meta(min_length=2, max_length=64)]
    games: Annotated[int, Meta(ge=1, le=10_000_000)]  # a pairing
    seats: Annotated[int, Meta(ge=2, le=16)] | None = None
    pairing: Literal["round_robin", "gauntlet", "swiss", "ladder", "elimination"] | None = None
    mirror: bool | None = None
    seed: Count | None = None
    clock: ClockTerms | None = None
    workers: Count | None = None
    stop: Stop | None = None
    options: Options | None = None
    records: bool | None = None  # whether `record` is to show the games afterwards


class MatchCancel(Request, kw_only=True):
    """Ends a match early."""

    match_id: Key


class Limits(Request, kw_only=True):
    """What may I ask, and how much of it have I used?"""


# -- Answers -----------------------------------------------------------------------------------------


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
    contests: dict[str, list[str]] | None = None  # the same of games that are played in matches alone
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
    state: str  # open, running or over; on the bus also gone
    rated: bool = False
    seed_chosen_by: str = ""  # a name, unless the server draws the seed
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
    profile_token: str | None = (
        None  # of a profile that is new and belongs to this client; keep it: it comes only once
    )


class Joined(Answer, kw_only=True):
    """A seat is taken."""

    game_id: str
    seat: int
    seed_commit: str
    seed_chosen_by: str = ""


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
    matches: list[ListedMatch] | None = None  # of its director; where each stands follows


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


# -- The course of games and matches -----------------------------------------------------------------


class ChosenSeed(Struct, kw_only=True, omit_defaults=True):
    """A seed that somebody has chosen: everybody is told all of it, since whoever chose it may know what is hidden."""

    chosen_by: str  # a name
    hidden: Literal["open"]
    number: int | None = None
    options: Options | None = None  # such as a bag, which decide what the seed decides otherwise


class Start(Message, kw_only=True):
    """The game begins; the adapter adds what it shows, and the observation ends the line."""

    game_id: str
    seq: int
    seat: int | None = None  # a watcher has none
    seats: list[Player]
    game: str
    variant: str
    seed: ChosenSeed | None = None


class Decide(Request, kw_only=True):
    """A decision is due."""

    game_id: str
    seq: int
    seat: int
    phase: str
    observation: Any
    legal: Any = None
    clock: ClockLeft | None
    ending: bool = False
    latency_ms: float | None = None


class Event(Message, kw_only=True):
    """Something happened; the fields after `kind` are the game's."""

    game_id: str
    seq: int
    kind: str
    say: str | None = None


class End(Message, kw_only=True):
    """The result, and what was hidden."""

    game_id: str
    seq: int
    result: Any
    reveal: Any


class Kept(Message, kw_only=True):
    """A game or a match goes on, but what happens cannot be written: a crash of the server would lose it. Or it can again."""

    game_id: str | None = None
    match_id: str | None = None
    kept: bool


class Gap(Message, kw_only=True):
    """Lines that a slow watcher has missed."""

    missed: int


class Row(Struct, kw_only=True, omit_defaults=True):
    """A player in the table; the interval is Wilson's, 95 %, of its share of the points."""

    player: str
    games: int
    wins: int
    shared: int
    losses: int
    share: float
    low: float
    high: float
    mean_rank: float
    mean_result: float
    rating: float
    rating_error: float
    forced: int  # decisions that failed, for which the default was played
    seconds: float  # spent on decisions
    against: list[list[int]]  # [losses, shared, wins] against each player
    pairs: list[int] | None = None  # mirrored games of two: how often 0, 1/2, 1, 1 1/2, 2 points were made


class MatchEvent(Message, kw_only=True):
    """How a match stands."""

    match_id: str
    done: int
    of: int
    table: list[Row]
    running: int


class MatchEnd(Message, kw_only=True):
    """How a match ended."""

    match_id: str
    table: list[Row]
    games: int
    seeds: list[Integer]
    records: list[str] | None = None


# -- All of them -------------------------------------------------------------------------------------


# In the order of the published schema.
ClientMessage = (
    Hello | Ping | Pong | Bye | ListRequest | Describe | Create | Join | Check | Action | Resign | Leave |
    Resume | Watch | Unwatch | StateRequest | Replay | Record | Explain | MatchRequest | MatchCancel | Limits
)  # fmt: skip
ServerMessage = (
    Welcome | Ping | Pong | Bye | Ok | Error | Listing | Description | Created | Joined | Start | Decide
    | Checked | Event | End | Resumed | Watching | Kept | Gap | Observation | Recorded | Explained | Matched |
    MatchEvent | MatchEnd | Limited
)  # fmt: skip
