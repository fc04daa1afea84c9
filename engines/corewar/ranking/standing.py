"""A standing: what a warrior has made against its opponents, as a score with the interval that it is sure of."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engines.corewar.battles import TIE, WIN, Tally
from engines.match.rating import Z_95, Estimate

BEST = 100 * WIN  # the score of nothing but wins


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """`seat` is the warrior's number in the list that was ranked."""

    seat: int
    score: Estimate  # 0..300: the mean over its opponents of (3 wins + ties) * 100 / rounds
    wins: int
    losses: int
    ties: int


def standing(seat: int, tallies: Sequence[Tally], exact: bool = False) -> Standing:
    """Of a warrior that has fought somebody; ValueError for one that has not."""
    return Standing(
        seat=seat,
        score=score(tallies, exact),
        wins=sum(tally.wins for tally in tallies),
        losses=sum(tally.losses for tally in tallies),
        ties=sum(tally.ties for tally in tallies),
    )


def score(tallies: Sequence[Tally], exact: bool = False) -> Estimate:
    """The mean score against these opponents, each counted alike, and its 95 % interval.

    The opponents are given, the rounds against each are a sample of all that could be drawn: a stratified
    sample, whose variance is the mean of the strata's, each by its own number of rounds (W. Cochran, Sampling
    Techniques, chapter 5). Half a round more of each outcome keeps the variance of a clean sweep above
    nothing, as in engines.match.rating. An exact score is no sample: its interval is the score itself.
    """
    if not tallies:
        raise ValueError("no opponent, no score")
    value = sum(tally.score for tally in tallies) / len(tallies)
    if exact:
        return Estimate(value=value, low=value, high=value)
    half = Z_95 * math.sqrt(sum(_variance(tally) for tally in tallies)) / len(tallies)
    return Estimate(value=value, low=max(value - half, 0.0), high=min(value + half, BEST))


def by_score(standings: Sequence[Standing]) -> list[Standing]:
    """The best first; equal ones in the order of their numbers."""
    return sorted(standings, key=lambda each: (-each.score.value, each.seat))


def swapped(tally: Tally) -> Tally:
    """The same rounds, as the other of two warriors sees them."""
    return Tally.of_two(wins=tally.losses, losses=tally.wins, ties=tally.ties)


def _variance(tally: Tally) -> float:
    """Of the score against one opponent."""
    wins, ties, rounds = tally.wins + 0.5, tally.ties + 0.5, tally.rounds + 1.5
    mean = (WIN * wins + TIE * ties) / rounds
    square = (WIN * WIN * wins + TIE * TIE * ties) / rounds
    return 100 * 100 * (square - mean * mean) / tally.rounds
