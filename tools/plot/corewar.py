"""The figure of a run of warriors: the generality of its best against the panel, which evolution never fights."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from engines.corewar.ranking import Generality
from engines.statistics import score
from tools.plot.canvas import Axes, Figure, band, colours, drawn, label, legend
from tools.plot.history import History

GENERATIONS: Final = "generations"

Panel = Mapping[str, Sequence[int]]  # losses, ties and wins against each of its warriors


def figures(history: History) -> Iterator[Figure]:
    """Yield the figure if the run has data for it."""
    met = [(number, facts["panel"]) for number, facts in enumerate(history.statistics) if facts.get("panel")]
    if met:
        title = "Generality: the share of the panel that the best warriors defeat"
        yield drawn("generality", title, partial(_generality, met))


def _generality(met: Sequence[tuple[int, Panel]], axes: Axes) -> None:
    generations = [number for number, _ in met]
    of_each = [Generality.of(panel.values()) for _, panel in met]
    first, second = colours(2)
    shares = {
        "defeated or tied with": (second, [(each.lost, each.defeated + each.tied) for each in of_each]),
        "defeated": (first, [(each.lost + each.tied, each.defeated) for each in of_each]),
    }
    for name, (colour, counts) in shares.items():
        spread = [score((others, 0, these)) for others, these in counts]
        band(axes, generations, [(each.low, each.value, each.high) for each in spread], colour, name)
    label(axes, GENERATIONS, "share of the panel, 95 % interval", shares=True)
    legend(axes)
