"""The Population of nets: the centre of a cloud of weights, which is all that is on record, and its samples.

A generation's samples follow from its number, the centre and the deviations; they play the same tables as each
other, as in a league, against the panel, former centres and the centre itself.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from statistics import fmean
from typing import Any, Final

from core.random import Random
from engines.acquire.league.games import Heat, Other, Table
from engines.acquire.league.trial import Trial
from engines.acquire.net_genome import NetGenome
from engines.acquire.nets.config import NetConfig
from engines.acquire.nets.strategy import Cloud, Sample, mirrored
from engines.evolution.population import Contest, Generation, Individual, derive_seed
from engines.evolution.selection import choice

Born = Individual[NetGenome]
Past = Callable[[int], Born]  # anybody on record
Task = Heat | Trial

PAIRING: Final = 0  # streams of a generation's random numbers
BREEDING: Final = 1
TRYING: Final = 2
SAMPLING: Final = 3
HEAT: Final = 10  # samples a task


class NetEvolution:
    """IDs count samples, too, which are not on record: of a generation the centre is the first, its samples follow."""

    def __init__(self, config: NetConfig, seed: int, past: Past) -> None:
        self.generation = -1
        self._centre: Born | None = None
        self._sigmas: tuple[float, ...] = ()
        self._hall: list[Born] = []
        self._config = config
        self._seed = seed
        self._past = past

    # -- Population --------------------------------------------------------------------------------

    def tasks(self) -> list[Task]:
        if self._centre is None:
            return []
        return [*self._heats(self._centre), *self._trials(self._centre)]

    def step(self, outcomes: Sequence[Any]) -> Generation[NetGenome]:
        centre = self._centre
        if centre is None:
            return self._begin()
        config = self._config
        trials = len(list(self._trials(centre)))
        results: list[list[float]] = list(chain.from_iterable(outcomes[: len(outcomes) - trials]))
        contests = tuple(
            Contest(players=(centre.id + 1 + number,), returns=(value,))
            for number, values in enumerate(results)
            for value in values
        )
        fitness = [fmean(values) for values in results]
        facts: dict[str, Any] = {"evaluated": self.generation} | self._facts(centre, fitness)
        if trials:
            facts["examined"] = {"champion": centre.id, "tables": len(contests), "panel": outcomes[-1]}
        if self.generation % config.hall_interval == 0:
            self._hall.append(centre)
        cloud = self._cloud(centre).moved(
            self._samples(), fitness, config.centre_rate_at(self.generation), config.sigma_rate
        )
        self.generation += 1
        self._sigmas = cloud.sigmas
        self._centre = Individual(
            id=self.generation * (1 + config.samples),
            genome=NetGenome(shape=centre.genome.shape, weights=cloud.centre),
            parents=(centre.id,),
            generation=self.generation,
            origin="step",
        )
        return Generation(number=self.generation, born=(self._centre,), contests=contests, statistics=facts)

    def dumps(self) -> str:
        return json.dumps({
            "generation": self.generation,
            "centre": self._centre and self._centre.id,
            "sigmas": self._sigmas,
            "hall": [each.id for each in self._hall],
        })  # fmt: skip

    def resume(self, state: str) -> None:
        """Go on from what dumps() wrote."""
        data = json.loads(state)
        self.generation = data["generation"]
        self._centre = self._past(data["centre"])
        self._sigmas = tuple(data["sigmas"])
        self._hall = [self._past(id) for id in data["hall"]]

    # -- What is to be played ----------------------------------------------------------------------

    def _heats(self, centre: Born) -> Iterator[Heat]:
        config = self._config
        rng = Random(self._seed_of(PAIRING))
        others: list[Other] = []
        tables = []
        for _ in range(config.bags):
            places = tuple(range(len(others), len(others) + config.players - 1))
            others += [self._drawn(centre, rng) for _ in places]
            seed = int(rng.below(2**61))
            tables += [Table(others=places, rotation=seat, seed=seed) for seat in range(config.players)]
        cloud = self._cloud(centre)
        nets = [centre.genome.moved(cloud.steps(sample)) for sample in self._samples()]
        for start in range(0, len(nets), HEAT):
            yield Heat(
                rules=config.played(),
                conduct=config.conduct,
                genomes=tuple(nets[start : start + HEAT]),
                others=tuple(others),
                tables=tuple(tables),
                win_weight=config.win_weight,
            )

    def _drawn(self, centre: Born, rng: Random) -> Other:
        """One of the others at a table."""
        config = self._config
        share = rng.uniform()
        if config.opponent and share < config.opponent_share:
            return config.opponent.drawn(rng)
        if self._hall and share < config.opponent_share + config.hall_share:
            return choice(self._hall, rng).genome
        return centre.genome

    def _trials(self, centre: Born) -> Iterator[Trial]:
        """Now and then the centre meets the panel."""
        config = self._config
        if self.generation and self.generation % config.examination_interval == 0 and config.panel_games:
            yield Trial(
                rules=config.played(),
                conduct=config.conduct,
                players=config.players,
                genome=centre.genome,
                games=config.panel_games,
                seed=self._seed_of(TRYING),
            )

    # -- Helpers -----------------------------------------------------------------------------------

    def _begin(self) -> Generation[NetGenome]:
        self.generation = 0
        genome = NetGenome.random(Random(self._seed_of(BREEDING)), self._config.shape)
        self._centre = Individual(id=0, genome=genome)
        self._sigmas = (self._config.first_sigma,) * len(genome.weights)
        return Generation(number=0, born=(self._centre,))

    def _cloud(self, centre: Born) -> Cloud:
        return Cloud(centre=centre.genome.weights, sigmas=self._sigmas)

    def _samples(self) -> list[Sample]:
        return mirrored(len(self._sigmas), self._config.samples // 2, Random(self._seed_of(SAMPLING)))

    def _facts(self, centre: Born, fitness: Sequence[float]) -> dict[str, Any]:
        return {
            "fitness": {
                "best": round(max(fitness), 5),
                "mean": round(fmean(fitness), 5),
                "worst": round(min(fitness), 5),
            },
            "sigma": {
                "least": round(min(self._sigmas), 6),
                "mean": round(fmean(self._sigmas), 6),
                "most": round(max(self._sigmas), 6),
            },
            "hall": len(self._hall),
            "best": {"id": centre.id},
        }

    def _seed_of(self, *place: int) -> int:
        return derive_seed(self._seed, self.generation, *place)
