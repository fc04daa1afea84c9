"""Advanced Protection on the wire: how a game ended, what was hidden in it, and what is remembered of people."""

from typing import Any

from msgspec import Struct


class Result(Struct, kw_only=True):
    winner: str  # human, chaos or none
    reason: str
    turns: int  # played
    values: list[int]
    score: list[float]


class Played(Struct, kw_only=True):
    """A string that was played; its number, unless it is one of nobody's pool."""

    turn: int
    index: int | None
    hybrid: bool


class Reveal(Struct, kw_only=True):
    strings: list[Played]
    pool_hash: str
    mode: str


class KnownProfile(Struct, kw_only=True):
    """What Chaos remembers of somebody; `file` is their `.apu`, as lines."""

    name: str
    wins: int
    losses: int
    best: int  # the lowest rating
    worst: int
    mean: int
    negative: int  # ratings
    hybrids: int
    pool: str
    rules: Any
    mode: str
    aim: str
    file: list[str]
