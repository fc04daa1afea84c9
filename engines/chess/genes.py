"""The genes of chess as a table: the parameters of each, their first values, and how they mutate.

Reference: Genetic Chess, section 4. Step widths and first values are those of the program that the
manual describes (June 2017); bounds that the program does not have, above all LIMIT, keep every file readable.
The program's ten genes come first. The optional genes, and different values in opening and endgame, which any
scoring gene may have, are additions; their names follow the Genetic Chess of later years.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Final

from core.chess.evaluation import DRAWISH_ENDINGS
from core.chess.positional_weights import ROWS, Rows
from core.chess.search_params import SearchParams
from core.random import Random

LIMIT: Final = 1e9
SWITCH_PROBABILITY: Final = 0.05  # share of a gene's mutations that turn it on or off
OPENING: Final = "Opening"
ENDGAME: Final = "Endgame"

Choice = Callable[[int, Random], Iterable[int]]  # which parameters a mutation changes, given their count


def all_indices(count: int, rng: Random) -> Iterable[int]:
    return range(count)


def one_random_index(count: int, rng: Random) -> Iterable[int]:
    return (rng.below(count),)


def two_indices_on_average(count: int, rng: Random) -> Iterable[int]:
    return [index for index in range(count) if rng.chance(2 / count)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One number of a gene; a mutation adds normal(sigma) to the value and clamps the sum to the bounds."""

    name: str
    line: str = ""  # the name of the line in a genome's file that has several numbers
    default: float = 0.0  # in a genome that has not mutated yet
    sigma: float
    minimum: float = -LIMIT
    maximum: float = LIMIT
    step: float = 1.0  # a typical difference between players: an evolution strategy's first step
    has_phases: bool = False  # whether opening and endgame may differ

    def clamp(self, value: float) -> float:
        return min(max(value, self.minimum), self.maximum)

    def mutate(self, value: float, rng: Random) -> float:
        return self.clamp(value + rng.normal(self.sigma))

    def version_names(self) -> tuple[str, ...]:
        """Return the parameter's name, or its names in the endgame and in the opening, in the order of the file."""
        return (f"{self.name} - {ENDGAME}", f"{self.name} - {OPENING}") if self.has_phases else (self.name,)

    def versions(self) -> tuple["Param", ...]:
        """Return the parameter itself, or its versions in the endgame and in the opening."""
        if not self.has_phases:
            return (self,)
        return tuple(
            replace(self, name=name, line=self.line and f"{self.line} - {phase}", has_phases=False)
            for name, phase in zip(self.version_names(), (ENDGAME, OPENING), strict=True)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneSpec:
    """The common properties of a gene in all genomes. Parameters are in the order of the file."""

    name: str
    params: tuple[Param, ...]
    mutates: Choice = all_indices


PRIORITY: Final = Param(name="Priority", sigma=10.0, has_phases=True)

REQUIRED_GENES: Final = (
    # Regulatory genes, section 4.1: no priority of their own.
    GeneSpec(
        name="Piece Strength Gene",
        params=tuple(Param(name=piece, sigma=1.0) for piece in "BNPQR"),
        mutates=two_indices_on_average,
    ),
    GeneSpec(
        name="Look Ahead Gene",
        params=(
            # The next two are in a player's own moves.
            Param(name="Mean Game Length", default=50.0, sigma=1.0, minimum=1.0, maximum=10_000.0, step=10.0),
            Param(name="Minimum Moves Left", sigma=1.0, minimum=0.0, step=5.0),
            Param(name="Positions Per Second", default=0.01, sigma=10.0, minimum=0.01, step=1000.0),
            Param(name="Speculation Constant", sigma=0.01, minimum=0.0, maximum=1.0, step=0.3),
        ),
        mutates=one_random_index,
    ),
    # Board-scoring genes, section 4.2.
    GeneSpec(
        name="Total Force Gene",
        # Section 4.2.1: a priority below 0 would pull the strengths against the gene of targeted pieces.
        # A whole army is some 40 pawns, while the other genes measure differences of one pawn.
        params=(replace(PRIORITY, minimum=0.0, step=10.0),),
    ),
    GeneSpec(name="Freedom to Move Gene", params=(PRIORITY,)),
    GeneSpec(name="Pawn Advancement Gene", params=(PRIORITY,)),
    GeneSpec(name="Opponent Pieces Targeted Gene", params=(PRIORITY,)),
    GeneSpec(
        name="Sphere of Influence Gene",
        params=(
            Param(name="King Target Factor", sigma=0.05, step=0.3),
            Param(name="Legal Bonus", default=1.0, sigma=0.05, step=0.3),
            PRIORITY,
        ),
    ),
    GeneSpec(name="King Confinement Gene", params=(PRIORITY,)),
    GeneSpec(name="King Protection Gene", params=(PRIORITY,)),
    GeneSpec(
        name="Castling Possible Gene",
        params=(Param(name="Kingside Preference", default=0.5, sigma=0.01, step=0.3), PRIORITY),
    ),
)


def _positional(gene: str, rows: Rows) -> GeneSpec:
    """Return the gene for rows of core.chess.positional_weights; its numbers are weights, a pawn being Total Force / 39."""
    names = [(f"{row} {label}".rstrip(), row) for row, labels in rows for label in labels.split() or ("",)]
    return GeneSpec(
        name=f"{gene} Gene",
        params=tuple(
            Param(name=name, line=row if name != row else "", sigma=0.2, step=0.2, has_phases=True)
            for name, row in names
        ),
        mutates=two_indices_on_average,
    )


POSITIONAL_GENES: Final = (
    *(_positional(gene, rows) for gene, rows in ROWS),
    GeneSpec(
        name="Drawishness Gene",
        # Factors of the score (core.chess.evaluation.drawish_ending).
        params=tuple(
            Param(name=ending, default=1.0, sigma=0.05, minimum=0.0, maximum=1.0, step=0.3)
            for ending in DRAWISH_ENDINGS
        ),
        mutates=one_random_index,
    ),
)
OPTIONAL_GENES: Final = (
    GeneSpec(
        name="Placement Gene",
        # Bonuses of a piece in the middle of the board and on its last rank; every other square has a part of
        # them. The priority applies to all of them, and so needs no phases.
        params=(
            *(
                Param(name=f"{pattern} {piece}", sigma=0.2, step=0.2, has_phases=True)
                for pattern in ("Advance", "Centre")
                for piece in "BKNPQR"
            ),
            Param(name="Priority", default=1.0, sigma=10.0),
        ),
        mutates=two_indices_on_average,
    ),
    GeneSpec(name="Passed Pawn Gene", params=(replace(PRIORITY, step=5.0),)),
    GeneSpec(name="Pawn Structure Gene", params=(PRIORITY,)),
    GeneSpec(name="Stacked Pawns Gene", params=(PRIORITY,)),
    GeneSpec(name="Pawn Islands Gene", params=(PRIORITY,)),
    GeneSpec(name="Bishop Pair Gene", params=(PRIORITY,)),
    *POSITIONAL_GENES,
)

# The parameters of core.chess.search_params in the Search Gene: each number's name, attribute, bounds and step.
SEARCH_NUMBERS: Final = (
    ("Reverse Futility Depth", "static_depth", 0, 12, 1),
    ("Reverse Futility Margin", "static_margin", 0, 400, 20),
    ("Reverse Futility Attackers", "static_attackers", 1, 16, 1),
    ("Singular Depth", "singular_depth", 4, 40, 1),
    ("Singular Margin per Ply", "singular_margin", 0, 50, 1),
    ("Null Move Depth", "null_depth", 2, 12, 1),
    ("Null Move Reduction", "null_reduction", 100, 800, 50),
    ("Null Move Reduction per Ply", "null_slope", 0, 100, 10),
    ("Internal Reduction Depth", "iir_depth", 2, 20, 1),
    ("Futility Depth", "futile_depth", 0, 12, 1),
    ("Futility Margin", "futile_margin", 0, 600, 40),
    ("Futility Margin per Ply", "futile_slope", 0, 600, 40),
    ("Late Move Pruning Depth", "late_depth", 0, 16, 1),
    ("Late Move Pruning Moves", "late_moves", 100, 5000, 200),
    ("Late Move Pruning Moves per Ply", "late_slope", 0, 1000, 50),
    ("Exchange Pruning Depth", "see_depth", 0, 16, 1),
    ("Exchange Pruning Quiet", "see_quiet", 0, 300, 15),
    ("Exchange Pruning Capture", "see_capture", 0, 500, 30),
    ("Late Move Reduction Depth", "lmr_depth", 2, 12, 1),
    ("Late Move Reduction Moves", "lmr_moves", 1, 20, 1),
    ("Late Move Reduction", "lmr_base", -200, 300, 30),
    ("Late Move Reduction Slope", "lmr_slope", 0, 150, 10),
    ("Late Move Reduction History", "lmr_history", 1024, 65536, 2000),
    ("Delta Pruning Margin", "delta_margin", 0, 1000, 50),
    ("Aspiration Window", "window", 5, 200, 10),
    ("Placement Order", "placement", 0, 16384, 1000),
    ("History Bonus", "bonus_slope", 10, 1000, 50),
    ("History Most Bonus", "bonus_most", 100, 8000, 300),
)
SEARCH_GENE: Final = GeneSpec(
    name="Search Gene",
    params=tuple(
        Param(
            name=name,
            default=float(getattr(SearchParams(), attribute)),
            sigma=step / 2,
            minimum=float(least),
            maximum=float(most),
            step=float(step),
        )
        for name, attribute, least, most, step in SEARCH_NUMBERS
    ),
    mutates=two_indices_on_average,
)
GENE_SPECS: Final[Mapping[str, GeneSpec]] = MappingProxyType(
    {spec.name: spec for spec in (*REQUIRED_GENES, *OPTIONAL_GENES, SEARCH_GENE)}
)


@cache  # instead of a table, because an engine needs few of them at its start
def phased_params(name: str) -> tuple[Param, ...]:
    """Return the parameters of a gene that has separate values for opening and endgame."""
    return tuple(version for param in GENE_SPECS[name].params for version in param.versions())


@dataclass(frozen=True, slots=True, kw_only=True)
class Gene:
    """One gene of one genome: a value for each of its parameters, in that order, and a switch."""

    name: str
    values: tuple[float, ...]
    active: bool = True

    @property
    def spec(self) -> GeneSpec:
        return GENE_SPECS[self.name]

    @property
    def has_phases(self) -> bool:
        """Whether the gene has separate values for opening and endgame."""
        return len(self.values) != len(self.spec.params)

    @property
    def params(self) -> tuple[Param, ...]:
        """The parameter of each value, in order; with phases the endgame's comes before the opening's."""
        return phased_params(self.name) if self.has_phases else self.spec.params

    def __getitem__(self, name: str) -> float:
        """Return the value of the parameter called `name`. Raises KeyError if the gene has none."""
        return self._value(name)

    def within(self, phase: str, name: str) -> float:
        """Return a parameter's value in OPENING or ENDGAME, also for a gene without phases.

        Raises KeyError if the gene has no such parameter.
        """
        return self._value(name, f"{name} - {phase}")

    def values_in(self, phase: str) -> tuple[float, ...]:
        """Return the values of all parameters in OPENING or ENDGAME, in order, also for a gene without phases."""
        if not self.has_phases:
            return self.values
        found: list[float] = []
        values = iter(self.values)
        for param in self.spec.params:
            pair = [next(values) for _ in param.version_names()]
            found.append(pair[-1] if phase == OPENING else pair[0])
        return tuple(found)

    def with_phases(self) -> "Gene":
        """Return the gene with separate values for opening and endgame, which are equal if it had no phases."""
        if self.has_phases:
            return self
        pairs = zip(self.params, self.values, strict=True)
        return replace(self, values=tuple(value for param, value in pairs for _ in param.version_names()))

    def mutate(self, rng: Random) -> "Gene":
        """Return the gene switched on or off, or with other values, whether or not it is active."""
        if rng.chance(SWITCH_PROBABILITY):
            return replace(self, active=not self.active)
        params = self.params
        values = list(self.values)
        for index in self.spec.mutates(len(params), rng):
            values[index] = params[index].mutate(values[index], rng)
        return replace(self, values=tuple(values))

    def _value(self, *names: str) -> float:
        for param, value in zip(self.params, self.values, strict=True):
            if param.name in names:
                return value
        raise KeyError(names[0])


def default_gene(spec: GeneSpec) -> Gene:
    """Return a gene with its default values, before any mutation."""
    return Gene(name=spec.name, values=tuple(param.default for param in spec.params))
