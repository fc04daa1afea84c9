"""An evolution strategy for genomes that are vectors of numbers: a centre, and pairs of mirror images around it.

The two points of a pair differ from the centre by the same step in opposite directions and play each other, so every
game shows which direction is better; the centre moves towards the winners. The size of the steps and the rate at which
the centre moves shrink over the planned generations.

The slope of a number is the mean over all pairs of the result times the step, so it is positive if the games favour a
higher number. The centre moves along the moving average of the slope, divided for each number by the size that the
slope usually has (the root of the moving average of its square). Both averages start at 0; learn() corrects that.

Methods: mirrored sampling (Brockhoff et al. 2010), parameter-exploring policy gradients with symmetric samples (Sehnke
et al. 2010), Adam's moving averages (Kingma, Ba 2014).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Self

from msgspec import Struct

from core.random import Random
from engines.evolution.state import Count

MEMORY: Final = 0.9  # weight of the past in the moving average of the direction
LONG_MEMORY: Final = 0.99  # weight of the past in the moving average of the square
LAST_STEP: Final = 0.3  # the last step as a part of the first
LAST_RATE: Final = 0.1  # the last rate as a part of the first
TINY: Final = 1e-9  # prevents a division by 0


class StrategyState(Struct, frozen=True):
    """The part of a strategy that evolves: the centre, and the moving averages that determine its direction."""

    generation: Count
    centre: tuple[float, ...]
    direction: tuple[float, ...]  # the moving average of the slope, for each number
    square: tuple[float, ...]  # the moving average of the slope's square, for each number

    @classmethod
    def begin(cls, centre: Sequence[float]) -> Self:
        """Return the state of a strategy that has learned nothing yet."""
        zeros = (0.0,) * len(centre)
        return cls(0, tuple(centre), zeros, zeros)


@dataclass(slots=True, kw_only=True)
class Strategy:
    """An evolution strategy with its settings. `units` are the amounts by which a step of 1 changes each number."""

    state: StrategyState
    units: tuple[float, ...]
    first_step: float  # standard deviation of the samples around the centre
    rate: float  # the move of the centre in a generation whose duels all agree, as a part of a step
    planned: int  # the number of generations

    @property
    def step(self) -> float:
        """The standard deviation of the samples in this generation."""
        return self.first_step * self._faded(LAST_STEP)

    def sample(self, rng: Random) -> list[float]:
        """Draw a point around the centre; return its difference from the centre, in steps, for each number."""
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

        `results[i]`, from -1 to 1, is the result of moved(samples[i], 1) in its duel against moved(samples[i], -1).
        """
        rate = self.rate * self._faded(LAST_RATE) * self.step
        generation = self.state.generation + 1
        correction = 1 - MEMORY**generation
        square_correction = 1 - LONG_MEMORY**generation
        centre, direction, square = [*self.state.centre], [*self.state.direction], [*self.state.square]
        for index, unit in enumerate(self.units):
            slope = 0.0  # summed in order, as by statistics.ordered_sum()
            for sample, result in zip(samples, results, strict=True):
                slope += result * sample[index]
            slope /= len(samples)
            direction[index] = MEMORY * direction[index] + (1 - MEMORY) * slope
            square[index] = LONG_MEMORY * square[index] + (1 - LONG_MEMORY) * slope * slope
            size = sqrt(square[index] / square_correction) + TINY
            centre[index] += rate * unit * (direction[index] / correction) / size
        self.state = StrategyState(generation, tuple(centre), tuple(direction), tuple(square))

    def _faded(self, last: float) -> float:
        """Return a factor that falls from 1 at the beginning to `last` at the end of the planned generations."""
        return 1 - (1 - last) * min(self.state.generation / self.planned, 1.0)
