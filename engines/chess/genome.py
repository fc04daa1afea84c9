"""The genome of a chess player: genes that mutate, mate, and are expressed as its evaluation and look-ahead.

Reference: Genetic Chess, sections 4 and 5. A genome always has the ten genes of 2017, and may have any of the
optional ones (engines/chess/genes.py).
"""

import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Self

from core.chess.evaluation import DRAWISH_ENDINGS, GENES, NO_BONUSES, EvalParams, PhaseParams
from core.chess.genetic_search import LookAhead
from core.chess.positional_weights import NAMES
from core.chess.search_params import SearchParams
from core.random import Random
from engines.chess.genes import (
    ENDGAME,
    GENE_SPECS,
    LIMIT,
    OPENING,
    REQUIRED_GENES,
    SEARCH_GENE,
    SEARCH_NUMBERS,
    Gene,
    Param,
    default_gene,
)
from engines.chess.genome_text import GenomeError, blocks, parse, write

SCRAMBLING: Final = 100  # mutations that turn a default genome into a random one


@dataclass(frozen=True, slots=True, kw_only=True)
class Phenotype:
    """The parameters that the searches read from a genome."""

    weights: EvalParams
    look_ahead: LookAhead
    search: SearchParams  # of the alpha-beta search


@dataclass(frozen=True, slots=True, kw_only=True)
class Genome:
    """A chess genome: its genes in the order of the table, and its ID in a file.

    >>> parent = Genome.default()
    >>> child = parent.mutate(Random(1))
    >>> [gene.name for gene, old in zip(child.genes, parent.genes, strict=True) if gene != old]
    ['Opponent Pieces Targeted Gene']
    >>> round(child["Opponent Pieces Targeted Gene"]["Priority"], 2)
    6.58
    >>> Genome.loads(child.dumps()) == child
    True
    """

    genes: tuple[Gene, ...]
    id: int | None = None

    @classmethod
    def default(cls, *, extended: bool = False) -> Self:
        """Return a genome of default values: strengths and priorities are 0, and all genes are active."""
        genome = cls(genes=tuple(map(default_gene, REQUIRED_GENES)))
        return genome.extended() if extended else genome

    @classmethod
    def random(cls, rng: Random, *, extended: bool = False) -> Self:
        """Return a default genome after a hundred mutations."""
        genome = cls.default(extended=extended)
        for _ in range(SCRAMBLING):
            genome = genome.mutate(rng)
        return genome

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the only genome in `text`. Raises GenomeError, which names line and gene, for invalid text."""
        found = list(blocks(text))
        if len(found) != 1:
            raise GenomeError(f"one genome expected, {len(found)} found")
        record = parse(found[0])
        return cls(id=record.id, genes=record.genes)

    def dumps(self) -> str:
        return write(self.id, self.genes)

    def mutate(self, rng: Random) -> Self:
        """Return a mutated copy: each gene mutates with such a probability that two do on average (section 5)."""
        chance = 2 / len(self.genes)
        return type(self)(
            genes=tuple(gene.mutate(rng) if rng.chance(chance) else gene for gene in self.genes)
        )

    def mate(self, other: Self, rng: Random) -> Self:
        """Return a child whose genes, also missing ones, come whole from either parent at random (section 5)."""
        own, others = ({gene.name: gene for gene in parent.genes} for parent in (self, other))
        chosen = [
            own.get(name) if rng.chance(0.5) else others.get(name)
            for name in GENE_SPECS
            if name in own or name in others
        ]
        return type(self)(genes=tuple(gene for gene in chosen if gene))

    def extended(self) -> Self:
        """Return a genome of equal play that has all genes and phases, but a Search Gene only if it has one already.

        Evolution can continue from such a genome. Priorities in the endgame are those in the opening, and the new
        genes weigh nothing.
        """
        own = {gene.name: gene for gene in self.genes}
        genes = (
            own.get(name) or default_gene(spec)
            for name, spec in GENE_SPECS.items()
            if name in own or spec != SEARCH_GENE
        )
        return type(self)(genes=tuple(gene.with_phases() for gene in genes))

    def with_search(self) -> Self:
        """Return a genome of equal play that has a Search Gene."""
        if any(gene.name == SEARCH_GENE.name for gene in self.genes):
            return self
        return type(self)(genes=(*self.genes, default_gene(SEARCH_GENE)))

    def only(self, names: Collection[str]) -> Self:
        """Return a part of the genome, which has only the named genes and cannot play."""
        return type(self)(genes=tuple(gene for gene in self.genes if gene.name in names))

    def merged(self, part: Self) -> Self:
        """Return the genome with its genes replaced by the genes of `part` that have the same names."""
        others = {gene.name: gene for gene in part.genes}
        return type(self)(genes=tuple(others.get(gene.name, gene) for gene in self.genes))

    # -- As numbers: the values of all genes that are switched on, in order --------------------------

    def numbers(self) -> tuple[float, ...]:
        return tuple(value for gene in self.genes if gene.active for value in gene.values)

    def with_numbers(self, values: Sequence[float]) -> Self:
        """Return the genome with other numbers, clamped to their bounds. Raises ValueError for a wrong count."""
        params = self._params()
        bounded = iter([param.clamp(value) for param, value in zip(params, values, strict=True)])
        return type(self)(
            genes=tuple(
                replace(gene, values=tuple(islice(bounded, len(gene.values)))) if gene.active else gene
                for gene in self.genes
            )
        )

    def steps(self) -> tuple[float, ...]:
        """Return a typical difference between players in each number."""
        return tuple(param.step for param in self._params())

    def _params(self) -> list[Param]:
        return [param for gene in self.genes if gene.active for param in gene.params]

    # -- As a player ---------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Gene:
        """Return the gene called `name`. Raises KeyError if there is none."""
        for gene in self.genes:
            if gene.name == name:
                return gene
        raise KeyError(name)

    def express(self) -> Phenotype:
        """Return the player's parameters. A gene that is switched off weighs nothing (section 4)."""
        sphere = self["Sphere of Influence Gene"]
        weights = EvalParams(
            strengths=self._strengths(),
            opening=self._phase(OPENING),
            endgame=self._phase(ENDGAME),
            legal_bonus=sphere["Legal Bonus"],
            king_target_factor=sphere["King Target Factor"],
            kingside_preference=self["Castling Possible Gene"]["Kingside Preference"],
            scaling=self._scaling(),
        )
        ahead = self["Look Ahead Gene"]
        look_ahead = LookAhead(
            mean_game_length=ahead["Mean Game Length"],
            minimum_moves=ahead["Minimum Moves Left"],
            positions_per_second=ahead["Positions Per Second"],
            speculation=ahead["Speculation Constant"],
            active=ahead.active,
        )
        return Phenotype(weights=weights, look_ahead=look_ahead, search=self._search())

    def _search(self) -> SearchParams:
        """Return the parameters of the alpha-beta search, which are whole numbers."""
        params = SearchParams()
        for gene in self.genes:
            if gene.name == SEARCH_GENE.name and gene.active:
                for (_, attribute, *_), value in zip(SEARCH_NUMBERS, gene.values, strict=True):
                    setattr(params, attribute, round(value))
        return params

    def _phase(self, phase: str) -> PhaseParams:
        """Return the parameters of the scoring genes in the opening or the endgame."""
        genes = {gene.name: gene for gene in self.genes}
        scoring = [genes.get(f"{name} Gene") for name in GENES]
        priorities = tuple(
            gene.within(phase, "Priority") if gene and gene.active else 0.0 for gene in scoring
        )
        centre, advance = NO_BONUSES, NO_BONUSES
        if placement := genes.get("Placement Gene"):
            centre, advance = (
                tuple(placement.within(phase, f"{pattern} {piece}") for piece in "PNBRQK")
                for pattern in ("Centre", "Advance")
            )
        return PhaseParams(priorities, centre, advance, self._positional(phase))

    def _positional(self, phase: str) -> tuple[float, ...]:
        """Return the numbers of the positional genes, 0 for genes that are off or missing; () if all are missing."""
        genes = {gene.name: gene for gene in self.genes}
        specs = [GENE_SPECS[f"{name} Gene"] for name in NAMES]
        if not any(spec.name in genes for spec in specs):
            return ()
        numbers: list[float] = []
        for spec in specs:
            gene = genes.get(spec.name)
            numbers += gene.values_in(phase) if gene and gene.active else [0.0] * len(spec.params)
        return tuple(numbers)

    def _scaling(self) -> tuple[float, ...]:
        """Return the factor of the score in each of the drawish endings."""
        for gene in self.genes:
            if gene.name == "Drawishness Gene" and gene.active:
                return gene.values
        return (1.0,) * len(DRAWISH_ENDINGS)

    def _strengths(self) -> tuple[float, float, float, float, float]:
        """Return the strengths of P, N, B, R, Q as parts of an army of 1 (section 4.1.1).

        Division by the absolute value of the sum avoids a jump where the sum changes its sign; an army of negative
        sum is worth -1. Strengths with a sum of almost 0 are not divided, and no strength exceeds LIMIT armies
        because of a small sum: the searches count in 64 bits.
        """
        gene = self["Piece Strength Gene"]
        if not gene.active:
            return 0.0, 0.0, 0.0, 0.0, 0.0
        p, n, b, r, q = (gene[piece] for piece in "PNBRQ")
        army = abs(8 * p + 2 * n + 2 * b + 2 * r + q)
        if army < sys.float_info.epsilon:
            army = 1.0
        p, n, b, r, q = (min(max(strength / army, -LIMIT), LIMIT) for strength in (p, n, b, r, q))
        return p, n, b, r, q
