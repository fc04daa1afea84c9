"""A small net of two layers that values a state: one layer shared by all chains, and one for the table.

The first layer reads each chain in turn, by its kinds and by its part in the move. The outputs of its units are
summed over the chains, so that the net knows no chain by name and plays with any number of chains. The sums and the
facts of the table go through the second layer to one number. Units are leaky rectifiers: x above 0, x / 10 below, so
that no unit is dead and unusual options still get different values. An evaluation creates no objects. Reference:
"Evolving Board Evaluation Functions", section 5.3.6.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board import BIT, LOWEST
from core.acquire.program import FEATURE_BIT, FEATURE_BITS, Evaluator
from core.acquire.typed_features import CHAINS, DEFUNCT, FEATURES, FIRST_KIND, NO_CHAIN

NONE: Final = i64(NO_CHAIN)
LEAK: Final = 0.1


@final
class Net(Evaluator):
    """A net over the chains on the board and the chain that the move merges away.

    `chain_inputs` are slots of core.acquire.typed_features: of a kind, or of a chain of the move, whose input is 1
    for that chain and 0 for all others. `table_inputs` are slots of facts. `weights` has a row for each input, with a
    weight for each unit: first the biases and inputs of the chain layer; then the biases, the sums of the chain
    layer, and the inputs of the table layer; at the end one row for the result.
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
        """Build a net. Raises ValueError for a wrong number of weights.

        With `is_truth`, value() is 1 if the result is above 0, else 0.
        """
        wanted = (1 + len(chain_inputs)) * chain_units + (2 + chain_units + len(table_inputs)) * table_units
        if len(weights) != wanted:
            raise ValueError(f"a net of this shape has {wanted} weights, not {len(weights)}")
        uses: i64 = 0
        for slot in chain_inputs + table_inputs:
            if slot < FEATURE_BITS:
                uses |= FEATURE_BIT[slot]
        kinds = [slot for slot in chain_inputs if slot >= FIRST_KIND]
        super().__init__(vec[float]([0.0] * FEATURES), FEATURES, uses, kinds)
        self._chain_inputs: Final = vec[i64](chain_inputs)
        self._table_inputs: Final = vec[i64](table_inputs)
        self._weights: Final = vec[float](weights)
        self._units: Final = vec[float]([0.0] * table_units)
        self._sums: Final = vec[float]([0.0] * chain_units)
        self._known: Final = vec[float]([0.0] * (CHAINS * len(chain_inputs)))  # [chain][input]
        self._outputs: Final = vec[float](
            [0.0] * (CHAINS * chain_units)
        )  # [chain][unit], for the inputs known
        self._filled: i64 = 0  # a mask of the chains whose outputs are known
        self._table_units: Final[i64] = table_units
        self._is_truth: Final = is_truth

    def value(self) -> float:
        values, weights, units, sums, inputs = (
            self.values,
            self._weights,
            self._units,
            self._sums,
            self._table_inputs,
        )
        wide = i64(len(sums))
        for unit in range(wide):
            sums[unit] = 0.0
        left = self.chains
        defunct = i64(int(values[DEFUNCT]))
        if defunct != NONE:
            left |= BIT[defunct]
        while left:
            self._add_chain(LOWEST[left])
            left &= left - 1
        high = self._table_units
        at = (1 + i64(len(self._chain_inputs))) * wide
        for unit in range(high):
            units[unit] = weights[at + unit]
        at += high
        for place in range(wide + i64(len(inputs))):
            value = sums[place] if place < wide else values[inputs[place - wide]]
            if value != 0.0:
                for unit in range(high):
                    units[unit] += value * weights[at + unit]
            at += high
        total = 0.0
        for unit in range(high):
            value = units[unit]
            total += weights[at + unit] * (value if value > 0.0 else LEAK * value)
        if self._is_truth:
            return 1.0 if total > 0.0 else 0.0
        return total

    def _add_chain(self, chain: i64) -> None:
        """Add the outputs of the chain layer for a chain to the sums; they are computed only if an input has changed."""
        values, weights, sums, inputs = self.values, self._weights, self._sums, self._chain_inputs
        known, outputs = self._known, self._outputs
        wide = i64(len(sums))
        count = i64(len(inputs))
        first = chain * count
        start = chain * wide
        has_changed = self._filled & BIT[chain] == 0
        for place in range(count):
            slot = inputs[place]
            if slot >= FIRST_KIND:
                value = values[slot + chain]
            else:
                value = 1.0 if values[slot] == float(chain) else 0.0
            if known[first + place] != value:
                known[first + place] = value
                has_changed = True
        if has_changed:
            self._filled |= BIT[chain]
            for unit in range(wide):
                outputs[start + unit] = weights[unit]
            at = wide
            for place in range(count):
                value = known[first + place]
                if value != 0.0:
                    for unit in range(wide):
                        outputs[start + unit] += value * weights[at + unit]
                at += wide
            for unit in range(wide):
                if not outputs[start + unit] > 0.0:
                    outputs[start + unit] *= LEAK
        for unit in range(wide):
            sums[unit] += outputs[start + unit]
