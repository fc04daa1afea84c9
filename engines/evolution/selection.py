"""Selection: shuffles, pairs, draws by weight, lexicase selection and a hall of fame, shared by all evolutions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

from core.random import Random
from engines.evolution.population import Genome, Individual

T = TypeVar("T")
G = TypeVar("G", bound=Genome)


def shuffled(items: Sequence[T], rng: Random) -> list[T]:
    """Return the items in random order, every order equally likely (Fisher and Yates)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = rng.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def pairs(items: Sequence[T], rng: Random) -> list[tuple[T, T]]:
    """Return all items in random pairs. Raises ValueError if their number is odd."""
    order = shuffled(items, rng)
    return list(zip(order[::2], order[1::2], strict=True))


def choice(items: Sequence[T], rng: Random) -> T:
    """Return a random item. Raises ValueError if there are no items."""
    return items[rng.below(len(items))]


def weighted_index(weights: Sequence[float], rng: Random) -> int:
    """Return a random index, each with a probability in proportion to its weight.

    Raises ValueError if all weights are 0.
    """
    total = 0.0  # summed in order, as by statistics.ordered_sum()
    for weight in weights:
        total += weight
    rest = rng.uniform() * total
    for place, weight in enumerate(weights):
        if rest < weight:
            return place
        rest -= weight
    # Rounding may leave a rest after the last weight.
    return max(place for place, weight in enumerate(weights) if weight > 0)


def lexicase(points: Sequence[Sequence[float]]) -> Callable[[Random], int]:
    """Return a function that selects an index by lexicase selection; more points are better.

    `points` has a row for each individual, with its points in the same cases. Cases come in random order. Each case
    keeps the remaining individuals that are within the case's median absolute deviation of the best of them; any of
    the last ones is selected. W. La Cava, L. Spector, K. Danai, "Epsilon-Lexicase Selection for Regression" (2016).
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
    """Champions of the past, which the present must not forget how to beat: at most `size`, in order of entry.

    If the hall is full, a new champion replaces the earlier one whose two neighbours in the hall have the closest
    IDs, so that all times stay represented.
    """

    size: int
    champions: list[Individual[G]]

    def add(self, individual: Individual[G]) -> bool:
        """Add an individual unless it is in the hall already; return whether it was added."""
        if any(champion.id == individual.id for champion in self.champions):
            return False
        self.champions.append(individual)
        if len(self.champions) > self.size:
            ids = [champion.id for champion in self.champions]
            gaps = [later - sooner for sooner, later in zip(ids, ids[2:], strict=False)]
            del self.champions[gaps.index(min(gaps)) + 1 if gaps else 0]
        return True

    def pick(self, rng: Random) -> Individual[G] | None:
        """Return a random champion, or None if there is none."""
        return choice(self.champions, rng) if self.champions else None


def _deviation(values: Sequence[float]) -> float:
    """Return the median absolute deviation from the median."""
    middle = median(values)
    return median(abs(value - middle) for value in values)
