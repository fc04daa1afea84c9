"""Games of all pairs of a placing and a buying program against each other, and a test of whether the best are lucky.

Reference: "Evolving Board Evaluation Functions", section 4.3: the best programs of fifty generations of one run of
each kind form 2,500 pairs, and each pair plays ten games against random others. Four pairs won all ten; among equal
pairs 2.4 would be expected to. So the pairs with the most wins play again, against each other.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import Final, Self

from core.random import Random
from engines.acquire.crossplay import duel, play_duel
from engines.acquire.evaluation import Arena, Batch, batches
from engines.acquire.genome import Genome
from engines.acquire.gp_config import GpConfig
from engines.acquire.match import Score, Worths
from engines.acquire.pairing import exact
from engines.acquire.registry import PlayerSpec
from engines.evolution.population import derive_seed
from engines.statistics import Estimate, bradley_terry
from engines.worker_pool import WorkerPool

GAMES: Final = 10  # first games of each pair
MIN_PAIRS: Final = 2 * GAMES  # pairs, so that each has GAMES different opponents
TOP: Final = 20  # pairs that play again


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """The results of all pairs. A pair is named by the generations of its programs."""

    names: tuple[tuple[int, int], ...]
    wins: tuple[int, ...]  # of each pair, in its first games
    tied: float  # share of the first games
    worth: float  # the mean final worth of a player in the first games, in dollars
    top: tuple[int, ...]  # the indices of the pairs that played again, the best by rating first
    ratings: tuple[Estimate, ...]  # Elo of the pairs in `top`
    retests: tuple[Score, ...]  # scores of the pairs in `top` against each other

    @classmethod
    async def played(
        cls,
        config: GpConfig,
        places: Sequence[Genome],
        buys: Sequence[Genome],
        games: int,
        seed: int,
        pool: WorkerPool,
    ) -> Self:
        """Play the first games of all pairs, and then about `games` more for each of the top pairs.

        Raises ValueError if there are too few programs.
        """
        names = [(place, buy) for place in range(len(places)) for buy in range(len(buys))]
        names = names[: len(names) // 2 * 2]
        if len(names) < MIN_PAIRS:
            raise ValueError(
                f"{len(names)} pairs are too few for {GAMES} games each against different pairs; {MIN_PAIRS} are needed"
            )
        teams = [team(places[place], buys[buy]) for place, buy in names]
        drawn = list(exact(len(teams), GAMES, Random(derive_seed(seed, 0))))
        first = [(one, other, derive_seed(seed, 1, number)) for number, (one, other) in enumerate(drawn)]
        tasks = list(batches(Arena.of(config), teams, first))
        worths = list(chain.from_iterable(await pool.map(_play, tasks)))
        wins = [0] * len(teams)
        for (one, other), (own, others) in zip(drawn, worths, strict=True):
            wins[one] += own > others
            wins[other] += others > own
        top = sorted(range(len(teams)), key=lambda place: -wins[place])[:TOP]
        entrants = [
            PlayerSpec(name=str(names[place]), genome=teams[place], options=config.options) for place in top
        ]
        each = max(games // (len(top) - 1), 2)
        meetings = list(combinations(range(len(top)), 2))
        met = await pool.map(
            play_duel,
            [
                duel(
                    config.game_rules, entrants[one], entrants[other], each, derive_seed(seed, 2, one, other)
                )
                for one, other in meetings
            ],
        )
        ratings = bradley_terry(
            len(top),
            [
                (one, other, (score.losses, score.ties, score.wins))
                for (one, other), score in zip(meetings, met, strict=True)
            ],
        )
        retests = [Score()] * len(top)
        for (one, other), score in zip(meetings, met, strict=True):
            retests[one] += score
            retests[other] += Score(losses=score.wins, ties=score.ties, wins=score.losses)
        order = sorted(range(len(top)), key=lambda place: -ratings[place].value)
        return cls(
            names=tuple(names),
            wins=tuple(wins),
            tied=sum(own == others for own, others in worths) / len(worths),
            worth=sum(map(sum, worths)) / (2 * len(worths)),
            top=tuple(top[place] for place in order),
            ratings=tuple(ratings[place] for place in order),
            retests=tuple(retests[place] for place in order),
        )

    @property
    def counts(self) -> list[int]:
        """The number of pairs that won 0, 1, ... of their first games."""
        found = Counter(self.wins)
        return [found[wins] for wins in range(GAMES + 1)]

    @property
    def expected(self) -> list[float]:
        """The expected number of pairs with 0, 1, ... wins in their first games if all pairs were equal."""
        win = (1 - self.tied) / 2
        return [
            len(self.names) * comb(GAMES, wins) * win**wins * (1 - win) ** (GAMES - wins)
            for wins in range(GAMES + 1)
        ]


def team(place: Genome, buy: Genome) -> Genome:
    """Return the pair of the placing program of one genome and the buying program of another."""
    return Genome(place=place.place, buy=buy.buy)


def _play(batch: Batch) -> list[Worths]:
    return batch.play()
