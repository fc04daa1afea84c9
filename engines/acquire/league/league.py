"""The Population of a league: typed players, measured against each other, former champions and a fixed opponent.

Everybody plays the same tables in a generation. The elite stays with the results that it has and plays on, so
that those who may be best have most games: a race. Reference: "Evolving Board Evaluation Functions", sections 5.3.3 (hall
of fame) and 5.3.4 (more games where they count).
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from statistics import fmean
from typing import Any, Final

from core.random import Random
from engines.acquire.genome import Genome
from engines.acquire.league.breeding import Breeder
from engines.acquire.league.config import LeagueConfig
from engines.acquire.league.games import Heat, Other, Table
from engines.acquire.league.trial import Trial
from engines.acquire.trees.text import dumps
from engines.evolution import Contest, Generation, Individual, seed_of
from engines.selection import picked

Born = Individual[Genome]
Past = Callable[[int], Born]  # anybody on record
Task = Heat | Trial

PAIRING: Final = 0  # streams of a generation's random numbers
BREEDING: Final = 1
TRYING: Final = 2
HEAT: Final = 25  # genomes a task


class League:
    """Who lives, slot by slot, the elite first. A new one begins with random programs."""

    def __init__(self, config: LeagueConfig, seed: int, past: Past) -> None:
        self.generation = -1
        self.living: list[Born] = []
        self._means: list[float] = []  # of those who have played, in the order of the living
        self._counts: list[int] = []  # of their tables
        self._hall: list[Born] = []
        self._next_id = 0
        self._config = config
        self._seed = seed
        self._past = past
        self._breeder = Breeder(config)

    # -- Population --------------------------------------------------------------------------------

    def tasks(self) -> list[Task]:
        if self.generation < 0:
            return []
        return [*self._heats(), *self._trials()]

    def step(self, outcomes: Sequence[Any]) -> Generation[Genome]:
        if self.generation < 0:
            return self._begin()
        trials = len(list(self._trials()))
        heats = outcomes[: len(outcomes) - trials]
        results: list[list[float]] = list(chain.from_iterable(heats))
        contests = tuple(
            Contest(players=(each.id,), returns=(value,))
            for each, values in zip(self.living, results, strict=True)
            for value in values
        )
        facts: dict[str, Any] = {"evaluated": self.generation}
        if trials:
            facts["examined"] = {
                "champion": self.living[0].id,
                "tables": self._counts[0],
                "panel": outcomes[-1],
            }
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
            return picked(self._hall, rng).genome
        return picked(self.living[: config.elite], rng).genome

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
        children = self._breeder.children(
            [each.genome for each in parents], fitness, config.population - config.elite, rng
        )
        born = [
            self._bear(child.genome, tuple(parents[slot].id for slot in child.parents), child.origin)
            for child in children
        ]
        order = sorted(range(len(parents)), key=lambda slot: -fitness[slot])[: config.elite]
        tried = [slot for slot in order if self._counts[slot] >= config.hall_tables]
        if tried and self.generation % config.hall_interval == 0 and parents[tried[0]] not in self._hall:
            self._hall.append(parents[tried[0]])
        champion = tried[:1]  # it comes first, before those who may have been lucky
        order = champion + [slot for slot in order if slot not in champion]
        self.living = [*(parents[slot] for slot in order), *born]
        self._means = [self._means[slot] for slot in order]
        self._counts = [self._counts[slot] for slot in order]
        return born

    def _bear(self, genome: Genome, parents: tuple[int, ...], origin: str) -> Born:
        self._next_id += 1
        return Individual(
            id=self._next_id - 1, genome=genome, parents=parents, generation=self.generation, origin=origin
        )

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
            "best": {
                "id": self.living[best].id,
                **{name: dumps(tree) for name, tree in self.living[best].genome.programs()},
            },
        }

    def _seed_of(self, *place: int) -> int:
        return seed_of(self._seed, self.generation, *place)
