"""The machine for evolved programs: an expression, compiled to instructions over one array of doubles.

The array begins with the features of a state, which somebody else fills in; behind them lie the expression's
constants and its registers. An inner node costs one instruction, a choice between leaves as well, and of the branches
of a choice only one is computed. The loop tests for arithmetic first, then for choices, and arithmetic is written out
for each form: 27 M/s with 31 nodes that are all arithmetic, 42 with choices. Written once for all forms, it has 24 M/s;
a machine that keeps every result in a register has 22 and 36.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.board import LOWEST
from core.acquire.programs.compiler import (
    AFTER,
    BEFORE,
    BEGIN,
    CHAIN,
    CHOOSE,
    COPY,
    FETCH,
    FIRST_SHIFT,
    GO,
    HIGHEST,
    KIND,
    NEED,
    NEXT,
    PLACE,
    REGISTER_SHIFT,
    REST,
    SECOND_SHIFT,
    THIRD_SHIFT,
    UNLESS,
    Compiler,
)
from core.acquire.programs.prefix import (
    AND,
    BEST,
    BIT,
    FEATURES,
    GREATER,
    LESS,
    LESSER,
    LONGEST,
    MOST,
    NOBODY,
    NOT,
    OR,
    SUM,
)
from core.acquire.programs.valuer import Valuer

NO_ARITHMETIC: Final = KIND & ~3  # bits that the four operations of arithmetic have not


@final
class Expression(Valuer):
    """One program. `values` are its numbers: the features that `uses` has bits of must be there before it is valued.

    Those that `dear` has bits of need not: they cost much, and may lie in a branch that is not computed. go_on()
    asks for them, but for those in `always`, and `known` has bits of those that are there.
    """

    def __init__(
        self, prefix: tuple[int, ...], constants: tuple[float, ...], features: int, dear: int = 0
    ) -> None:
        """ValueError for prefix code that is no expression, or too large."""
        if len(prefix) > LONGEST or features > FEATURES:
            raise ValueError(f"{len(prefix)} nodes over {features} features: too many")
        nodes = vec[i64](prefix)
        compiler = Compiler(nodes, features, len(constants), dear, 0)
        always = compiler.needed
        if always:  # they need not be asked for on the way
            compiler = Compiler(nodes, features, len(constants), dear, always)
        registers = int(compiler.size) - features - len(constants)
        values = vec[float]([0.0] * features + list(constants) + [0.0] * registers)
        super().__init__(values, features, compiler.uses, compiler.reads)
        self.prefix: Final = prefix
        self.constants: Final = constants
        self.dear: Final[i64] = dear
        self.always: Final = always  # dear features that no path avoids
        self.known: i64 = 0
        self._code: Final = compiler.code
        self._at: i64 = 0  # the next instruction
        self._top = 0.0

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
            elif operation == MOST or operation == BEST:
                is_first = i64(int(values[first + CHAIN])) == LOWEST[self.chains]
                if is_first or b > values[first + HIGHEST]:
                    values[first + HIGHEST] = b
                    values[first] = b if operation == MOST else values[first + CHAIN]
            elif operation == BEGIN:
                values[first] = NOBODY if second == BEST else 0.0
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
                if self.known & BIT[first] == 0:
                    self._at = at
                    self._top = top
                    return first
            else:  # EQUAL
                top = 1.0 if a == b else 0.0
        self._top = top
        return -1

    def result(self) -> float:
        """The value, once go_on() has come to the end. It may be infinite, or no number at all."""
        return self._top

    def value(self) -> float:
        """Of the features as they stand, which are all known."""
        self._at = 0
        self.known = -1
        self.go_on()
        return self._top

    def repeated(self, times: i64) -> float:
        """The sum of so many values: for measuring."""
        total = 0.0
        for _ in range(times):
            total += self.value()
        return total
