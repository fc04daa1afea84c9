"""The statistics of a study: the interval of a mean, rank correlation, and where a series changes."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice
from statistics import StatisticsError, correlation, fmean, stdev
from typing import Final

from core.random import Random
from engines.match.rating import Estimate

BLOCKS: Final = 40
PERMUTATIONS: Final = 999
FEWEST_POINTS: Final = 2 * BLOCKS


def mean(values: Sequence[float]) -> Estimate:
    """The mean with its 95 % interval by Student's t; ValueError for less than two values.

    Not the bootstrap: for five values that covers the truth in about 85 cases of 100 only.
    """
    if len(values) < 2:
        raise ValueError("an interval needs two values or more")
    middle = fmean(values)
    half = student(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return Estimate(value=middle, low=middle - half, high=middle + half)


def geometric_mean(ratios: Sequence[float]) -> Estimate:
    """The same for ratios above 0, whose logarithms are averaged: a half is as far from 1 as a double."""
    logs = mean([math.log(ratio) for ratio in ratios])
    return Estimate(value=math.exp(logs.value), low=math.exp(logs.low), high=math.exp(logs.high))


def student(degrees: int, within: float = 0.95) -> float:
    """The t that |T| stays below with probability `within`, by bisection of atan(t / sqrt(degrees))."""
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _student_within(angle, degrees) < within else (low, angle)
    return math.tan(low) * math.sqrt(degrees)


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Correlation of the ranks. ValueError where all of one side are equal, or there are less than two."""
    try:
        return correlation(ranks(xs), ranks(ys))
    except StatisticsError as error:
        raise ValueError(str(error)) from None


def ranks(values: Sequence[float]) -> list[float]:
    """1 for the least; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for index in order[start:end]:
            result[index] = (start + 1 + end) / 2
        start = end
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePoint:
    """The first index of the new level, the mean before and from it, and how likely chance does as well."""

    index: int
    before: float
    after: float
    p: float


def change_point(series: Sequence[float], rng: Random) -> ChangePoint:
    """The split into two levels that leaves the least squares, a twentieth of the series on each side.

    p is that of a permutation of blocks, a fortieth of the series each: how often the same pieces in
    random order split as well. It asks whether the levels differ by more than those of a series that
    forgets itself within a block; it does not say that the change was sudden. Nearer to an end a change
    could not be told from chance: one block of 40 comes to an end in one order of 20.
    ValueError for less than FEWEST_POINTS.
    """
    if len(series) < FEWEST_POINTS:
        raise ValueError(f"a change-point needs {FEWEST_POINTS} points or more, not {len(series)}")
    n, margin = len(series), 2 * len(series) // BLOCKS
    weights = [1 / (first * (n - first)) for first in range(margin, n - margin + 1)]
    level = fmean(series)
    centred = [value - level for value in series]
    gains = list(_gains(centred, weights))
    index = margin + gains.index(max(gains))
    enough = max(gains) * (1 - 1e-9)  # sums in another order round otherwise
    blocks = [centred[n * block // BLOCKS : n * (block + 1) // BLOCKS] for block in range(BLOCKS)]
    as_good = 0
    for _ in range(PERMUTATIONS):
        _shuffle(blocks, rng)
        as_good += max(_gains(list(chain.from_iterable(blocks)), weights)) >= enough
    return ChangePoint(
        index=index,
        before=fmean(series[:index]),
        after=fmean(series[index:]),
        p=(1 + as_good) / (1 + PERMUTATIONS),
    )


def _student_within(angle: float, degrees: int) -> float:
    """P(|T| < t): a finite sum (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 26.7.3-4)."""
    cosine = math.cos(angle)
    is_odd = degrees % 2
    term = cosine if is_odd else 1.0
    total = 0.0
    for factor in range(2 + is_odd, degrees + 1, 2):
        total += term
        term *= cosine**2 * (factor - 1) / factor
    if is_odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def _gains(centred: Sequence[float], weights: Sequence[float]) -> Iterator[float]:
    """How much the squares shrink, in parts of their mean, by each split that leaves a margin."""
    margin = 2 * len(centred) // BLOCKS
    sums = islice(accumulate(centred), margin - 1, None)
    return (total * total * weight for total, weight in zip(sums, weights, strict=False))


def _shuffle(blocks: list[list[float]], rng: Random) -> None:
    for last in range(len(blocks) - 1, 0, -1):
        other = rng.below(last + 1)
        blocks[last], blocks[other] = blocks[other], blocks[last]
