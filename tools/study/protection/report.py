"""A study of adaptation as a table and as data."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from engines.statistics import Estimate
from tools.study.protection.measures import NEAR, Measure, Summary
from tools.study.protection.plan import Plan
from tools.study.protection.population import BINS, Spread
from tools.study.protection.recovery import Recovery

HEAD: Final = (
    "user        choice      share of late games    settled  losses (<= 5 turns)  open  turns  strings"
)
BAR: Final = 50  # characters, for all users
LEGEND: Final = (
    "share: games won by the user, of those that somebody won, after the first third; Wilson's 95 % interval.\n"
    "settled: median games until ten in a row are within .15 of the aim. open: at turn 60. strings: a game."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """All that was found; `spreads` of a population, `recoveries` where somebody changes plans."""

    plan: Plan
    measures: Sequence[Measure]
    summaries: Sequence[Summary]
    spreads: Sequence[Spread]
    recoveries: Sequence[Recovery]


def text(study: Study) -> str:
    """A population is told by its spread, other users one by one."""
    plan = study.plan
    users = [HEAD, *(_row(each, plan.aim) for each in study.measures), ""]
    lines = [
        f"{len(plan.users)} users, {plan.games} games, {plan.seeds} seeds, rules {plan.rules}, aim {plan.aim:.2f}, "
        f"{plan.replicates} tests a string, skill {plan.skill:.2f}",
        "",
        *(users if not study.spreads else ()),
        *(line for each in study.spreads for line in _spread(each)),
        *(_summed(each) for each in study.summaries),
        *(_recovered(each) for each in study.recoveries),
        "",
        LEGEND,
    ]
    return "\n".join(lines)


def data(study: Study) -> dict[str, Any]:
    plan = study.plan
    return {
        "plan": plan.hash,
        "users": list(plan.users),
        "games": plan.games,
        "seeds": plan.seeds,
        "rules": plan.rules,
        "aim": plan.aim,
        "measures": [asdict(each) for each in study.measures],
        "summaries": [asdict(each) for each in study.summaries],
        "spreads": [asdict(each) for each in study.spreads],
        "recoveries": [asdict(each) for each in study.recoveries],
    }


def _spread(spread: Spread) -> Iterator[str]:
    """With a bar for each tenth."""
    centred = "centred on the aim" if spread.is_centred else "not centred on the aim"
    yield f"{spread.mode}: {spread.users} users, {_interval(spread.share)}, {centred}; deviation {spread.deviation:.2f}"
    for place, count in enumerate(spread.histogram):
        yield f"  {place / BINS:.1f} {'#' * round(count * BAR / max(spread.users, 1)):{BAR}} {count:>4}"
    yield ""


def _recovered(recovery: Recovery) -> str:
    pairs = zip(recovery.distances, recovery.by_chance, strict=True)
    told = ", ".join(f"{distance:.2f} ({chance:.2f})" for distance, chance in pairs)
    return f"{recovery.mode}, game by game after a switch of plan: {told} from the aim (so far by chance)"


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
