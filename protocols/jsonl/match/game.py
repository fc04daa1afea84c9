"""A game between players of the house alone, at a table of its own, and some of them in another process.

The table is the referee here as anywhere: its clocks run while a player decides, and its record is kept where
one is wanted.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final

from protocols.jsonl.binding.binding import Agent, Binding, Move, Plan, Play
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.match.contest import Contest
from protocols.jsonl.match.silence import Silence
from protocols.jsonl.messages.values import ClockTerms
from protocols.jsonl.record.header import header
from protocols.jsonl.table.seat import Seat
from protocols.jsonl.table.seeds import Seed
from protocols.jsonl.table.table import Table
from protocols.jsonl.table.terms import Terms

LIMITS: Final = JsonlLimits(kept_events=1)  # nobody looks on


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """What all games of a match have in common."""

    binding: Binding
    variant: str
    options: Mapping[str, Any]
    players: tuple[str, ...]
    clock: ClockTerms | None = None
    match_id: str = ""
    recorded: int = 0  # games, from the first one on, whose records are kept
    is_slow: bool = False  # whether one of the players thinks longer than milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Games for another process."""

    venue: Venue
    contests: Sequence[Contest]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a game, for each of its players in their order."""

    contest: Contest
    ranks: Sequence[int]  # 1 is first; equals share a rank
    results: Sequence[float]
    seconds: Sequence[float]  # spent on decisions
    forced: Sequence[int]  # decisions that failed, or came too late
    game_id: str = ""
    record: Sequence[bytes] = ()  # lines, if it is kept


def played_batch(batch: Batch) -> list[Outcome]:
    """All games of a batch."""
    return [played(batch.venue, contest) for contest in batch.contests]


def played(venue: Venue, contest: Contest, clock: Callable[[], float] = perf_counter) -> Outcome:
    """A game of its own, from its seed to its end; `clock` tells seconds."""
    table = _table(venue, contest)
    seconds = [0.0] * len(table.seats)
    table.start(clock())
    while not table.is_over:
        ask = replace(table.asks.pop(0), began=clock())
        move: Move | None = None
        with suppress(Exception):  # whatever ails a player, the game goes on without it
            move = ask.agent.choose(table.play, ask.seat)
        now = clock()
        seconds[ask.seat] += now - ask.began
        table.think(ask, move, now)
    ranks, results = _standing(table.result)
    seating = list(table.play.seating())
    seats = [seating.index(entry) for entry in range(len(seating))]
    return Outcome(
        contest=contest,
        ranks=[ranks[seat] for seat in seats],
        results=[results[seat] for seat in seats],
        seconds=[seconds[seat] for seat in seats],
        forced=[table.seats[seat].forced for seat in seats],
        game_id=table.id,
        record=table.herald.record,
    )


class Asked(Agent):
    """A player who is asked one decision at a time, however fast it is, so that its time can be taken."""

    def __init__(self, agent: Agent) -> None:
        self.about = agent.about
        self.is_slow = True
        self._agent = agent

    def choose(self, play: Play, seat: int) -> Move:
        return self._agent.choose(play, seat)


def _table(venue: Venue, contest: Contest) -> Table:
    chance = Seed(contest.seed)
    binding = venue.binding
    play = binding.open(
        Plan(
            variant=venue.variant,
            seats=len(contest.players),
            options=venue.options,
            chance=chance,
        )
    )
    names = [venue.players[contest.players[entry]] for entry in play.seating()]
    seats = [
        Seat(index, name, Asked(binding.agent(name, play, chance.stream, index)), venue.clock)
        for index, name in enumerate(names)
    ]
    game_id = f"{venue.match_id}-{contest.number + 1}"
    table = Table(game_id, binding.name, play, seats, chance, Terms(clock=venue.clock), LIMITS)
    if contest.number < venue.recorded:
        rules = binding.describe(venue.variant).rules
        table.herald.note(header(table, venue.variant, dict(venue.options), rules))
    else:
        table.herald = Silence(game_id, binding.name, play, seats, LIMITS.kept_events)
    return table


def _standing(result: Any) -> tuple[list[int], list[float]]:
    """(rank, result) of each seat."""
    points = [float(each) for each in getattr(result, "worth", None) or result.score]
    ranks = getattr(result, "rank", None) or [1 + sum(other > own for other in points) for own in points]
    return list(ranks), points
