"""An evolution strategy for genomes that are numbers: one centre, and pairs of mirror images around it.

The two of a pair differ from the centre by the same step in opposite directions and play each other, so
every game shows which way is better; the centre moves towards the winners. Steps and rate shrink
over the planned generations. Methods: mirrored sampling (Brockhoff et al. 2010), parameter-exploring
policy gradients with symmetric samples (Sehnke et al. 2010), Adam's moving averages (Kingma, Ba 2014).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, Self

from core.random import Random

MEMORY: Final = 0.9  # of the direction, for the moving average
LONG_MEMORY: Final = 0.99  # of its square
LAST_STEP: Final = 0.3  # of the first, when the planned generations are over
LAST_RATE: Final = 0.1
TINY: Final = 1e-9


@dataclass(slots=True, kw_only=True)
class Strategy:
    """A point that learns from duels. `units` are what a step of 1 means for each number."""

    centre: list[float]
    units: tuple[float, ...]
    first_step: float  # standard deviation of the samples around the centre
    rate: float  # of a step, that the centre moves when all duels agree
    planned: int  # generations
    generation: int = 0
    direction: list[float]
    square: list[float]

    @classmethod
    def begin(
        cls, centre: Sequence[float], units: tuple[float, ...], first_step: float, rate: float, planned: int
    ) -> Self:
        zeros = [0.0] * len(units)
        return cls(
            centre=list(centre),
            units=units,
            first_step=first_step,
            rate=rate,
            planned=planned,
            direction=zeros[:],
            square=zeros[:],
        )

    @property
    def step(self) -> float:
        """The standard deviation of the next samples."""
        return self.first_step * self._faded(LAST_STEP)

    def sample(self, rng: Random) -> list[float]:
        """A point drawn around the centre, as steps from it."""
        return [rng.normal(1.0) for _ in self.units]

    def moved(self, steps: Sequence[float], sign: int) -> list[float]:
        """The centre plus (sign 1) or minus (sign -1) the steps of a sample."""
        size = self.step * sign
        return [
            value + size * unit * step
            for value, unit, step in zip(self.centre, self.units, steps, strict=True)
        ]

    def learn(self, samples: Sequence[Sequence[float]], results: Sequence[float]) -> None:
        """Go on by a generation: results[i] in -1..1 is what the plus side of samples[i] made of its duel."""
        rate = self.rate * self._faded(LAST_RATE) * self.step
        self.generation += 1
        fresh = 1 - MEMORY**self.generation
        long_fresh = 1 - LONG_MEMORY**self.generation
        for index, unit in enumerate(self.units):
            slope = 0.0  # in order, as statistics.ordered_sum()
            for sample, result in zip(samples, results, strict=True):
                slope += result * sample[index]
            slope /= len(samples)
            self.direction[index] = MEMORY * self.direction[index] + (1 - MEMORY) * slope
            self.square[index] = LONG_MEMORY * self.square[index] + (1 - LONG_MEMORY) * slope * slope
            size = sqrt(self.square[index] / long_fresh) + TINY
            self.centre[index] += rate * unit * (self.direction[index] / fresh) / size

    def data(self) -> dict[str, Any]:
        """What a strategy begun with the same settings needs to go on."""
        return {
            "generation": self.generation,
            "centre": self.centre,
            "direction": self.direction,
            "square": self.square,
        }

    def resume(self, data: dict[str, Any]) -> None:
        self.generation = data["generation"]
        self.centre, self.direction, self.square = data["centre"], data["direction"], data["square"]

    def _faded(self, last: float) -> float:
        """From 1 at the beginning to `last` when the planned generations are over."""
        return 1 - (1 - last) * min(self.generation / self.planned, 1.0)
