"""The Population of a natural evolution strategy: a distribution of weights, of which only the mean is on record.

Separable NES (T. Schaul, T. Glasmachers, J. Schmidhuber, "High Dimensions and Heavy Tails for Natural Evolution
Strategies", 2011), with the rank-based utilities and the rates that they advise, and antithetic samples. The samples
of a generation follow from its number, the mean and the deviations. As in a league, all samples play the same tables;
their opponents are configured players, former means and the mean itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp, log, sqrt
from statistics import fmean
from typing import Any, Final, Self

from msgspec import Struct

from core.random import Random
from engines.acquire.evaluation import Other, champion_lines, draw_outsider, evaluation_tasks, panel_tests
from engines.acquire.nes_config import NesConfig, WeightedGenome
from engines.evolution.generational import Child, GenerationalPopulation, Past
from engines.evolution.population import Contest, Fitness, Generation, Individual, Measurement
from engines.evolution.state import Count
from engines.statistics import ordered_sum

Born = Individual[WeightedGenome]
Sample = tuple[float, ...]  # the distance from the mean, in deviations

PAIRING: Final = 0  # streams of a generation's random numbers
BREEDING: Final = 1
PANEL: Final = 2
SAMPLING: Final = 3
SAMPLES: Final = 10  # of a task
MEASURE: Final = "wins and share of the money, weighed; mean of the tables of all samples around it"


class NesState(Struct, frozen=True, kw_only=True):
    """The state of a natural evolution strategy between two generations."""

    generation: Count
    centre: Count | None  # the ID of the mean; None before the founder
    sigmas: tuple[float, ...]  # the deviation of each weight
    hall: tuple[Count, ...]  # IDs of the hall of fame


class NesPopulation(GenerationalPopulation[WeightedGenome]):
    """A population that is a distribution of nets, or of rules of thumb.

    IDs also count the samples, which are not on record: in each generation the mean has the first ID, and its samples
    have the following ones.
    """

    def __init__(
        self, config: NesConfig, seed: int, past: Past[WeightedGenome], state: NesState | None = None
    ) -> None:
        state = state or NesState(generation=-1, centre=None, sigmas=(), hall=())
        stride, next_id = 1 + config.samples, 0
        self._mean: Born
        if state.centre is not None:
            self._mean, next_id = past(state.centre), state.centre + stride
        super().__init__(seed, state.generation, next_id, stride)
        self._sigmas = state.sigmas
        self._hall_of_fame = [past(id) for id in state.hall]
        self._config = config

    @property
    def state(self) -> NesState:
        return NesState(
            generation=self.generation,
            centre=self._mean.id if self.generation >= 0 else None,
            sigmas=self._sigmas,
            hall=tuple(each.id for each in self._hall_of_fame),
        )

    def _found(self) -> Sequence[Born]:
        config = self._config
        genome = config.first_genome(self._random(BREEDING))
        self._mean = self._bear(Child(genome=genome))
        self._sigmas = (config.first_sigma,) * len(genome.weights)
        return [self._mean]

    def _label_tasks(self) -> Mapping[str, Sequence[Any]]:
        config, mean = self._config, self._mean.genome
        distribution = self._distribution()
        samples = [mean.moved(distribution.steps(sample)) for sample in self._samples()]
        rng = self._random(PAIRING)
        return {
            "tables": list(evaluation_tasks(config, samples, SAMPLES, config.bags, self._draw_other, rng)),
            "panel": panel_tests(config, mean, self.generation, self._seed_of(PANEL)),
        }

    def _advance(self, outcomes: Mapping[str, Sequence[Any]]) -> Generation[WeightedGenome]:
        config, mean = self._config, self._mean
        results: list[list[float]] = list(chain.from_iterable(outcomes["tables"]))
        contests = tuple(
            Contest(players=(mean.id + 1 + number,), returns=(value,))
            for number, values in enumerate(results)
            for value in values
        )
        fitness = [fmean(values) for values in results]
        facts: dict[str, Any] = {"evaluated": self.generation} | self._statistics(fitness)
        for panel in outcomes["panel"]:
            facts["examined"] = {"champion": mean.id, "tables": len(contests), "panel": panel}
        if self.generation % config.hall_of_fame_interval == 0:
            self._hall_of_fame.append(mean)
        distribution = self._distribution().moved(
            self._samples(), fitness, config.mean_rate_at(self.generation)
        )
        self.generation += 1
        self._sigmas = distribution.sigmas
        genome = mean.genome.with_weights(distribution.mean)
        self._mean = self._bear(Child(genome=genome, parents=(0,), origin="step"), [mean])
        measured = Fitness(id=mean.id, value=fmean(fitness), games=len(contests))
        return Generation(
            number=self.generation,
            born=(self._mean,),
            contests=contests,
            statistics=facts,
            fitness=Measurement(name=MEASURE, values=(measured,)),
        )

    def _draw_other(self, rng: Random) -> Other:
        """Draw one of the opponents at a table."""
        outsider = draw_outsider(self._config, self._hall_of_fame, rng.uniform(), rng)
        return self._mean.genome if outsider is None else outsider

    def _distribution(self) -> "SearchDistribution":
        return SearchDistribution(mean=self._mean.genome.weights, sigmas=self._sigmas)

    def _samples(self) -> list[Sample]:
        return antithetic_samples(len(self._sigmas), self._config.samples // 2, self._random(SAMPLING))

    def _statistics(self, fitness: Sequence[float]) -> dict[str, Any]:
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
            "hall": len(self._hall_of_fame),
            "best": {"id": self._mean.id},
        }


# -- The strategy ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDistribution:
    """A normal distribution with a separate deviation for each number."""

    mean: tuple[float, ...]
    sigmas: tuple[float, ...]

    def steps(self, sample: Sample) -> list[float]:
        """Return the steps from the mean to the sample."""
        return [sigma * part for sigma, part in zip(self.sigmas, sample, strict=True)]

    def moved(
        self,
        samples: Sequence[Sample],
        fitness: Sequence[float],
        mean_rate: float,
    ) -> Self:
        """Return the distribution after a generation; higher fitness is better.

        The rate of the deviations is the one that the paper advises.
        """
        size = len(self.mean)
        rate = (3 + log(size)) / (5 * sqrt(size))
        mean_gradient = [0.0] * size
        sigma_gradient = [0.0] * size
        for weight, sample in zip(utilities(fitness), samples, strict=True):
            for place, part in enumerate(sample):
                mean_gradient[place] += weight * part
                sigma_gradient[place] += weight * (part * part - 1)
        return type(self)(
            mean=tuple(
                at + mean_rate * sigma * step
                for at, sigma, step in zip(self.mean, self.sigmas, mean_gradient, strict=True)
            ),
            sigmas=tuple(
                sigma * exp(rate / 2 * step) for sigma, step in zip(self.sigmas, sigma_gradient, strict=True)
            ),
        )


def antithetic_samples(size: int, pairs: int, rng: Random) -> list[Sample]:
    """Return normal samples, each followed by its mirror image.

    The fitness of the mean cancels out between the two.
    """
    drawn = [tuple(rng.normal(1.0) for _ in range(size)) for _ in range(pairs)]
    return [each for sample in drawn for each in (sample, tuple(-part for part in sample))]


def utilities(fitness: Sequence[float]) -> list[float]:
    """Return the utility of each fitness by its rank; all utilities add up to 0.

    Ranks in the better half count, the others have the same least utility. Equal values share the mean utility of
    their ranks.
    """
    count = len(fitness)
    raw = [max(0.0, log(count / 2 + 1) - log(rank)) for rank in range(1, count + 1)]
    by_rank = [value / ordered_sum(raw) - 1 / count for value in raw]
    order = sorted(fitness, reverse=True)
    shared = {
        value: ordered_sum(by_rank[order.index(value) : order.index(value) + order.count(value)])
        / order.count(value)
        for value in set(order)
    }
    return [shared[value] for value in fitness]


# -- Report ---------------------------------------------------------------------------------------------


def report(config: NesConfig, statistics: Mapping[str, Any], examined: Mapping[str, Any]) -> str:
    """Return the report of a generation, for display."""
    if not statistics:
        return f"{config.title} of {config.size} weights\n"
    fitness, sigma = statistics["fitness"], statistics["sigma"]
    lines = [
        f"Generation {statistics['evaluated']}, {config.rules}, {config.players} players, {config.options}",
        f"Fitness of {config.samples} samples: best {fitness['best']:.4f}, mean {fitness['mean']:.4f}, "
        f"worst {fitness['worst']:.4f}",
        f"Standard deviations of {config.size} weights: mean {sigma['mean']:.4f}, from {sigma['least']:.4f} to "
        f"{sigma['most']:.4f}  Hall of fame: {statistics['hall']}",
        *champion_lines(examined),
    ]
    return "\n".join(lines) + "\n"
