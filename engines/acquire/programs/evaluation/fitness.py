"""What a game is worth to a side, and what the fitness of a generation says.

Reference: "Evolving Board Evaluation Functions", sections 1.2 and 3.2. Where the fitness is the share of the
money, both sides have 1 together: the mean over all games is 1/2, whatever anybody can do, and only the
spread around it and the best of it say anything; what equal players would reach by luck is said beside it.
"""

from collections.abc import Sequence
from itertools import chain
from math import sqrt
from statistics import NormalDist, fmean, pstdev
from typing import Any

from engines.acquire.programs.config import ProgramsConfig
from engines.acquire.programs.evaluation.games import Worths
from engines.acquire.programs.evaluation.pairing import Pair


def points(config: ProgramsConfig, worths: Worths, cash: int) -> tuple[float, float]:
    """Of the two sides, who began with so much cash."""
    one, other = worths
    if config.money_won == "earned":
        one, other = max(one - cash, 0), max(other - cash, 0)
    match config.fitness:
        case "share":
            share = one / (one + other) if one + other else 0.5
            return share, 1 - share
        case "wins":
            win = 0.5 if one == other else float(one > other)
            return win, 1 - win
    return float(one), float(other)


def credited(
    config: ProgramsConfig, size: int, games: Sequence[Pair], worths: Sequence[Worths]
) -> list[list[float]]:
    """The points of each slot, game by game: both sides are credited."""
    cash = config.played().cash
    credit: list[list[float]] = [[] for _ in range(size)]
    for sides, ended in zip(games, worths, strict=True):
        for slot, point in zip(sides, points(config, ended, cash), strict=True):
            credit[slot].append(point)
    return credit


def fitness_of(credit: Sequence[Sequence[float]]) -> list[float]:
    """The mean of each slot's points."""
    return [sum(each) / max(len(each), 1) for each in credit]


def spread(credit: Sequence[Sequence[float]], games: int) -> dict[str, Any]:
    """Of a generation: least, mean, best, deviation; and how good the best of equal players would look."""
    fitness, every = fitness_of(credit), list(chain.from_iterable(credit))
    deviation = pstdev(every)
    return {
        "least": round(min(fitness), 6),
        "mean": round(fmean(every), 6),
        "best": round(max(fitness), 6),
        "deviation": round(pstdev(fitness), 6),
        "game_deviation": round(deviation, 6),
        "best_by_luck": round(fmean(every) + expected_best(len(fitness)) * deviation / sqrt(games), 6),
    }


def expected_best(count: int) -> float:
    """Standard deviations by which the best of so many equal ones exceeds the mean (G. Blom, 1958)."""
    return NormalDist().inv_cdf((count - 0.375) / (count + 0.25))
