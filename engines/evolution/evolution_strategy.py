"""An evolution strategy for genomes that are numbers: one centre, and pairs of mirror images around it.

The two of a pair differ from the centre by the same step in opposite directions and play each other, so
every game shows which way is better; the centre moves towards the winners. Steps and rate shrink
over the planned generations. Methods: mirrored sampling (Brockhoff et al. 2010), parameter-exploring
policy gradients with symmetric samples (Sehnke et al. 2010), Adam's moving averages (Kingma, Ba 2014).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Self

from msgspec import Struct

from core.random import Random
from engines.evolution.state import Count

MEMORY: Final = 0.9  # of the direction, for the moving average
LONG_MEMORY: Final = 0.99  # of its square
LAST_STEP: Final = 0.3  # of the first, when the planned generations are over
LAST_RATE: Final = 0.1
TINY: Final = 1e-9


class StrategyState(Struct, frozen=True):
    """The part of a strategy that evolves: the centre, and the moving averages that say where it goes."""

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
    """A point that learns from duels. `units` are what a step of 1 means for each number."""

    state: StrategyState
    units: tuple[float, ...]
    first_step: float  # standard deviation of the samples around the centre
    rate: float  # of a step, that the centre moves when all duels agree
    planned: int  # generations

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
            for value, unit, step in zip(self.state.centre, self.units, steps, strict=True)
        ]

    def learn(self, samples: Sequence[Sequence[float]], results: Sequence[float]) -> None:
        """Go on by a generation: results[i] in -1..1 is what the plus side of samples[i] made of its duel."""
        rate = self.rate * self._faded(LAST_RATE) * self.step
        generation = self.state.generation + 1
        fresh = 1 - MEMORY**generation
        long_fresh = 1 - LONG_MEMORY**generation
        centre, direction, square = [*self.state.centre], [*self.state.direction], [*self.state.square]
        for index, unit in enumerate(self.units):
            slope = 0.0  # in order, as statistics.ordered_sum()
            for sample, result in zip(samples, results, strict=True):
                slope += result * sample[index]
            slope /= len(samples)
            direction[index] = MEMORY * direction[index] + (1 - MEMORY) * slope
            square[index] = LONG_MEMORY * square[index] + (1 - LONG_MEMORY) * slope * slope
            size = sqrt(square[index] / long_fresh) + TINY
            centre[index] += rate * unit * (direction[index] / fresh) / size
        self.state = StrategyState(generation, tuple(centre), tuple(direction), tuple(square))

    def _faded(self, last: float) -> float:
        """From 1 at the beginning to `last` when the planned generations are over."""
        return 1 - (1 - last) * min(self.state.generation / self.planned, 1.0)
