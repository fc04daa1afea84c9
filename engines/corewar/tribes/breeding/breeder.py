"""A breeder: offspring of the winners, by copy with optional mutation or by crossover.

Reference: Evolving Warriors, section Tribes and Breeding.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from core.random import Random
from engines.corewar.tribes.breeding.crossover import homologous, join, single_point, two_point
from engines.corewar.tribes.breeding.mutation import Mutation
from engines.corewar.tribes.breeding.protection import Sequences, protected
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.genes import Cells, settled
from engines.corewar.tribes.keys import CROSSOVERS
from engines.evolution.selection import drawn, picked

KINDS: Final[tuple[Callable[[Cells, Cells, int, Random], Cells], ...]] = (
    single_point, two_point, homologous, join,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """Genes, and how they came about: places among the parents that were offered, and a word or two."""

    genes: Cells
    parents: tuple[int, ...]
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Breeder:
    """The chances of one generation of a tribe, and the sequences that it protects."""

    mutation: Mutation
    crossover_chance: float
    crossovers: tuple[float, ...]
    mutation_chance: float
    longest: int
    start_evolves: bool
    sequences: Sequences

    @classmethod
    def of(cls, config: TribesConfig, crossover_chance: float, sequences: Sequences) -> Self:
        return cls(
            mutation=Mutation.of(config),
            crossover_chance=crossover_chance,
            crossovers=tuple(getattr(config, f"{kind}_weight") for kind in CROSSOVERS),
            mutation_chance=config.mutation,
            longest=config.length,
            start_evolves=config.start == "evolved",
            sequences=sequences,
        )

    def offspring(self, parents: Sequence[Cells], rng: Random) -> Child:
        """A child of one of the parents, or of any two."""
        if len(parents) > 1 and rng.chance(self.crossover_chance):
            return self._crossed(parents, rng)
        parent = int(rng.below(len(parents)))
        cells = parents[parent]
        if not rng.chance(self.mutation_chance):
            return Child(genes=cells, parents=(parent,), origin="copy")
        mutated, changes = self.mutation.apply(cells, protected(cells, self.sequences), rng)
        return Child(genes=mutated, parents=(parent,), origin=f"mutation {changes}")

    def _crossed(self, parents: Sequence[Cells], rng: Random) -> Child:
        places = list(range(len(parents)))
        mother = places.pop(int(rng.below(len(places))))
        father = picked(places, rng)
        kind = drawn(self.crossovers, rng)
        cells = KINDS[kind](parents[mother], parents[father], self.longest, rng)
        return Child(
            genes=settled(cells) if self.start_evolves else cells,
            parents=(mother, father),
            origin=f"{CROSSOVERS[kind]} crossover".replace("_", " "),
        )
