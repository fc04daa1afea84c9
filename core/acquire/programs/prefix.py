"""Prefix code: what evolved programs are written in, before they are compiled for the machine.

A truth is a number, not 0; a chain is its index, and a feature of a chain is read from eight slots in a row.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

# A node is an operation, or a leaf `LEAF + slot` or `CONSTANT + place`, or `READ + slot`.
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
READ: Final = 1 << 14  # one operand, n: what slot + n has, 0 <= n < 8; for any other n what slot has
CONSTANT: Final = 1 << 16
NOBODY: Final = 7.0

LONGEST: Final = 4096  # nodes
DEEPEST: Final = 100  # levels
FEATURES: Final = 1024  # at most
BITS: Final = 62  # of the features, which the first have each to itself in a set of them
BIT: Final = vec[i64]([i64(2**place) for place in range(BITS)])
