"""The genome of a player with a net: one net for all decisions, which is told by an input which of them it is.

Whatever is decided, what comes of it is a state of the same game: one net has more to learn from than six. Its text
is in text.py. Reference: "Evolving Board Evaluation Functions", section 5.3.6.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite, sqrt
from typing import Final, Self

from core.acquire.net import Net
from core.acquire.players import Player
from core.acquire.typed_features import TypedFeatures
from core.acquire.typed_player import TypedPlayer
from core.random import Random
from engines.acquire.conduct import Conduct
from engines.acquire.genome import DECISIONS, THESIS_CONDUCT, TRUTHS
from engines.acquire.nets.inputs import CHAIN_SLOTS, DOLLAR, SCALES, TABLE_SLOTS
from engines.acquire.nets.shape import BIAS, TABLE, Shape
from engines.acquire.nets.text import dumps, loads

SIGMA: Final = 0.1  # of a mutation
USUAL: Final = Shape()


@dataclass(frozen=True, slots=True, kw_only=True)
class NetGenome:
    """A shape and the weights that it wants, row by row."""

    shape: Shape
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """ValueError for weights that are too many or too few, or no numbers."""
        if len(self.weights) != self.shape.size:
            raise ValueError(f"{len(self.weights)} weights, and {self.shape.size} are wanted")
        if not all(map(isfinite, self.weights)):
            raise ValueError("a weight is no finite number")

    @classmethod
    def random(cls, rng: Random, shape: Shape = USUAL) -> Self:
        """Weights by chance, the smaller the more of them a unit has."""
        deviations = chain.from_iterable(
            [1 / sqrt(len(rows) if len(rows) > 1 else units)] * (len(rows) * units)
            for _, rows, units in shape.layers
        )
        return cls(shape=shape, weights=tuple(rng.normal(deviation) for deviation in deviations))

    @classmethod
    def loads(cls, text: str) -> Self:
        """NetError, a ValueError, names the line and what was read."""
        shape, weights = loads(text)
        return cls(shape=shape, weights=weights)

    def dumps(self) -> str:
        return dumps(self.shape, self.weights)

    def express(self, conduct: Conduct = THESIS_CONDUCT) -> Player:
        """The player; its games are its own, so two seats need two of them."""
        views = [TypedFeatures(self.net(decision), DOLLAR) for decision in DECISIONS]
        place, buy, found, survivor, end, dispose = views
        chance = (conduct.disposing, conduct.ending, conduct.buying)
        return TypedPlayer(place, buy, found, survivor, end, dispose, conduct.tie, *chance)

    def net(self, decision: str) -> Net:
        """As it is in one decision: the scales of inputs are in the weights there, and the decision in the biases."""
        rows = {(layer, name): row for layer, name, row in self.shape.rows(self.weights)}
        told = {name: rows.pop((TABLE, name)) for name in DECISIONS}[decision]
        rows[TABLE, BIAS] = tuple(a + b for a, b in zip(rows[TABLE, BIAS], told, strict=True))
        weights = (weight * SCALES.get(name, 1.0) for (_, name), row in rows.items() for weight in row)
        return Net(
            tuple(CHAIN_SLOTS[name] for name in self.shape.chain_inputs),
            tuple(TABLE_SLOTS[name] for name in self.shape.facts),
            self.shape.chain_units,
            self.shape.table_units,
            tuple(weights),
            decision in TRUTHS,
        )

    def moved(self, steps: Sequence[float]) -> Self:
        """The net with something added to each weight."""
        pairs = zip(self.weights, steps, strict=True)
        return replace(self, weights=tuple(weight + step for weight, step in pairs))

    def mutate(self, rng: Random) -> Self:
        """Every weight is changed a little."""
        return self.moved([rng.normal(SIGMA) for _ in self.weights])

    def mate(self, other: Self, rng: Random) -> Self:
        """Each weight is of one of the two; this parent's, if their shapes differ."""
        if self.shape != other.shape:
            return self
        pairs = zip(self.weights, other.weights, strict=True)
        return replace(self, weights=tuple(pair[rng.below(2)] for pair in pairs))
