"""The Population of Acquire: programs that play each other, and are bred by what they won.

Reference: "Evolving Board Evaluation Functions", section 3.2. A step plays the games of those who live, its
record's `contests`, and breeds the next ones, its `born`; its statistics are of those who played. Everybody is
measured anew in every generation.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final

from core.random import Random
from engines.acquire.genome import Genome
from engines.acquire.programs.behaviour import Watch
from engines.acquire.programs.breeding import Breeder
from engines.acquire.programs.census import census
from engines.acquire.programs.config import ProgramsConfig
from engines.acquire.programs.evaluation.examination import Examination, Examined
from engines.acquire.programs.evaluation.fitness import credited, fitness_of, spread
from engines.acquire.programs.evaluation.games import Arena, Batch, batch_count, batches
from engines.acquire.programs.evaluation.pairing import PAIRINGS, Pair, alternated
from engines.evolution.population import Contest, Generation, Individual, derive_seed

Born = Individual[Genome]
Past = Callable[[int], Born]  # anybody on record
Task = Batch | Watch | Examination

PAIRING: Final = 0  # streams of a generation's random numbers
GAME: Final = 1
BREEDING: Final = 2
EXAMINING: Final = 3
WATCHED: Final = 250  # players a task


class Programs:
    """Who lives, slot by slot. A new one begins with random programs."""

    def __init__(self, config: ProgramsConfig, seed: int, past: Past) -> None:
        self.generation = -1
        self.living: list[Born] = []
        self._played: list[Born] = []  # who lived before, the best first
        self._next_id = 0
        self._config = config
        self._seed = seed
        self._past = past
        self._arena = Arena.of(config)
        self._breeder = Breeder(config)

    # -- Population --------------------------------------------------------------------------------

    def tasks(self) -> list[Task]:
        if self.generation < 0:
            return []
        return [*self._examinations(), *self._batches(), *self._watches()]

    def step(self, outcomes: Sequence[Any]) -> Generation[Genome]:
        if self.generation < 0:
            return self._begin()
        games = self._pairs()
        parts = iter(outcomes)  # in the order of tasks()
        examined: list[Examined] = [next(parts) for _ in self._examinations()]
        worths = list(chain.from_iterable(islice(parts, batch_count(len(games)))))
        digests = list(chain.from_iterable(parts))
        credit = credited(self._config, len(self.living), games, worths)
        facts = {
            "evaluated": self.generation,
            "fitness": spread(credit, self._config.games),
            **census(self.living, fitness_of(credit), digests),
        }
        for each in examined:
            facts["examined"] = self._report(each)
        contests = tuple(
            Contest(players=(self.living[one].id, self.living[other].id), returns=tuple(map(float, ended)))
            for (one, other), ended in zip(games, worths, strict=True)
        )
        return Generation(
            number=self.generation + 1, born=tuple(self._breed(credit)), contests=contests, statistics=facts
        )

    def dumps(self) -> str:
        return json.dumps({
            "generation": self.generation,
            "next_id": self._next_id,
            "living": [each.id for each in self.living],
            "played": [each.id for each in self._played],
        })  # fmt: skip

    def resume(self, state: str) -> None:
        """Go on from what dumps() wrote."""
        data = json.loads(state)
        self.generation = data["generation"]
        self._next_id = data["next_id"]
        known = {id: self._past(id) for id in {*data["living"], *data["played"]}}
        self.living = [known[id] for id in data["living"]]
        self._played = [known[id] for id in data["played"]]

    # -- What is to be played ----------------------------------------------------------------------

    def _pairs(self) -> list[Pair]:
        """The games of this generation, by slots."""
        config = self._config
        rng = Random(self._seed_of(PAIRING))
        size = len(self.living)
        games = list(PAIRINGS[config.pairing](size, config.games, rng))
        if config.seats == "alternate":
            return list(alternated(games, size))
        return [(other, one) if rng.chance(0.5) else (one, other) for one, other in games]

    def _batches(self) -> list[Batch]:
        games = [
            (one, other, self._seed_of(GAME, number)) for number, (one, other) in enumerate(self._pairs())
        ]
        return list(batches(self._arena, [each.genome for each in self.living], games))

    def _watches(self) -> Iterator[Watch]:
        for start in range(0, len(self.living), WATCHED):
            yield Watch(
                arena=self._arena,
                genomes=tuple(each.genome for each in self.living[start : start + WATCHED]),
                decisions=self._config.decisions,
                states=self._config.behaviour_states,
            )

    def _examinations(self) -> Iterator[Examination]:
        """Now and then, of the generation before."""
        config = self._config
        if self._played and (self.generation + 1) % config.examination_interval == 0:
            yield Examination(
                config=config,
                candidates=tuple(each.genome for each in self._played[: config.candidates]),
                field=tuple(each.genome for each in self._played),
                seed=self._seed_of(EXAMINING),
            )

    # -- What comes of it --------------------------------------------------------------------------

    def _begin(self) -> Generation[Genome]:
        self.generation = 0
        founders = self._breeder.founders(Random(self._seed_of(BREEDING)))
        self.living = [self._bear(genome, (), "random") for genome in founders]
        return Generation(number=0, born=tuple(self.living))

    def _breed(self, credit: Sequence[Sequence[float]]) -> list[Born]:
        """Let the next generation live: the elite, then those who are born now."""
        played = self.living
        self.generation += 1
        rng = Random(self._seed_of(BREEDING))
        genomes = [each.genome for each in played]
        born = [
            self._bear(child.genome, tuple(played[slot].id for slot in child.parents), child.origin)
            for child in self._breeder.children(genomes, credit, rng)
        ]
        fitness = fitness_of(credit)
        order = sorted(range(len(played)), key=lambda slot: -fitness[slot])
        self._played = [played[slot] for slot in order]
        self.living = [*self._played[: self._config.elite_count], *born]
        return born

    def _bear(self, genome: Genome, parents: tuple[int, ...], origin: str) -> Born:
        self._next_id += 1
        return Individual(
            id=self._next_id - 1, genome=genome, parents=parents, generation=self.generation, origin=origin
        )

    def _report(self, examined: Examined) -> dict[str, Any]:
        candidates = [each.id for each in self._played[: self._config.candidates]]
        return {
            "evaluated": self.generation - 1,
            "champion": candidates[examined.champion],
            "retest": dict(
                zip(map(str, candidates), (round(each, 4) for each in examined.retest), strict=True)
            ),
            "panel": {name: list(tally) for name, tally in examined.panel.items()},
        }

    def _seed_of(self, *place: int) -> int:
        return derive_seed(self._seed, self.generation, *place)
