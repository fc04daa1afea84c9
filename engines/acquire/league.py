"""The Population of a league: typed players, measured against each other, former champions and fixed opponents.

All individuals of a generation play the same tables. The elite keeps its results and plays more tables in each
generation, so that the individuals that may be best have the most games: a race. Reference: "Evolving Board
Evaluation Functions", sections 5.3.2 (against convergence), 5.3.3 (hall of fame) and 5.3.4 (more games where they
count).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from statistics import fmean
from typing import Any, Final

from msgspec import Struct

from core.random import Random
from engines.acquire.behaviour import WATCHED, behaviour_distance
from engines.acquire.evaluation import (
    Arena,
    Choices,
    HallOfFameTest,
    Other,
    behaviour_tasks,
    champion_lines,
    draw_outsider,
    evaluation_tasks,
    panel_tests,
)
from engines.acquire.genome import DECISIONS, REMEMBERING, Genome, result_of
from engines.acquire.gp.operators import (
    Generator,
    crossover,
    point_mutation,
    shrink_mutation,
    subtree_mutation,
)
from engines.acquire.gp.primitives import ADF_NAMES, Type, scope_of, typed_primitives
from engines.acquire.gp.sexpr import dumps
from engines.acquire.gp.tree import Tree, costs, levels, work
from engines.acquire.league_config import LeagueConfig
from engines.acquire.match import Tally
from engines.acquire.registry import typed_players
from engines.evolution.generational import Child, GenerationalPopulation, Past
from engines.evolution.population import Contest, Fitness, Generation, Individual, Measurement, derive_seed
from engines.evolution.selection import choice
from engines.evolution.state import Count, dump_state, load_state
from engines.statistics import ordered_sum

Born = Individual[Genome]
Migrant = tuple[Born, float, int]  # an individual, with the mean and the number of its tables

PAIRING: Final = 0  # streams of a generation's random numbers
BREEDING: Final = 1
PANEL: Final = 2
HALL_OF_FAME: Final = 3
GENOMES: Final = 25  # of a task
MEASURE: Final = "wins and share of the money, weighed; mean of tables, less the price of the programs' size"
DEPTH: Final = 3  # levels below the root of a subtree that a mutation grows, at most
CONSTANTS: Final[dict[Type, Tree]] = {Type.NUMBER: (0.0,), Type.TRUTH: ("i-lead",)}


class LeagueState(Struct, frozen=True, kw_only=True):
    """The state of a league between two generations."""

    generation: Count
    next_id: Count
    living: tuple[Count, ...]  # IDs
    hall: tuple[Count, ...]  # IDs of the hall of fame
    means: tuple[float, ...]  # of the individuals that have played, in the order of the living
    counts: tuple[Count, ...]  # the number of tables of each mean


IslandsState = tuple[str, ...]  # the state of each league as text, as the hashes of runs contain them


class League(GenerationalPopulation[Genome]):
    """A league. `living` are its individuals, slot by slot, the elite first."""

    def __init__(
        self,
        config: LeagueConfig,
        seed: int,
        past: Past[Genome],
        state: LeagueState | None = None,
        first_id: int = 0,
        id_stride: int = 1,
    ) -> None:
        state = state or LeagueState(generation=-1, next_id=first_id, living=(), hall=(), means=(), counts=())
        super().__init__(seed, state.generation, state.next_id, id_stride)
        self.behaviours: list[Choices] = []  # of the individuals measured last
        self.living = [past(id) for id in state.living]
        self._means, self._counts = [*state.means], [*state.counts]
        self._hall_of_fame = [past(id) for id in state.hall]
        self._config = config
        self._breeder = Breeder(config)

    @property
    def state(self) -> LeagueState:
        return LeagueState(
            generation=self.generation,
            next_id=self._next_id,
            living=tuple(each.id for each in self.living),
            hall=tuple(each.id for each in self._hall_of_fame),
            means=tuple(self._means),
            counts=tuple(self._counts),
        )

    def emigrants(self, count: int) -> list[Migrant]:
        """Return the first `count` of the elite, with their results."""
        return list(zip(self.living, self._means, self._counts, strict=False))[:count]

    def immigrate(self, migrants: Sequence[Migrant]) -> None:
        """Replace the last of the elite by the migrants, except those that live in this league already."""
        new = [migrant for migrant in migrants if migrant[0] not in self.living]
        for slot, (individual, mean, count) in enumerate(new, self._config.elite - len(new)):
            self.living[slot], self._means[slot], self._counts[slot] = individual, mean, count

    def _found(self) -> Sequence[Born]:
        self.living = [self._bear(child) for child in self._breeder.founders(self._random(BREEDING))]
        return self.living

    def _label_tasks(self) -> Mapping[str, Sequence[Any]]:
        config = self._config
        genomes = [each.genome for each in self.living]
        bags, rng = config.bags_at(self.generation), self._random(PAIRING)
        tables = evaluation_tasks(config, genomes, GENOMES, bags, self._draw_other, rng)
        watched = genomes if config.behaviour_states else []
        behaviours = behaviour_tasks(
            Arena.of(config), watched, tuple(WATCHED), config.behaviour_states, GENOMES
        )
        return {
            "tables": list(tables),
            "behaviours": list(behaviours),
            "hall of fame": self._hall_of_fame_tests(),
            "panel": panel_tests(config, genomes[0], self.generation, self._seed_of(PANEL)),
        }

    def _advance(self, outcomes: Mapping[str, Sequence[Any]]) -> Generation[Genome]:
        results: list[list[float]] = list(chain.from_iterable(outcomes["tables"]))
        self.behaviours = list(chain.from_iterable(outcomes["behaviours"]))
        contests = tuple(
            Contest(players=(each.id,), returns=(value,))
            for each, values in zip(self.living, results, strict=True)
            for value in values
        )
        facts: dict[str, Any] = {"evaluated": self.generation}
        for panel in outcomes["panel"]:
            facts["examined"] = {
                "champion": self.living[0].id,
                "tables": self._counts[0],
                "panel": panel,
            }
        if self._config.acceptance_games:
            self._accept(outcomes["hall of fame"])
        self._credit(results)
        fitness = self._fitness()
        facts |= self._statistics(fitness)
        values = tuple(
            Fitness(id=each.id, value=value, games=count)
            for each, value, count in zip(self.living, fitness, self._counts, strict=True)
        )
        born = self._breed(fitness)
        return Generation(
            number=self.generation,
            born=tuple(born),
            contests=contests,
            statistics=facts,
            fitness=Measurement(name=MEASURE, values=values),
        )

    def _draw_other(self, rng: Random) -> Other:
        """Draw one of the opponents at a table."""
        config = self._config
        drawn = rng.uniform()
        outsider = draw_outsider(config, self._hall_of_fame, drawn, rng)
        if outsider is not None:
            return outsider
        if 0 <= drawn - config.opponent_share - config.hall_of_fame_share < config.champion_share:
            return self.living[0].genome
        return choice(self.living[: config.elite], rng).genome

    def _hall_of_fame_tests(self) -> list[HallOfFameTest]:
        """Return the test of a candidate against the hall of fame, if there is one to test."""
        config = self._config
        if not (config.acceptance_games and self._hall_of_fame and self._is_candidate()):
            return []
        return [
            HallOfFameTest(
                arena=Arena.of(config),
                genome=self.living[0].genome,
                former=tuple(each.genome for each in self._hall_of_fame),
                games=config.acceptance_games,
                seed=self._seed_of(HALL_OF_FAME),
            )
        ]

    def _is_candidate(self) -> bool:
        """Return whether the champion is to enter the hall of fame now, if it passes the acceptance test."""
        config = self._config
        is_due = (self.generation + 1) % config.hall_of_fame_interval == 0
        is_tried = bool(self._counts) and self._counts[0] >= config.hall_of_fame_tables
        return is_due and is_tried and self.living[0] not in self._hall_of_fame

    def _accept(self, tallies: Sequence[Tally]) -> None:
        """Add a candidate to the hall of fame if it has won more games than it has lost.

        The first one enters without a test.
        """
        if self._is_candidate() and all(wins > losses for losses, _, wins in tallies):
            self._hall_of_fame.append(self.living[0])

    def _credit(self, results: Sequence[Sequence[float]]) -> None:
        """Update the mean results and the table counts of the living individuals."""
        now = [fmean(values) for values in results]
        old = len(self._means)
        means, counts = [], []
        tables = len(results[0])
        for slot, value in enumerate(now):
            weight = min(self._counts[slot], self._config.window) if slot < old else 0
            before = self._means[slot] * weight if slot < old else 0.0
            means.append((before + value * tables) / (weight + tables))
            counts.append((self._counts[slot] if slot < old else 0) + tables)
        self._means, self._counts = means, counts

    def _fitness(self) -> list[float]:
        """Return the means, shrunk towards the mean of all, less the cost of the programs' size."""
        shrinkage, node_cost = self._config.shrinkage, self._config.node_cost
        common = fmean(self._means)
        return [
            (mean * count + common * shrinkage) / (count + shrinkage)
            - node_cost * sum(len(tree) for _, tree in each.genome.programs())
            for mean, count, each in zip(self._means, self._counts, self.living, strict=True)
        ]

    def _breed(self, fitness: Sequence[float]) -> list[Born]:
        config = self._config
        self.generation += 1
        parents = self.living
        chances = share_fitness(fitness, self.behaviours, config.sharing) if config.sharing else fitness
        children = self._breeder.children(
            [each.genome for each in parents],
            chances,
            config.population - config.elite,
            self._random(BREEDING),
        )
        born = [self._bear(child, parents) for child in children]
        ranked = sorted(range(len(parents)), key=lambda slot: -fitness[slot])[: config.elite]
        tried = [slot for slot in ranked if self._counts[slot] >= config.hall_of_fame_tables]
        is_due = self.generation % config.hall_of_fame_interval == 0 and not config.acceptance_games
        if tried and is_due and parents[tried[0]] not in self._hall_of_fame:
            self._hall_of_fame.append(parents[tried[0]])
        champion = tried[:1]  # it comes first, before individuals that may only have been lucky
        order = sorted(range(len(parents)), key=lambda slot: -chances[slot])
        order = [*champion, *(slot for slot in order if slot not in champion)][: config.elite]
        self.living = [*(parents[slot] for slot in order), *born]
        self._means = [self._means[slot] for slot in order]
        self._counts = [self._counts[slot] for slot in order]
        return born

    def _statistics(self, fitness: Sequence[float]) -> dict[str, Any]:
        best = max(range(len(fitness)), key=fitness.__getitem__)
        return {
            "fitness": {
                "best": round(fitness[best], 5),
                "elite": round(fmean(sorted(fitness)[-self._config.elite :]), 5),
                "mean": round(fmean(fitness), 5),
            },
            "tables": self._counts[best],
            "nodes": round(fmean(sum(len(t) for _, t in each.genome.programs()) for each in self.living), 2),
            "hall": len(self._hall_of_fame),
            **({"behaviours": diversity(self.behaviours)} if self.behaviours else {}),
            "best": {
                "id": self.living[best].id,
                **{name: dumps(tree) for name, tree in self.living[best].genome.programs()},
            },
        }


class IslandModel(GenerationalPopulation[Genome]):
    """Several leagues that breed apart and regularly send copies of their best to the next league.

    Each island has an equal part of the population and of the elite; IDs are dealt to the islands in turn.
    """

    def __init__(
        self, config: LeagueConfig, seed: int, past: Past[Genome], state: IslandsState | None = None
    ) -> None:
        count = config.islands
        states = [load_state(text, LeagueState) for text in ([""] * count if state is None else state)]
        part = replace(config, islands=1, population=config.population // count, elite=config.elite // count)
        self._config = config
        self._islands = [
            League(part, derive_seed(seed, island), past, state, island, count)
            for island, state in zip(range(count), states, strict=True)
        ]
        super().__init__(seed, self._islands[0].generation)

    @property
    def state(self) -> IslandsState:
        return tuple(dump_state(island.state) for island in self._islands)

    def _found(self) -> Sequence[Born]:
        return _born_by_id(island.step([]) for island in self._islands)

    def _label_tasks(self) -> Mapping[int, Sequence[Any]]:
        return {number: island.tasks() for number, island in enumerate(self._islands)}

    def _advance(self, outcomes: Mapping[int, Sequence[Any]]) -> Generation[Genome]:
        config = self._config
        stepped = [island.step(outcomes[number]) for number, island in enumerate(self._islands)]
        self.generation += 1
        if self.generation % config.migration_interval == 0:
            leaving = [island.emigrants(config.migrants) for island in self._islands]
            for number, island in enumerate(self._islands):
                island.immigrate(leaving[number - 1])
        contests = (
            replace(contest, niche=number) for number, each in enumerate(stepped) for contest in each.contests
        )
        return Generation(
            number=self.generation,
            born=_born_by_id(stepped),
            contests=tuple(contests),
            statistics=self._statistics(stepped),
            fitness=Measurement(name=MEASURE, values=_best_measured_fitness(stepped)),
        )

    def _statistics(self, stepped: Sequence[Generation[Genome]]) -> dict[str, Any]:
        """Return the statistics of the island with the best player, with those of all islands together."""
        facts = [dict(each.statistics) for each in stepped]
        bests = [each["fitness"]["best"] for each in facts]
        leading = facts[bests.index(max(bests))] | {"islands": bests}
        if self._config.behaviour_states:
            every = [each for island in self._islands for each in island.behaviours]
            leading["behaviours"] = diversity(every)
        return leading


def _best_measured_fitness(stepped: Iterable[Generation[Genome]]) -> tuple[Fitness, ...]:
    """Return each individual's fitness; for one on several islands, that measured by the most tables."""
    found: dict[int, Fitness] = {}
    for value in chain.from_iterable(each.fitness.values for each in stepped if each.fitness):
        if value.id not in found or value.games > found[value.id].games:
            found[value.id] = value
    return tuple(found.values())


def _born_by_id(stepped: Iterable[Generation[Genome]]) -> tuple[Born, ...]:
    """Return all individuals that were born, in the order of their IDs."""
    return tuple(sorted(chain.from_iterable(each.born for each in stepped), key=lambda born: born.id))


# -- Diversity: players that choose alike share their fitness, so that different players survive together --
# D. Goldberg, J. Richardson, "Genetic Algorithms with Sharing for Multimodal Function Optimization" (1987), over the
# distance of behaviours; "Evolving Board Evaluation Functions", section 5.3.2, calls it splitting.


def share_fitness(fitness: Sequence[float], behaviours: Sequence[Choices], radius: float) -> list[float]:
    """Return what each fitness exceeds the least by, divided by the individual's niche count.

    An individual counts 1 in its own niche; others count less with the distance of their behaviour, and 0 from
    `radius` on.
    """
    least = min(fitness)
    counts = [
        ordered_sum(max(0.0, 1 - behaviour_distance(one, other) / radius) for other in behaviours)
        for one in behaviours
    ]
    return [(value - least) / count for value, count in zip(fitness, counts, strict=True)]


def diversity(behaviours: Sequence[Choices]) -> dict[str, Any]:
    """Return the number of distinct behaviours, and the mean distance of two players' behaviours."""
    return {
        "distinct": len(set(behaviours)),
        "apart": round(
            fmean(behaviour_distance(one, other) for one, other in combinations(behaviours, 2)), 4
        ),
    }


# -- Breeding: a program is crossed or mutated, or replaced by that of another parent ---------------------


class Breeder:
    """A source of genomes, as a configuration describes them: programs for six decisions, ADFs and registers."""

    def __init__(self, config: LeagueConfig) -> None:
        self._config = config
        beside = (*ADF_NAMES[: config.functions], *REMEMBERING[: config.registers])
        self._names = (*DECISIONS, *beside)
        self._generators = {name: Generator.of(typed_primitives(name, beside)) for name in self._names}

    def founders(self, rng: Random) -> Iterator[Child[Genome]]:
        """Yield the founders: first the players that the configuration names, then random genomes.

        Random genomes are ramped half-and-half, for each program. A named player that lacks ADFs or registers gets
        them from the random genome that it replaces.
        """
        config = self._config
        trees = [
            list(generator.ramped(config.population, config.new_levels, rng, result_of(name), scope_of(name)))
            for name, generator in self._generators.items()
        ]
        ramped = (founder(dict(zip(self._names, each, strict=True))) for each in zip(*trees, strict=True))
        for name, genome in zip(config.founder_names, ramped, strict=False):
            own = typed_players()[name].programs()
            yield Child(genome=Genome.of([*genome.functions, *genome.registers, *own]), origin=name)
        for genome in ramped:
            yield Child(genome=genome)

    def children(
        self, genomes: Sequence[Genome], fitness: Sequence[float], count: int, rng: Random
    ) -> Iterator[Child[Genome]]:
        """Yield `count` children; no child equals one of the genomes or another child."""
        known = set(genomes)
        while count:
            child = self._child(genomes, fitness, rng)
            if child.genome not in known:
                known.add(child.genome)
                count -= 1
                yield child

    def _child(self, genomes: Sequence[Genome], fitness: Sequence[float], rng: Random) -> Child[Genome]:
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
                new = genomes[father][decision]
                assert new
                parents.append(father)
                is_crossed = share < config.crossover
                if is_crossed:
                    new, _ = crossover(tree, new, config.most_levels, False, rng, scope_of(decision))
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
        """Return whether no program exceeds both the limit of work and the work of its parent's program.

        ADFs count wherever they are called.
        """
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
    """Return the genome of new programs.

    If programs are too large with their calls expanded, their ADFs are replaced by constants.
    """
    genome = Genome.of(programs.items())
    if all(cost.is_small for cost in costs(programs).values()):
        return genome
    constants = [(name, CONSTANTS[result_of(name)]) for name, _ in genome.functions]
    return Genome.of([*programs.items(), *constants])


# -- Report ---------------------------------------------------------------------------------------------


def report(config: LeagueConfig, statistics: Mapping[str, Any], examined: Mapping[str, Any]) -> str:
    """Return the report of a generation, for display."""
    if not statistics:
        return f"{config.population} founders\n"
    fitness, best = statistics["fitness"], statistics["best"]
    lines = [
        f"Generation {statistics['evaluated']}, {config.rules}, {config.players} players, {config.options}",
        f"Fitness: best {fitness['best']:.4f} ({best['id']}, {statistics['tables']} tables), "
        f"elite {fitness['elite']:.4f}, mean {fitness['mean']:.4f}",
        f"Nodes: {statistics['nodes']:.1f}  Hall of fame: {statistics['hall']}",
        *_diversity_lines(statistics),
        *(f"  {name}: {text}" for name, text in best.items() if name != "id"),
        *champion_lines(examined),
    ]
    return "\n".join(lines) + "\n"


def _diversity_lines(statistics: Mapping[str, Any]) -> Iterator[str]:
    if "behaviours" in statistics:
        behaviours = statistics["behaviours"]
        yield f"Behaviours: {behaviours['distinct']}; two of them differ in {behaviours['apart']:.1%} of states"
    if "islands" in statistics:
        yield f"Best of each island: {', '.join(f'{best:.4f}' for best in statistics['islands'])}"
