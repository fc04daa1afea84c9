"""The shape of a net: what it is told and how many units it has, which says what each of its weights is for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engines.acquire.genome import DECISIONS
from engines.acquire.nets.inputs import CHAIN_SLOTS, TABLE_SLOTS

BIAS: Final = "bias"
CHAIN, TABLE, RESULT = "chain", "table", "result"  # layers
MOST_UNITS: Final = 64  # of a layer

Row = tuple[str, str, tuple[float, ...]]  # layer, name (none of the result's), a weight a unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """All of a net but its weights; these come row by row, and a row has one for each unit of its layer."""

    chain_units: int = 8
    table_units: int = 6
    chain_inputs: tuple[str, ...] = tuple(CHAIN_SLOTS)
    facts: tuple[str, ...] = tuple(TABLE_SLOTS)

    @property
    def chain_rows(self) -> tuple[str, ...]:
        return BIAS, *self.chain_inputs

    @property
    def table_rows(self) -> tuple[str, ...]:
        sums = (f"sum-{unit + 1}" for unit in range(self.chain_units))
        return BIAS, *sums, *self.facts, *DECISIONS

    @property
    def layers(self) -> tuple[tuple[str, tuple[str, ...], int], ...]:
        """Each layer with its rows and how many units it has."""
        return (
            (CHAIN, self.chain_rows, self.chain_units),
            (TABLE, self.table_rows, self.table_units),
            (RESULT, ("",), self.table_units),
        )

    @property
    def size(self) -> int:
        """How many weights there are."""
        return sum(len(rows) * units for _, rows, units in self.layers)

    def rows(self, weights: Sequence[float]) -> Iterator[Row]:
        """The weights by what they are for."""
        at = 0
        for layer, names, units in self.layers:
            for name in names:
                yield layer, name, tuple(weights[at : at + units])
                at += units
