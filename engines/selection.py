"""Who meets whom and who is preferred: small functions that the games' evolutions share."""

from collections.abc import Sequence
from typing import TypeVar

from core.random import Random

T = TypeVar("T")


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


def picked(items: Sequence[T], rng: Random) -> T:
    """One of the items. ValueError if there is none."""
    return items[rng.below(len(items))]


def drawn(weights: Sequence[float], rng: Random) -> int:
    """The place of one of the weights, each as likely as it is heavy. ValueError if all are 0."""
    rest = rng.uniform() * sum(weights)
    for place, weight in enumerate(weights):
        if rest < weight:
            return place
        rest -= weight
    # Sums of floats may miss the last one by a hair.
    return max(place for place, weight in enumerate(weights) if weight > 0)
