"""The machine for evolved programs: an expression in prefix code, compiled to instructions over one array of doubles.

The array begins with the features of a state, which somebody else fills in; behind them lie the expression's
constants and its registers. An instruction is one word: eight bits of operation, then four times fourteen bits of
target and operands. An inner node costs one, a choice between leaves as well: half of what a scan of the prefix code
does, and no virtual call. Measured with 31 nodes that are all arithmetic: 38 M/s (native node objects: 19, a scan
from right to left: 29); of the branches of a choice only one is computed.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

# Prefix code: a node is `operation`, or a leaf `LEAF + slot` or `CONSTANT + place`.
ADD: Final = 0  # two operands
SUBTRACT: Final = 1
MULTIPLY: Final = 2
DIVIDE: Final = 3  # 0 if the divisor is 0
IF: Final = 4  # three operands: a truth (not 0), what follows if so, what else
LEAF: Final = 1 << 8
CONSTANT: Final = 1 << 16

# Instructions beside the arithmetic ones, with places 1 to 4.
CHOOSE: Final = 4  # 1 = 3 if 2 is not 0, else 4
UNLESS: Final = 5  # go to instruction 4 if 2 is 0
COPY: Final = 6  # 1 = 2
GO: Final = 7  # to instruction 4
NEED: Final = 8  # feature 2 must be known before this goes on
PLACE: Final = 0x3FFF

FEATURES: Final = 62  # at most: each has a bit in `uses`
BIT: Final = vec[i64]([i64(2**place) for place in range(FEATURES)])
LONGEST: Final = 4096  # nodes
DEEPEST: Final = 100  # levels: the compiler recurs


@final
class Expression:
    """One program. `values` are its numbers: the features that `uses` has bits of must be there before it is valued.

    Those that `dear` has bits of need not: they cost much, and may lie in a branch that is not computed. go_on()
    asks for them, and `known` has bits of those that are there.
    """

    def __init__(
        self, prefix: tuple[int, ...], constants: tuple[float, ...], features: int, dear: int = 0
    ) -> None:
        """ValueError for prefix code that is no expression, or too large."""
        if len(prefix) > LONGEST or features > FEATURES:
            raise ValueError(f"{len(prefix)} nodes over {features} features: too many")
        self.prefix: Final = prefix
        self.constants: Final = constants
        self.features: Final = features
        self.dear: Final[i64] = dear
        self.uses: i64 = 0
        self.known: i64 = 0
        self.values: vec[float] = vec[float]([0.0] * features + list(constants))
        self._nodes: vec[i64] = vec[i64](prefix)
        self._code: vec[i64] = vec[i64]()
        self._at: i64 = 0  # the next node to be compiled, then the next instruction
        self._result: i64 = self._compile(len(self.values), 0)
        if self._at < len(prefix):
            raise ValueError(f"{len(prefix) - self._at} nodes are left over")

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...], tuple[float, ...], int, int]]:
        return Expression, (self.prefix, self.constants, self.features, int(self.dear))

    def begin(self) -> None:
        """Begin to compute the value."""
        self._at = 0

    def go_on(self) -> i64:
        """Compute up to the end, and give -1; or up to a dear feature that is not known, and give that."""
        code = self._code
        values = self.values
        end = i64(len(code))
        at = self._at
        while at < end:
            word = code[at]
            at += 1
            operation = word & 0xFF
            target = (word >> 8) & PLACE
            first = (word >> 22) & PLACE
            second = (word >> 36) & PLACE
            if operation == ADD:
                values[target] = values[first] + values[second]
            elif operation == SUBTRACT:
                values[target] = values[first] - values[second]
            elif operation == MULTIPLY:
                values[target] = values[first] * values[second]
            elif operation == DIVIDE:
                divisor = values[second]
                values[target] = values[first] / divisor if divisor != 0.0 else 0.0
            elif operation == CHOOSE:
                values[target] = values[second] if values[first] != 0.0 else values[(word >> 50) & PLACE]
            elif operation == UNLESS:
                if values[first] == 0.0:
                    at = (word >> 50) & PLACE
            elif operation == COPY:
                values[target] = values[first]
            elif operation == GO:
                at = (word >> 50) & PLACE
            elif self.known & BIT[first] == 0:
                self._at = at
                return first
        return -1

    def result(self) -> float:
        """The value, once go_on() has come to the end. It may be infinite, or no number at all."""
        return self.values[self._result]

    def value(self) -> float:
        """Of the features as they stand, which are all known."""
        self._at = 0
        self.known = -1
        self.go_on()
        return self.values[self._result]

    def set(self, feature: i64, value: float) -> None:
        self.values[feature] = value

    def repeated(self, times: i64) -> float:
        """The sum of so many values: for measuring."""
        total = 0.0
        for _ in range(times):
            total += self.value()
        return total

    # -- Compiling ---------------------------------------------------------------------------------

    def _compile(self, register: i64, level: i64) -> i64:
        """Compile the next node and all below it; where its value will be: `register`, or its own slot."""
        if self._at >= len(self._nodes):
            raise ValueError("nodes are missing at the end")
        if level == DEEPEST:
            raise ValueError(f"more than {DEEPEST} levels")
        node = self._nodes[self._at]
        self._at += 1
        if node >= LEAF or node < 0:
            return self._leaf(node)
        while len(self.values) <= register:
            self.values = append(self.values, 0.0)
        if node == IF:
            self._choice(register, level)
        elif node <= DIVIDE:
            first = self._compile(register, level + 1)
            second = self._compile(register + 1 if first == register else register, level + 1)
            self._emit(node, register, first, second)
        else:
            raise ValueError(f"{node} is no operation")
        return register

    def _leaf(self, node: i64) -> i64:
        if node >= CONSTANT:
            place = node - CONSTANT
            if place < len(self.constants):
                return self.features + place
        else:
            slot = node - LEAF
            if 0 <= slot < self.features:
                self.uses |= BIT[slot]
                if self.dear & BIT[slot]:
                    self._emit(NEED, 0, slot, 0)
                return slot
        raise ValueError(f"{node} is no leaf")

    def _choice(self, register: i64, level: i64) -> None:
        truth = self._compile(register, level + 1)
        if self._is_cheap_leaf(self._at) and self._is_cheap_leaf(self._at + 1):
            then = self._compile(register, level + 1)
            self._emit(CHOOSE, register, truth, then, self._compile(register, level + 1))
            return
        unless = len(self._code)
        self._emit(UNLESS, 0, truth, 0)
        self._branch(register, level)
        leave = len(self._code)
        self._emit(GO, 0, 0, 0)
        self._point(unless)
        self._branch(register, level)
        self._point(leave)

    def _branch(self, register: i64, level: i64) -> None:
        """The next node, in the register."""
        value = self._compile(register, level + 1)
        if value != register:
            self._emit(COPY, register, value, 0)

    def _is_cheap_leaf(self, at: i64) -> bool:
        if at >= len(self._nodes) or self._nodes[at] < LEAF:
            return False
        slot = self._nodes[at] - LEAF
        return slot >= self.features or self.dear & BIT[slot] == 0

    def _emit(self, operation: i64, target: i64, first: i64, second: i64, third: i64 = 0) -> None:
        word = operation | target << 8 | first << 22 | second << 36 | third << 50
        self._code = append(self._code, word)

    def _point(self, place: i64) -> None:
        """Let the jump at this place lead to what is compiled next."""
        self._code[place] |= i64(len(self._code)) << 50
