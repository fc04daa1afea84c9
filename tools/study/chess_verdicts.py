"""Verdicts over runs, from one number of each run: claims, the rules that judge them, and the study of all claims.

The unit of observation is the run, because the games of one run are played by relatives. A run in which a claim
cannot be measured does not count for that claim, and with fewer than MIN_RUNS runs nothing is decided.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Self

from engines.statistics import Estimate, geometric_mean, mean, score
from tools.study.chess_runs import Run

MIN_RUNS: Final = 5  # with fewer runs nothing is decided
MIN_GAMES: Final = 50  # games, or promotions, that a ratio of a run needs


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


# -- A study ---------------------------------------------------------------------------------------


class Unobservable(Exception):
    """A run does not show the quantity of a claim; the message has the reason, such as too few games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim: a number that is measured in each run, called `quantity`, and the rule that judges these numbers.

    `form` formats the number. `references` are the manual's own numbers, which are reported as inside or outside of
    the interval but do not count for the verdict.
    """

    name: str
    quantity: str
    criterion: str
    measure: Callable[[Run], float]  # raises Unobservable if the run does not show the number
    rule: Rule
    form: str = ".2f"
    references: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A section of the manual and its claims."""

    section: str
    title: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A claim, its number in each run (or the reason why the run has none), and the judgement."""

    claim: Claim
    numbers: tuple[float | str, ...]
    judgement: Judgement

    @classmethod
    def of(cls, claim: Claim, runs: Sequence[Run]) -> Self:
        numbers = tuple(_measured(claim.measure, run) for run in runs)
        values = [number for number in numbers if isinstance(number, float)]
        return cls(claim=claim, numbers=numbers, judgement=claim.rule(values))

    @property
    def values(self) -> list[float]:
        return [number for number in self.numbers if isinstance(number, float)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """The results of all findings in runs that differ only by the seed."""

    runs: tuple[Run, ...]
    results: tuple[tuple[Finding, tuple[Result, ...]], ...]

    @classmethod
    def of(cls, runs: Sequence[Run], findings: Sequence[Finding]) -> Self:
        """Judge all findings. Raises ValueError unless the runs have one configuration and different seeds."""
        _check_comparable(runs)
        return cls(
            runs=tuple(runs),
            results=tuple(
                (finding, tuple(Result.of(claim, runs) for claim in finding.claims)) for finding in findings
            ),
        )

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """The verdict of each finding, by its section."""
        return {
            finding.section: together([result.judgement.verdict for result in results])
            for finding, results in self.results
        }


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
    if estimate.high < above or below < estimate.low:
        return Judgement(verdict=Verdict.NOT_REPRODUCED, estimate=estimate)
    bound = above if math.isfinite(above) else below
    reason = f"the interval contains {bound:g}"
    return Judgement(verdict=Verdict.UNDECIDED, estimate=estimate, reason=reason)


def _too_few(values: Sequence[float], estimate: Estimate | None) -> Judgement | None:
    if len(values) >= MIN_RUNS:
        return None
    reason = f"measurable runs: {len(values)}; at least {MIN_RUNS} are needed"
    return Judgement(verdict=Verdict.UNDECIDED, estimate=estimate, reason=reason)


def _measured(measure: Callable[[Run], float], run: Run) -> float | str:
    try:
        return float(measure(run))
    except Unobservable as reason:
        return str(reason)


def _check_comparable(runs: Sequence[Run]) -> None:
    first = runs[0]
    for run in runs[1:]:
        if run.configuration != first.configuration:
            lines = zip(run.configuration.splitlines(), first.configuration.splitlines(), strict=True)
            other = ", ".join(f"{here} (there {there})" for here, there in lines if here != there)
            raise ValueError(f"{run.folder} has another configuration than {first.folder}: {other}")
    folders: dict[int, str] = {}
    for run in runs:
        if run.seed in folders:
            raise ValueError(
                f"{run.folder} and {folders[run.seed]} both have seed {run.seed}, so they are the same run"
            )
        folders[run.seed] = run.folder
