"""New genomes of typed programs: one program is crossed or mutated, or taken whole from another parent.

Besides those for the six decisions there are as many functions and registers as the configuration says.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.random import Random
from engines.acquire.genome import DECISIONS, REMEMBERING, Genome, result_of
from engines.acquire.gp.operators import (
    Generator,
    crossover,
    point_mutation,
    shrink_mutation,
    subtree_mutation,
)
from engines.acquire.gp.primitives import ADF_NAMES, Type, scope_of, typed_primitives
from engines.acquire.gp.tree import Tree, costs, levels, work
from engines.acquire.league.config import LeagueConfig
from engines.acquire.registry import typed_players
from engines.evolution.selection import choice

DEPTH: Final = 3  # levels below the root of what a mutation grows
PLAIN: Final[dict[Type, Tree]] = {Type.NUMBER: (0.0,), Type.TRUTH: ("i-lead",)}


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
        beside = (*ADF_NAMES[: config.functions], *REMEMBERING[: config.registers])
        self._names = (*DECISIONS, *beside)
        self._generators = {name: Generator.of(typed_primitives(name, beside)) for name in self._names}

    def founders(self, rng: Random) -> Iterator[Child]:
        """Those that the configuration names; all others are ramped half-and-half, for each decision.

        What a named one lacks of functions and registers it gets from the one whose place it takes.
        """
        config = self._config
        trees = [
            list(generator.ramped(config.population, config.new_levels, rng, result_of(name), scope_of(name)))
            for name, generator in self._generators.items()
        ]
        ramped = (founder(dict(zip(self._names, each, strict=True))) for each in zip(*trees, strict=True))
        known = typed_players()
        for name, genome in zip(config.founder_names, ramped, strict=False):
            own = known[name].programs()
            yield Child(
                genome=Genome.of([*genome.functions, *genome.registers, *own]), parents=(), origin=name
            )
        for genome in ramped:
            yield Child(genome=genome, parents=(), origin="random")

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
            decision = choice(self._names, rng)
            tree = genome[decision]
            assert tree
            share = rng.uniform()
            if share < config.crossover + config.exchange:
                father = self._selected(fitness, rng)
                other = genomes[father][decision]
                assert other
                parents.append(father)
                is_crossed = share < config.crossover
                new = (
                    crossover(tree, other, config.most_levels, False, rng, scope_of(decision))[0]
                    if is_crossed
                    else other
                )
                origins.append(f"{'crossover' if is_crossed else 'exchange'} of {decision}")
            else:
                new = self._mutated(tree, decision, share - config.crossover - config.exchange, rng)
                origins.append(f"mutation of {decision}")
            if self._is_allowed(new):
                changed = genome.changed(decision, new)
                genome = changed if self._has_time_for(changed, genome) else genome
            if not rng.chance(config.more_changes):
                return Child(genome=genome, parents=tuple(dict.fromkeys(parents)), origin=", ".join(origins))

    def _is_allowed(self, tree: Tree) -> bool:
        config = self._config
        return (
            len(tree) <= config.most_nodes
            and levels(tree) <= config.most_levels
            and work(tree) <= config.most_work
        )

    def _has_time_for(self, genome: Genome, parent: Genome) -> bool:
        """Whether no program has become too much work, functions counted wherever they are called."""
        if not genome.functions:
            return True
        now, before = (costs(dict(each.programs())) for each in (genome, parent))
        return all(cost.work <= max(self._config.most_work, before[name].work) for name, cost in now.items())

    def _mutated(self, tree: Tree, decision: str, share: float, rng: Random) -> Tree:
        config = self._config
        generator, scope = self._generators[decision], scope_of(decision)
        if share < config.subtree_mutation:
            return subtree_mutation(tree, generator, 1 + int(rng.below(DEPTH)), rng, scope)
        if share < config.subtree_mutation + config.point_mutation:
            return point_mutation(tree, generator, rng, scope)
        return shrink_mutation(tree, rng, scope)

    def _selected(self, fitness: Sequence[float], rng: Random) -> int:
        drawn = (int(rng.below(len(fitness))) for _ in range(self._config.tournament))
        return max(drawn, key=fitness.__getitem__)


def founder(programs: Mapping[str, Tree]) -> Genome:
    """Of new programs; where they are too large with their calls, they call functions that are constants."""
    genome = Genome.of(programs.items())
    if all(cost.is_small for cost in costs(programs).values()):
        return genome
    plain = [(name, PLAIN[result_of(name)]) for name, _ in genome.functions]
    return Genome.of([*programs.items(), *plain])
