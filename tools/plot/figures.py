"""The figures of a run of any game: fitness, endings, lengths, returns, panel, diversity, survival."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean, pstdev, quantiles
from typing import Final

from engines.statistics import Z_95, score
from tools.plot.canvas import Axes, Figure, band, colours, drawn, label, legend, stacked
from tools.plot.history import History

GAMES: Final = "games played"


def figures(history: History) -> Iterator[Figure]:
    """Yield the figures for which the run has data."""
    if len({each[1:] for each in history.fitness}) > 1:
        yield drawn("fitness", f"Fitness: {history.measure.name}", lambda axes: _fitness(axes, history))
    if history.bins:
        if any(any(bin.endings) for bin in history.bins):  # a game has "" where it is unknown how it ended
            yield drawn("endings", "How games end", lambda axes: _endings(axes, history))
        if any(any(bin.lengths) for bin in history.bins):
            yield drawn("lengths", "How long games last", lambda axes: _lengths(axes, history))
        yield drawn("returns", "Returns of each seat", lambda axes: _returns(axes, history))
    if history.panel:
        yield drawn("panel", "The best against fixed opponents", lambda axes: _panel(axes, history))
    if any(len(moment.living_ids) > 1 for moment in history.moments):
        yield drawn(
            "diversity", "How much the living individuals differ", lambda axes: _diversity(axes, history)
        )
    if history.natives or history.migrants:
        yield drawn("survival", "How long players survive", lambda axes: _survival(axes, history))


def _fitness(axes: Axes, history: History) -> None:
    generations = [each.generation for each in history.fitness]
    for name, colour in zip(("best", "mean", "worst"), colours(3), strict=True):
        axes.plot(generations, [getattr(each, name) for each in history.fitness], color=colour, label=name)
    direction = "lower" if history.measure.is_lower_better else "higher"
    label(axes, "generations", f"fitness, {direction} is better")
    legend(axes)


def _endings(axes: Axes, history: History) -> None:
    totals: Counter[str] = sum((bin.endings for bin in history.bins), Counter())
    names = [name for name, _ in totals.most_common()]
    shares = [[bin.endings[name] / bin.endings.total() for bin in history.bins] for name in names]
    parts = [f"{name or 'unknown'} {_percent(totals[name] / totals.total())}" for name in names]
    stacked(axes, middles(history), shares, parts, colours(len(names)))
    label(axes, GAMES, "share of games", shares=True)
    legend(axes, reverse=True)


def _lengths(axes: Axes, history: History) -> None:
    spread = [quartiles(bin.lengths) for bin in history.bins]
    band(axes, middles(history), spread, colours(1)[0], "median and quartiles")
    label(axes, GAMES, "actions in a game")
    axes.set_ylim(bottom=0)
    legend(axes)


def _returns(axes: Axes, history: History) -> None:
    seats = range(max(len(returns) for bin in history.bins for returns in bin.returns))
    for seat, colour in zip(seats, colours(len(seats)), strict=True):
        spread = [_mean([returns[seat] for returns in bin.returns]) for bin in history.bins]
        band(axes, middles(history), spread, colour, f"seat {seat + 1}")
    axes.axhline(0, color="0.4", linewidth=0.8)
    label(axes, GAMES, "mean return, 95 % interval")
    legend(axes)


def _panel(axes: Axes, history: History) -> None:
    for (name, tallies), colour in zip(history.panel.items(), colours(len(history.panel)), strict=True):
        grouped = _grouped(tallies, 40)
        estimates = [score(tally) for _, tally in grouped]
        spread = [(estimate.low, estimate.value, estimate.high) for estimate in estimates]
        band(axes, [games for games, _ in grouped], spread, colour, f"against {name}")
    label(axes, GAMES, "score, 95 % interval", shares=True)
    legend(axes)


def _diversity(axes: Axes, history: History) -> None:
    moments = [moment for moment in history.moments if len(moment.living_ids) > 1]
    games = [moment.games for moment in moments]
    genomes = {id: loci(text) for id, text in history.genomes.items()}

    def difference_of(ids: Sequence[int]) -> float:
        return difference([genomes[id] for id in ids])

    first, second = colours(2)
    axes.plot(games, [difference_of(moment.living_ids) for moment in moments], color=first, label="of all")
    if len(moments[0].living) > 1:
        within = [fmean(map(difference_of, moment.living)) for moment in moments]
        axes.plot(games, within, color=second, label="of the same niche")
    label(axes, GAMES, "share of parts in which two individuals differ", shares=True)
    legend(axes)


def _survival(axes: Axes, history: History) -> None:
    groups = [("natives", history.natives), ("copied from another niche", history.migrants)]
    for (name, counts), colour in zip(groups, colours(2), strict=True):
        total = counts.total()
        if not total:
            continue
        left, games, shares = total, [0], [1.0]
        for number in sorted(counts):
            games += [number + 1]
            left -= counts[number]
            shares += [left / total]
        mean = sum(number * count for number, count in counts.items()) / total
        axes.step(
            games[:-1], shares[:-1], where="post", color=colour, label=f"{name}: {total:,}, mean {mean:.1f}"
        )
    label(axes, "games survived, won or drawn", "share of individuals that survive that many games")
    axes.set_yscale("log")
    legend(axes)


# -- Numbers ---------------------------------------------------------------------------------------


def middles(history: History) -> list[float]:
    """Return the position of each bin on the axis of games."""
    return [bin.last - (len(bin.lengths) - 1) / 2 for bin in history.bins]


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return low, middle, high


def loci(text: str) -> dict[str, str]:
    """Return the parts of a genome's text: paragraphs by first line, or lines by number if it has one paragraph."""
    paragraphs = text.strip().split("\n\n")
    if len(paragraphs) > 1:
        return {head: rest for head, _, rest in (text.partition("\n") for text in paragraphs)}
    return {str(number): line for number, line in enumerate(text.splitlines())}


def difference(genomes: Sequence[Mapping[str, str]]) -> float:
    """Return the share of loci that differ between two genomes, over all loci and pairs."""
    places = {place for genome in genomes for place in genome}
    pairs = len(genomes) * (len(genomes) - 1)
    if not pairs or not places:
        return 0.0
    equal = (
        sum(count * (count - 1) for count in Counter(genome.get(place) for genome in genomes).values())
        for place in places
    )
    return 1 - fmean(equal) / pairs


def _mean(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the low end, the mean and the high end of the 95 % interval, by the normal approximation."""
    mean, half = fmean(values), Z_95 * pstdev(values) / sqrt(len(values))
    return mean - half, mean, mean + half


def _grouped(tallies: Sequence[tuple[int, Sequence[int]]], most: int) -> list[tuple[int, list[int]]]:
    """Return at most `most` tallies, each the sum of consecutive ones, with the time of the last of them."""
    step = -(-len(tallies) // most)
    groups = [tallies[start : start + step] for start in range(0, len(tallies), step)]
    return [
        (group[-1][0], [sum(column) for column in zip(*(tally for _, tally in group), strict=True)])
        for group in groups
    ]


def _percent(share: float) -> str:
    return f"{share:.1%}" if share >= 0.001 else "under 0.1%"
