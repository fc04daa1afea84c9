"""What a client may say."""

from typing import Annotated, Literal

from msgspec import Meta, Raw

from protocols.jsonl.messages.values import (
    Bye,
    ClockTerms,
    Count,
    Id,
    Integer,
    Key,
    Name,
    Options,
    Ping,
    Pong,
    Position,
    Prose,
    Request,
    Stop,
)


class Hello(Request, kw_only=True):
    """Opens the conversation."""

    versions: Annotated[list[Integer], Meta(max_length=64)]
    name: Name | None = None
    role: Literal["player", "watcher", "director"] | None = None
    observe: Literal["full", "delta"] | None = None
    legal: Literal["list", "rules", "none"] | None = None
    say: bool | None = None
    holdings_hidden_ok: bool | None = None
    token: str | None = None
    max_line: Annotated[int, Meta(ge=256)] | None = None  # bytes


class List(Request, kw_only=True):
    """What is there? One page of games, or the agents, or the matches, or profiles."""

    what: Literal["games", "agents", "matches"] | None = None
    game: str | None = None
    state: Literal["open", "running", "over"] | None = None
    profile_list: bool | None = None  # of a game that keeps profiles of people; with their names:
    profile_show: Name | None = None
    profile_delete: Name | None = None
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
    seed: Count | None = None
    clock: ClockTerms | None = None
    options: Options | None = None
    rated: bool | None = None
    on_gone: Name | None = None  # forfeit, default_action or agent:NAME


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
    """Looks on."""

    game_id: Key
    delay: Annotated[int, Meta(ge=0, le=1000)] | None = None  # events
    from_seq: Count | None = None
    omniscient: bool | None = None


class Unwatch(Request, kw_only=True):
    """Looks away."""

    game_id: Key


class State(Request, kw_only=True):
    """Asks for the full observation of the own seat."""

    game_id: Key


class Note(Request, kw_only=True):
    """A line for the record, shown to nobody during the game."""

    game_id: Key
    text: Prose


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


class Explain(Request, kw_only=True):
    """Why did the opponent play so?"""

    game_id: Key
    turn: Count | None = None


class Match(Request, kw_only=True):
    """Lets agents play many games."""

    game: str
    variant: str | None = None
    players: Annotated[list[Name], Meta(min_length=2, max_length=64)]
    games: Annotated[int, Meta(ge=1, le=10_000_000)]  # a pairing
    seats: Annotated[int, Meta(ge=2, le=16)] | None = None
    pairing: Literal["round_robin", "gauntlet", "swiss", "all_pairs", "ladder"] | None = None
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


ClientMessage = (
    Hello
    | Ping
    | Pong
    | Bye
    | List
    | Describe
    | Create
    | Join
    | Check
    | Action
    | Resign
    | Leave
    | Resume
    | Watch
    | Unwatch
    | State
    | Note
    | Replay
    | Record
    | Explain
    | Match
    | MatchCancel
    | Limits
)
