"""What the server says unasked: the course of games and matches.

Fields that a game fills in its own way are typed by its binding.
"""

from typing import Any

from msgspec import Struct

from protocols.jsonl.messages.values import ClockLeft, Integer, Message, Player, Request


class Start(Message, kw_only=True):
    """The game begins; the binding adds what it shows, and the observation ends the line."""

    game_id: str
    seq: int
    seat: int | None = None  # a watcher has none
    seats: list[Player]
    game: str
    variant: str


class Decide(Request, kw_only=True):
    """A decision is due."""

    game_id: str
    seq: int
    seat: int
    phase: str
    observation: Any = None
    delta: dict[str, Any] | None = None
    legal: Any = None
    clock: ClockLeft | None
    ending: bool = False
    latency_ms: float | None = None


class Event(Message, kw_only=True):
    """Something happened; the fields after `kind` are the binding's."""

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
