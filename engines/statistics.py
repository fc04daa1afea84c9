"""Statistics: the strength that results show, with intervals and tests, and changes in series of measurements.

In this module `counts` are always the numbers of results from worst to best, at equal steps of the score: three for
single games (losses, draws, wins), or five for pairs of games from one opening with both colours (0, 1/2, 1, 1 1/2
and 2 points). Pairs are more informative, because an opening that favours one colour cancels out.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, chain, islice
from statistics import StatisticsError, correlation, fmean, stdev
from typing import Final, Literal, Self

from core.random import Random
from engines.evolution.selection import shuffled

Z_95: Final = 1.959963984540054  # two-sided 95 % quantile of the normal distribution
ELO_PER_LOGIT: Final = 400 / math.log(10)
BLOCKS: Final = 40  # parts of a series that are permuted
PERMUTATIONS: Final = 999
MIN_POINTS: Final = 2 * BLOCKS  # the shortest series for change_point()


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float

    def __format__(self, form: str) -> str:
        """Return the value with its interval: `+3 [-1, +7]` for "+.0f", `75.4 % [73.5, 77.3]` for ".1%"."""
        scale, unit = 1, ""
        if form.endswith("%"):
            scale, unit, form = 100, " %", f"{form[:-1]}f"
        value, low, high = (f"{scale * each:{form}}" for each in (self.value, self.low, self.high))
        return f"{value}{unit} [{low}, {high}]"


def ordered_sum(values: Iterable[float]) -> float:
    """Return the sum, added from first to last; sum() rounds differently since Python 3.12, and results must not."""
    total = 0.0
    for value in values:
        total += value
    return total


def score(counts: Sequence[int]) -> Estimate:
    """Return the mean score, in 0..1. Raises ValueError if there are no results.

    The interval is Wilson's, for the number of coin tosses that would vary as much as these results do (E. B. Wilson,
    JASA 22, 1927; the effective number as for survey designs, E. Korn and B. Graubard, Survey Methodology 24, 1998).
    Unlike mean +- 1.96 sigma, this interval stays within 0..1 and does not shrink to nothing if all results are the
    same. For many results the two intervals agree.

    `counts` has the number of results by their points, from none to all: losses, draws and wins of single games, or
    the pairs of games with 0, 1/2, 1, 3/2 and 2 points.

    >>> f"{score([20, 10, 70]):.1%}"
    '75.0 % [66.4, 82.0]'
    """
    total = sum(counts)
    if not total:
        raise ValueError("a score needs at least one result")
    mean, _ = _moments(counts)
    smooth_mean, variance = _moments([count + 0.5 for count in counts])
    tosses = total * smooth_mean * (1 - smooth_mean) / variance
    return wilson(mean, tosses)


def wilson(mean: float, tosses: float) -> Estimate:
    """Return a mean in 0..1 with Wilson's interval for a number of coin tosses, which need not be whole."""
    spread = Z_95**2 / tosses
    middle = (mean + spread / 2) / (1 + spread)
    half = math.sqrt(spread * mean * (1 - mean) + spread**2 / 4) / (1 + spread)
    low = max(middle - half, 0.0) if mean > 0 else 0.0  # rounding would make an infinite Elo finite
    high = min(middle + half, 1.0) if mean < 1 else 1.0
    return Estimate(value=mean, low=low, high=high)


def elo(counts: Sequence[int]) -> Estimate:
    """Return the Elo difference that explains the score; infinite if all games were won or all were lost.

    >>> f"{elo([20, 10, 70]):+.0f}"
    '+191 [+118, +263]'
    """
    points = score(counts)
    return Estimate(value=to_elo(points.value), low=to_elo(points.low), high=to_elo(points.high))


def to_elo(expected: float) -> float:
    """Return the Elo difference at which the expected score is `expected`."""
    if expected <= 0 or expected >= 1:
        return math.inf if expected >= 1 else -math.inf
    return 400 * math.log10(expected / (1 - expected))


def expectation(elo_difference: float) -> float:
    """Return the expected score of a side that is stronger by `elo_difference`."""
    return 1 / (1 + 10 ** (-elo_difference / 400))


def los(counts: Sequence[int]) -> float:
    """Return the likelihood of superiority: the probability that the first side is the stronger one.

    This is the normal approximation with the variance around 1/2; for single games, the usual
    Phi((wins - losses) / sqrt(wins + losses)) (chessprogramming.org, "Match Statistics").
    """
    total = sum(counts)
    steps = len(counts) - 1
    around_half = ordered_sum(count * (step / steps - 0.5) ** 2 for step, count in enumerate(counts))
    if not around_half:
        return 0.5
    mean, _ = _moments(counts)
    return 0.5 + 0.5 * math.erf((mean - 0.5) * total / math.sqrt(2 * around_half))


class Verdict(Enum):
    """The state of a sequential test."""

    CONTINUE = "continue"
    H0 = "H0"  # not better than elo0
    H1 = "H1"  # at least elo1 better


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprt:
    """The generalised sequential probability ratio test of elo0 against elo1, as fastchess does it.

    `alpha` is the probability of accepting H1 if elo0 is true, `beta` that of accepting H0 if elo1 is true.
    Normalised Elo measures the difference in standard deviations of the result of a game (times 347.4), so that the
    length of a test does not depend on the share of draws. Counts of 0 are taken as 0.001. Reference: M. Van den
    Bergh, "Comments on Normalized Elo" (2020), sections 1 and 4.1.

    >>> test = Sprt.parse("0,20")
    >>> test.verdict([3, 4, 5]), test.verdict([100, 100, 200])
    (<Verdict.CONTINUE: 'continue'>, <Verdict.H1: 'H1'>)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Literal["normalized", "logistic"] = "normalized"

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"SPRT: elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        if (
            max(-self.elo0, self.elo1) > 200
        ):  # the iteration of _distribution_with_t() converges well within that
            raise ValueError(
                f"SPRT: elo0 and elo1 must be within -200..200, not {self.elo0:g} and {self.elo1:g}"
            )
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise ValueError("SPRT: alpha and beta must be above 0 and add up to less than 1")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the test of a text `elo0,elo1[,alpha,beta][,normalized|logistic]`. Raises ValueError otherwise."""
        *words, last = text.split(",")
        model: Literal["normalized", "logistic"] = "logistic" if last.strip() == "logistic" else "normalized"
        if last.strip() not in ("logistic", "normalized"):
            words.append(last)
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise ValueError(
                f"SPRT: elo0,elo1[,alpha,beta][,normalized|logistic] is expected, not {text[:60]!r}"
            )
        alpha, beta = numbers[2:] or (0.05, 0.05)
        return cls(elo0=numbers[0], elo1=numbers[1], alpha=alpha, beta=beta, model=model)

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted (A. Wald, Ann. Math. Stat. 16, 1945)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of H1 to H0 after some results; 0 before any."""
        if not sum(counts):
            return 0.0
        regular = [count or 1e-3 for count in counts]
        total = ordered_sum(regular)
        shares = [count / total for count in regular]
        if self.model == "logistic":
            model0, model1 = (
                _distribution_with_mean(shares, expectation(elo)) for elo in (self.elo0, self.elo1)
            )
        else:
            games = math.sqrt((len(counts) - 1) / 2)  # a pair varies less than a game, by sqrt(2)
            model0, model1 = (
                _distribution_with_t(shares, elo * games / (2 * ELO_PER_LOGIT))
                for elo in (self.elo0, self.elo1)
            )
        return total * ordered_sum(
            share * math.log(p1 / p0) for share, p0, p1 in zip(shares, model0, model1, strict=True)
        )

    def verdict(self, counts: Sequence[int]) -> Verdict:
        ratio = self.llr(counts)
        if ratio >= self.upper:
            return Verdict.H1
        return Verdict.H0 if ratio <= self.lower else Verdict.CONTINUE


def bradley_terry(
    players: int, games: Sequence[tuple[int, int, Sequence[int]]], prior_draws: float = 0.5
) -> list[Estimate]:
    """Return Elo ratings around their mean 0, from (first, second, counts of the first's single games).

    The ratings are the maximum of the Bradley-Terry likelihood, with a draw as half a win and half a loss, found by
    Newton's method. The intervals follow from the curvature at the maximum (D. Hunter, Ann. Stat. 32, 2004); they are
    a little wide if many games are drawn. In addition, each player is assumed to have drawn `prior_draws` games
    against a player of rating 0, so that the rating of a player that has won all games is finite.
    """
    if players < 1:
        raise ValueError("ratings need at least one player")
    strengths = [0.0] * players
    for _ in range(100):
        slope, curvature = _likelihood(strengths, games, prior_draws)
        spread = _inverse(curvature)
        step = [ordered_sum(row[other] * slope[other] for other in range(players)) for row in spread]
        longest = max(abs(change) for change in step)
        damping = min(1.0, 1.0 / longest) if longest else 1.0
        strengths = [strength + damping * change for strength, change in zip(strengths, step, strict=True)]
        if longest < 1e-10:
            break
    mean = ordered_sum(strengths) / players
    spread = _centred(_inverse(_likelihood(strengths, games, prior_draws)[1]))
    ratings = []
    for player, strength in enumerate(strengths):
        value = (strength - mean) * ELO_PER_LOGIT
        half = Z_95 * math.sqrt(max(spread[player][player], 0.0)) * ELO_PER_LOGIT
        ratings.append(Estimate(value=value, low=value - half, high=value + half))
    return ratings


def mean(values: Sequence[float]) -> Estimate:
    """Return the mean with its 95 % interval by Student's t. Raises ValueError for less than two values.

    The bootstrap is not used, because for five values it covers the truth in only about 85 cases of 100.
    """
    if len(values) < 2:
        raise ValueError("an interval needs at least two values")
    middle = fmean(values)
    half = student(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return Estimate(value=middle, low=middle - half, high=middle + half)


def geometric_mean(ratios: Sequence[float]) -> Estimate:
    """Return the geometric mean of ratios above 0 with its 95 % interval; 1/2 is as far from 1 as 2 is."""
    logs = mean([math.log(ratio) for ratio in ratios])
    return Estimate(value=math.exp(logs.value), low=math.exp(logs.low), high=math.exp(logs.high))


def student(degrees: int, within: float = 0.95) -> float:
    """Return the t that |T| does not exceed with probability `within`, by bisection of atan(t / sqrt(degrees))."""
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _student_within(angle, degrees) < within else (low, angle)
    return math.tan(low) * math.sqrt(degrees)


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return the correlation of the ranks. Raises ValueError if all xs or all ys are equal, or for less than two."""
    try:
        return correlation(ranks(xs), ranks(ys))
    except StatisticsError as error:
        raise ValueError(str(error)) from None


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, 1 for the least; equal values share the mean of their ranks."""
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
    """A change of level: the first index of the new level, the mean before it and from it on, and the p-value."""

    index: int
    before: float
    after: float
    p: float


def change_point(series: Sequence[float], rng: Random) -> ChangePoint:
    """Return the split of a series into two levels with the least sum of squares.

    Each side has at least a twentieth of the series. The p-value is that of a permutation test on blocks, each a
    fortieth of the series: how often the same blocks in random order can be split as well. The test asks whether the
    levels differ by more than those of a series without correlation beyond a block; a low p-value does not mean that
    the change was sudden. Nearer to an end of the series, a change could not be distinguished from chance, because in
    one order of 20 a given block of 40 is at an end. Raises ValueError for less than MIN_POINTS.
    """
    if len(series) < MIN_POINTS:
        raise ValueError(f"a change-point needs {MIN_POINTS} points or more, not {len(series)}")
    n, margin = len(series), 2 * len(series) // BLOCKS
    weights = [1 / (first * (n - first)) for first in range(margin, n - margin + 1)]
    level = fmean(series)
    centred = [value - level for value in series]
    gains = list(_gains(centred, weights))
    index = margin + gains.index(max(gains))
    enough = max(gains) * (1 - 1e-9)  # sums in another order round differently
    blocks = [centred[n * block // BLOCKS : n * (block + 1) // BLOCKS] for block in range(BLOCKS)]
    as_good = 0
    for _ in range(PERMUTATIONS):
        blocks = shuffled(blocks, rng)
        as_good += max(_gains(list(chain.from_iterable(blocks)), weights)) >= enough
    return ChangePoint(
        index=index,
        before=fmean(series[:index]),
        after=fmean(series[index:]),
        p=(1 + as_good) / (1 + PERMUTATIONS),
    )


# -- Distributions of one result -------------------------------------------------------------------


def _moments(counts: Sequence[float]) -> tuple[float, float]:
    """Return mean and variance of one result, as a score in 0..1."""
    total = ordered_sum(counts)
    steps = len(counts) - 1
    mean = ordered_sum(count * step for step, count in enumerate(counts)) / steps / total
    variance = ordered_sum(count * (step / steps - mean) ** 2 for step, count in enumerate(counts)) / total
    return mean, variance


def _distribution_with_mean(shares: Sequence[float], mean: float) -> list[float]:
    """Return the likeliest distribution with a given mean for the observed shares (proposition 1.1)."""
    steps = len(shares) - 1
    return _tilted(shares, [step / steps - mean for step in range(len(shares))])


def _distribution_with_t(shares: Sequence[float], t: float) -> list[float]:
    """Return the likeliest distribution with (mean - 1/2) / sigma = t, by iteration (section 4.1)."""
    steps = len(shares) - 1
    scores = [step / steps for step in range(len(shares))]
    model = [1 / len(shares)] * len(shares)
    for _ in range(50):
        mean, variance = _moments(model)
        sigma = math.sqrt(variance)
        offsets = [x - 0.5 - t * sigma / 2 * (1 + ((x - mean) / sigma) ** 2) for x in scores]
        old, model = model, _tilted(shares, offsets)
        if max(abs(p - q) for p, q in zip(old, model, strict=True)) < 1e-9:
            break
    return model


def _tilted(shares: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """Return shares / (1 + x offsets), with the x for which the mean of the offsets is 0."""

    def mean_offset(x: float) -> float:
        return ordered_sum(
            share * offset / (1 + x * offset) for share, offset in zip(shares, offsets, strict=True)
        )

    x = _falling_root(mean_offset, -1 / max(offsets), -1 / min(offsets))
    return [share / (1 + x * offset) for share, offset in zip(shares, offsets, strict=True)]


def _falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a function that falls from infinity at `low` to minus infinity at `high`."""
    for _ in range(100):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


# -- Ratings ---------------------------------------------------------------------------------------


def _likelihood(
    strengths: Sequence[float], games: Sequence[tuple[int, int, Sequence[int]]], prior_draws: float
) -> tuple[list[float], list[list[float]]]:
    """Return the slope of the log-likelihood and its negated curvature, in logits."""
    players = len(strengths)
    slope = [0.0] * players
    curvature = [[0.0] * players for _ in range(players)]
    for player, strength in enumerate(strengths):
        expected = 1 / (1 + math.exp(-strength))
        slope[player] += prior_draws * (0.5 - expected)
        curvature[player][player] += prior_draws * expected * (1 - expected)
    for first, second, (losses, draws, wins) in games:
        total = losses + draws + wins
        expected = 1 / (1 + math.exp(strengths[second] - strengths[first]))
        surplus = wins + draws / 2 - total * expected
        slope[first] += surplus
        slope[second] -= surplus
        weight = total * expected * (1 - expected)
        curvature[first][first] += weight
        curvature[second][second] += weight
        curvature[first][second] -= weight
        curvature[second][first] -= weight
    return slope, curvature


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse by Gauss and Jordan, without pivoting, because the matrix is positive definite."""
    size = len(matrix)
    rows = [list(row) + [float(index == other) for other in range(size)] for index, row in enumerate(matrix)]
    for index in range(size):
        pivot = rows[index][index]
        rows[index] = [value / pivot for value in rows[index]]
        for other in range(size):
            factor = rows[other][index]
            if other != index and factor:
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[index], strict=True)]
    return [row[size:] for row in rows]


def _centred(spread: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the covariances of the strengths less their mean."""
    size = len(spread)
    means = [ordered_sum(row) / size for row in spread]
    overall = ordered_sum(means) / size
    return [[spread[i][j] - means[i] - means[j] + overall for j in range(size)] for i in range(size)]


# -- Means and series --------------------------------------------------------------------------------


def _student_within(angle: float, degrees: int) -> float:
    """Return P(|T| < t), a finite sum (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 26.7.3-4)."""
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
    """Yield by how much each split that leaves a margin reduces the sum of squares, divided by the length."""
    margin = 2 * len(centred) // BLOCKS
    sums = islice(accumulate(centred), margin - 1, None)
    return (total * total * weight for total, weight in zip(sums, weights, strict=False))
