"""The next generation: slots filled one after the other, by fixed shares of crossover, copies and mutation.

Reference: J. Koza, "Genetic Programming" (1992), Appendix B. In a genome of several programs one of them,
drawn anew each time, is changed.
"""

from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.random import Random
from engines.acquire.genome import Genome
from engines.acquire.gp.operators import Generator, crossover, subtree_mutation
from engines.acquire.gp.primitives import THESIS
from engines.acquire.programs.config import ProgramsConfig
from engines.acquire.programs.evaluation.fitness import fitness_of
from engines.evolution.selection import lexicase

Select = Callable[[Random], int]  # a slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A genome and where it comes from. `parents` are slots; one that goes on unchanged is its own only one."""

    genome: Genome
    parents: tuple[int, ...]
    origin: str


class Breeder:
    """Makes genomes as a configuration says."""

    def __init__(self, config: ProgramsConfig) -> None:
        self._config = config
        self._generator = Generator.of(THESIS)

    def founders(self, rng: Random) -> list[Genome]:
        """Ramped half-and-half, for each decision."""
        config = self._config
        trees = [
            list(self._generator.ramped(config.population, config.new_levels, rng)) for _ in config.decisions
        ]
        return [
            Genome.of(zip(config.decisions, programs, strict=True)) for programs in zip(*trees, strict=True)
        ]

    def children(
        self, genomes: Sequence[Genome], credit: Sequence[Sequence[float]], rng: Random
    ) -> Iterator[Child]:
        """All that is bred, in the order of the slots; `credit` are the points of each genome's games."""
        config = self._config
        select = selector(config, credit)
        count = config.population - (config.elite_count if config.elite == "replaces" else 0)
        crossover = config.crossover_at_functions + config.crossover_anywhere
        slot = 0
        while slot < count:
            share = slot / count
            if share < crossover and slot < count - 1:
                at_words = share < config.crossover_at_functions
                yield from self._pair(genomes, select(rng), select(rng), at_words, rng)
                slot += 2
                continue
            if share < crossover + config.reproduction:
                yield self._copy(genomes, select(rng), rng)
            else:
                yield self._mutant(genomes, select(rng), rng)
            slot += 1

    def _pair(
        self, genomes: Sequence[Genome], mother: int, father: int, at_words: bool, rng: Random
    ) -> Iterator[Child]:
        decision = self._drawn_decision(rng)
        first, second = genomes[mother][decision], genomes[father][decision]
        assert first and second
        trees = crossover(first, second, self._config.most_levels, at_words, rng)
        for slot, other, tree in zip((mother, father), (father, mother), trees, strict=True):
            genome = genomes[slot].changed(decision, tree)
            yield Child(genome=genome, parents=(slot, other), origin="crossover")

    def _copy(self, genomes: Sequence[Genome], slot: int, rng: Random) -> Child:
        if rng.chance(self._config.copy_mutation):
            return self._mutant(genomes, slot, rng)
        return Child(genome=genomes[slot], parents=(slot,), origin="copy")

    def _mutant(self, genomes: Sequence[Genome], slot: int, rng: Random) -> Child:
        decision = self._drawn_decision(rng)
        tree = genomes[slot][decision]
        assert tree
        changed = subtree_mutation(tree, self._generator, self._config.mutation_depth, rng)
        genome = genomes[slot].changed(decision, changed)
        return Child(genome=genome, parents=(slot,), origin="mutation")

    def _drawn_decision(self, rng: Random) -> str:
        decisions = self._config.decisions
        return decisions[rng.below(len(decisions))] if len(decisions) > 1 else decisions[0]


def selector(config: ProgramsConfig, credit: Sequence[Sequence[float]]) -> Select:
    """How parents are chosen; more points are better.

    For lexicase a case is the n-th game of everybody. Games are against different opponents: what it prefers
    is who did well in several of them at once.
    """
    if config.selection == "lexicase":
        return lexicase(credit)
    fitness = fitness_of(credit)
    if config.selection == "tournament":
        return lambda rng: max(
            (int(rng.below(len(fitness))) for _ in range(config.tournament)), key=fitness.__getitem__
        )
    weights = [max(value, 0.0) for value in fitness]
    if config.selection == "rank":
        for rank, slot in enumerate(sorted(range(len(fitness)), key=fitness.__getitem__), 1):
            weights[slot] = float(rank)
    sums = list(accumulate(weights))
    return lambda rng: min(bisect(sums, rng.uniform() * sums[-1]), len(sums) - 1)
