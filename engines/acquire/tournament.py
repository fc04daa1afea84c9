"""A tournament: every group of players at a table of their own, over the same bags, and the table that follows.

Games are counted in one order, bag after bag, whoever computes them: ratings too are the same for any number
of workers.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final, Self

from openskill.models import PlackettLuce

from core.acquire.rules import Rules
from engines.acquire.entrant import Entrant
from engines.acquire.measure import Contest, Score, Worths, play
from engines.executor import Crew
from engines.rating import Estimate, bradley_terry

BATCH_BAGS: Final = 200  # a task for a worker
SLOW_BAGS: Final = 2  # of players that try tiles out
PARTS: Final = 20  # of a tournament at least, so that one sees it go on
AHEAD: Final = 4  # batches a worker between two looks
DEVIATIONS: Final = 2.0  # of a rating, to either side

Tally = tuple[int, int, int]  # losses, ties, wins


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Games of one group, in their order; `players` are the indices of the entrants."""

    players: tuple[int, ...]
    games: Sequence[Worths]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """What is to be played: `bags` by each group of `seats` players, once for each rotation of them."""

    rules: Rules
    entrants: tuple[Entrant, ...]
    seats: int
    bags: int
    seed: int
    records: Path | None = None

    def __post_init__(self) -> None:
        fewest, most = self.rules.seats
        if not fewest <= self.seats <= most:
            raise ValueError(f"{self.rules.name} is for {fewest} to {most} players, not {self.seats}")
        if len(self.entrants) < self.seats:
            raise ValueError(f"{self.seats} seats need as many players, not {len(self.entrants)}")
        if self.bags < 1:
            raise ValueError("no bags, no games")

    @property
    def groups(self) -> list[tuple[int, ...]]:
        return list(combinations(range(len(self.entrants)), self.seats))

    @property
    def games(self) -> int:
        return len(self.groups) * self.bags * self.seats

    async def play(self, crew: Crew) -> AsyncIterator[Played]:
        """All games, batch by batch."""
        batches = list(self._batches())
        step = AHEAD * crew.workers
        for start in range(0, len(batches), step):
            some = batches[start : start + step]
            worths = await crew.map(play, [contest for _, contest in some])
            for (players, _), games in zip(some, worths, strict=True):
                yield Played(players=players, games=games)

    def _batches(self) -> Iterator[tuple[tuple[int, ...], Contest]]:
        """The groups take turns, so that a tournament broken off has played as much with each."""
        most = SLOW_BAGS if any(entrant.name.startswith("mc-") for entrant in self.entrants) else BATCH_BAGS
        bags = max(1, min(most, self.bags // PARTS))
        by_group = [
            Contest(
                rules=self.rules,
                players=tuple(self.entrants[index] for index in players),
                bags=self.bags,
                seed=self.seed,
                records=self.records,
            ).batches(bags)
            for players in self.groups
        ]
        for contests in zip(*by_group, strict=True):
            yield from zip(self.groups, contests, strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """What came of it. Entrants are given by their index."""

    names: tuple[str, ...]
    seats: int
    scores: tuple[Score, ...]
    against: dict[tuple[int, int], Tally]  # of the first against the second: who had more
    ratings: tuple[Estimate, ...] | None  # None for two players, whose score says it all

    @classmethod
    def of(cls, names: Sequence[str], seats: int, played: Sequence[Played]) -> Self:
        scores = [Score()] * len(names)
        against: dict[tuple[int, int], Tally] = {}
        for batch in played:
            for worths in batch.games:
                for seat, player in enumerate(batch.players):
                    scores[player] += Score.of(worths, seat)
                for one, other in combinations(range(len(worths)), 2):
                    pair = batch.players[one], batch.players[other]
                    against[pair] = _counted(against.get(pair, (0, 0, 0)), worths[one] - worths[other])
        ratings: list[Estimate] | None = None
        if len(names) > 2:
            ratings = _elo(len(names), against) if seats == 2 else _plackett_luce(len(names), played)
        return cls(
            names=tuple(names),
            seats=seats,
            scores=tuple(scores),
            against=against,
            ratings=None if ratings is None else tuple(ratings),
        )

    @property
    def games(self) -> int:
        return sum(score.games for score in self.scores) // self.seats


def _counted(tally: Tally, difference: int) -> Tally:
    losses, ties, wins = tally
    return losses + (difference < 0), ties + (difference == 0), wins + (difference > 0)


def _elo(players: int, against: dict[tuple[int, int], Tally]) -> list[Estimate]:
    return bradley_terry(players, [(one, other, tally) for (one, other), tally in against.items()])


def _plackett_luce(players: int, played: Sequence[Played]) -> list[Estimate]:
    """Ratings from whole rankings, game after game; 25 is where everybody begins.

    R. Weng, C. Lin, JMLR 12 (2011), as the openskill package has it. Nobody's strength changes here, so
    nothing is added to the deviations between games (tau).
    """
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(players)]
    for batch in played:
        for worths in batch.games:
            teams = [[ratings[player]] for player in batch.players]
            for player, (rating,) in zip(
                batch.players, model.rate(teams, scores=list(map(float, worths))), strict=True
            ):
                ratings[player] = rating
    return [
        Estimate(
            value=rating.mu,
            low=rating.mu - DEVIATIONS * rating.sigma,
            high=rating.mu + DEVIATIONS * rating.sigma,
        )
        for rating in ratings
    ]
