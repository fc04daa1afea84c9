"""The machine for evolved programs: an expression in prefix code, compiled to instructions over one array of doubles.

The array begins with the features of a state, which somebody else fills in; behind them lie the expression's
constants and its registers. A truth is a number, not 0; a chain is its index, and a feature of a chain is read
from eight slots in a row. An instruction is one word: eight bits of operation, then four times fourteen bits of
target and operands. An inner node costs one, a choice between leaves as well: half of what a scan of the prefix code
does, and no virtual call. Measured with 31 nodes that are all arithmetic: 38 M/s (native node objects: 19, a scan
from right to left: 29); of the branches of a choice only one is computed.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from core.acquire.board import LOWEST

# Prefix code: a node is `operation`, or a leaf `LEAF + slot` or `CONSTANT + place`, or `READ + slot`.
ADD: Final = 0  # two operands
SUBTRACT: Final = 1
MULTIPLY: Final = 2
DIVIDE: Final = 3  # 0 if the divisor is 0
IF: Final = 4  # three operands: a truth (not 0), what follows if so, what else
LESSER: Final = 9
GREATER: Final = 10
AND: Final = 11
OR: Final = 12
NOT: Final = 13  # one operand
LESS: Final = 14
EQUAL: Final = 15
SUM: Final = 16  # one operand, over all chains; so are the next two
MOST: Final = 17  # its highest value; 0 without chains
BEST: Final = 18  # the chain of its highest value; NOBODY without chains
IT: Final = 19  # no operand: the chain that the innermost of these is at
LEAF: Final = 1 << 8
READ: Final = (
    1 << 14
)  # one operand, n: what the slot n places on has; of eight places, the first for any other n
CONSTANT: Final = 1 << 16
NOBODY: Final = 7.0

# Instructions beside these, with places 1 to 4.
CHOOSE: Final = 4  # 1 = 3 if 2 is not 0, else 4
UNLESS: Final = 5  # go to instruction 4 if 2 is 0
COPY: Final = 6  # 1 = 2
GO: Final = 7  # to instruction 4
NEED: Final = 8  # feature 2 must be known before this goes on
FETCH: Final = 20  # 1 = what is 2 places behind 3
BEGIN: Final = 21  # 1 = the value of operation 2 without chains, 1 + 2 = all chains
NEXT: Final = 22  # 1 + 1 = the next of them, or go to instruction 4
PLACE: Final = 0x3FFF

FEATURES: Final = 1024  # at most
BITS: Final = 62  # of the features, which the first have each to itself in `uses`
BIT: Final = vec[i64]([i64(2**place) for place in range(BITS)])
LONGEST: Final = 4096  # nodes
DEEPEST: Final = 100  # levels: the compiler recurs


@final
class Expression:
    """One program. `values` are its numbers: the features that `uses` has bits of must be there before it is valued.

    Those that `dear` has bits of need not: they cost much, and may lie in a branch that is not computed. go_on()
    asks for them, and `known` has bits of those that are there. `reads` are the slots that chains are looked up
    behind, and `chains` the set of those that there are.
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
        self.reads: list[int] = []
        self.chains: i64 = 0
        self.values: vec[float] = vec[float]([0.0] * features + list(constants))
        self._nodes: vec[i64] = vec[i64](prefix)
        self._code: vec[i64] = vec[i64]()
        self._at: i64 = 0  # the next node to be compiled, then the next instruction
        self._loop: i64 = -1  # the registers of the innermost loop over chains
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
            elif operation == FETCH:
                number = values[first]
                values[target] = values[second + i64(int(number)) if 0.0 <= number < 8.0 else second]
            elif operation == NEXT:
                chains = i64(int(values[target + 2]))
                if chains == 0:
                    at = (word >> 50) & PLACE
                else:
                    values[target + 1] = float(LOWEST[chains])
                    values[target + 2] = float(chains & (chains - 1))
            elif operation == SUM:
                values[target] = values[target] + values[first]
            elif operation == MOST or operation == BEST:
                is_first = i64(int(values[target + 1])) == LOWEST[self.chains]
                if is_first or values[first] > values[target + 3]:
                    values[target + 3] = values[first]
                    values[target] = values[first] if operation == MOST else values[target + 1]
            elif operation == BEGIN:
                values[target] = NOBODY if first == BEST else 0.0
                values[target + 2] = float(self.chains)
            elif operation == LESSER:
                values[target] = values[first] if values[first] < values[second] else values[second]
            elif operation == GREATER:
                values[target] = values[first] if values[first] > values[second] else values[second]
            elif operation == AND:
                values[target] = 1.0 if values[first] != 0.0 and values[second] != 0.0 else 0.0
            elif operation == OR:
                values[target] = 1.0 if values[first] != 0.0 or values[second] != 0.0 else 0.0
            elif operation == NOT:
                values[target] = 1.0 if values[first] == 0.0 else 0.0
            elif operation == LESS:
                values[target] = 1.0 if values[first] < values[second] else 0.0
            elif operation == EQUAL:
                values[target] = 1.0 if values[first] == values[second] else 0.0
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
        if node == IT and self._loop >= 0:
            return self._loop + 1
        if (node >= LEAF and not READ <= node < CONSTANT) or node < 0:
            return self._leaf(node)
        while len(self.values) <= register + 3:
            self.values = append(self.values, 0.0)
        if node >= READ:
            self._fetch(node - READ, register, level)
        elif node == IF:
            self._choice(register, level)
        elif node == NOT:
            self._emit(NOT, register, self._compile(register, level + 1), 0)
        elif SUM <= node <= BEST:
            self._over_chains(node, register, level)
        elif node <= DIVIDE or LESSER <= node <= EQUAL:
            first = self._compile(register, level + 1)
            second = self._compile(register + 1 if first == register else register, level + 1)
            self._emit(node, register, first, second)
        else:
            raise ValueError(f"{node} is no operation here")
        return register

    def _fetch(self, slot: i64, register: i64, level: i64) -> None:
        if slot + 8 > self.features:
            raise ValueError(f"{READ + slot} reads beyond the features")
        if slot not in self.reads:
            self.reads.append(int(slot))
        self._emit(FETCH, register, self._compile(register, level + 1), slot)

    def _over_chains(self, node: i64, register: i64, level: i64) -> None:
        """Four registers: the result, the chain, those still to come, the best value so far."""
        outer, self._loop = self._loop, register
        self._emit(BEGIN, register, node, 0)
        start = len(self._code)
        self._emit(NEXT, register, 0, 0)
        self._emit(node, register, self._compile(register + 4, level + 1), 0)
        self._emit(GO, 0, 0, 0, start)
        self._point(start)
        self._loop = outer

    def _leaf(self, node: i64) -> i64:
        if node >= CONSTANT:
            place = node - CONSTANT
            if place < len(self.constants):
                return self.features + place
        else:
            slot = node - LEAF
            if 0 <= slot < self.features:
                if slot < BITS:
                    self.uses |= BIT[slot]
                if slot < BITS and self.dear & BIT[slot]:
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
        if READ <= self._nodes[at] < CONSTANT:
            return False
        slot = self._nodes[at] - LEAF
        return slot >= BITS or self.dear & BIT[slot] == 0

    def _emit(self, operation: i64, target: i64, first: i64, second: i64, third: i64 = 0) -> None:
        word = operation | target << 8 | first << 22 | second << 36 | third << 50
        self._code = append(self._code, word)

    def _point(self, place: i64) -> None:
        """Let the jump at this place lead to what is compiled next."""
        self._code[place] |= i64(len(self._code)) << 50
