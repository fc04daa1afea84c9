"""The Population of genetic programming: programs that play each other, and are bred by the results of their games.

Reference: "Evolving Board Evaluation Functions", section 3.2; J. Koza, "Genetic Programming" (1992), Appendix B.
"""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from math import sqrt
from statistics import NormalDist, fmean, pstdev, quantiles
from typing import Any, Final

from msgspec import Struct

from core.acquire.players import Player
from core.random import Random
from engines.acquire.evaluation import (
    PANEL_OF_TWO,
    Arena,
    Choices,
    batches,
    behaviour_tasks,
    panel_lines,
    tally,
)
from engines.acquire.genome import Genome
from engines.acquire.gp.operators import Generator, crossover, subtree_mutation
from engines.acquire.gp.primitives import THESIS
from engines.acquire.gp.sexpr import dumps
from engines.acquire.gp.tree import levels
from engines.acquire.gp_config import GpConfig
from engines.acquire.match import Tally, Worths
from engines.acquire.pairing import PAIRINGS, Pair, alternated
from engines.acquire.registry import create_player
from engines.evolution.generational import Child, GenerationalPopulation, Past
from engines.evolution.population import Contest, Fitness, Generation, Individual, Measurement, derive_seed
from engines.evolution.selection import choice, lexicase
from engines.evolution.state import Count
from engines.statistics import ordered_sum

Born = Individual[Genome]
Credit = Sequence[Sequence[float]]  # the points of each slot, game by game
Select = Callable[[Random], int]  # returns a slot

PAIRING: Final = 0  # streams of a generation's random numbers
GAME: Final = 1
BREEDING: Final = 2
EXAMINING: Final = 3
COMPARED: Final = 250  # players of a task that compares behaviour
MEASURES: Final = {  # the name of the fitness, by its word in the configuration
    "share": "share of the money of both players, mean of games",
    "wins": "share of games won",
    "money": "money in dollars, mean of games",
}


class GpState(Struct, frozen=True, kw_only=True):
    """The state of a population of programs between two generations."""

    generation: Count
    next_id: Count
    living: tuple[Count, ...]  # IDs, slot by slot
    played: tuple[Count, ...]  # IDs of the generation before, the best first


class GpPopulation(GenerationalPopulation[Genome]):
    """A population of programs. `living` are the individuals, slot by slot.

    A step records the games of the living individuals as `contests` and their children as `born`; its statistics are
    those of the individuals that played. All individuals are measured again in every generation.
    """

    def __init__(self, config: GpConfig, seed: int, past: Past[Genome], state: GpState | None = None) -> None:
        state = state or GpState(generation=-1, next_id=0, living=(), played=())
        super().__init__(seed, state.generation, state.next_id)
        known = {id: past(id) for id in {*state.living, *state.played}}
        self.living = [known[id] for id in state.living]
        self._played = [known[id] for id in state.played]
        self._config = config
        self._arena = Arena.of(config)
        self._breeder = Breeder(config)

    @property
    def state(self) -> GpState:
        return GpState(
            generation=self.generation,
            next_id=self._next_id,
            living=tuple(each.id for each in self.living),
            played=tuple(each.id for each in self._played),
        )

    def _found(self) -> Sequence[Born]:
        founders = self._breeder.founders(self._random(BREEDING))
        self.living = [self._bear(Child(genome=genome)) for genome in founders]
        return self.living

    def _label_tasks(self) -> Mapping[str, Sequence[Any]]:
        config, arena = self._config, self._arena
        genomes = [each.genome for each in self.living]
        games = [
            (one, other, self._seed_of(GAME, number)) for number, (one, other) in enumerate(self._pairs())
        ]
        behaviours = behaviour_tasks(arena, genomes, config.decisions, config.behaviour_states, COMPARED)
        return {
            "examination": self._examinations(),
            "games": list(batches(arena, genomes, games)),
            "behaviours": list(behaviours),
        }

    def _advance(self, outcomes: Mapping[str, Sequence[Any]]) -> Generation[Genome]:
        pairs = self._pairs()
        worths = list(chain.from_iterable(outcomes["games"]))
        credit = credited(self._config, len(self.living), pairs, worths)
        facts = {
            "evaluated": self.generation,
            "fitness": spread(credit, self._config.games),
            **describe(self.living, fitness_of(credit), list(chain.from_iterable(outcomes["behaviours"]))),
        }
        for examined in outcomes["examination"]:
            facts["examined"] = self._examined(examined)
        contests = tuple(
            Contest(players=(self.living[one].id, self.living[other].id), returns=tuple(map(float, ended)))
            for (one, other), ended in zip(pairs, worths, strict=True)
        )
        fitness = Measurement(
            name=MEASURES[self._config.fitness],
            values=tuple(
                Fitness(id=each.id, value=value, games=len(points))
                for each, value, points in zip(self.living, fitness_of(credit), credit, strict=True)
            ),
        )
        return Generation(
            number=self.generation + 1,
            born=tuple(self._breed(credit)),
            contests=contests,
            statistics=facts,
            fitness=fitness,
        )

    def _pairs(self) -> list[Pair]:
        """Return the games of this generation, as pairs of slots."""
        config = self._config
        rng = self._random(PAIRING)
        size = len(self.living)
        games = list(PAIRINGS[config.pairing](size, config.games, rng))
        if config.seats == "alternate":
            return list(alternated(games, size))
        return [(other, one) if rng.chance(0.5) else (one, other) for one, other in games]

    def _examinations(self) -> list["Examination"]:
        """Return the examination of the generation before, if one is scheduled now."""
        config = self._config
        if not self._played or (self.generation + 1) % config.examination_interval:
            return []
        field = tuple(each.genome for each in self._played)
        return [
            Examination(
                config=config,
                candidates=field[: config.candidates],
                field=field,
                seed=self._seed_of(EXAMINING),
            )
        ]

    def _breed(self, credit: Credit) -> list[Born]:
        """Replace the living by the next generation, the elite and then the children; return the children."""
        played = self.living
        self.generation += 1
        genomes = [each.genome for each in played]
        children = self._breeder.children(genomes, credit, self._random(BREEDING))
        born = [self._bear(child, played) for child in children]
        fitness = fitness_of(credit)
        order = sorted(range(len(played)), key=lambda slot: -fitness[slot])
        self._played = [played[slot] for slot in order]
        self.living = [*self._played[: self._config.elite_count], *born]
        return born

    def _examined(self, found: "Examined") -> dict[str, Any]:
        candidates = [each.id for each in self._played[: self._config.candidates]]
        retest = (round(each, 4) for each in found.retest)
        return {
            "evaluated": self.generation - 1,
            "champion": candidates[found.champion],
            "retest": dict(zip(map(str, candidates), retest, strict=True)),
            "panel": {name: list(each) for name, each in found.panel.items()},
        }


# -- Breeding: slots are filled in order, by fixed shares of crossover, copies and mutation -----------------


class Breeder:
    """A source of genomes, as a configuration describes them; a change is made to one random program of a genome."""

    def __init__(self, config: GpConfig) -> None:
        self._config = config
        self._generator = Generator.of(THESIS)

    def founders(self, rng: Random) -> list[Genome]:
        """Return the founders: random programs, ramped half-and-half for each decision."""
        config = self._config
        trees = [
            list(self._generator.ramped(config.population, config.new_levels, rng)) for _ in config.decisions
        ]
        return [
            Genome.of(zip(config.decisions, programs, strict=True)) for programs in zip(*trees, strict=True)
        ]

    def children(self, genomes: Sequence[Genome], credit: Credit, rng: Random) -> Iterator[Child[Genome]]:
        """Yield all children, in the order of the slots; the only parent of a copy is the individual copied."""
        config = self._config
        select = SELECTIONS[config.selection](config, credit)
        count = config.population - (config.elite_count if config.elite == "replaces" else 0)
        crossover = config.crossover_at_functions + config.crossover_anywhere
        slot = 0
        while slot < count:
            share = slot / count
            if share < crossover and slot < count - 1:
                at_functions = share < config.crossover_at_functions
                yield from self._pair(genomes, select(rng), select(rng), at_functions, rng)
                slot += 2
                continue
            if share < crossover + config.reproduction:
                yield self._copy(genomes, select(rng), rng)
            else:
                yield self._mutant(genomes, select(rng), rng)
            slot += 1

    def _pair(
        self, genomes: Sequence[Genome], mother: int, father: int, at_functions: bool, rng: Random
    ) -> Iterator[Child[Genome]]:
        decision = self._drawn_decision(rng)
        first, second = genomes[mother][decision], genomes[father][decision]
        assert first and second
        trees = crossover(first, second, self._config.most_levels, at_functions, rng)
        for slot, other, tree in zip((mother, father), (father, mother), trees, strict=True):
            genome = genomes[slot].changed(decision, tree)
            yield Child(genome=genome, parents=(slot, other), origin="crossover")

    def _copy(self, genomes: Sequence[Genome], slot: int, rng: Random) -> Child[Genome]:
        if rng.chance(self._config.copy_mutation):
            return self._mutant(genomes, slot, rng)
        return Child(genome=genomes[slot], parents=(slot,), origin="copy")

    def _mutant(self, genomes: Sequence[Genome], slot: int, rng: Random) -> Child[Genome]:
        decision = self._drawn_decision(rng)
        tree = genomes[slot][decision]
        assert tree
        changed = subtree_mutation(tree, self._generator, self._config.mutation_depth, rng)
        return Child(genome=genomes[slot].changed(decision, changed), parents=(slot,), origin="mutation")

    def _drawn_decision(self, rng: Random) -> str:
        decisions = self._config.decisions
        return decisions[rng.below(len(decisions))] if len(decisions) > 1 else decisions[0]


def _tournament(config: GpConfig, credit: Credit) -> Select:
    fitness = fitness_of(credit)
    return lambda rng: max(
        (int(rng.below(len(fitness))) for _ in range(config.tournament)), key=fitness.__getitem__
    )


def _proportionate(config: GpConfig, credit: Credit) -> Select:
    return _weighted([max(value, 0.0) for value in fitness_of(credit)])


def _rank(config: GpConfig, credit: Credit) -> Select:
    fitness = fitness_of(credit)
    weights = [0.0] * len(fitness)
    for rank, slot in enumerate(sorted(range(len(fitness)), key=fitness.__getitem__), 1):
        weights[slot] = float(rank)
    return _weighted(weights)


def _lexicase(config: GpConfig, credit: Credit) -> Select:
    """Select parents by lexicase selection, in which case n is game n of each individual.

    The games are against different opponents, so the selection favours individuals that did well in several of them.
    """
    return lexicase(credit)


def _weighted(weights: Sequence[float]) -> Select:
    sums = list(accumulate(weights))
    return lambda rng: min(bisect(sums, rng.uniform() * sums[-1]), len(sums) - 1)


# How parents are chosen; more points are better.
SELECTIONS: Final[Mapping[str, Callable[[GpConfig, Credit], Select]]] = {
    "tournament": _tournament, "proportionate": _proportionate, "rank": _rank, "lexicase": _lexicase,
}  # fmt: skip


# -- Fitness ------------------------------------------------------------------------------------------
# If fitness is the share of the money, the points of both sides add up to 1, and the mean over all games is 1/2,
# however well the players play. Only the spread around it and the best value are informative; the best is shown next
# to the value that the best of equal players would reach by luck.


def points(config: GpConfig, worths: Worths, cash: int) -> tuple[float, float]:
    """Return the points of both sides, which began the game with this amount of cash."""
    one, other = worths
    if config.money_won == "earned":
        one, other = max(one - cash, 0), max(other - cash, 0)
    match config.fitness:
        case "share":
            share = one / (one + other) if one + other else 0.5
            return share, 1 - share
        case "wins":
            win = 0.5 if one == other else float(one > other)
            return win, 1 - win
    return float(one), float(other)


def credited(
    config: GpConfig, size: int, pairs: Sequence[Pair], worths: Sequence[Worths]
) -> list[list[float]]:
    """Return the points of each slot, game by game; both sides of a game are credited."""
    cash = config.game_rules.cash
    credit: list[list[float]] = [[] for _ in range(size)]
    for sides, ended in zip(pairs, worths, strict=True):
        for slot, point in zip(sides, points(config, ended, cash), strict=True):
            credit[slot].append(point)
    return credit


def fitness_of(credit: Credit) -> list[float]:
    """Return the mean of each slot's points."""
    return [ordered_sum(each) / max(len(each), 1) for each in credit]


def spread(credit: Credit, games: int) -> dict[str, Any]:
    """Summarize a generation's fitness: least, mean, best and deviation.

    `best_by_luck` is the fitness that the best of equal players would be expected to have.
    """
    fitness, every = fitness_of(credit), list(chain.from_iterable(credit))
    deviation = pstdev(every)
    return {
        "least": round(min(fitness), 6),
        "mean": round(fmean(every), 6),
        "best": round(max(fitness), 6),
        "deviation": round(pstdev(fitness), 6),
        "game_deviation": round(deviation, 6),
        "best_by_luck": round(fmean(every) + expected_best(len(fitness)) * deviation / sqrt(games), 6),
    }


def expected_best(count: int) -> float:
    """Return how many standard deviations the best of `count` equals exceeds the mean by (G. Blom, 1958)."""
    return NormalDist().inv_cdf((count - 0.375) / (count + 0.25))


# -- Examination: the best of a thousand players by ten games each is mostly lucky ----------------------
# So the apparent best are tested again; the best of them in these games is the champion and plays against the panel.


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """The result of an examination.

    `champion` is the index of the best candidate; `retest` has the means of all candidates.
    """

    champion: int
    retest: tuple[float, ...]
    panel: dict[str, Tally]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """A task: some candidates, and the field of all individuals that live with them."""

    config: GpConfig
    candidates: tuple[Genome, ...]
    field: tuple[Genome, ...]
    seed: int

    def play(self) -> Examined:
        arena = Arena.of(self.config)
        retest = tuple(self._retested(arena, place) for place in range(len(self.candidates)))
        champion = max(range(len(retest)), key=retest.__getitem__)
        panel = {}
        if self.config.panel_games:
            player = arena.express(self.candidates[champion])
            panel = {
                name: tally(self._panel_games(arena, player, create_player(name), index))
                for index, name in enumerate(PANEL_OF_TWO)
            }
        return Examined(champion=champion, retest=retest, panel=panel)

    def _retested(self, arena: Arena, place: int) -> float:
        """Return the candidate's fitness in fresh games against the field."""
        rng = Random(derive_seed(self.seed, 0, place))
        player = arena.express(self.candidates[place])
        cash = arena.rules.cash
        total = 0.0
        for game in range(self.config.retest_games):
            other = arena.express(choice(self.field, rng))
            worths = _meet(arena, player, other, game % 2 == 0, int(rng.below(2**61)))
            total += points(self.config, worths, cash)[0]
        return total / self.config.retest_games

    def _panel_games(self, arena: Arena, player: Player, other: Player, index: int) -> Iterator[Worths]:
        """Yield the results of games against a panel member, two with each bag, in both orders of joining."""
        for game in range(self.config.panel_games):
            seed = derive_seed(self.seed, 1, index, game // 2)
            yield _meet(arena, player, other, game % 2 == 0, seed)


def _meet(arena: Arena, one: Player, other: Player, is_first: bool, seed: int) -> Worths:
    """Play one game and return the worths of the two players, in this order even if the other joins first."""
    return arena.play([one, other], 0, seed) if is_first else arena.play([other, one], 0, seed)[::-1]


# -- Statistics and report ------------------------------------------------------------------------------


def describe(
    living: Sequence[Born], fitness: Sequence[float], behaviours: Sequence[Choices]
) -> dict[str, Any]:
    """Return statistics of the living individuals: sizes, levels, distinct programs and behaviours, and the best.

    Nodes are those of all programs of a player together. Sizes and levels are given as quartiles, with the least and
    the most.
    """
    best = max(range(len(living)), key=fitness.__getitem__)
    every = [each.genome.programs() for each in living]
    return {
        "nodes": _quartiles([sum(len(tree) for _, tree in programs) for programs in every]),
        "levels": _quartiles([max(levels(tree) for _, tree in programs) for programs in every]),
        "genotypes": len({each.genome for each in living}),
        "behaviours": len(set(behaviours)),
        "best": {
            "id": living[best].id,
            "fitness": round(fitness[best], 6),
            **{name: dumps(tree) for name, tree in every[best]},
        },
    }


def _quartiles(values: Sequence[int]) -> dict[str, Any]:
    return {"mean": round(fmean(values), 3), "quartiles": [min(values), *quantiles(values, n=4), max(values)]}


def report(config: GpConfig, statistics: Mapping[str, Any], examined: Mapping[str, Any]) -> str:
    """Return the report of a generation, for display."""
    if not statistics:
        return f"{config.population} founders\n"
    parts = [_generation_lines(config, statistics)]
    if examined:
        parts.append(_examination_lines(config, examined))
    return "\n\n".join(map("\n".join, parts)) + "\n"


def _generation_lines(config: GpConfig, facts: Mapping[str, Any]) -> Iterator[str]:
    fitness, best = facts["fitness"], facts["best"]
    yield f"Generation {facts['evaluated']}, {config.rules}, {config.options}"
    yield (
        f"Fitness: best {fitness['best']:.4f} (by luck among equal players {fitness['best_by_luck']:.4f}), "
        f"least {fitness['least']:.4f}, deviation {fitness['deviation']:.4f}"
    )
    if config.fitness != "money" and config.pairing == "exact":
        yield f"Mean {fitness['mean']:.4f}: always 1/2, because each game credits both sides"
    yield (
        f"Nodes: {facts['nodes']['mean']:.1f}  Levels: {facts['levels']['mean']:.2f}  "
        f"Different programs: {facts['genotypes']}  Behaviours: {facts['behaviours']}"
    )
    yield f"Best individual of {config.games} game{'s' * (config.games != 1)} each: {best['id']}"
    yield from (f"  {name}: {best[name]}" for name in config.decisions)


def _examination_lines(config: GpConfig, facts: Mapping[str, Any]) -> Iterator[str]:
    champion = str(facts["champion"])
    yield (
        f"Champion of generation {facts['evaluated']}: {champion}, {facts['retest'][champion]:.4f} "
        f"in {config.retest_games} other game{'s' * (config.retest_games != 1)}"
    )
    yield from panel_lines(facts["panel"])
