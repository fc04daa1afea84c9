"""The compiler from prefix code to instructions for the machine of core.acquire.programs.expression.

An instruction is one word: eight bits of operation, then four times fourteen bits of places among the machine's
values: `register`, `first` and `second` operand, `third`. The machine keeps its last result apart, on `top`. By the
form of the instruction, which is part of its operation, the top is an operand or is put aside for later.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from core.acquire.programs.prefix import (
    BEST,
    BIT,
    BITS,
    CONSTANT,
    DEEPEST,
    DIVIDE,
    EQUAL,
    IF,
    IT,
    LEAF,
    LESSER,
    NOT,
    READ,
    SUM,
)

# Forms
FRESH: Final = 0  # the top goes to the register; the operands are `first` and `second`
AFTER: Final = 1 << 6  # the operands are `first` and the top
BEFORE: Final = 1 << 7  # the operands are the top and `second`
KIND: Final = 0x3F  # the rest of the operation

# Operations beside those of prefix code, of operands a and b; what they give is the new top
CHOOSE: Final = 4  # b if a is not 0, else `third`
COPY: Final = 5  # a
FETCH: Final = 6  # of the eight values from `second` on that of number a
UNLESS: Final = 7  # the top stays; go to instruction `third` if a is 0
GO: Final = 8  # the top stays; go to instruction `third`
NEED: Final = 20  # the top stays; feature `first` must be known before this goes on
BEGIN: Final = 21  # over the chains: four values from `first` on get ready for operation `second`
NEXT: Final = 22  # over the chains: the next of them, or their result and on to instruction `third`

# The four values of a loop over the chains
CHAIN: Final = 1  # that is looked at; before it, in the first place, the result so far
REST: Final = 2  # the set of those still to come
HIGHEST: Final = 3  # the value of the best chain so far
LOOP: Final = 4

PLACE: Final = 0x3FFF
REGISTER_SHIFT: Final = 8
FIRST_SHIFT: Final = 22
SECOND_SHIFT: Final = 36
THIRD_SHIFT: Final = 50


@final
class Compiler:
    """Of one program, for values that begin with `features` and `constants`.

    `code` has the instructions, `size` says how many values they need, `uses` and `reads` tell of the features (see
    Expression). Of the features that `dear` has bits of, all but those in `needed` are asked for before they are
    used; in the end, `needed` has those, too, that no path avoids.
    """

    def __init__(self, nodes: vec[i64], features: i64, constants: i64, dear: i64, needed: i64) -> None:
        """ValueError for what is no prefix code."""
        self.code = vec[i64]()
        self.size: i64 = 0
        self.uses: i64 = 0
        self.reads: list[int] = []
        self.needed = needed
        self._nodes = nodes
        self._features = features
        self._constants = constants
        self._dear = dear
        self._at: i64 = 0  # the next node
        self._loop: i64 = -1  # the values of the innermost loop over chains
        self._compile(features + constants, 0)
        if self._at < len(nodes):
            raise ValueError(f"{len(nodes) - self._at} nodes are left over")

    def _compile(self, register: i64, level: i64) -> None:
        """The next node and all below it, whose value becomes the top; the top before goes to the register."""
        if level == DEEPEST:
            raise ValueError(f"more than {DEEPEST} levels")
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
            self._with_one(NOT, register, level, 0)
        elif SUM <= node <= BEST:
            self._over_chains(node, register, level)
        elif node <= DIVIDE or LESSER <= node <= EQUAL:
            self._with_two(node, register, level)
        else:
            raise ValueError(f"{node} is no operation here")

    def _with_one(self, operation: i64, register: i64, level: i64, second: i64) -> None:
        operand = self._operand(register, level)
        if operand >= 0:
            self._emit(operation, register, operand, second)
        else:
            self._emit(operation | BEFORE, 0, 0, second)

    def _with_two(self, operation: i64, register: i64, level: i64) -> None:
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
            raise ValueError(f"{READ + slot} reads beyond the features")
        if slot not in self.reads:
            self.reads.append(int(slot))
        self._with_one(FETCH, register, level, slot)

    def _over_chains(self, operation: i64, register: i64, level: i64) -> None:
        outer = self._loop
        loop = register + 1
        self._loop = loop
        self._emit(BEGIN, register, loop, operation)
        start = len(self.code)
        self._emit(NEXT | AFTER, 0, loop, 0)
        self._compile(loop + LOOP, level + 1)
        self._emit(operation | AFTER, 0, loop, 0)
        self._emit(GO | AFTER, 0, 0, 0, start)
        self._point(start)
        self._loop = outer

    def _choice(self, register: i64, level: i64) -> None:
        truth = self._operand(register, level)
        needed = self.needed
        if self._is_at_hand(self._at) and self._is_at_hand(self._at + 1):
            then = self._leaf()
            form = FRESH if truth >= 0 else BEFORE
            self._emit(CHOOSE | form, register, max(truth, i64(0)), then, self._leaf())
            return
        unless = len(self.code)
        if truth >= 0:
            self._emit(UNLESS | AFTER, 0, truth, 0)
        else:
            self._emit(UNLESS | BEFORE, 0, 0, 0)
            register += 1  # what went to the register must stay there
        self._compile(register, level + 1)
        leave = len(self.code)
        self._emit(GO | AFTER, 0, 0, 0)
        self._point(unless)
        self.needed = needed
        self._compile(register, level + 1)
        self._point(leave)
        self.needed = needed

    # -- Leaves ------------------------------------------------------------------------------------

    def _operand(self, register: i64, level: i64) -> i64:
        """The place of the next node if it is a leaf; else -1, and its value becomes the top."""
        leaf = self._leaf()
        if leaf < 0:
            self._compile(register, level + 1)
        return leaf

    def _leaf(self) -> i64:
        """The place of the next node if it is a leaf, which is then passed; else -1."""
        if self._at >= len(self._nodes):
            raise ValueError("nodes are missing at the end")
        node = self._nodes[self._at]
        if node == IT and self._loop >= 0:
            self._at += 1
            return self._loop + CHAIN
        if 0 <= node < LEAF or READ <= node < CONSTANT:
            return -1
        self._at += 1
        if node >= CONSTANT and node - CONSTANT < self._constants:
            return self._features + node - CONSTANT
        slot = node - LEAF
        if not 0 <= slot < self._features:
            raise ValueError(f"{node} is no leaf")
        if slot < BITS:
            self.uses |= BIT[slot]
            if self._dear & ~self.needed & BIT[slot]:
                self._emit(NEED | AFTER, 0, slot, 0)
                self.needed |= BIT[slot]
        return slot

    def _is_at_hand(self, at: i64) -> bool:
        """Whether the node there is a leaf that need not be asked for."""
        if at >= len(self._nodes) or self._nodes[at] < LEAF or READ <= self._nodes[at] < CONSTANT:
            return False
        slot = self._nodes[at] - LEAF
        return slot >= BITS or self._dear & ~self.needed & BIT[slot] == 0

    # -- Instructions ------------------------------------------------------------------------------

    def _emit(self, operation: i64, register: i64, first: i64, second: i64, third: i64 = 0) -> None:
        word = operation | register << REGISTER_SHIFT | first << FIRST_SHIFT | second << SECOND_SHIFT
        self.code = append(self.code, word | third << THIRD_SHIFT)

    def _point(self, place: i64) -> None:
        """Let the jump at this place lead to what is compiled next."""
        self.code[place] |= i64(len(self.code)) << THIRD_SHIFT
