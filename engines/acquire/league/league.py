"""The Population of a league: typed players, measured against each other, former champions and a fixed opponent.

Everybody plays the same tables in a generation. The elite stays with the results that it has and plays on, so
that those who may be best have most games: a race. Reference: "Evolving Board Evaluation Functions", sections 5.3.3 (hall
of fame) and 5.3.4 (more games where they count).
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from statistics import fmean
from typing import Any, Final

from core.random import Random
from engines.acquire.genome import Genome
from engines.acquire.gp.sexpr import dumps
from engines.acquire.league.breeding import Breeder
from engines.acquire.league.config import LeagueConfig
from engines.acquire.league.games import Heat, Other, Table
from engines.acquire.league.niches import Choices, Watch, shared, variety
from engines.acquire.league.trial import Acceptance, Tally, Trial
from engines.evolution.population import Contest, Generation, Individual, derive_seed
from engines.evolution.selection import choice

Born = Individual[Genome]
Settler = tuple[Born, float, int]  # with the mean and the number of its tables
Past = Callable[[int], Born]  # anybody on record
Task = Heat | Watch | Acceptance | Trial

PAIRING: Final = 0  # streams of a generation's random numbers
BREEDING: Final = 1
TRYING: Final = 2
ACCEPTING: Final = 3
HEAT: Final = 25  # genomes a task


class League:
    """Who lives, slot by slot, the elite first. A new one begins with random programs."""

    def __init__(
        self, config: LeagueConfig, seed: int, past: Past, first_id: int = 0, id_stride: int = 1
    ) -> None:
        self.generation = -1
        self.chosen: list[Choices] = []  # by those who were measured last
        self.living: list[Born] = []
        self._means: list[float] = []  # of those who have played, in the order of the living
        self._counts: list[int] = []  # of their tables
        self._hall: list[Born] = []
        self._next_id = first_id
        self._id_stride = id_stride
        self._config = config
        self._seed = seed
        self._past = past
        self._breeder = Breeder(config)

    # -- Population --------------------------------------------------------------------------------

    def tasks(self) -> list[Task]:
        if self.generation < 0:
            return []
        return [*self._heats(), *self._watches(), *self._acceptances(), *self._trials()]

    def step(self, outcomes: Sequence[Any]) -> Generation[Genome]:
        if self.generation < 0:
            return self._begin()
        parts = iter(outcomes)  # in the order of tasks()
        results: list[list[float]] = list(chain.from_iterable(islice(parts, len(list(self._heats())))))
        self.chosen = list(chain.from_iterable(islice(parts, len(list(self._watches())))))
        tallies: list[Tally] = list(islice(parts, len(list(self._acceptances()))))
        contests = tuple(
            Contest(players=(each.id,), returns=(value,))
            for each, values in zip(self.living, results, strict=True)
            for value in values
        )
        facts: dict[str, Any] = {"evaluated": self.generation}
        for panel in parts:
            facts["examined"] = {
                "champion": self.living[0].id,
                "tables": self._counts[0],
                "panel": panel,
            }
        if self._config.acceptance_games:
            self._accept(tallies)
        self._credit(results)
        fitness = self._fitness()
        facts |= self._facts(fitness, results)
        born = self._breed(fitness)
        return Generation(number=self.generation, born=tuple(born), contests=contests, statistics=facts)

    def dumps(self) -> str:
        return json.dumps({
            "generation": self.generation,
            "next_id": self._next_id,
            "living": [each.id for each in self.living],
            "hall": [each.id for each in self._hall],
            "means": self._means,
            "counts": self._counts,
        })  # fmt: skip

    def resume(self, state: str) -> None:
        """Go on from what dumps() wrote."""
        data = json.loads(state)
        self.generation = data["generation"]
        self._next_id = data["next_id"]
        self.living = [self._past(id) for id in data["living"]]
        self._hall = [self._past(id) for id in data["hall"]]
        self._means, self._counts = data["means"], data["counts"]

    # -- Migration ---------------------------------------------------------------------------------

    def emigrants(self, count: int) -> list[Settler]:
        """The first of the elite, with their results."""
        return list(zip(self.living, self._means, self._counts, strict=False))[:count]

    def settle(self, settlers: Sequence[Settler]) -> None:
        """They take the places of the last of the elite; who lives here already does not come."""
        new = [settler for settler in settlers if settler[0] not in self.living]
        for slot, (individual, mean, count) in enumerate(new, self._config.elite - len(new)):
            self.living[slot], self._means[slot], self._counts[slot] = individual, mean, count

    # -- What is to be played ----------------------------------------------------------------------

    def _heats(self) -> Iterator[Heat]:
        config = self._config
        rng = Random(self._seed_of(PAIRING))
        others: list[Other] = []
        tables = []
        for _ in range(config.bags_at(self.generation)):
            places = tuple(range(len(others), len(others) + config.players - 1))
            others += [self._drawn(rng) for _ in places]
            seed = int(rng.below(2**61))
            tables += [Table(others=places, rotation=seat, seed=seed) for seat in range(config.players)]
        for start in range(0, len(self.living), HEAT):
            yield Heat(
                rules=config.played(),
                conduct=config.conduct,
                genomes=tuple(each.genome for each in self.living[start : start + HEAT]),
                others=tuple(others),
                tables=tuple(tables),
                win_weight=config.win_weight,
            )

    def _drawn(self, rng: Random) -> Other:
        """One of the others at a table."""
        config = self._config
        share = rng.uniform()
        if config.opponent and share < config.opponent_share:
            return config.opponent.drawn(rng)
        if self._hall and share < config.opponent_share + config.hall_share:
            return choice(self._hall, rng).genome
        if 0 <= share - config.opponent_share - config.hall_share < config.champion_share:
            return self.living[0].genome
        return choice(self.living[: config.elite], rng).genome

    def _watches(self) -> Iterator[Watch]:
        """Everybody, in the same states."""
        config = self._config
        if config.behaviour_states:
            for start in range(0, len(self.living), HEAT):
                yield Watch(
                    rules=config.played(),
                    conduct=config.conduct,
                    genomes=tuple(each.genome for each in self.living[start : start + HEAT]),
                    states=config.behaviour_states,
                )

    def _acceptances(self) -> Iterator[Acceptance]:
        """Where the hall may take the champion, it meets those who are there."""
        config = self._config
        if config.acceptance_games and self._hall and self._is_candidate():
            yield Acceptance(
                rules=config.played(),
                conduct=config.conduct,
                players=config.players,
                genome=self.living[0].genome,
                former=tuple(each.genome for each in self._hall),
                games=config.acceptance_games,
                seed=self._seed_of(ACCEPTING),
            )

    def _trials(self) -> Iterator[Trial]:
        """Now and then the champion meets the panel."""
        config = self._config
        if self._counts and self.generation % config.examination_interval == 0 and config.panel_games:
            yield Trial(
                rules=config.played(),
                conduct=config.conduct,
                players=config.players,
                genome=self.living[0].genome,
                games=config.panel_games,
                seed=self._seed_of(TRYING),
            )

    # -- What comes of it --------------------------------------------------------------------------

    def _begin(self) -> Generation[Genome]:
        self.generation = 0
        founders = self._breeder.founders(Random(self._seed_of(BREEDING)))
        self.living = [self._bear(child.genome, (), child.origin) for child in founders]
        return Generation(number=0, born=tuple(self.living))

    def _credit(self, results: Sequence[Sequence[float]]) -> None:
        """Bring the means up to date."""
        now = [fmean(values) for values in results]
        old = len(self._means)
        means, counts = [], []
        tables = len(results[0])
        for slot, value in enumerate(now):
            weight = min(self._counts[slot], self._config.memory) if slot < old else 0
            before = self._means[slot] * weight if slot < old else 0.0
            means.append((before + value * tables) / (weight + tables))
            counts.append((self._counts[slot] if slot < old else 0) + tables)
        self._means, self._counts = means, counts

    def _fitness(self) -> list[float]:
        """Means, drawn to that of all by doubt, less what the programs' size costs."""
        doubt, node_cost = self._config.doubt, self._config.node_cost
        common = fmean(self._means)
        return [
            (mean * count + common * doubt) / (count + doubt)
            - node_cost * sum(len(tree) for _, tree in each.genome.programs())
            for mean, count, each in zip(self._means, self._counts, self.living, strict=True)
        ]

    def _breed(self, fitness: Sequence[float]) -> list[Born]:
        config = self._config
        self.generation += 1
        rng = Random(self._seed_of(BREEDING))
        parents = self.living
        chances = shared(fitness, self.chosen, config.sharing) if config.sharing else fitness
        children = self._breeder.children(
            [each.genome for each in parents], chances, config.population - config.elite, rng
        )
        born = [
            self._bear(child.genome, tuple(parents[slot].id for slot in child.parents), child.origin)
            for child in children
        ]
        ranked = sorted(range(len(parents)), key=lambda slot: -fitness[slot])[: config.elite]
        tried = [slot for slot in ranked if self._counts[slot] >= config.hall_tables]
        is_due = self.generation % config.hall_interval == 0 and not config.acceptance_games
        if tried and is_due and parents[tried[0]] not in self._hall:
            self._hall.append(parents[tried[0]])
        champion = tried[:1]  # it comes first, before those who may have been lucky
        order = sorted(range(len(parents)), key=lambda slot: -chances[slot])
        order = [*champion, *(slot for slot in order if slot not in champion)][: config.elite]
        self.living = [*(parents[slot] for slot in order), *born]
        self._means = [self._means[slot] for slot in order]
        self._counts = [self._counts[slot] for slot in order]
        return born

    def _is_candidate(self) -> bool:
        """Whether the hall is due to take the champion, where it must be accepted."""
        config = self._config
        is_due = (self.generation + 1) % config.hall_interval == 0
        is_tried = bool(self._counts) and self._counts[0] >= config.hall_tables
        return is_due and is_tried and self.living[0] not in self._hall

    def _accept(self, tallies: Sequence[Tally]) -> None:
        """The first is taken as it is, others if they have won more than they have lost."""
        if self._is_candidate() and all(wins > losses for losses, _, wins in tallies):
            self._hall.append(self.living[0])

    def _bear(self, genome: Genome, parents: tuple[int, ...], origin: str) -> Born:
        id = self._next_id
        self._next_id += self._id_stride
        return Individual(id=id, genome=genome, parents=parents, generation=self.generation, origin=origin)

    def _facts(self, fitness: Sequence[float], results: Sequence[Sequence[float]]) -> dict[str, Any]:
        best = max(range(len(fitness)), key=fitness.__getitem__)
        return {
            "fitness": {
                "best": round(fitness[best], 5),
                "elite": round(fmean(sorted(fitness)[-self._config.elite :]), 5),
                "mean": round(fmean(fitness), 5),
            },
            "tables": self._counts[best],
            "nodes": round(fmean(sum(len(t) for _, t in each.genome.programs()) for each in self.living), 2),
            "hall": len(self._hall),
            **({"behaviours": variety(self.chosen)} if self.chosen else {}),
            "best": {
                "id": self.living[best].id,
                **{name: dumps(tree) for name, tree in self.living[best].genome.programs()},
            },
        }

    def _seed_of(self, *place: int) -> int:
        return derive_seed(self._seed, self.generation, *place)
