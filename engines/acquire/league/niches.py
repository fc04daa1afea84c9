"""Niches by behaviour: players who choose alike share what they are worth, so that different ones live beside each other.

Fitness sharing (D. Goldberg, J. Richardson, "Genetic Algorithms with Sharing for Multimodal Function Optimization",
1987) over the distance of behaviours; "Evolving Board Evaluation Functions", section 5.3.2, calls it splitting.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from core.acquire.rules import Rules
from engines.acquire.brain import Brain
from engines.acquire.conduct import Conduct
from engines.acquire.programs.behaviour import PHASE_OF, choices

Choices = tuple[int, ...]  # in the same fixed states as everybody's


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Some players to be watched, as a task."""

    rules: Rules
    conduct: Conduct
    genomes: tuple[Brain, ...]
    states: int  # of each decision that has fixed states

    def play(self) -> list[Choices]:
        """What each chooses."""
        return [
            tuple(choices(genome.express(self.conduct), self.rules, tuple(PHASE_OF), self.states))
            for genome in self.genomes
        ]


def shared(fitness: Sequence[float], chosen: Sequence[Choices], radius: float) -> list[float]:
    """What is above the least fitness, divided by how many are in the niche: 1 for oneself, less up to the radius."""
    least = min(fitness)
    crowds = [sum(max(0.0, 1 - unlike(one, other) / radius) for other in chosen) for one in chosen]
    return [(value - least) / crowd for value, crowd in zip(fitness, crowds, strict=True)]


def variety(chosen: Sequence[Choices]) -> dict[str, Any]:
    """How many behaviours there are, and how far two players are apart."""
    return {
        "distinct": len(set(chosen)),
        "apart": round(fmean(unlike(one, other) for one, other in combinations(chosen, 2)), 4),
    }


def unlike(one: Choices, other: Choices) -> float:
    """The share of states in which they choose differently."""
    return sum(a != b for a, b in zip(one, other, strict=True)) / len(one)
