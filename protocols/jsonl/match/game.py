"""A game between players of the house alone, by the rules of its binding, and some of them in another process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from protocols.jsonl.binding.binding import Binding, Move, Plan
from protocols.jsonl.match.contest import Contest
from protocols.jsonl.table.seeds import Seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """What all games of a match have in common."""

    binding: Binding
    variant: str
    options: Mapping[str, Any]
    players: tuple[str, ...]
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
    forced: Sequence[int]  # decisions that failed


def played_batch(batch: Batch) -> list[Outcome]:
    """All games of a batch."""
    return [played(batch.venue, contest) for contest in batch.contests]


def played(venue: Venue, contest: Contest) -> Outcome:
    """A game of its own, from its seed to its end."""
    chance = Seed(contest.seed)
    names = [venue.players[player] for player in contest.players]
    play = venue.binding.open(
        Plan(variant=venue.variant, seats=len(names), options=venue.options, stream=chance.stream)
    )
    seating = list(play.seating())
    agents = [
        venue.binding.agent(names[entry], play, chance.stream, seat) for seat, entry in enumerate(seating)
    ]
    seconds, forced = [0.0] * len(names), [0] * len(names)
    play.begin()
    while (result := play.result()) is None:
        moves: dict[int, Move] = {}
        for seat in play.due():
            began = perf_counter()
            try:
                moves[seat] = agents[seat].choose(play, seat)
            except Exception:  # whatever ails a player, the game goes on without it
                moves[seat] = play.default(seat)
                forced[seat] += 1
            seconds[seat] += perf_counter() - began
        play.play(moves)
    ranks, results = _standing(result)
    seats = [seating.index(entry) for entry in range(len(names))]
    return Outcome(
        contest=contest,
        ranks=[ranks[seat] for seat in seats],
        results=[results[seat] for seat in seats],
        seconds=[seconds[seat] for seat in seats],
        forced=[forced[seat] for seat in seats],
    )


def _standing(result: Any) -> tuple[list[int], list[float]]:
    """(rank, result) of each seat."""
    points = [float(each) for each in getattr(result, "worth", None) or result.score]
    ranks = getattr(result, "rank", None) or [1 + sum(other > own for other in points) for own in points]
    return list(ranks), points
