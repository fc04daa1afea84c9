"""The figures of a run of chess: genes over the IDs as in figures 1 and 2 of Genetic Chess, and its games."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import isnan, nan
from statistics import fmean, median
from typing import Final, TypeVar

from core.chess.positional_weights import NAMES
from engines.chess.game_record import GameRecord
from engines.chess.genes import ENDGAME, GENE_SPECS, OPENING, Gene
from engines.chess.genome import Genome
from tools.cli import counted
from tools.plot.canvas import Axes, Figure, band, colours, drawn, label, legend, percentages, stacked
from tools.plot.figures import GAMES, middles, quartiles
from tools.plot.history import History

ACTIVE: Final = "#1f5fa8"
INACTIVE: Final = "#e08214"
LIVING: Final = "#111111"
OPENINGS: Final = 10  # that are shown by name
PIECES: Final = {"Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}
STRENGTHS: Final = ("pawn", "knight", "bishop", "rook", "queen")
ARMY: Final = 39  # the usual values: 8 pawns of 1; two knights of 3, bishops of 3, rooks of 5; a queen of 9
TABLES: Final = frozenset(f"{name} Gene" for name in NAMES)  # genes with too many numbers for a panel each

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Genes:
    """The genes of the individuals of a history."""

    of_all: Mapping[str, Sequence[tuple[int, Gene]]]  # by name, in the order of GENE_SPECS: ID and gene
    living: Sequence[tuple[int, Sequence[Genome]]]  # for each moment the newest ID and the living genomes

    @classmethod
    def of(cls, history: History) -> "Genes":
        genomes = {id: Genome.loads(text) for id, text in history.genomes.items()}
        of_all: dict[str, list[tuple[int, Gene]]] = {name: [] for name in GENE_SPECS}
        for id, genome in genomes.items():
            for gene in genome.genes:
                of_all[gene.name].append((id, gene))
        return cls(
            of_all={name: genes for name, genes in of_all.items() if genes},
            living=[(moment.newest, [genomes[id] for id in moment.living_ids]) for moment in history.moments],
        )

    @property
    def times(self) -> list[int]:
        """The newest ID at each moment."""
        return [newest for newest, _ in self.living]

    def over_time(self, name: str, number: Callable[[Gene], T]) -> list[list[T]]:
        """Return for each moment `number` of the gene of this name, in each living individual that has the gene."""
        return [
            [number(gene) for genome in living for gene in genome.genes if gene.name == name]
            for _, living in self.living
        ]


def figures(history: History) -> Iterator[Figure]:
    """Yield the figures for which the run has data."""
    if history.moments:
        genes = Genes.of(history)
        for name, bearers in genes.of_all.items():
            file = name.lower().replace(" ", "-")
            if name in TABLES:
                title = f"{name}: medians among the last living"
                phases = (OPENING, ENDGAME) if any(gene.has_phases for _, gene in bearers) else (OPENING,)
                yield drawn(file, title, partial(_table, genes, name, phases), panels=len(phases))
                continue
            params = list(dict.fromkeys(param.name for _, gene in bearers for param in gene.params))
            yield drawn(file, name, partial(_gene, genes, name, params), panels=len(params))
        yield drawn("piece-values", "Values of the pieces among the living", partial(_values, genes))
        yield drawn("priorities", "Priorities among the living", partial(_priorities, genes))
        yield drawn("active-genes", "Active genes among the living", partial(_active, genes))
    records = [[GameRecord.unpack(record) for record in bin.records] for bin in history.bins]
    if any(records):
        promotions = Counter[str]()
        for record in chain.from_iterable(records):
            promotions += record.promotions(0) + record.promotions(1)
        if promotions:
            games = sum(map(len, records))
            title = f"Promotions of pawns: {promotions.total():,} in {counted(games, 'game')}"
            yield drawn("promotions", title, partial(_promotions, promotions), size=(7.0, 2.6))
        yield drawn("openings", "How games begin", partial(_openings, history, records))


def _gene(genes: Genes, name: str, params: Sequence[str], *panels: Axes) -> None:
    """Draw a panel for each parameter of a gene: individuals as points, the living as a line with a band."""
    for axes, param in zip(panels, params, strict=True):
        shown: list[float] = []
        for is_active, colour in ((True, ACTIVE), (False, INACTIVE)):
            points = [
                (id, value)
                for id, gene in genes.of_all[name]
                if gene.active == is_active and (value := _value(gene, param)) is not None
            ]
            if points:
                ids, values = zip(*points, strict=True)
                shown += values
                axes.scatter(
                    ids, values, s=2.5, color=colour, alpha=0.4, linewidths=0, rasterized=True, zorder=1
                )
            axes.scatter([], [], s=12, color=colour, label="active" if is_active else "inactive")
        series = genes.over_time(name, partial(_value, param=param))
        spread = [
            (id, quartiles(known))
            for id, values in zip(genes.times, series, strict=True)
            if (known := [value for value in values if value is not None])
        ]
        if spread:
            band(
                axes,
                [id for id, _ in spread],
                [quarters for _, quarters in spread],
                LIVING,
                "median, quartiles of the living",
            )
        axes.set_ylim(*_limits(shown))
        label(axes, "ID", param)
    panels[0].figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower right", ncols=3)


def _table(genes: Genes, name: str, phases: Sequence[str], *panels: Axes) -> None:
    """Draw the medians of the last living for each phase as a map, with the lines of a genome's file as its rows."""
    lines: dict[str, list[int]] = {}
    for index, param in enumerate(GENE_SPECS[name].params):
        lines.setdefault(param.line or param.name, []).append(index)
    columns = max(map(len, lines.values()))
    last = [
        gene for _, living in genes.living[-1:] for one in living for gene in one.genes if gene.name == name
    ]
    maps = []
    for phase in phases:
        medians = [median(values) for values in zip(*(gene.values_in(phase) for gene in last), strict=True)]
        rows = [[medians[index] for index in line] for line in lines.values()] if medians else []
        maps.append([row + [nan] * (columns - len(row)) for row in rows])
    largest = max(
        (abs(value) for rows in maps for row in rows for value in row if not isnan(value)), default=0
    )
    for axes, phase, rows in zip(panels, phases, maps, strict=True):
        scale = largest or 1.0
        mesh = axes.imshow(rows or [[nan]], cmap="RdBu", vmin=-scale, vmax=scale, aspect="auto")
        axes.set_title(phase if len(phases) > 1 else "")
        label(axes, "number in the line", "")
        axes.set_xticks(range(columns), range(1, columns + 1), fontsize=7)
        axes.set_yticks(range(len(lines)), list(lines), fontsize=5 if len(lines) > 20 else 8)
        axes.grid(visible=False)
    panels[0].figure.colorbar(mesh, ax=list(panels), label="value; a pawn is Total Force / 39")


def _values(genes: Genes, axes: Axes) -> None:
    """Draw the median value of each kind of piece among the living."""
    strengths = [[genome.express().weights.strengths for genome in living] for _, living in genes.living]
    lines = [
        [ARMY * median(values[index] for values in moment) for moment in strengths]
        for index in range(len(STRENGTHS))
    ]
    for piece, line, colour in zip(STRENGTHS, lines, colours(len(STRENGTHS)), strict=True):
        axes.plot(genes.times, line, color=colour, label=piece)
    axes.set_ylim(*_limits(list(chain.from_iterable(lines)), hidden=0.04))
    label(axes, "ID", f"median value, where the whole army is {ARMY}")
    legend(axes)


def _priorities(genes: Genes, axes: Axes) -> None:
    """Draw the median priority of each gene among the living."""
    names = [
        name for name in genes.of_all if any(param.name == "Priority" for param in GENE_SPECS[name].params)
    ]
    for name, colour in zip(names, colours(len(names)), strict=True):
        medians = [median(values or [0.0]) for values in genes.over_time(name, _priority)]
        axes.plot(genes.times, medians, color=colour, label=name.removesuffix(" Gene"))
    axes.axhline(0, color="0.4", linewidth=0.8)
    has_phases = any(gene.has_phases for bearers in genes.of_all.values() for _, gene in bearers[-1:])
    label(axes, "ID", "median priority" + (" in the opening" if has_phases else "") + ", 0 if inactive")
    legend(axes)


def _active(genes: Genes, axes: Axes) -> None:
    """Draw the share of the living in which each gene is active, as rows, because lines would cross too often."""
    names = list(genes.of_all)
    shares = [
        [fmean(values or [0.0]) for values in genes.over_time(name, lambda gene: float(gene.active))]
        for name in names
    ]
    rows = range(len(names))
    mesh = axes.pcolormesh(
        genes.times, rows, shares, cmap="Blues", vmin=0, vmax=1, shading="nearest", rasterized=True
    )
    label(axes, "ID", "")
    axes.set_yticks(rows, [name.removesuffix(" Gene") for name in names])
    axes.invert_yaxis()
    axes.grid(visible=False)
    percentages(axes.figure.colorbar(mesh, label="share of the living").ax.yaxis)


def _promotions(promotions: Counter[str], axes: Axes) -> None:
    counts = [promotions[letter] for letter in PIECES]
    bars = axes.barh(list(PIECES.values()), counts, color=ACTIVE, height=0.6)
    shares = [f" {count:,}  ({count / promotions.total():.1%})" for count in counts]
    axes.bar_label(bars, shares)
    axes.invert_yaxis()
    axes.grid(visible=False)
    label(axes, "promotions", "")
    axes.set_xlim(0, 1.25 * max(counts))


def _openings(history: History, records: Sequence[Sequence[GameRecord]], axes: Axes) -> None:
    """Draw the shares of the most frequent pairs of first moves, with all others on top."""
    openings = [Counter(" ".join(record.opening(2)) for record in bin) for bin in records]
    totals: Counter[str] = sum(openings, Counter())
    names = [name for name, _ in totals.most_common(OPENINGS)]
    shares = [[bin[name] / (bin.total() or 1) for bin in openings] for name in names]
    shares.append([1 - sum(column) for column in zip(*shares, strict=True)])
    parts = [f"{name or 'none'}  {totals[name] / totals.total():.1%}" for name in names] + ["others"]
    stacked(axes, middles(history), shares, parts, [*colours(len(names)), "0.85"])
    label(axes, GAMES, "share of games", shares=True)
    legend(axes, reverse=True)


# -- Numbers ---------------------------------------------------------------------------------------


def _value(gene: Gene, param: str) -> float | None:
    """Return the value of a parameter, or None if the gene has no such parameter."""
    try:
        return gene[param]
    except KeyError:
        return None


def _priority(gene: Gene) -> float:
    """Return the priority of a gene, in the opening if it depends on the phase; 0 if the gene is switched off."""
    return gene.within(OPENING, "Priority") if gene.active else 0.0


def _limits(values: Sequence[float], hidden: float = 0.01) -> tuple[float, float]:
    """Return limits of an axis that leave out the share `hidden` of the values: outliers would hide the rest."""
    ordered = sorted(values)
    outside = int(len(ordered) * hidden / 2)
    low, high = ordered[outside], ordered[-1 - outside]
    margin = 0.05 * (high - low) or 0.5
    return low - margin, high + margin
