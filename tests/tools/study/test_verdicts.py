"""Rules by which many runs are judged, each on both sides of its limits, and findings by their claims."""

import pytest

from tools.study.verdicts import (
    Rule,
    Verdict,
    interval_only,
    majority_of_runs,
    mean_above,
    mean_below,
    mean_within,
    negated,
    no_outlier,
    one_more_run,
    ratio_above,
    ratio_even,
    together,
)


@pytest.mark.parametrize(
    ("rule", "values", "verdict"),
    [
        (majority_of_runs(bool), [1, 1, 1, 1, 1], "reproduced"),
        (majority_of_runs(bool), [0, 0, 0, 0, 0], "not reproduced"),
        (majority_of_runs(bool), [1, 1, 1, 1, 0], "undecided"),
        (majority_of_runs(bool), [1, 1, 1, 1], "undecided"),
        (majority_of_runs(bool), [], "undecided"),
        (majority_of_runs(bool), [1] * 8 + [0], "reproduced"),
        (mean_above(0.5), [0.9, 0.92, 0.94, 0.91, 0.93], "reproduced"),
        (mean_above(0.5), [0.1, 0.12, 0.1, 0.11, 0.13], "not reproduced"),
        (mean_above(0.5), [0.1, 0.9, 0.7, 0.6, 0.5], "undecided"),
        (mean_above(0.5), [0.9, 0.9, 0.9, 0.9], "undecided"),
        (mean_below(0.0), [-0.9, -0.8, -0.5, -0.9, -0.7], "reproduced"),
        (mean_below(0.0), [0.9, 0.8, 0.5, 0.9, 0.7], "not reproduced"),
        (mean_below(0.0), [-0.9, 0.8, -0.5, -0.9, -0.7], "undecided"),
        (mean_below(0.0), [0.0, 0.0, 0.0, 0.0, 0.0], "not reproduced"),
        (mean_within(-0.1, 0.1), [0.01, -0.02, 0.03, 0.0, 0.01], "reproduced"),
        (mean_within(-0.1, 0.1), [0.2, 0.21, 0.22, 0.2, 0.21], "not reproduced"),
        (mean_within(-0.1, 0.1), [-0.2, -0.21, -0.22, -0.2, -0.21], "not reproduced"),
        (mean_within(-0.1, 0.1), [0.05, 0.15, 0.1, 0.0, 0.2], "undecided"),
        (mean_within(-0.1, 0.1), [0.0, 0.0, 0.0, 0.0], "undecided"),
        (negated(mean_within(-0.1, 0.1)), [0.2, 0.21, 0.22, 0.2, 0.21], "reproduced"),
        (negated(mean_within(-0.1, 0.1)), [0.01, -0.02, 0.03, 0.0, 0.01], "not reproduced"),
        (negated(mean_within(-0.1, 0.1)), [0.05, 0.15, 0.1, 0.0, 0.2], "undecided"),
        (one_more_run(5.0), [1, 2, 3, 4, 5], "reproduced"),
        (one_more_run(8.0), [1, 2, 3, 4, 5], "not reproduced"),
        (one_more_run(-2.0), [1, 2, 3, 4, 5], "not reproduced"),
        (one_more_run(3.0), [1, 2, 4, 5], "undecided"),
        (one_more_run(9.0), [0] * 9 + [9], "undecided"),
        (one_more_run(9.5), [0] * 9 + [9], "not reproduced"),
        (no_outlier, [1, 2, 3, 4, 5, 4, 3, 2, 1, 5], "reproduced"),
        (no_outlier, [1, 2, 3, 4, 5, 4, 3, 2, 1, 50], "not reproduced"),
        (no_outlier, [2, 2, 2, 2, 2], "reproduced"),
        (no_outlier, [1, 2, 3, 50], "undecided"),
        (ratio_above(1), [1.1, 1.12, 1.09, 1.2, 1.05], "reproduced"),
        (ratio_above(1), [0.9, 0.91, 0.85, 0.95, 0.93], "not reproduced"),
        (ratio_above(1), [0.5, 2.0, 0.5, 2.0, 1.1], "undecided"),
        (ratio_even(1.1), [1.01, 0.99, 1.02, 0.98, 1.0], "reproduced"),
        (ratio_even(1.1), [1.02, 1.03, 1.02, 1.03, 1.02], "not reproduced"),
        (ratio_even(1.1), [0.7, 1.5, 0.9, 1.1, 1.0], "undecided"),
        (ratio_even(1.1), [1.0, 1.0, 1.0], "undecided"),
        (interval_only, [1, 2, 3, 4, 5], "measured only"),
        (interval_only, [1], "measured only"),
    ],
)
def test_a_rule_goes_by_the_side_of_the_interval(rule: Rule, values: list[float], verdict: str) -> None:
    judgement = rule(values)
    assert judgement.verdict.value == verdict
    assert bool(judgement.reason) == (verdict == "undecided" or judgement.estimate is None)


def test_the_verdict_of_a_finding_combines_those_of_its_claims() -> None:
    yes, no, open_, only = (Verdict.REPRODUCED, Verdict.NOT_REPRODUCED, Verdict.UNDECIDED, Verdict.MEASURED)
    assert together([yes, only, yes]) is yes
    assert together([yes, open_]) is open_
    assert together([yes, open_, no]) is no
    assert together([only]) is only


def test_grubbs_limit_is_the_tables() -> None:
    """For ten values it is 2.290 (F. Grubbs, G. Beck, Technometrics 14, 1972, two-sided 5 %)."""
    estimate = no_outlier([0, 1] * 5).estimate
    assert estimate and estimate.high == pytest.approx(2.290, abs=0.001)


def test_one_more_run_has_the_interval_of_a_prediction() -> None:
    """Of 1 to 5 it is 3 +- 2.776 sqrt(2.5) sqrt(1.2)."""
    estimate = one_more_run(0.0)([1, 2, 3, 4, 5]).estimate
    assert estimate and (estimate.low, estimate.high) == pytest.approx((-1.809, 7.809), abs=0.001)
