"""Titles, units and meanings of the charts of a run, the same on the page, in figures and in tables.

A measure or a trait has a name of the form "CHART: CURVE". Each game describes the charts of its runs by a sequence of
Chart, in the order in which they are shown: strength against a fixed yardstick comes first.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A description of a chart for readers who know nothing of the run."""

    name: str  # the part CHART of the names of its curves
    title: str
    unit: str  # of the values
    meaning: str  # in sentences: what is measured, and what rising or falling means
    is_yardstick: bool = False  # strength, measured by opponents or tests that do not change during the run
    is_map: bool = False  # a row of colours for each curve, because lines would cross too often


def chart_of(measure: str) -> str:
    """Return the name of the chart to which a measure or a trait belongs."""
    return measure.partition(": ")[0]


def curve_of(measure: str) -> str:
    """Return the name of a measure or a trait within its chart."""
    return measure.partition(": ")[2] or measure


def described(measures: Iterable[str], charts: Iterable[Chart]) -> dict[Chart, list[str]]:
    """Return the charts that have measures, in their order, with these measures.

    A measure that no chart describes gets a chart with its own name, at the end.
    """
    found: dict[str, list[str]] = {}
    for measure in measures:
        found.setdefault(chart_of(measure), []).append(measure)
    known = {chart: found.pop(chart.name) for chart in charts if chart.name in found}
    others = {Chart(name=name, title=name, unit="", meaning=""): names for name, names in found.items()}
    return known | others
