"""A placement policy: weights that say how much a unit is wanted on a kind of ground, on gold, and near the others.

It is the genome of evolved users, who are Chaos's counterpart: `evolved.txt` is one that engines.protection.users.breeding has bred.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from core.protection.board import distance
from core.protection.rules import ARTILLERY, DRONE, MOUNTAINS, SIDE, WETLANDS
from core.random import Random
from engines.protection.game.setup import Placement
from engines.protection.users.seen import Seen
from engines.protection.users.sites import settlements

UNITS: Final = range(DRONE, ARTILLERY + 1)
GROUNDS: Final = range(WETLANDS, MOUNTAINS + 1)
WEIGHTS: Final = len(GROUNDS) + 2  # a unit: each kind of ground, gold, and the distance from the centre
LENGTH: Final = len(UNITS) * WEIGHTS
SPREAD: Final = 1.0  # of random weights
STEP: Final = 0.3  # of a mutation
CHANGED: Final = 0.1  # share of the weights
BUNDLED: Final = Path(__file__).with_name("evolved.txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementPolicy:
    """ValueError for another number of weights."""

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != LENGTH:
            raise ValueError(f"a placement policy has {LENGTH} weights, not {len(self.weights)}")

    @classmethod
    def random(cls, rng: Random) -> Self:
        return cls(weights=tuple(round(rng.normal(SPREAD), 3) for _ in range(LENGTH)))

    @classmethod
    def loads(cls, text: str) -> Self:
        """A line a unit; `#` begins a comment. ValueError names what is no number."""
        lines = [line.partition("#")[0] for line in text.splitlines()]
        return cls(weights=tuple(float(word) for line in lines for word in line.split()))

    def dumps(self) -> str:
        rows = [self.weights[first : first + WEIGHTS] for first in range(0, LENGTH, WEIGHTS)]
        return "".join(" ".join(f"{weight:g}" for weight in row) + "\n" for row in rows)

    def mutate(self, rng: Random) -> Self:
        return type(self)(
            weights=tuple(
                round(weight + rng.normal(STEP), 3) if rng.chance(CHANGED) else weight
                for weight in self.weights
            )
        )

    def mate(self, other: Self, rng: Random) -> Self:
        """All weights of a unit come from one parent."""
        child: list[float] = []
        for first in range(0, LENGTH, WEIGHTS):
            child += (self if rng.chance(0.5) else other).weights[first : first + WEIGHTS]
        return type(self)(weights=tuple(child))

    def plan(self, seen: Seen, rng: Random) -> Iterator[Placement]:
        """The wishes, the most wanted first."""
        centre = next(settlements(seen, SIDE))[0]
        wishes = [
            (self._wanted(seen, unit, square, centre), unit, square)
            for square in seen.free()
            for unit in UNITS
        ]
        for _, unit, square in sorted(wishes, reverse=True):
            yield Placement(unit, square)

    def _wanted(self, seen: Seen, unit: int, square: int, centre: int) -> float:
        first = (unit - DRONE) * WEIGHTS
        *ground, gold, near = self.weights[first : first + WEIGHTS]
        return (
            ground[seen.scenario.map.codes[square] - WETLANDS]
            + gold * (square in seen.scenario.map.gold)
            + near * distance(square, centre) / SIDE
        )


def bundled() -> PlacementPolicy:
    return PlacementPolicy.loads(BUNDLED.read_text(encoding="utf-8"))
