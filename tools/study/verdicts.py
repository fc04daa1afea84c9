"""Verdicts over runs: rules that judge one number of each run.

The unit of observation is the run, because the games of one run are played by relatives. A run in which a quantity
cannot be measured does not count, and with fewer than MIN_RUNS runs nothing is decided.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from statistics import fmean, stdev
from typing import Final

from engines.statistics import Estimate, geometric_mean, mean, score, student

MIN_RUNS: Final = 5  # with fewer runs nothing is decided


class Verdict(Enum):
    """The verdict on a claim or a finding."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = "undecided"
    MEASURED = "measured only"  # nothing was claimed


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict, the interval that it is based on, and the reason if it is undecided.

    `showing` is the number of runs that show the claim, for rules that count runs.
    """

    verdict: Verdict
    estimate: Estimate | None
    showing: int | None = None
    reason: str = ""


Rule = Callable[[Sequence[float]], Judgement]


def majority_of_runs(shows: Callable[[float], bool]) -> Rule:
    """Return the rule that the share of runs that show the claim is above one half.

    The interval is Wilson's: for five runs of five it starts at 0.57. Clopper and Pearson's would start at 0.48, so
    that five runs could never decide. If a run shows the claim with probability one half, all of five runs do so in 3
    cases of 100.
    """

    def judge(values: Sequence[float]) -> Judgement:
        showing = sum(map(shows, values))
        estimate = score([len(values) - showing, showing]) if values else None
        return replace(_decided(values, estimate, above=0.5), showing=showing)

    return judge


def mean_above(bound: float) -> Rule:
    """Return the rule that the mean over runs is above the bound."""
    return lambda values: _decided(values, _interval(mean, values), above=bound)


def mean_below(bound: float) -> Rule:
    """Return the rule that the mean over runs is below the bound."""
    return lambda values: _decided(values, _interval(mean, values), below=bound)


def mean_within(low: float, high: float) -> Rule:
    """Return the rule that the interval of the mean over runs lies within these bounds.

    An interval outside of them speaks against the claim; one that crosses a bound leaves it undecided.
    """

    def judge(values: Sequence[float]) -> Judgement:
        estimate = _interval(mean, values)
        if few := _too_few(values, estimate):
            return few
        assert estimate
        if low <= estimate.low and estimate.high <= high:
            return Judgement(verdict=Verdict.REPRODUCED, estimate=estimate)
        if estimate.high < low or high < estimate.low:
            return Judgement(verdict=Verdict.NOT_REPRODUCED, estimate=estimate)
        reason = f"the interval crosses a bound of {low:g}..{high:g}"
        return Judgement(verdict=Verdict.UNDECIDED, estimate=estimate, reason=reason)

    return judge


def negated(rule: Rule) -> Rule:
    """Return the rule whose claim is the opposite."""
    opposite = {
        Verdict.REPRODUCED: Verdict.NOT_REPRODUCED,
        Verdict.NOT_REPRODUCED: Verdict.REPRODUCED,
    }

    def judge(values: Sequence[float]) -> Judgement:
        judgement = rule(values)
        return replace(judgement, verdict=opposite.get(judgement.verdict, judgement.verdict))

    return judge


def one_more_run(printed: float) -> Rule:
    """Return the rule that a printed number is one that another run would give.

    The interval is the range in which one more run is expected in 95 of 100 cases: by Student's t, with the deviation
    of single runs. It assumes normal numbers, so a printed number outside of it still leaves the claim undecided if it
    is among those of the runs.
    """

    def judge(values: Sequence[float]) -> Judgement:
        if few := _too_few(values, None):
            return few
        middle = fmean(values)
        half = student(len(values) - 1) * stdev(values) * math.sqrt(1 + 1 / len(values))
        estimate = Estimate(value=middle, low=middle - half, high=middle + half)
        if estimate.low <= printed <= estimate.high:
            return Judgement(verdict=Verdict.REPRODUCED, estimate=estimate)
        if min(values) <= printed <= max(values):
            reason = f"{printed:g} is outside of the range of one more run, but among the numbers of the runs"
            return Judgement(verdict=Verdict.UNDECIDED, estimate=estimate, reason=reason)
        return Judgement(verdict=Verdict.NOT_REPRODUCED, estimate=estimate)

    return judge


def no_outlier(values: Sequence[float]) -> Judgement:
    """Judge whether no run is an outlier, by Grubbs' two-sided test at 5 % (F. Grubbs, Technometrics 11, 1969).

    The estimate is the largest distance of a run from the mean, in standard deviations; its upper bound is the
    distance that the runs of one normal distribution exceed in 5 of 100 cases.
    """
    if few := _too_few(values, None):
        return few
    size, spread = len(values), stdev(values)
    distance = max(abs(value - fmean(values)) for value in values) / spread if spread else 0.0
    t = student(size - 2, 1 - 0.05 / size)
    most = (size - 1) / math.sqrt(size) * math.sqrt(t * t / (size - 2 + t * t))
    return Judgement(
        verdict=Verdict.REPRODUCED if distance <= most else Verdict.NOT_REPRODUCED,
        estimate=Estimate(value=distance, low=0.0, high=most),
    )


def ratio_above(bound: float) -> Rule:
    """Return the rule that the geometric mean over runs is above the bound."""
    return lambda values: _decided(values, _interval(geometric_mean, values), above=bound)


def ratio_even(margin: float) -> Rule:
    """Return the rule that the interval of the geometric mean contains 1 and lies within 1/margin..margin.

    An interval without 1 speaks against the claim; a wider interval with 1 leaves it undecided.
    """

    def judge(values: Sequence[float]) -> Judgement:
        estimate = _interval(geometric_mean, values)
        if few := _too_few(values, estimate):
            return few
        assert estimate
        if not estimate.low <= 1 <= estimate.high:
            return Judgement(verdict=Verdict.NOT_REPRODUCED, estimate=estimate)
        if estimate.low < 1 / margin or estimate.high > margin:
            reason = f"the interval contains 1, but is not within {1 / margin:.2f}..{margin:.2f}"
            return Judgement(verdict=Verdict.UNDECIDED, estimate=estimate, reason=reason)
        return Judgement(verdict=Verdict.REPRODUCED, estimate=estimate)

    return judge


def interval_only(values: Sequence[float]) -> Judgement:
    """Judge a quantity that is only measured: the mean over runs with its interval."""
    estimate = _interval(mean, values)
    reason = "" if estimate else "an interval needs at least two runs"
    return Judgement(verdict=Verdict.MEASURED, estimate=estimate, reason=reason)


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on a finding: the worst of those on its claims, without claims that are only measured."""
    claimed = [verdict for verdict in verdicts if verdict is not Verdict.MEASURED]
    if not claimed:
        return Verdict.MEASURED
    if Verdict.NOT_REPRODUCED in claimed:
        return Verdict.NOT_REPRODUCED
    return Verdict.UNDECIDED if Verdict.UNDECIDED in claimed else Verdict.REPRODUCED


# -- Helpers ---------------------------------------------------------------------------------------


def _interval(average: Callable[[Sequence[float]], Estimate], values: Sequence[float]) -> Estimate | None:
    return average(values) if len(values) > 1 else None


def _decided(
    values: Sequence[float], estimate: Estimate | None, *, above: float = -math.inf, below: float = math.inf
) -> Judgement:
    """Return the judgement by the side of the bound on which the interval lies."""
    if few := _too_few(values, estimate):
        return few
    assert estimate
    if above < estimate.low and estimate.high < below:
        return Judgement(verdict=Verdict.REPRODUCED, estimate=estimate)
    if estimate.high <= above or below <= estimate.low:
        return Judgement(verdict=Verdict.NOT_REPRODUCED, estimate=estimate)
    bound = above if math.isfinite(above) else below
    reason = f"the interval contains {bound:g}"
    return Judgement(verdict=Verdict.UNDECIDED, estimate=estimate, reason=reason)


def _too_few(values: Sequence[float], estimate: Estimate | None) -> Judgement | None:
    if len(values) >= MIN_RUNS:
        return None
    reason = f"measurable runs: {len(values)}; at least {MIN_RUNS} are needed"
    return Judgement(verdict=Verdict.UNDECIDED, estimate=estimate, reason=reason)
