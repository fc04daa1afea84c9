"""A small net of two layers that values a state: one layer shared by all chains, and one for the table.

The first layer looks at each chain in turn, by its kinds and by its part in the move; what its units say of the
chains is summed, so that the net knows no chain by name and plays with any number of them. The sums and the facts
of the table go through the second layer to one number. Units are tanh. An evaluation makes no objects; with 8 units
for 24 inputs of a chain, and 6 units, it takes 0.6 microseconds for three chains.
Reference: "Evolving Board Evaluation Functions", section 5.3.6.
"""

from math import tanh
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board import BIT, LOWEST
from core.acquire.programs.prefix import BIT as BIT_OF
from core.acquire.programs.prefix import BITS
from core.acquire.programs.valuer import Valuer
from core.acquire.typed.slots import DEFUNCT, FEATURES, FIRST_KIND, NOBODY

NONE: Final = i64(NOBODY)


@final
class Net(Valuer):
    """Looks at the chains on the board, and at the one that the move merges away.

    `chain_inputs` are slots of core.acquire.typed.slots: those of a kind, or those of a chain of the move, which
    say 1 of that chain and 0 of all others. `table_inputs` are facts. Weights come a row an input, a weight a unit:
    of the chain layer its biases, then its inputs; of the table layer its biases, the chain layer's sums, its
    inputs; at last one row for the result.
    """

    def __init__(
        self,
        chain_inputs: tuple[int, ...],
        table_inputs: tuple[int, ...],
        chain_units: int,
        table_units: int,
        weights: tuple[float, ...],
        is_truth: bool = False,
    ) -> None:
        """A truth is 1 where the result is above 0, and 0 elsewhere. ValueError for a wrong number of weights."""
        wanted = (1 + len(chain_inputs)) * chain_units + (
            2 + chain_units + len(table_inputs)
        ) * table_units
        if len(weights) != wanted:
            raise ValueError(f"{len(weights)} weights where there are {wanted}")
        uses: i64 = 0
        for slot in chain_inputs + table_inputs:
            if slot < BITS:
                uses |= BIT_OF[slot]
        kinds = [slot for slot in chain_inputs if slot >= FIRST_KIND]
        super().__init__(vec[float]([0.0] * FEATURES), FEATURES, uses, kinds)
        self._chain_inputs: Final = vec[i64](chain_inputs)
        self._table_inputs: Final = vec[i64](table_inputs)
        self._weights: Final = vec[float](weights)
        self._units: Final = vec[float]([0.0] * max(chain_units, table_units))
        self._sums: Final = vec[float]([0.0] * chain_units)
        self._table_units: Final[i64] = table_units
        self._is_truth: Final = is_truth

    def value(self) -> float:
        values, weights, units, sums = self.values, self._weights, self._units, self._sums
        wide = i64(len(sums))
        for unit in range(wide):
            sums[unit] = 0.0
        left = self.chains
        defunct = i64(int(values[DEFUNCT]))
        if defunct != NONE:
            left |= BIT[defunct]
        while left:
            self._look_at(LOWEST[left])
            left &= left - 1
            for unit in range(wide):
                sums[unit] += tanh(units[unit])
        inputs = self._table_inputs
        high = self._table_units
        at = (1 + i64(len(self._chain_inputs))) * wide
        for unit in range(high):
            units[unit] = weights[at + unit]
        at += high
        for place in range(wide):
            self._add(sums[place], at, high)
            at += high
        for place in range(i64(len(inputs))):
            self._add(values[inputs[place]], at, high)
            at += high
        total = 0.0
        for unit in range(high):
            total += weights[at + unit] * tanh(units[unit])
        if self._is_truth:
            return 1.0 if total > 0.0 else 0.0
        return total

    def _look_at(self, chain: i64) -> None:
        """What the chain layer's units take in of it."""
        values, weights, units, inputs = self.values, self._weights, self._units, self._chain_inputs
        wide = i64(len(self._sums))
        for unit in range(wide):
            units[unit] = weights[unit]
        at = wide
        for place in range(i64(len(inputs))):
            slot = inputs[place]
            if slot >= FIRST_KIND:
                self._add(values[slot + chain], at, wide)
            elif values[slot] == float(chain):
                self._add(1.0, at, wide)
            at += wide

    def _add(self, value: float, at: i64, count: i64) -> None:
        """An input, by its row of weights."""
        if value != 0.0:
            weights, units = self._weights, self._units
            for unit in range(count):
                units[unit] += value * weights[at + unit]
