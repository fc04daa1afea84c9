"""The figures of a run of Advanced Protection: performance and purchases of strings, or the course of an arms race."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from engines.protection.arms_race_report import SIDES, measures
from engines.protection.genome import MINIONS
from engines.statistics import Z_95
from tools.plot.canvas import Axes, Figure, band, colours, drawn, label, legend
from tools.plot.history import History

TRIALS: Final = "trials"
RATING: Final = "rating in dollars, below 0 good for Chaos"
BITS: Final = 1056
CHARTS: Final = {  # of an arms race: the figures with their curves
    "yardsticks": "score against the yardsticks",
    "ancestors": "score against earlier champions",
}

Facts = Mapping[str, Any]  # the statistics of a generation


def figures(history: History) -> Iterator[Figure]:
    """Yield the figures for which the run has data."""
    if any("fitness" in facts for facts in history.statistics):
        yield from _arms_race(history.statistics)
        return
    tried = [facts for facts in history.statistics if "trials" in facts]
    examined = [facts["examined"] for facts in history.statistics if "examined" in facts]
    if tried:
        yield drawn("performance", "Performance of the strings in their trials", partial(_performance, tried))
    if examined:
        yield drawn("champion", "The champion in fresh tests", partial(_champion, examined))
    if tried:
        yield drawn("preferences", "Purchases of the best strings", partial(_preferences, tried))
        yield drawn("converged", "Bits on which nearly all strings agree", partial(_converged, tried))


def _arms_race(statistics: Sequence[Facts]) -> Iterator[Figure]:
    """Yield the scores of both sides against the yardsticks, and against earlier champions of the other side."""
    examined = [
        (facts["examined"]["generation"], measures(facts)) for facts in statistics if "examined" in facts
    ]
    for name, chart in CHARTS.items():
        curves = {
            side: [(at, found[f"{chart}: {side}"]) for at, found in examined if f"{chart}: {side}" in found]
            for side in SIDES
        }
        if all(curves.values()):
            yield drawn(name, chart.capitalize(), partial(_scores, curves))


def _scores(curves: Mapping[str, Sequence[tuple[int, float]]], axes: Axes) -> None:
    for (side, points), colour in zip(curves.items(), colours(len(curves)), strict=True):
        generations, scores = zip(*points, strict=True)
        axes.plot(generations, scores, color=colour, marker="o", markersize=4, label=side)
    axes.axhline(0.5, color="0.4", linewidth=0.8)
    axes.set_ylim(0, 1)
    label(axes, "generation", "share of the points")
    legend(axes)


def _performance(tried: Sequence[Facts], axes: Axes) -> None:
    trials, (first, second) = _trials(tried), colours(2)
    band(axes, trials, [[facts[name] for name in ("best", "mean", "worst")] for facts in tried], first,
         "mean of the population, best to worst")  # fmt: skip
    best = [facts["best_ever"]["performance"] for facts in tried]
    axes.plot(trials, best, color=second, linestyle="--", label="best of the run, in one trial")
    _rating(axes)


def _champion(examined: Sequence[Facts], axes: Axes) -> None:
    trials, (first, second) = _trials(examined), colours(2)
    halves = [Z_95 * (facts["error"] or 0.0) for facts in examined]
    means = [facts["mean"] for facts in examined]
    axes.errorbar(
        trials, means, yerr=halves, color=first, marker="o", markersize=4, capsize=3,
        label="mean of fresh tests, 95 % interval",
    )  # fmt: skip
    lucky = [facts["performance"] for facts in examined]
    axes.plot(trials, lucky, color=second, linestyle="--", marker="o", markersize=4, label="its own trial")
    _rating(axes)
    axes.margins(x=0.03)


def _preferences(tried: Sequence[Facts], axes: Axes) -> None:
    lines = zip(*(facts["preferences"] for facts in tried), strict=True)
    for name, line, colour in zip(MINIONS, lines, colours(len(MINIONS)), strict=True):
        axes.plot(_trials(tried), line, color=colour, label=name)
    label(axes, TRIALS, "mean preference, 0 to 15")
    axes.set_ylim(0, 15)
    legend(axes)


def _converged(tried: Sequence[Facts], axes: Axes) -> None:
    axes.plot(_trials(tried), [facts["converged"] for facts in tried], color=colours(1)[0])
    label(axes, TRIALS, f"bits, of {BITS:,}")
    axes.set_ylim(0, BITS)


def _trials(record: Sequence[Facts]) -> list[int]:
    return [facts["trials"] for facts in record]


def _rating(axes: Axes) -> None:
    axes.axhline(0, color="0.4", linewidth=0.8)
    label(axes, TRIALS, RATING)
    legend(axes)
