"""The figures of "Evolving Board Evaluation Functions" for given runs, with the baselines of luck or bookkeeping."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from engines.acquire.crossplay import Crossplay
from engines.statistics import Estimate
from tools.plot.canvas import Axes, Figure, band, colours, drawn, label, legend
from tools.study.acquire_games import (
    CHAMPION,
    CONTROL,
    LAST_BEST,
    PANEL,
    YARDSTICKS,
    GroupGames,
    PairsOfRuns,
    rate,
)
from tools.study.acquire_pairs import GAMES, Pairs
from tools.study.acquire_runs import Group

GENERATION: Final = "generation"
EVEN: Final = "0.4"  # grey, for the results of luck or bookkeeping alone


def figures(studied: Sequence[GroupGames], pairs: PairsOfRuns | None) -> Iterator[Figure]:
    """Yield the figures of each group, named after the group, and those of all groups together."""
    for each in studied:
        group = each.group
        slug, about = group.slug, f"{group.name}, {_runs(group)}"
        yield drawn(f"size-{slug}", f"Size of programs ({about})", partial(_size, group), panels=2)
        yield drawn(f"best-{slug}", f"Best fitness, and luck ({about})", partial(_best, group), panels=2)
        yield drawn(f"mean-{slug}", f"Mean fitness is always 1/2 ({about})", partial(_mean, each), panels=2)
        if group.length > 1:
            yield drawn(
                f"tournament-{slug}", f"Win rate against earlier bests ({about})", partial(_tournament, each)
            )
            first = group.runs[0]
            yield drawn(
                f"matrix-{slug}",
                f"Bests of generations against each other ({group.name}, seed {first.seed})",
                partial(_matrix, each),
                panels=3,
            )
        yield drawn(f"panel-{slug}", f"Win rate against the fixed panel ({about})", partial(_panel, each))
    if len(studied) > 1:
        yield drawn("comparison", "Champions side by side", partial(_comparison, studied), panels=2)
    if pairs:
        title = f"Wins of all pairs of bests (seeds {pairs[0].seed} and {pairs[1].seed})"
        yield drawn("pairs", title, partial(_pairs, pairs[2]))


def _size(group: Group, nodes: Axes, levels: Axes) -> None:
    for axes, quantity in ((nodes, "nodes"), (levels, "levels")):
        _runs_of(axes, group, quantity)
        _band(axes, group.curve(quantity), colours(1)[0], "mean of runs")
        label(axes, GENERATION, f"mean {quantity}")
        axes.set_ylim(bottom=0)


def _best(group: Group, mean: Axes, scatter: Axes) -> None:
    """Draw the mean of the runs on the left, and each run on the right."""
    _band(mean, group.curve("best"), colours(1)[0], "best of the generation")
    for axes in (mean, scatter):
        luck = [each.value for each in group.curve("best_by_luck")]
        axes.plot(range(len(luck)), luck, color=EVEN, linestyle="--", label="luckiest of equal players")
        label(axes, GENERATION, "fitness")
    for run in group.runs:
        best = [row["best"] for row in run.generations]
        scatter.scatter(range(len(best)), best, s=12, alpha=0.6, linewidths=0)
    mean.legend(loc="best")


def _mean(studied: GroupGames, fitness: Axes, samples: Axes) -> None:
    """Draw the mean fitness, which is an identity, and the win rates of a random sample of the offspring."""
    _band(fitness, studied.group.curve("mean"), EVEN, "mean fitness")
    label(fitness, GENERATION, "mean fitness; cannot show progress")
    if studied.group.config.fitness != "money":
        fitness.set_ylim(0, 1)
    for member, colour in zip(YARDSTICKS, colours(len(YARDSTICKS)), strict=True):
        scores = {
            number: studied.of_runs("samples", generation=number, opponent=member)
            for number in studied.group.runs[0].samples
        }
        numbers = [number for number, each in scores.items() if len(each) == len(studied.group.runs)]
        rates = [rate(scores[number]) for number in numbers]
        _bars(samples, numbers, rates, colour, f"against {member}")
    label(samples, GENERATION, "wins of a random sample, 95 % interval", shares=True)
    samples.margins(x=0.05)
    samples.legend(loc="best")


def _tournament(studied: GroupGames, axes: Axes) -> None:
    players = {LAST_BEST: "best of the last generation", CHAMPION: "champion, chosen by new games"}
    for (player, name), colour in zip(players.items(), colours(len(players)), strict=True):
        scores = [
            (number, found)
            for number in range(studied.group.length)
            if (found := studied.of_runs("tournament", player, generation=number))
        ]
        if scores:
            _band(axes, [rate(found) for _, found in scores], colour, name, [number for number, _ in scores])
    axes.axhline(0.5, color=EVEN, linewidth=0.8)
    label(axes, f"{GENERATION} of the opponent", "wins, 95 % interval", shares=True)
    legend(axes)


def _matrix(studied: GroupGames, wins: Axes, trees: Axes, behaviours: Axes) -> None:
    matrix, numbers = studied.matrix, studied.matrix_generations
    size = range(len(matrix.names))
    pictures: tuple[tuple[Axes, str, Callable[[int, int], float], str, float | None], ...] = (
        (wins, "wins of the row", partial(_wins, matrix), "RdBu", 1.0),
        (trees, "edit distance of trees, nodes", partial(_symmetric, matrix.tree_distances), "Blues", None),
        (
            behaviours,
            "share of different choices",
            partial(_symmetric, matrix.behaviour_distances),
            "Blues",
            1.0,
        ),
    )
    for axes, name, value, palette, most in pictures:
        values = [[value(one, other) for other in size] for one in size]
        mesh = axes.pcolormesh(
            numbers, numbers, values, cmap=palette, shading="nearest", rasterized=True, vmin=0, vmax=most
        )
        label(axes, GENERATION, GENERATION)
        axes.grid(visible=False)
        axes.figure.colorbar(mesh, label=name)


def _panel(studied: GroupGames, axes: Axes) -> None:
    for place, (fighter, colour) in enumerate(zip((CHAMPION, CONTROL), colours(2), strict=True)):
        rates = [(at, won) for at, member in enumerate(PANEL) if (won := studied.strength(fighter, member))]
        _bars(axes, [at + 0.2 * place for at, _ in rates], [won for _, won in rates], colour, fighter)
    label(axes, "", "wins, 95 % interval", shares=True)
    axes.set_xticks(range(len(PANEL)), PANEL)
    axes.margins(x=0.05)
    legend(axes)


def _comparison(studied: Sequence[GroupGames], *panels: Axes) -> None:
    names = [f"{each.group.name}\n{_runs(each.group)}" for each in studied]
    for axes, member in zip(panels, YARDSTICKS, strict=True):
        for place, (fighter, colour) in enumerate(zip((CHAMPION, CONTROL), colours(2), strict=True)):
            rates = [(at, won) for at, each in enumerate(studied) if (won := each.strength(fighter, member))]
            _bars(axes, [at + 0.06 * place for at, _ in rates], [won for _, won in rates], colour, fighter)
        label(axes, "", f"wins against {member}, 95 % interval", shares=True)
        axes.set_xticks(range(len(studied)), names, rotation=20)
        axes.margins(x=0.1)
    panels[0].legend(loc="best")


def _pairs(pairs: Pairs, axes: Axes) -> None:
    wins = range(GAMES + 1)
    axes.bar(wins, pairs.counts, color=colours(1)[0], width=0.6, label="pairs")
    axes.plot(wins, pairs.expected, color=EVEN, marker="o", linestyle="--", label="expected of equal pairs")
    label(axes, f"wins in {GAMES} games", "pairs")
    axes.margins(x=0.05)
    legend(axes)


# -- Helpers ---------------------------------------------------------------------------------------


def _runs_of(axes: Axes, group: Group, quantity: str) -> None:
    """Draw each run as a thin line."""
    for run in group.runs if len(group.runs) > 1 else ():
        values = [row[quantity] for row in run.generations]
        axes.plot(range(len(values)), values, color=EVEN, linewidth=0.5)


def _band(
    axes: Axes, line: Sequence[Estimate], colour: object, name: str, at: Sequence[int] | None = None
) -> None:
    spread = [(each.low, each.value, each.high) for each in line]
    band(axes, at or range(len(line)), spread, colour, name)


def _bars(axes: Axes, at: Sequence[float], rates: Sequence[Estimate], colour: object, name: str) -> None:
    """Draw points with their intervals."""
    values = [each.value for each in rates]
    below = [each.value - each.low for each in rates]
    above = [each.high - each.value for each in rates]
    axes.errorbar(at, values, yerr=[below, above], fmt="o", markersize=4, capsize=3, color=colour, label=name)


def _wins(matrix: Crossplay, one: int, other: int) -> float:
    return 0.5 if one == other else matrix.rate(one, other).value


def _symmetric(distances: Mapping[tuple[int, int], float], one: int, other: int) -> float:
    return 0.0 if one == other else float(distances[min(one, other), max(one, other)])


def _runs(group: Group) -> str:
    return "a single run" if len(group.runs) == 1 else f"{len(group.runs)} runs"
