"""An evolution strategy for genomes that are numbers: a centre, and pairs of mirror images around it.

The two points of a pair differ from the centre by the same step in opposite directions and play each other, so every
game shows which direction is better; the centre moves towards the winners. Steps and rate shrink over the planned
generations. Methods: mirrored sampling (Brockhoff et al. 2010), parameter-exploring policy gradients with symmetric
samples (Sehnke et al. 2010), Adam's moving averages (Kingma, Ba 2014).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Self

from msgspec import Struct

from core.random import Random
from engines.evolution.state import Count

MEMORY: Final = 0.9  # share of the old direction in its moving average
LONG_MEMORY: Final = 0.99  # share of the old square in its moving average
LAST_STEP: Final = 0.3  # of the first, at the end of the planned generations
LAST_RATE: Final = 0.1
TINY: Final = 1e-9


class StrategyState(Struct, frozen=True):
    """The part of a strategy that evolves: the centre, and the moving averages that determine its direction."""

    generation: Count
    centre: tuple[float, ...]
    direction: tuple[float, ...]
    square: tuple[float, ...]

    @classmethod
    def begin(cls, centre: Sequence[float]) -> Self:
        """Return the state of a strategy that has learned nothing yet."""
        zeros = (0.0,) * len(centre)
        return cls(0, tuple(centre), zeros, zeros)


@dataclass(slots=True, kw_only=True)
class Strategy:
    """A point that learns from duels. `units` are the amounts by which a step of 1 changes each number."""

    state: StrategyState
    units: tuple[float, ...]
    first_step: float  # standard deviation of the samples around the centre
    rate: float  # part of a step by which the centre moves if all duels agree
    planned: int  # generations

    @property
    def step(self) -> float:
        """The standard deviation of the next samples."""
        return self.first_step * self._faded(LAST_STEP)

    def sample(self, rng: Random) -> list[float]:
        """Draw a point around the centre, as steps from the centre."""
        return [rng.normal(1.0) for _ in self.units]

    def moved(self, steps: Sequence[float], sign: int) -> list[float]:
        """Return the centre plus (sign 1) or minus (sign -1) the steps of a sample."""
        size = self.step * sign
        return [
            value + size * unit * step
            for value, unit, step in zip(self.state.centre, self.units, steps, strict=True)
        ]

    def learn(self, samples: Sequence[Sequence[float]], results: Sequence[float]) -> None:
        """Move the centre by the results of one generation.

        results[i], in -1..1, is the result of the plus side of samples[i] in its duel.
        """
        rate = self.rate * self._faded(LAST_RATE) * self.step
        generation = self.state.generation + 1
        fresh = 1 - MEMORY**generation
        long_fresh = 1 - LONG_MEMORY**generation
        centre, direction, square = [*self.state.centre], [*self.state.direction], [*self.state.square]
        for index, unit in enumerate(self.units):
            slope = 0.0  # summed in order, as by statistics.ordered_sum()
            for sample, result in zip(samples, results, strict=True):
                slope += result * sample[index]
            slope /= len(samples)
            direction[index] = MEMORY * direction[index] + (1 - MEMORY) * slope
            square[index] = LONG_MEMORY * square[index] + (1 - LONG_MEMORY) * slope * slope
            size = sqrt(square[index] / long_fresh) + TINY
            centre[index] += rate * unit * (direction[index] / fresh) / size
        self.state = StrategyState(generation, tuple(centre), tuple(direction), tuple(square))

    def _faded(self, last: float) -> float:
        """Return a factor that falls from 1 at the beginning to `last` at the end of the planned generations."""
        return 1 - (1 - last) * min(self.state.generation / self.planned, 1.0)
