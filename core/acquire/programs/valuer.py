"""What gives a state a number: the common side of programs and nets, as those see it who fill in the features."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64


class Valuer:
    """`values` begin with so many features; somebody else fills in those that `uses` has bits of.

    `reads` are the slots that chains are looked up behind, and `chains` the set of those that there are.
    """

    def __init__(self, values: vec[float], features: int, uses: i64, reads: list[int]) -> None:
        self.values: Final = values
        self.features: Final = features
        self.uses: Final[i64] = uses
        self.reads: Final = reads
        self.chains: i64 = 0

    def value(self) -> float:
        """Of the features as they stand."""
        raise NotImplementedError

    def set(self, feature: i64, value: float) -> None:
        self.values[feature] = value
