"""Rankings of warriors: round robin and benchmark, with scores and their confidence intervals.

For each function that pairs entrants there is one that reads the tallies of these pairs, in the same order.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, Self, TypeVar

from engines.corewar.battles import TIE, WIN, Tally
from engines.statistics import Z_95, Estimate, ordered_sum

BEST: Final = 100 * WIN  # the score for wins only

Entrant = TypeVar("Entrant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The standing of a warrior in a ranking; `seat` is its number in the list that was ranked."""

    seat: int
    score: Estimate  # 0..300: the mean over its opponents of (3 wins + ties) * 100 / rounds
    wins: int
    losses: int
    ties: int


def standing(seat: int, tallies: Sequence[Tally], exact: bool = False) -> Standing:
    """Return the standing of a warrior from its tallies. Raises ValueError if there are none."""
    return Standing(
        seat=seat,
        score=score(tallies, exact),
        wins=sum(tally.wins for tally in tallies),
        losses=sum(tally.losses for tally in tallies),
        ties=sum(tally.ties for tally in tallies),
    )


def score(tallies: Sequence[Tally], exact: bool = False) -> Estimate:
    """Return the mean score against the opponents, with equal weights, and its 95 % interval.

    The opponents are given; the rounds against each are a sample of all that could be drawn. This is a stratified
    sample, whose variance is the mean of those of its strata, each divided by its own number of rounds (W. Cochran,
    Sampling Techniques, chapter 5). Half a round more of each outcome keeps the variance of a clean sweep above 0, as
    in engines.statistics. An exact score is no sample: its interval is the score itself. Raises ValueError without
    tallies.
    """
    if not tallies:
        raise ValueError("a score needs at least one opponent")
    value = ordered_sum(tally.score for tally in tallies) / len(tallies)
    if exact:
        return Estimate(value=value, low=value, high=value)
    half = Z_95 * math.sqrt(ordered_sum(_variance(tally) for tally in tallies)) / len(tallies)
    return Estimate(value=value, low=max(value - half, 0.0), high=min(value + half, BEST))


@dataclass(frozen=True, slots=True, kw_only=True)
class Generality:
    """The numbers of opponents that a warrior defeats, ties with and loses to.

    An opponent is defeated if it wins fewer rounds than the warrior. The share of opponents that are defeated or tied
    with is the generality of Digital Red Queen (arXiv 2601.03335, 2026). Ties count as much as victories in it, so a
    warrior that only survives looks general: `defeated` says more.
    """

    defeated: int
    tied: int
    lost: int

    @classmethod
    def of(cls, results: Iterable[Sequence[int]]) -> Self:
        """Return the generality from (losses, ties, wins) against each opponent."""
        leads = [wins - losses for losses, _, wins in results]
        return cls(
            defeated=sum(lead > 0 for lead in leads),
            tied=sum(lead == 0 for lead in leads),
            lost=sum(lead < 0 for lead in leads),
        )

    @property
    def share(self) -> float:
        """The share of opponents that are defeated or tied with. Raises ZeroDivisionError without opponents."""
        return (self.defeated + self.tied) / (self.defeated + self.tied + self.lost)


def by_score(standings: Sequence[Standing]) -> list[Standing]:
    """Return the standings, the best first; those with equal scores are in the order of their seats."""
    return sorted(standings, key=lambda standing: (-standing.score.value, standing.seat))


def _variance(tally: Tally) -> float:
    """Return the variance of the score against one opponent."""
    wins, ties, rounds = tally.wins + 0.5, tally.ties + 0.5, tally.rounds + 1.5
    mean = (WIN * wins + TIE * ties) / rounds
    square = (WIN * WIN * wins + TIE * TIE * ties) / rounds
    return 100 * 100 * (square - mean * mean) / tally.rounds


# -- Round robin: each warrior against each other ----------------------------------------------------


def round_robin_pairs(entrants: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Return the pairs of each entrant with each later one. Raises ValueError for fewer than two entrants."""
    if len(entrants) < 2:
        raise ValueError(f"a round robin needs two warriors or more, not {len(entrants)}")
    return list(combinations(entrants, 2))


def round_robin_standings(count: int, tallies: Sequence[Tally], exact: bool = False) -> list[Standing]:
    """Return the standings of `count` warriors, the best first, from the tallies of their round_robin_pairs()."""
    by_seat: list[list[Tally]] = [[] for _ in range(count)]
    for (first, second), tally in zip(combinations(range(count), 2), tallies, strict=True):
        by_seat[first].append(tally)
        by_seat[second].append(tally.reversed())
    return by_score([standing(seat, own, exact) for seat, own in enumerate(by_seat)])


# -- Benchmark: warriors against a fixed set of opponents, as the Wilkies or a set of nano warriors ----

# A warrior that is a member of the set fights itself, too: the published scores of the known sets include this.


def benchmark_pairs(
    entrants: Sequence[Entrant], opponents: Sequence[Entrant]
) -> list[tuple[Entrant, Entrant]]:
    """Return the pairs of each entrant with each opponent. Raises ValueError if there are none of either."""
    if not entrants or not opponents:
        raise ValueError("a benchmark needs a warrior and an opponent")
    return list(product(entrants, opponents))


def benchmark_standings(opponents: int, tallies: Sequence[Tally], exact: bool = False) -> list[Standing]:
    """Return the standings of the warriors, the best first, from the tallies of their benchmark_pairs().

    `opponents` is the number of opponents in the set.
    """
    rows = [tallies[first : first + opponents] for first in range(0, len(tallies), opponents)]
    return by_score([standing(seat, row, exact) for seat, row in enumerate(rows)])
