"""An evolution strategy: a cloud of weights, each with a deviation of its own, that moves to where the good ones were.

Separable natural evolution strategy (T. Schaul, T. Glasmachers, J. Schmidhuber, "High Dimensions and Heavy Tails for
Natural Evolution Strategies", 2011), with the utilities of ranks and the rates that they advise; every sample has its
mirror image beside it, so that what the centre is worth cancels out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Self

from core.random import Random

Sample = tuple[float, ...]  # in deviations from the centre


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """Where its samples are drawn from."""

    centre: tuple[float, ...]
    sigmas: tuple[float, ...]

    def steps(self, sample: Sample) -> list[float]:
        """From the centre to the sample."""
        return [sigma * part for sigma, part in zip(self.sigmas, sample, strict=True)]

    def moved(
        self,
        samples: Sequence[Sample],
        fitness: Sequence[float],
        centre_rate: float,
        sigma_rate: float | None,
    ) -> Self:
        """After a generation; more fitness is better. No rate of the deviations: the one advised."""
        size = len(self.centre)
        rate = (3 + log(size)) / (5 * sqrt(size)) if sigma_rate is None else sigma_rate
        towards = [0.0] * size
        wider = [0.0] * size
        for weight, sample in zip(utilities(fitness), samples, strict=True):
            for place, part in enumerate(sample):
                towards[place] += weight * part
                wider[place] += weight * (part * part - 1)
        return type(self)(
            centre=tuple(
                at + centre_rate * sigma * step
                for at, sigma, step in zip(self.centre, self.sigmas, towards, strict=True)
            ),
            sigmas=tuple(
                sigma * exp(rate / 2 * width) for sigma, width in zip(self.sigmas, wider, strict=True)
            ),
        )


def mirrored(size: int, pairs: int, rng: Random) -> list[Sample]:
    """Normal samples, each followed by its mirror image."""
    drawn = [tuple(rng.normal(1.0) for _ in range(size)) for _ in range(pairs)]
    return [each for sample in drawn for each in (sample, tuple(-part for part in sample))]


def utilities(fitness: Sequence[float]) -> list[float]:
    """What each counts for: by ranks, the better half more than nothing, 0 in all. Equals share their ranks'."""
    count = len(fitness)
    raw = [max(0.0, log(count / 2 + 1) - log(rank)) for rank in range(1, count + 1)]
    by_rank = [value / sum(raw) - 1 / count for value in raw]
    order = sorted(fitness, reverse=True)
    shared = {
        value: sum(by_rank[order.index(value) : order.index(value) + order.count(value)]) / order.count(value)
        for value in set(order)
    }
    return [shared[value] for value in fitness]
