"""The charts of a run as the page shows them, with the same titles, units and meanings: strength first."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from engines.evolution.charts import Chart, curve_of, described
from tools.games import statistics_of
from tools.plot.canvas import Axes, Figure, colours, drawn, explain, label, legend
from tools.plot.history import History

MARKED: Final = 60  # points of a curve, at most, if each of them has a mark

Curve = Sequence[tuple[int, float]]  # generations and values


def figures(history: History) -> Iterator[Figure]:
    """Yield a figure for each chart of which some generation has a value; none for a game without statistics."""
    game = statistics_of(history.game)
    if game is None:
        return
    curves: dict[str, list[tuple[int, float]]] = {}
    for number, statistics in enumerate(history.statistics):
        for name, value in game.measures(statistics).items():
            curves.setdefault(name, []).append((number, value))
    for place, (chart, names) in enumerate(described(curves, game.CHARTS).items(), 1):
        file = f"curves-{place}-{chart.name.replace(' ', '-')}"
        yield drawn(file, chart.title, partial(_chart, chart, {name: curves[name] for name in names}))


def _chart(chart: Chart, curves: dict[str, Curve], axes: Axes) -> None:
    for (name, points), colour in zip(curves.items(), colours(len(curves)), strict=True):
        generations, values = zip(*points, strict=True)
        marks = {"marker": "o", "markersize": 3} if len(points) <= MARKED else {}
        axes.plot(generations, values, color=colour, label=curve_of(name), **marks)
    label(axes, "generations", chart.unit)
    explain(axes, chart.meaning)
    legend(axes)
