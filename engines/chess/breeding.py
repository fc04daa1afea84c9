"""Breeding by a training set of positions, by which genomes are graded (engines.chess.training_set).

The training set takes a genome as a column of weights. The evolution strategy breeds the weights themselves; mating
breeds genes, as in Genetic Chess, section 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct

from core.chess.evaluation import DRAWISH_ENDINGS
from core.chess.positional_weights import NAMES, OFFSETS, ROWS
from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.genes import ENDGAME, GENE_SPECS, OPENING, POSITIONAL_GENES, Gene
from engines.chess.genome import Genome
from engines.chess.training_set import COLUMNS, SLOPE, UNITS, Losses, Moments, Weights, weights_of
from engines.evolution.selection import choice
from engines.evolution.state import Count

TUNED: Final = frozenset(
    {"Piece Strength Gene", "Total Force Gene"} | {spec.name for spec in POSITIONAL_GENES}
)
SETTLED: Final = ("Piece Strength Gene", "Total Force Gene", "Squares Gene", "Mobility Gene")
PIECES: Final = (
    ("P", "Pawn", 8),
    ("N", "Knight", 2),
    ("B", "Bishop", 2),
    ("R", "Rook", 2),
    ("Q", "Queen", 1),
)
SURVIVORS: Final = 4  # one genome in 4 survives a step of mating

# Constants of the evolution strategy.
BLOCK: Final = 128  # rows of a matrix at a time
RIDGE: Final = 1e-3  # added to the mean square of every count: steps stay finite for a count of 0 everywhere
CURVATURE: Final = (SLOPE * UNITS) ** 2 / 4  # the greatest second derivative of the loss by a score in pawns
SHARE: Final = 2.0  # the width of steps in the factors for drawish endings, which are no counts
GRID: Final = 4096.0  # steps are whole multiples of 1 / GRID, so that sums do not depend on their order
MEMORY: Final = 0.9  # of the direction, for its moving average
LONG_MEMORY: Final = 0.98  # of the centre, for the average that is the best: it has less noise
LAST_STEP: Final = 0.3  # the step after the planned steps, over the first step
LAST_RATE: Final = 0.1  # the same of the learning rate

Grader = Callable[[Weights], Losses]  # returns the loss of each genome
# The genes of the survivors of mating, each as a tuple: whether the gene is active, then its values.
Survivors = tuple[tuple[Annotated[tuple[bool | float, ...], Meta(min_length=1)], ...], ...]


class SearchState(Struct, frozen=True):
    """The state from which an evolution strategy that has begun resumes."""

    steps: Count
    centre: tuple[float, ...]
    direction: tuple[float, ...]
    sum: tuple[float, ...]  # of centres, the later ones with greater weight


class StrategyBreeder:
    """An evolution strategy: mirror images around a centre, which moves towards the images with less loss.

    Images differ from the centre by random steps whose covariance is the inverse of that of the training set's
    counts: steps in all directions change the scores equally, also for counts that are rare or that always occur
    together. As the loss depends on scores alone, that is the natural gradient (S. Amari 1998; natural evolution
    strategies, D. Wierstra et al. 2014), and needs far fewer steps.
    """

    def __init__(self, config: PoolConfig, founder: Genome, state: SearchState | None = None) -> None:
        self._pairs = config.gene_pool_population // 2
        self._first_step = config.first_step
        self._rate = config.learning_rate
        self._ridge = (
            RIDGE + 2 * config.champion_price / CURVATURE
        )  # the price curves the loss as a count does
        self._planned = config.planned_rounds * config.breeding_steps
        self._founder = founder
        if state and len(state.centre) != 2 * COLUMNS + len(DRAWISH_ENDINGS):
            raise ValueError(
                f"the run breeds {len(state.centre)} numbers, by a version with other genes than the "
                f"{2 * COLUMNS + len(DRAWISH_ENDINGS)} of this one; start a new run, whose founder is its best genome"
            )
        self._centre: Weights = np.array(state.centre if state else ())
        self._direction: Weights = np.array(state.direction if state else ())
        self._sum: Weights = np.array(state.sum if state else ())
        self._steps = state.steps if state else 0
        self._moments: Moments = np.zeros((0, 0))
        self._shape: Moments = np.zeros((0, 0))

    @property
    def is_begun(self) -> bool:
        return len(self._centre) > 0

    def begin(self, rng: Random) -> None:
        """Start with the founder as the centre."""
        self._centre = weights_of(self._founder.express().weights)
        self._direction = np.zeros(len(self._centre))
        self._sum = np.zeros(len(self._centre))

    def prepare(self, moments: Moments) -> None:
        """Adapt the steps to the moments of the current training set."""
        self._moments = moments
        self._shape = _shape(moments, self._ridge)

    def step(self, loss_of: Grader, seed: int) -> float:
        """Grade a population and move the centre; return the mean loss."""
        centre, shape = self._centre, self._shape
        faded = min(self._steps / self._planned, 1.0)
        scale = self._first_step * (1 - (1 - LAST_STEP) * faded) / len(centre) ** 0.5
        rate = self._rate * (1 - (1 - LAST_RATE) * faded)
        self._steps += 1
        signs = _signs(self._pairs, len(centre), Random(seed))
        moves = shape @ signs.T * scale
        losses = loss_of(np.hstack([centre[:, None] + moves, centre[:, None] - moves]))
        slopes = (losses[: self._pairs] - losses[self._pairs :]) / (2 * scale * self._pairs)
        slope = np.add.reduce(signs * slopes[:, None], axis=0)
        self._direction = MEMORY * self._direction + (1 - MEMORY) * slope
        descent = np.add.reduce(shape.T * self._direction[:, None], axis=0)
        self._centre = centre - rate * descent / (1 - MEMORY**self._steps)
        np.clip(self._centre[2 * COLUMNS :], 0.0, 1.0, out=self._centre[2 * COLUMNS :])
        self._sum = LONG_MEMORY * self._sum + (1 - LONG_MEMORY) * self._centre
        return fsum(losses) / len(losses)

    def best(self) -> Genome:
        """Return the tuned genes of the moving average of the centre."""
        average = self._sum / (1 - LONG_MEMORY**self._steps) if self._steps else self._centre
        return genes_of(average, self._moments)

    @property
    def state(self) -> SearchState | None:
        """The state of the strategy, or None before it has begun."""
        if not self.is_begun:
            return None
        centre, direction, sums = (
            tuple(each.tolist()) for each in (self._centre, self._direction, self._sum)
        )
        return SearchState(self._steps, centre, direction, sums)


class MatingBreeder:
    """A population that mates and mutates as in Genetic Chess, section 5; the genomes with the least loss survive."""

    def __init__(self, config: PoolConfig, founder: Genome, state: Survivors | None = None) -> None:
        self._count = config.gene_pool_population
        self._founder = founder
        self._survivors = [
            Genome(
                genes=tuple(
                    replace(gene, active=bool(active), values=tuple(values))
                    for gene, (active, *values) in zip(founder.only(TUNED).genes, genes, strict=True)
                )
            )
            for genes in state or ()
        ]
        self._moments: Moments = np.zeros((0, 0))

    @property
    def is_begun(self) -> bool:
        return bool(self._survivors)

    def begin(self, rng: Random) -> None:
        """Start with the founder and its mutants."""
        part = self._founder.only(TUNED)
        self._survivors = [part, *(part.mutate(rng) for _ in range(self._count - 1))]

    def prepare(self, moments: Moments) -> None:
        """Store the moments of the training set for best(); mutations do not depend on them."""
        self._moments = moments

    def step(self, loss_of: Grader, seed: int) -> float:
        """Grade survivors and children, keep the best, and return the least loss."""
        rng = Random(seed)
        living = list(self._survivors)
        parents = list(living)
        while len(living) < self._count:
            living.append(choice(parents, rng).mate(choice(parents, rng), rng).mutate(rng))
        losses = loss_of(np.column_stack([self._weights(part) for part in living]))
        order = sorted(range(len(living)), key=lambda index: (losses[index], index))
        self._survivors = [living[index] for index in order[: max(2, self._count // SURVIVORS)]]
        return float(losses[order[0]])

    def best(self) -> Genome:
        """Return the tuned genes of the best survivor, settled by genes_of() if all SETTLED genes are switched on."""
        best = self._survivors[0]
        if not all(best[name].active for name in SETTLED):
            return best
        settled = genes_of(self._weights(best), self._moments)
        return best.merged(settled.only(SETTLED))

    @property
    def state(self) -> Survivors:
        """The genes of the survivors; empty before the breeder has begun."""
        return tuple(
            tuple((gene.active, *gene.values) for gene in genome.genes) for genome in self._survivors
        )

    def _weights(self, part: Genome) -> Weights:
        return weights_of(self._founder.merged(part).express().weights)


# -- From weights to genes --------------------------------------------------------------------------


def genes_of(weights: Weights, moments: Moments) -> Genome:
    """Return a genome with these weights; the mean worth of a piece over all squares becomes its strength.

    A loss cannot distinguish a knight's strength from a bonus for every square on which it may stand, but the search
    can: its exchanges and margins are counted in pieces. `moments` show how often each count occurs.
    """
    seen = np.diagonal(moments)
    stages: dict[str, list[float]] = {}
    for number, phase in enumerate((OPENING, ENDGAME)):
        columns = slice(number * COLUMNS, (number + 1) * COLUMNS)
        stages[phase] = weights[columns].tolist()
        for piece, (_, kind, _) in enumerate(PIECES):
            for gene in ("Squares", "Mobility"):
                stages[phase][piece] += _take_mean(stages[phase], _columns(gene, kind), seen[columns])
    strengths = [(stages[OPENING][piece] + stages[ENDGAME][piece]) / 2 for piece in range(len(PIECES))]
    army = abs(_force(strengths)) or 1.0
    genes = [
        _gene("Piece Strength Gene", [strengths["PNBRQ".index(letter)] for letter in "BNPQR"]),
        _gene("Total Force Gene", [max(_force(stages[phase]), 1.0) for phase in (ENDGAME, OPENING)]),
    ]
    for stage in stages.values():
        force = max(_force(stage), 1.0)
        for piece, (_, kind, _) in enumerate(PIECES):
            rest = stage[piece] - force * strengths[piece] / army
            for column in _columns("Squares", kind):
                stage[column] += rest
    for gene in NAMES:
        first = len(PIECES) + OFFSETS[gene]
        columns = slice(first, first + len(GENE_SPECS[f"{gene} Gene"].params))
        pairs = zip(stages[ENDGAME][columns], stages[OPENING][columns], strict=True)
        genes.append(_gene(f"{gene} Gene", [value for pair in pairs for value in pair]))
    genes.append(_gene("Drawishness Gene", weights[2 * COLUMNS :].tolist()))
    return Genome(genes=tuple(genes))


def _gene(name: str, values: Sequence[float]) -> Gene:
    return Gene(name=name, values=tuple(values))


def _force(strengths: Sequence[float]) -> float:
    """Return the strength of a whole army, from the strength of each kind of piece."""
    return sum(
        count * strength for (_, _, count), strength in zip(PIECES, strengths[: len(PIECES)], strict=True)
    )


def _columns(gene: str, kind: str) -> range:
    """Return the columns of a stage that hold a gene's numbers for one kind of piece."""
    rows = dict(ROWS)[gene]
    at = len(PIECES) + OFFSETS[gene]
    found: list[int] = []
    for row, labels in rows:
        width = len(labels.split())
        if row.split()[0] == kind:
            found += range(at, at + width)
        at += width
    return range(found[0], found[-1] + 1) if found else range(0)


def _take_mean(stage: list[float], columns: range, seen: Weights) -> float:
    """Subtract their weighted mean from some numbers of a phase, in place, and return the mean.

    Weights are the frequencies of the counts.
    """
    total = sum(float(seen[column]) for column in columns)
    if total <= 0:
        return 0.0
    mean = sum(stage[column] * float(seen[column]) for column in columns) / total
    for column in columns:
        stage[column] -= mean
    return mean


# -- The strategy's steps ---------------------------------------------------------------------------


def _signs(pairs: int, count: int, rng: Random) -> npt.NDArray[np.int8]:
    """Return random signs, 1 or -1, as [pair, number]."""
    words = np.array([rng.bits() for _ in range((pairs * count + 63) // 64)], dtype="<i8")
    bits = np.unpackbits(words.view(np.uint8), count=pairs * count).view(np.int8)
    return 2 * bits.reshape(pairs, count) - 1


def _shape(moments: Moments, ridge: float) -> Moments:
    """Return the matrix that turns signs into steps: its product with its transpose is the inverse of the moments.

    `ridge` is added to the moments' diagonal. The matrix is computed element by element in a fixed order, because
    libraries of linear algebra differ in the last bit. A count that the training set never shows has no moments; its
    row is known without that work, which grows with the cube of the other counts.
    """
    seen = np.flatnonzero(np.diagonal(moments))
    lower = _cholesky(moments[np.ix_(seen, seen)] + ridge * np.eye(len(seen)))
    inverse = np.eye(len(lower))
    for row in range(len(lower)):
        inverse[row] /= lower[row, row]
        inverse[row + 1 :, : row + 1] -= lower[row + 1 :, row, None] * inverse[row, : row + 1]
    steps = np.full(len(moments) + len(DRAWISH_ENDINGS), SHARE)
    steps[: len(moments)] = np.rint(GRID / ridge**0.5) / GRID
    shape: Moments = np.diag(steps)
    shape[np.ix_(seen, seen)] = np.rint(inverse.T * GRID) / GRID
    return shape


def _cholesky(matrix: Moments) -> Moments:
    """Return the lower triangle whose product with its transpose is a positive definite matrix."""
    lower = np.array(matrix)
    for column in range(len(lower)):
        lower[column:, column] /= np.sqrt(lower[column, column])
        for first in range(column + 1, len(lower), BLOCK):  # rows need nothing right of their diagonal
            rows, columns = slice(first, first + BLOCK), slice(column + 1, first + BLOCK)
            lower[rows, columns] -= lower[rows, column, None] * lower[columns, column]
    triangle: Moments = np.tril(lower)
    return triangle
