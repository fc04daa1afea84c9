"""The dice of combat."""

from collections.abc import Sequence
from typing import final

from mypy_extensions import i64

from core.random import Random


@final
class Dice:
    """Rolls of a random source; `forced` rolls come before them, for tests."""

    def __init__(self, rng: Random, forced: Sequence[int] = ()) -> None:
        self._rng = rng
        self._forced = list(reversed(forced))

    def roll(self, sides: i64) -> i64:
        """1 to `sides`. ValueError for a forced roll that the die does not have."""
        if not self._forced:
            return self._rng.below(sides) + 1
        forced = self._forced.pop()
        if not 1 <= forced <= sides:
            raise ValueError(f"a die of {sides} sides cannot show {forced}")
        return forced

    def forced_left(self) -> int:
        return len(self._forced)
