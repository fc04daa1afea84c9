"""The figures of a run of strings of Advanced Protection: their performance over the trials, with intervals."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from engines.statistics import Z_95
from tools.plot.canvas import Axes, Figure, band, colours, drawn, label, legend
from tools.plot.history import History

TRIALS: Final = "trials"
RATING: Final = "rating in dollars, below 0 good for Chaos"
Facts = Mapping[str, Any]  # the statistics of a generation


def figures(history: History) -> Iterator[Figure]:
    """Yield the figures for which the run has data."""
    tried = [facts for facts in history.statistics if "trials" in facts]
    examined = [facts["examined"] for facts in history.statistics if "examined" in facts]
    if tried:
        yield drawn("performance", "Performance of the strings in their trials", partial(_performance, tried))
    if examined:
        yield drawn("champion", "The champion in fresh tests", partial(_champion, examined))


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


def _trials(record: Sequence[Facts]) -> list[int]:
    return [facts["trials"] for facts in record]


def _rating(axes: Axes) -> None:
    axes.axhline(0, color="0.4", linewidth=0.8)
    label(axes, TRIALS, RATING)
    legend(axes)
