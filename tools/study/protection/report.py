"""A study of adaptation as a table and as data."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from engines.rating import Estimate
from tools.study.protection.measures import NEAR, Measure, Summary
from tools.study.protection.plan import Plan

HEAD: Final = (
    "user        choice      share of late games    settled  losses (<= 5 turns)  open  turns  strings"
)
LEGEND: Final = (
    "share: games won by the user, of those that somebody won, after the first third; Wilson's 95 % interval.\n"
    "settled: median games until ten in a row are within .15 of the aim. open: at turn 60. strings: a game."
)


def text(plan: Plan, measures: Sequence[Measure], summaries: Sequence[Summary]) -> str:
    lines = [
        f"{len(plan.users)} users, {plan.games} games, {plan.seeds} seeds, rules {plan.rules}, aim {plan.aim:.2f}, "
        f"{plan.replicates} tests a string, skill {plan.skill:.2f}",
        "",
        HEAD,
        *(_row(each, plan.aim) for each in measures),
        "",
        *(_summed(each) for each in summaries),
        "",
        LEGEND,
    ]
    return "\n".join(lines)


def data(plan: Plan, measures: Sequence[Measure], summaries: Sequence[Summary]) -> dict[str, Any]:
    return {
        "plan": plan.hash,
        "users": list(plan.users),
        "games": plan.games,
        "seeds": plan.seeds,
        "rules": plan.rules,
        "aim": plan.aim,
        "measures": [asdict(each) for each in measures],
        "summaries": [asdict(each) for each in summaries],
    }


def _row(measure: Measure, aim: float) -> str:
    mark = "*" if measure.distance is not None and measure.distance <= NEAR + 1e-9 else " "
    settled = "never" if measure.settled is None else f"{measure.settled:.0f}"
    return (
        f"{measure.user:11} {measure.mode:11} {_interval(measure.share)} {mark}   {settled:>5}  "
        f"{measure.losses:>6} ({measure.early_losses:>3})          {measure.open:>5}  {measure.turns:>5.0f}  "
        f"{measure.strings:>5.1f}"
    )


def _interval(share: Estimate | None) -> str:
    return f"{share.value:.2f} [{share.low:.2f}, {share.high:.2f}]" if share else f"{'nobody won':17}"


def _summed(summary: Summary) -> str:
    novice = summary.novice_early_losses
    return (
        f"{summary.mode}: {summary.near} of {summary.users} users within .10, {summary.nearly} within .15"
        f" (of {summary.competent} whom the starter beats now and then: {summary.competent_near});"
        f" highest share {summary.strongest:.2f}, {summary.too_strong} above 2/3; spread {summary.spread:.2f};"
        f" losses within 5 turns {summary.early_losses:.0%}"
        + ("" if novice is None else f", the novice's {novice:.0%}")
        + f"; open at turn 60 {summary.open:.1%}"
    )
