"""Programs that value a state: prefix code, its compiler, and the machine that runs the compiled code.

Evolved programs are prefix code: a tuple of nodes, each an operation followed by its operands, or a leaf. All values
are numbers. A truth is false if it is 0. A chain is its index, or NO_CHAIN, and a feature of chains is read from eight
slots in a row. Division by 0 gives 0. Results may be infinite or NaN; the players deal with these.

The values of a machine are one array of doubles: the features of a state, which the caller sets, the constants of the
program, and registers. The compiler turns prefix code into instructions of one word: eight bits of operation, then
four indices of fourteen bits: `register`, the operands `first` and `second`, and `third`, which is a third operand or
the target of a jump. The machine keeps its last result in a variable of its own, the top. The form of an instruction,
which is part of its operation, says where operands are:

    FRESH    the top is stored in `register`; the operands are the values `first` and `second`
    AFTER    the operands are the value `first` and the top
    BEFORE   the operands are the top and the value `second`

So an inner node costs one instruction, and so does a choice between leaves. Any other choice jumps, so that only one
of its branches is computed. An operation over all chains (SUM, MAX_OVER_CHAINS, BEST) is a loop with four values in registers.

Some features are costly to compute, and may be in a branch that is not taken: these are lazy. The compiler puts NEED
before the first use of a lazy feature on each path. run() then stops and returns the feature if it is not known; the
caller computes the feature, marks it in `known`, and calls run() again, which continues where it stopped. A first
pass of the compiler finds the features that no path avoids (`always`). They are computed before the start, and the
second pass needs no NEED for them.

The main loop tests for arithmetic first, then for choices, and arithmetic is written out for each form. That
evaluates 27 million programs of 31 nodes a second if all operations are arithmetic, and 42 million with choices. With
arithmetic written once for all forms, there were 24 million; a machine that stores every result in a register had 22
and 36. In an earlier measurement, mypyc code that walks prefix code by recursion had 2.8 and 11.7 million, a tree of
node objects with a virtual method 6.0 and 23.3, and a lambda compiled by DEAP 1.34 and 1.13.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from core.acquire.board import LOWEST

# -- Prefix code ------------------------------------------------------------------------------------

# A node is an operation, or a leaf `LEAF + slot` or `CONSTANT + place`, or `READ + slot`.
ADD: Final = 0  # two operands
SUBTRACT: Final = 1
MULTIPLY: Final = 2
DIVIDE: Final = 3  # 0 if the divisor is 0
IF: Final = 4  # three operands: a truth, the value if it is not 0, and the value if it is 0
LESSER: Final = 9
GREATER: Final = 10
AND: Final = 11
OR: Final = 12
NOT: Final = 13  # one operand
LESS: Final = 14
EQUAL: Final = 15
SUM: Final = 16  # one operand, computed for each chain and added up; 0 without chains
MAX_OVER_CHAINS: Final = 17  # the highest value of one operand over all chains; 0 without chains
BEST: Final = 18  # the chain with the highest value of one operand; NO_CHAIN without chains
LOOP_CHAIN: Final = 19  # no operand: the present chain of the innermost SUM, MAX_OVER_CHAINS or BEST
LEAF: Final = 1 << 8
READ: Final = 1 << 14  # one operand, n: the value of slot + n for 0 <= n < 8, else that of slot
CONSTANT: Final = 1 << 16
NO_CHAIN: Final = 7.0

LONGEST: Final = 4096  # nodes
DEEPEST: Final = 100  # levels
MAX_FEATURES: Final = 1024
FEATURE_BITS: Final = 62  # the first features have a bit each in sets of features
FEATURE_BIT: Final = vec[i64]([i64(2**place) for place in range(FEATURE_BITS)])

# -- Instructions ------------------------------------------------------------------------------------

# Forms.
FRESH: Final = 0
AFTER: Final = 1 << 6
BEFORE: Final = 1 << 7
KIND: Final = 0x3F  # the rest of the operation

# Operations in addition to those of prefix code, with operands a and b; their result is the new top.
CHOOSE: Final = 4  # b if a is not 0, else `third`
COPY: Final = 5  # a
FETCH: Final = 6  # value number a, from 0, of the eight values from `second` on
UNLESS: Final = 7  # the top stays; go to instruction `third` if a is 0
GO: Final = 8  # the top stays; go to instruction `third`
NEED: Final = 20  # the top stays; stop if feature `first` is not known
BEGIN: Final = 21  # set up the loop of operation `second`, with its four values from `first` on
NEXT: Final = 22  # take the next chain; after the last, the top is the result: go to instruction `third`

# The four values of a loop over the chains, of which the first is the result so far.
CHAIN: Final = 1  # the present chain
REST: Final = 2  # the mask of chains still to come
HIGHEST: Final = 3  # the value of the best chain so far
LOOP: Final = 4

PLACE: Final = 0x3FFF
REGISTER_SHIFT: Final = 8
FIRST_SHIFT: Final = 22
SECOND_SHIFT: Final = 36
THIRD_SHIFT: Final = 50

NO_ARITHMETIC: Final = KIND & ~3  # bits that are 0 in the four operations of arithmetic


class Evaluator:
    """A program or a net that computes a number from the features of a state.

    `values` starts with the features; the caller sets those whose bits are in `uses`, and those in the eight slots of
    each kind that starts at a slot in `reads`. `chains` is the mask of the chains on the board.
    """

    def __init__(self, values: vec[float], features: int, uses: i64, reads: list[int]) -> None:
        self.values: Final = values
        self.features: Final = features
        self.uses: Final[i64] = uses
        self.reads: Final = reads
        self.chains: i64 = 0

    def value(self) -> float:
        """Return the value for the features that are set."""
        raise NotImplementedError

    def set(self, feature: i64, value: float) -> None:
        self.values[feature] = value


@final
class Program(Evaluator):
    """A compiled program. Features with bits in `uses` must be set before it runs, except those in `lazy`.

    Lazy features are costly, and may be in a branch that is not computed. run() asks for them, except for those in
    `always`, which every run needs. `known` has the bits of the lazy features that are set.
    """

    def __init__(
        self, prefix: tuple[int, ...], constants: tuple[float, ...], features: int, lazy: int = 0
    ) -> None:
        """Compile prefix code. Raises ValueError if the code is no expression, or is too large."""
        if len(prefix) > LONGEST or features > MAX_FEATURES:
            raise ValueError(f"{len(prefix)} nodes or {features} features are too many")
        nodes = vec[i64](prefix)
        compiler = Compiler(nodes, features, len(constants), lazy, 0)
        always = compiler.needed
        if always:  # these need no NEED
            compiler = Compiler(nodes, features, len(constants), lazy, always)
        registers = int(compiler.size) - features - len(constants)
        values = vec[float]([0.0] * features + list(constants) + [0.0] * registers)
        super().__init__(values, features, compiler.uses, compiler.reads)
        self.prefix: Final = prefix
        self.constants: Final = constants
        self.lazy: Final[i64] = lazy
        self.always: Final = always  # lazy features that no path avoids
        self.known: i64 = 0
        self._code: Final = compiler.code
        self._at: i64 = 0  # the next instruction
        self._top = 0.0

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...], tuple[float, ...], int, int]]:
        return Program, (self.prefix, self.constants, self.features, int(self.lazy))

    def begin(self) -> None:
        """Start a computation, which run() does."""
        self._at = 0

    def run(self) -> i64:
        """Compute to the end and return -1, or to a lazy feature that is not known and return the feature."""
        code = self._code
        values = self.values
        end = i64(len(code))
        at = self._at
        top = self._top
        while at < end:
            word = code[at]
            at += 1
            operation = word & 0xFF
            first = (word >> FIRST_SHIFT) & PLACE
            second = (word >> SECOND_SHIFT) & PLACE
            if operation & NO_ARITHMETIC == 0:
                if operation & AFTER:
                    if operation & 2 == 0:
                        top = values[first] + top if operation & 1 == 0 else values[first] - top
                    elif operation & 1 == 0:
                        top = values[first] * top
                    else:
                        top = values[first] / top if top != 0.0 else 0.0
                elif operation & BEFORE:
                    b = values[second]
                    if operation & 2 == 0:
                        top = top + b if operation & 1 == 0 else top - b
                    elif operation & 1 == 0:
                        top = top * b
                    else:
                        top = top / b if b != 0.0 else 0.0
                else:
                    values[(word >> REGISTER_SHIFT) & PLACE] = top
                    if operation & 2 == 0:
                        if operation & 1 == 0:
                            top = values[first] + values[second]
                        else:
                            top = values[first] - values[second]
                    elif operation & 1 == 0:
                        top = values[first] * values[second]
                    else:
                        b = values[second]
                        top = values[first] / b if b != 0.0 else 0.0
                continue
            if operation == UNLESS | AFTER:
                if values[first] == 0.0:
                    at = (word >> THIRD_SHIFT) & PLACE
                continue
            if operation == CHOOSE:
                values[(word >> REGISTER_SHIFT) & PLACE] = top
                top = values[second] if values[first] != 0.0 else values[(word >> THIRD_SHIFT) & PLACE]
                continue
            if operation == GO | AFTER:
                at = (word >> THIRD_SHIFT) & PLACE
                continue
            if operation & AFTER:
                a = values[first]
                b = top
            elif operation & BEFORE:
                a = top
                b = values[second]
            else:
                values[(word >> REGISTER_SHIFT) & PLACE] = top
                a = values[first]
                b = values[second]
            operation &= KIND
            if operation == FETCH:
                top = values[second + i64(int(a)) if 0.0 <= a < 8.0 else second]
            elif operation == COPY:
                top = a
            elif operation == NEXT:
                rest = i64(int(values[first + REST]))
                if rest == 0:
                    top = a
                    at = (word >> THIRD_SHIFT) & PLACE
                else:
                    values[first + CHAIN] = float(LOWEST[rest])
                    values[first + REST] = float(rest & (rest - 1))
            elif operation == SUM:
                values[first] = a + b
            elif operation == MAX_OVER_CHAINS or operation == BEST:
                is_first = i64(int(values[first + CHAIN])) == LOWEST[self.chains]
                if is_first or b > values[first + HIGHEST]:
                    values[first + HIGHEST] = b
                    values[first] = b if operation == MAX_OVER_CHAINS else values[first + CHAIN]
            elif operation == BEGIN:
                values[first] = NO_CHAIN if second == BEST else 0.0
                values[first + REST] = float(self.chains)
            elif operation == LESSER:
                top = a if a < b else b
            elif operation == GREATER:
                top = a if a > b else b
            elif operation == AND:
                top = 1.0 if a != 0.0 and b != 0.0 else 0.0
            elif operation == OR:
                top = 1.0 if a != 0.0 or b != 0.0 else 0.0
            elif operation == NOT:
                top = 1.0 if a == 0.0 else 0.0
            elif operation == LESS:
                top = 1.0 if a < b else 0.0
            elif operation == UNLESS:
                if a == 0.0:
                    at = (word >> THIRD_SHIFT) & PLACE
            elif operation == CHOOSE:
                top = b if a != 0.0 else values[(word >> THIRD_SHIFT) & PLACE]
            elif operation == NEED:
                if self.known & FEATURE_BIT[first] == 0:
                    self._at = at
                    self._top = top
                    return first
            else:  # EQUAL
                top = 1.0 if a == b else 0.0
        self._top = top
        return -1

    def result(self) -> float:
        """Return the value, after run() has returned -1; the value may be infinite or NaN."""
        return self._top

    def value(self) -> float:
        """Return the value; all features, including the lazy ones, must be set."""
        self._at = 0
        self.known = -1
        self.run()
        return self._top

    def repeated(self, times: i64) -> float:
        """Return the sum of `times` evaluations, for measurements of speed."""
        total = 0.0
        for _ in range(times):
            total += self.value()
        return total


@final
class Compiler:
    """The compilation of one program, whose values start with `features` features and `constants` constants.

    The results are `code`, the instructions; `size`, the number of values that they need; and `uses` and `reads`, the
    features (see Evaluator). Lazy features get a NEED before their use, except those in `needed`. In the end `needed`
    also has the lazy features that no path avoids.
    """

    def __init__(self, nodes: vec[i64], features: i64, constants: i64, lazy: i64, needed: i64) -> None:
        """Compile the nodes. Raises ValueError if they are no prefix code."""
        self.code = vec[i64]()
        self.size: i64 = 0
        self.uses: i64 = 0
        self.reads: list[int] = []
        self.needed = needed
        self._nodes = nodes
        self._features = features
        self._constants = constants
        self._dear = lazy
        self._at: i64 = 0  # the next node
        self._loop: i64 = -1  # the first of the values of the innermost loop over chains
        self._branches: i64 = 0  # the number of branches around the next node
        self._compile(features + constants, 0)
        if self._at < len(nodes):
            raise ValueError(f"the expression ends after {self._at} of {len(nodes)} nodes")

    def _compile(self, register: i64, level: i64) -> None:
        """Compile the next node and all below it: their value becomes the top, the old top goes to the register."""
        if level == DEEPEST:
            raise ValueError(f"an expression has at most {DEEPEST} levels")
        self.size = max(self.size, register + 1)
        leaf = self._leaf()
        if leaf >= 0:
            self._emit(COPY, register, leaf, 0)
            return
        node = self._nodes[self._at]
        self._at += 1
        if node >= READ:
            self._fetch(node - READ, register, level)
        elif node == IF:
            self._choice(register, level)
        elif node == NOT:
            self._compile_unary(NOT, register, level, 0)
        elif SUM <= node <= BEST:
            self._compile_chain_loop(node, register, level)
        elif node <= DIVIDE or LESSER <= node <= EQUAL:
            self._compile_binary(node, register, level)
        else:
            raise ValueError(f"code {node} is not an operation")

    def _compile_unary(self, operation: i64, register: i64, level: i64, second: i64) -> None:
        operand = self._operand(register, level)
        if operand >= 0:
            self._emit(operation, register, operand, second)
        else:
            self._emit(operation | BEFORE, 0, 0, second)

    def _compile_binary(self, operation: i64, register: i64, level: i64) -> None:
        first = self._operand(register, level)
        second = self._operand(register if first >= 0 else register + 1, level)
        if first >= 0 and second >= 0:
            self._emit(operation, register, first, second)
        elif second >= 0:
            self._emit(operation | BEFORE, 0, 0, second)
        else:
            self._emit(operation | AFTER, 0, first if first >= 0 else register + 1, 0)

    def _fetch(self, slot: i64, register: i64, level: i64) -> None:
        if slot + 8 > self._features:
            raise ValueError(f"code {READ + slot} reads beyond the last feature")
        if slot not in self.reads:
            self.reads.append(int(slot))
        self._compile_unary(FETCH, register, level, slot)

    def _compile_chain_loop(self, operation: i64, register: i64, level: i64) -> None:
        outer = self._loop
        loop = register + 1
        self._loop = loop
        self._emit(BEGIN, register, loop, operation)
        needed = self.needed
        start = len(self.code)
        self._emit(NEXT | AFTER, 0, loop, 0)
        self._compile(loop + LOOP, level + 1)
        if self._branches:  # without chains the loop is empty, and its NEEDs are not executed
            self.needed = needed
        self._emit(operation | AFTER, 0, loop, 0)
        self._emit(GO | AFTER, 0, 0, 0, start)
        self._point(start)
        self._loop = outer

    def _choice(self, register: i64, level: i64) -> None:
        truth = self._operand(register, level)
        needed = self.needed
        if self._is_available_leaf(self._at) and self._is_available_leaf(self._at + 1):
            then = self._leaf()
            form = FRESH if truth >= 0 else BEFORE
            self._emit(CHOOSE | form, register, max(truth, i64(0)), then, self._leaf())
            return
        unless = len(self.code)
        if truth >= 0:
            self._emit(UNLESS | AFTER, 0, truth, 0)
        else:
            self._emit(UNLESS | BEFORE, 0, 0, 0)
            register += 1  # the value in the register must stay there
        self._branches += 1
        self._compile(register, level + 1)
        leave = len(self.code)
        self._emit(GO | AFTER, 0, 0, 0)
        self._point(unless)
        self.needed = needed
        self._compile(register, level + 1)
        self._branches -= 1
        self._point(leave)
        self.needed = needed

    # -- Leaves ------------------------------------------------------------------------------------

    def _operand(self, register: i64, level: i64) -> i64:
        """Compile the next node; return the index of its value if it is a leaf, or -1 if its value is on the top."""
        leaf = self._leaf()
        if leaf < 0:
            self._compile(register, level + 1)
        return leaf

    def _leaf(self) -> i64:
        """Pass the next node if it is a leaf, and return the index of its value; else return -1."""
        if self._at >= len(self._nodes):
            raise ValueError("the code ends before the expression is complete")
        node = self._nodes[self._at]
        if node == LOOP_CHAIN and self._loop >= 0:
            self._at += 1
            return self._loop + CHAIN
        if 0 <= node < LEAF or READ <= node < CONSTANT:
            return -1
        self._at += 1
        if node >= CONSTANT and node - CONSTANT < self._constants:
            return self._features + node - CONSTANT
        slot = node - LEAF
        if not 0 <= slot < self._features:
            raise ValueError(f"code {node} is not a constant or a feature")
        if slot < FEATURE_BITS:
            self.uses |= FEATURE_BIT[slot]
            if self._dear & ~self.needed & FEATURE_BIT[slot]:
                self._emit(NEED | AFTER, 0, slot, 0)
                self.needed |= FEATURE_BIT[slot]
        return slot

    def _is_available_leaf(self, at: i64) -> bool:
        """Return whether node number `at` is a leaf that needs no NEED."""
        if at >= len(self._nodes) or self._nodes[at] < LEAF or READ <= self._nodes[at] < CONSTANT:
            return False
        slot = self._nodes[at] - LEAF
        return slot >= FEATURE_BITS or self._dear & ~self.needed & FEATURE_BIT[slot] == 0

    # -- Instructions ------------------------------------------------------------------------------

    def _emit(self, operation: i64, register: i64, first: i64, second: i64, third: i64 = 0) -> None:
        word = operation | register << REGISTER_SHIFT | first << FIRST_SHIFT | second << SECOND_SHIFT
        self.code = append(self.code, word | third << THIRD_SHIFT)

    def _point(self, place: i64) -> None:
        """Set the target of the jump at `place` to the next instruction."""
        self.code[place] |= i64(len(self.code)) << THIRD_SHIFT
