"""Figures in one style: the only module that uses matplotlib, which is optional and imported late.

The types of matplotlib are Any here.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from math import ceil
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from engines.storage import write_atomically

FORMATS: Final = ("svg", "png")
DOTS_PER_INCH: Final = 150  # in PNG, and for clouds of points in SVG
STYLE: Final = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "0.9",
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "svg.hashsalt": "galapagos",  # so that the same run yields the same file
}

Axes = Any  # matplotlib.axes.Axes


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture and the name, without suffix, under which it is saved."""

    name: str
    picture: Any  # matplotlib.figure.Figure

    def save(self, folder: Path, form: str) -> Path:
        """Write the file atomically and return its path. Raises OSError if the file cannot be written."""
        path = folder / f"{self.name}.{form}"
        metadata = {"Date": None} if form == "svg" else {}
        data = BytesIO()
        with _style():
            self.picture.savefig(data, format=form, dpi=DOTS_PER_INCH, metadata=metadata)
        write_atomically(path, data.getvalue())
        return path


def drawn(
    name: str,
    title: str,
    draw: Callable[..., None],
    panels: int = 1,
    size: tuple[float, float] = (8.0, 4.5),
) -> Figure:
    """Return a figure with a title and a grid of panels, which `draw` takes as its arguments.

    The grid has at most three columns, or four for more than 12 panels.
    """
    columns = 1 if panels == 1 else 2 if panels in (2, 4) else min(panels, 3) if panels < 13 else 4
    rows = ceil(panels / columns)
    width, height = size if panels == 1 else (min(4.2 * columns, 14.0), max(3.0 * rows, 4.0))
    with _style():
        picture = import_module("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
        picture.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
        axes = picture.subplots(rows, columns, squeeze=False).flatten().tolist()
        for spare in axes[panels:]:
            spare.set_visible(False)
        draw(*axes[:panels])
    return Figure(name=name, picture=picture)


def check() -> None:
    """Raise ValueError, with the command that installs it, if matplotlib is missing."""
    os.environ.setdefault("MPLBACKEND", "agg")
    try:
        import_module("matplotlib")
    except ImportError:
        raise ValueError("figures need matplotlib: .venv/bin/pip install '.[plot]'") from None


def colours(count: int) -> list[Any]:
    """Return distinct colours, the strongest first; they repeat after 20."""
    name = "tab10" if count <= 10 else "tab20"
    palette = list(import_module("matplotlib").colormaps[name].colors)
    if name == "tab20":
        palette = palette[::2] + palette[1::2]
    return [palette[index % len(palette)] for index in range(count)]


def label(axes: Axes, across: str, up: str, *, shares: bool = False) -> None:
    """Name the axes; numbers have separators, shares are percentages from 0 to 100."""
    ticker = import_module("matplotlib.ticker")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.xaxis.set_major_locator(ticker.MaxNLocator(6))
    axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    axes.margins(x=0)
    if shares:
        axes.set_ylim(0, 1)
        percentages(axes.yaxis)


def explain(axes: Axes, meaning: str) -> None:
    """Write sentences below the title of a figure, in lines of its width."""
    axes.set_title(fill(meaning, 118), loc="left", fontsize=8, color="0.35")


def percentages(axis: Any) -> None:
    """Format the shares on an axis as percentages."""
    axis.set_major_formatter(import_module("matplotlib.ticker").PercentFormatter(1.0))


def legend(axes: Axes, *, reverse: bool = False) -> None:
    """Put the legend to the right of the picture, where it hides nothing."""
    handles, names = axes.get_legend_handles_labels()
    if reverse:  # in the order of stacked areas, from the top
        handles, names = handles[::-1], names[::-1]
    axes.legend(handles, names, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def band(axes: Axes, x: Sequence[float], spread: Sequence[Sequence[float]], colour: Any, name: str) -> None:
    """Draw a line of the middle values within a band from the low ones to the high ones."""
    low, middle, high = zip(*spread, strict=True)
    axes.fill_between(x, low, high, color=colour, alpha=0.25, linewidth=0)
    axes.plot(x, middle, color=colour, label=name)


def stacked(
    axes: Axes,
    x: Sequence[float],
    shares: Sequence[Sequence[float]],
    names: Sequence[str],
    palette: Sequence[Any],
) -> None:
    """Draw shares stacked as areas; each of `shares` has the values of one name over x."""
    axes.stackplot(x, shares, labels=names, colors=palette, linewidth=0)
    axes.grid(visible=False)


def _style() -> Any:
    return import_module("matplotlib").rc_context(STYLE)
