"""A game between agents alone, and batches of them in another process.

Game is the referee here as anywhere: its clocks run while a player decides, and its record is kept where one is wanted.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final

from protocols.jsonl.binding.binding import Agent, Binding, Move, Plan, Play
from protocols.jsonl.game import AgentTurn, Game, GameOptions, Seat
from protocols.jsonl.match.contest import Contest
from protocols.jsonl.messages.values import ClockTerms
from protocols.jsonl.record.header import header
from protocols.jsonl.table.seeds import Seed
from protocols.limits import GameLimits

LIMITS: Final = GameLimits(kept_events=1)  # nobody looks on


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
    turns: deque[AgentTurn] = deque()
    game = _game(venue, contest, clock, lambda _, turn: turns.append(turn))
    seconds = [0.0] * len(game.seats)
    game.start()
    while not game.is_over:
        turn = replace(turns.popleft(), began=clock())
        move: Move | None = None
        with suppress(Exception):  # whatever ails a player, the game goes on without it
            move = turn.agent.choose(game.play, turn.seat)
        seconds[turn.seat] += clock() - turn.began
        game.decide_for(turn, move)
    ranks, results = _standing(game.result)
    seating = list(game.play.seating())
    seats = [seating.index(entry) for entry in range(len(seating))]
    return Outcome(
        contest=contest,
        ranks=[ranks[seat] for seat in seats],
        results=[results[seat] for seat in seats],
        seconds=[seconds[seat] for seat in seats],
        forced=[game.seats[seat].forced for seat in seats],
        game_id=game.id,
        record=game.broadcaster.record if game.broadcaster else (),
    )


class Asked(Agent):
    """A player who is asked one decision at a time, however fast it is, so that its time can be taken."""

    def __init__(self, agent: Agent) -> None:
        self.about = agent.about
        self.is_slow = True
        self._agent = agent

    def choose(self, play: Play, seat: int) -> Move:
        return self._agent.choose(play, seat)


def _game(
    venue: Venue, contest: Contest, clock: Callable[[], float], ask: Callable[[Game, AgentTurn], object]
) -> Game:
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
    is_recorded = contest.number < venue.recorded
    options = GameOptions(clock=venue.clock)
    game = Game(
        game_id, binding.name, play, seats, chance, options, LIMITS,
        clock=clock, ask=ask, is_silent=not is_recorded,
    )  # fmt: skip
    if is_recorded:
        rules = binding.describe(venue.variant).rules
        game.lines.write(header(game, venue.variant, dict(venue.options), rules))
    return game


def _standing(result: Any) -> tuple[list[int], list[float]]:
    """(rank, result) of each seat."""
    points = [float(each) for each in getattr(result, "worth", None) or result.score]
    ranks = getattr(result, "rank", None) or [1 + sum(other > own for other in points) for own in points]
    return list(ranks), points
