"""Selection: shuffles, pairs, draws by weight, lexicase selection and a hall of fame, shared by the games' evolutions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

from core.random import Random
from engines.evolution.population import Genome, Individual

T = TypeVar("T")
G = TypeVar("G", bound=Genome)


def shuffled(items: Sequence[T], rng: Random) -> list[T]:
    """The items in random order, every order equally likely (Fisher and Yates)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = rng.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def pairs(items: Sequence[T], rng: Random) -> list[tuple[T, T]]:
    """All items, each with a random other one. ValueError for an odd number."""
    order = shuffled(items, rng)
    return list(zip(order[::2], order[1::2], strict=True))


def choice(items: Sequence[T], rng: Random) -> T:
    """One of the items. ValueError if there is none."""
    return items[rng.below(len(items))]


def weighted_index(weights: Sequence[float], rng: Random) -> int:
    """The place of one of the weights, each as likely as it is heavy. ValueError if all are 0."""
    total = 0.0  # in order, as statistics.ordered_sum()
    for weight in weights:
        total += weight
    rest = rng.uniform() * total
    for place, weight in enumerate(weights):
        if rest < weight:
            return place
        rest -= weight
    # Sums of floats may miss the last one by a hair.
    return max(place for place, weight in enumerate(weights) if weight > 0)


def lexicase(points: Sequence[Sequence[float]]) -> Callable[[Random], int]:
    """Chooses places by `points`, each one's in the same cases; more are better.

    Cases come in random order, and each leaves those who are within its median absolute deviation of the best
    who are left; of the last ones any is taken. W. La Cava, L. Spector, K. Danai, "Epsilon-Lexicase Selection
    for Regression" (2016).
    """
    cases = list(zip(*points, strict=True))
    margins = [_deviation(case) for case in cases]

    def chosen(rng: Random) -> int:
        left: Sequence[int] = range(len(points))
        for number in shuffled(range(len(cases)), rng):
            case = cases[number]
            enough = max(case[place] for place in left) - margins[number]
            left = [place for place in left if case[place] >= enough]
            if len(left) == 1:
                break
        return choice(left, rng)

    return chosen


@dataclass(slots=True)
class HallOfFame(Generic[G]):
    """Champions of the past, whom the present must not forget how to beat: at most `size`, in order of entry.

    In a full hall a new champion takes the place of the one before whom the gap between entries is smallest,
    so that all times stay represented.
    """

    size: int
    champions: list[Individual[G]]

    def add(self, individual: Individual[G]) -> bool:
        """Whether it was added; an individual is not added twice."""
        if any(champion.id == individual.id for champion in self.champions):
            return False
        self.champions.append(individual)
        if len(self.champions) > self.size:
            ids = [champion.id for champion in self.champions]
            gaps = [later - sooner for sooner, later in zip(ids, ids[2:], strict=False)]
            del self.champions[gaps.index(min(gaps)) + 1 if gaps else 0]
        return True

    def pick(self, rng: Random) -> Individual[G] | None:
        """Any champion; None if there is none."""
        return choice(self.champions, rng) if self.champions else None


def _deviation(values: Sequence[float]) -> float:
    """The median absolute deviation from the median."""
    middle = median(values)
    return median(abs(value - middle) for value in values)
