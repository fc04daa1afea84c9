"""What strings are tried on, in worker processes: an arrangement on its map, and what Chaos may spend."""

from dataclasses import dataclass
from functools import cache
from typing import Final, Self

from core.protection.board import Arrangement, Map, Scenario
from core.protection.evaluate import Evaluator, rating
from core.protection.policy import STRING_BYTES
from core.protection.rules import Rules
from core.random import Random

SEEDS: Final = 1 << 61


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One arrangement on one map."""

    rules: Rules
    board: Map
    arrangement: Arrangement
    budget: int  # Chaos's money in a test, dollars

    @classmethod
    def of(cls, rules: Rules, board: Map, arrangement: Arrangement, budget: int | None) -> Self:
        """None for the cost of the units. ValueError if a unit cannot stand where it is, or there is none."""
        value = arrangement.value(rules)
        if not value:
            raise ValueError("an arrangement without units makes every rating 0")
        Evaluator(Scenario(rules, board), arrangement)  # or a unit stands in water
        return cls(rules=rules, board=board, arrangement=arrangement, budget=budget or value)

    def rated(self, strings: bytes, tests: int, seed: int, human_weight: int) -> list[int]:
        """The mean of so many tests for each string; all their dice derive from the seed."""
        rng = Random(seed)
        seeds = [rng.below(SEEDS) for _ in range(len(strings) // STRING_BYTES * tests)]
        changes = _rater(self).evaluate(strings, self.budget, seeds)
        return [rating(change, tests, human_weight) for change in changes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Trials of some strings, as a task."""

    target: Target
    strings: bytes
    tests: int  # of each
    seed: int
    human_weight: int

    def play(self) -> list[int]:
        """The performances: ratings with the human's change weighted."""
        return self.target.rated(self.strings, self.tests, self.seed, self.human_weight)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """Plain ratings of one string in fresh tests, as a task. Equal seeds are equal dice."""

    target: Target
    string: bytes
    tests: int
    seed: int

    def play(self) -> list[int]:
        """A rating a test."""
        return self.target.rated(self.string * self.tests, 1, self.seed, 1)


@cache
def _rater(target: Target) -> Evaluator:
    return Evaluator(Scenario(target.rules, target.board), target.arrangement)
