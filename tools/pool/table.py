"""What `galapagos pool DIR --table` prints: which arrangements were beaten, and which minions the best strings buy."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engines.config import RUN_FILE
from engines.protection.genome import MINIONS
from engines.protection.pool_builder import (
    PreferenceSummary,
    RunReport,
    RunResult,
    better_result,
    negative_share,
)
from engines.statistics import Estimate


def table(folder: Path, as_json: bool) -> str:
    """Of the finished runs in a folder; the others are named on stderr. ValueError or OSError."""
    rows = [RunReport.of(harvest) for harvest in _finished(folder)]
    if not rows:
        raise ValueError(f"no run in {folder} is over")
    if as_json:
        return json.dumps(_data(rows))
    return "\n".join([*_beaten(rows), "", *_averages(rows), "", *_kinds(rows)])


def _finished(folder: Path) -> Iterator[RunResult]:
    paths = [path for path in folder.glob("run-*[0-9]") if (path / RUN_FILE).is_file()]
    for path in sorted(paths, key=lambda path: (len(path.name), path.name)):
        try:
            yield better_result(path)
        except ValueError as error:
            print(f"galapagos pool: {error}", file=sys.stderr)


# -- For people ------------------------------------------------------------------------------------


def _beaten(rows: Sequence[RunReport]) -> Iterator[str]:
    yield "Rating of each run's champion in fresh tests, with its 95 % interval; negative ones are good for Chaos"
    yield f"{'Run':10}{'Against':34}{'Map':>12}{'Budget':>9}{'Rating':>10}{'From':>9}{'To':>9}  Negative"
    for row in rows:
        is_negative = "surely" if row.is_surely_negative else "yes" if row.is_negative else "no"
        yield (
            f"{row.run:10}{row.against[-33:]:34}{row.map[-11:]:>12}{row.budget:9,}"
            f"{row.rating.value:10,.0f}{row.rating.low:9,.0f}{row.rating.high:9,.0f}  {is_negative}"
        )
    negative, surely = (
        sum(getattr(row, name) for row in rows) for name in ("is_negative", "is_surely_negative")
    )
    yield (
        f"A negative mean for {negative} of {len(rows)} arrangements: {_shared(negative_share(rows))}; for {surely} the "
        "whole interval is negative"
    )


def _averages(rows: Sequence[RunReport]) -> Iterator[str]:
    yield "Averages of the preferences of each run's best strings"
    yield f"{'Run':10}{'Against':34}" + "".join(f"{name:>11}" for name in MINIONS)
    for row in rows:
        yield f"{row.run:10}{row.against[-33:]:34}" + _numbers(row.preferences)


def _kinds(rows: Sequence[RunReport]) -> Iterator[str]:
    kinds = PreferenceSummary.of([row.preferences for row in rows])
    yield f"{'':44}" + "".join(f"{name:>11}" for name in MINIONS)
    yield f"{f'These runs: wanted most in, of {kinds.runs}':44}" + _numbers(kinds.tops)
    yield f"{'These runs: mean preference':44}" + _numbers([round(mean, 1) for mean in kinds.means])
    yield f"These runs: some scouts in {kinds.with_scouts} of {kinds.runs} runs"


def _numbers(numbers: Sequence[float]) -> str:
    return "".join(f"{number:>11}" for number in numbers)


def _shared(estimate: Estimate) -> str:
    return f"{estimate.value:.0%} ({estimate.low:.0%} to {estimate.high:.0%})"


# -- For JSON --------------------------------------------------------------------------------------


def _data(rows: Sequence[RunReport]) -> dict[str, Any]:
    found = negative_share(rows)
    return {
        "runs": [
            {
                "run": row.run,
                "against": row.against,
                "rules": row.rules,
                "map": row.map,
                "budget": row.budget,
                "trials": row.trials,
                "rating": _interval(row.rating),
                "preferences": _by_kind(row.preferences),
            }
            for row in rows
        ],
        "negative": _interval(found),
        "kinds": _summary(rows),
    }


def _summary(rows: Sequence[RunReport]) -> dict[str, Any]:
    kinds = PreferenceSummary.of([row.preferences for row in rows])
    return {
        "runs": kinds.runs,
        "wanted_most": _by_kind(kinds.tops),
        "means": _by_kind(kinds.means),
        "with_scouts": kinds.with_scouts,
    }


def _by_kind(numbers: Sequence[float]) -> dict[str, float]:
    return dict(zip(MINIONS, numbers, strict=True))


def _interval(estimate: Estimate) -> dict[str, float]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
