"""New genomes of typed programs: one program of six is crossed or mutated, or taken whole from another parent."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from core.random import Random
from engines.acquire.genome import DECISIONS, Genome, result_of, typed_players
from engines.acquire.league.config import LeagueConfig
from engines.acquire.trees.generation import Generator
from engines.acquire.trees.tree import Tree, levels, work
from engines.acquire.trees.variation import crossed, mutated, shrunk, with_other_word
from engines.acquire.trees.words.sets import typed_words
from engines.selection import picked

DEPTH: Final = 3  # levels below the root of what a mutation grows


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A genome and the slots of its parents."""

    genome: Genome
    parents: tuple[int, ...]
    origin: str


class Breeder:
    """Makes genomes as a configuration says."""

    def __init__(self, config: LeagueConfig) -> None:
        self._config = config
        self._generators = {name: Generator.of(typed_words(name)) for name in DECISIONS}

    def founders(self, rng: Random) -> Iterator[Child]:
        """Those that the configuration names; all others are ramped half-and-half, for each decision."""
        config = self._config
        trees = [
            list(generator.ramped(config.population, config.new_levels, rng, result_of(name)))
            for name, generator in self._generators.items()
        ]
        known = typed_players()
        for name in config.founder_names:
            yield Child(genome=known[name], parents=(), origin=name)
        for programs in islice(zip(*trees, strict=True), len(config.founder_names), None):
            yield Child(genome=Genome.of(zip(DECISIONS, programs, strict=True)), parents=(), origin="random")

    def children(
        self, genomes: Sequence[Genome], fitness: Sequence[float], count: int, rng: Random
    ) -> Iterator[Child]:
        """So many new ones that are not among the genomes."""
        known = set(genomes)
        while count:
            child = self._child(genomes, fitness, rng)
            if child.genome not in known:
                known.add(child.genome)
                count -= 1
                yield child

    def _child(self, genomes: Sequence[Genome], fitness: Sequence[float], rng: Random) -> Child:
        config = self._config
        mother = self._selected(fitness, rng)
        genome = genomes[mother]
        parents = [mother]
        origins = []
        while True:
            decision = picked(DECISIONS, rng)
            tree = genome[decision]
            assert tree
            share = rng.uniform()
            if share < config.crossover + config.exchange:
                father = self._selected(fitness, rng)
                other = genomes[father][decision]
                assert other
                parents.append(father)
                is_crossed = share < config.crossover
                new = crossed(tree, other, config.most_levels, False, rng)[0] if is_crossed else other
                origins.append(f"{'crossover' if is_crossed else 'exchange'} of {decision}")
            else:
                new = self._mutated(tree, decision, share - config.crossover - config.exchange, rng)
                origins.append(f"mutation of {decision}")
            if self._is_allowed(new):
                genome = replace(genome, **{decision: new})
            if not rng.chance(config.more_changes):
                return Child(genome=genome, parents=tuple(dict.fromkeys(parents)), origin=", ".join(origins))

    def _is_allowed(self, tree: Tree) -> bool:
        config = self._config
        return (
            len(tree) <= config.most_nodes
            and levels(tree) <= config.most_levels
            and work(tree) <= config.most_work
        )

    def _mutated(self, tree: Tree, decision: str, share: float, rng: Random) -> Tree:
        config = self._config
        generator = self._generators[decision]
        if share < config.subtree_mutation:
            return mutated(tree, generator, 1 + int(rng.below(DEPTH)), rng)
        if share < config.subtree_mutation + config.point_mutation:
            return with_other_word(tree, generator, rng)
        return shrunk(tree, rng)

    def _selected(self, fitness: Sequence[float], rng: Random) -> int:
        drawn = (int(rng.below(len(fitness))) for _ in range(self._config.tournament))
        return max(drawn, key=fitness.__getitem__)
