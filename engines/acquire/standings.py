"""Standings: what came of games at tables of two or more, as scores, pairs and ratings.

Games come in one order, bag after bag, whoever computed them: ratings too are the same for any number of workers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Self

from openskill.models import PlackettLuce

from engines.acquire.measure import Score, Worths
from engines.statistics import Estimate, bradley_terry

DEVIATIONS: Final = 2.0  # of a rating, to either side

Tally = tuple[int, int, int]  # losses, ties, wins


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Games of one group, in their order; `players` are the indices of the entrants."""

    players: tuple[int, ...]
    games: Sequence[Worths]


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
