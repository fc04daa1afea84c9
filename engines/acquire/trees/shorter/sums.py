"""Sums in which parts cancel out: x - y + y is x, where every part is a whole number and none too large to be exact.

Holds for money in dollars. Reference: "Evolving Board Evaluation Functions", section 4.1.3, where the shares that
the bank has left of a chain are subtracted and added again.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from engines.acquire.trees.shorter.facts import THESIS_FACTS, Facts
from engines.acquire.trees.shorter.simplify import TESTED, simplified
from engines.acquire.trees.tree import Tree, arguments
from engines.acquire.trees.words.sets import PRIMITIVES

EXACT: Final = 2.0**53  # whole numbers below are doubles, one and all
LARGEST: Final[Mapping[str, float]] = MappingProxyType({  # what words, without the number of a chain, can be
    "cash-held-by-player": 1e8,
    "how-many-opponents": 5,
    "dist-to-nearest-neighbor-of-chain-": 1e3,
    "merger-value-of-chain-": 1e5,
    "payoff-value-to-player-of-chain-": 1e6,
    "perimeter-of-chain-": 1e3,
    "price-of-chain-": 1e4,
    "size-of-chain-": 1e3,
    "stock-held-by-player-in-chain-": 1e3,
    "stocks-left-of-chain-": 1e3,
})  # fmt: skip
Terms = Iterator[tuple[int, Tree]]  # what is added, 1, and what is subtracted, -1


def shortest(tree: Tree, facts: Facts = THESIS_FACTS) -> Tree:
    """Simplified, with all that cancels out gone."""
    while True:
        shorter = simplified(cancelled(tree), facts)
        if shorter == tree:
            return tree
        tree = shorter


def cancelled(tree: Tree) -> Tree:
    """Equal on every board, and not longer."""
    parts = [cancelled(part) for part in arguments(tree)]
    tree = (tree[0], *(node for part in parts for node in part))
    if tree[0] not in ("+", "-") or not _is_exact(tree):
        return tree
    counts: Counter[Tree] = Counter()
    constant = 0.0
    for sign, term in _terms(tree, 1):
        if isinstance(term[0], float):
            constant += sign * term[0]
        else:
            counts[term] += sign
    added = [term for term, count in counts.items() for _ in range(count)]
    subtracted = [term for term, count in counts.items() for _ in range(-count)]
    if constant:
        (added if constant > 0 else subtracted).append((abs(constant),))
    shorter = added.pop(0) if added else (0.0,)
    for term in added:
        shorter = ("+", *shorter, *term)
    for term in subtracted:
        shorter = ("-", *shorter, *term)
    return shorter if len(shorter) < len(tree) else tree


def _terms(tree: Tree, sign: int) -> Terms:
    if tree[0] not in ("+", "-"):
        yield sign, tree
        return
    first, second = arguments(tree)
    yield from _terms(first, sign)
    yield from _terms(second, sign if tree[0] == "+" else -sign)


def _is_exact(tree: Tree) -> bool:
    largest = _largest(tree)
    return largest is not None and largest < EXACT


def _largest(tree: Tree) -> float | None:
    """How far from 0 a whole number can be; None for what need not be whole, or is not known."""
    node, parts = tree[0], arguments(tree)
    if isinstance(node, float):
        return abs(node) if node.is_integer() else None
    if not parts:
        return LARGEST.get(node.rstrip("0123456789")) if node in PRIMITIVES else None
    if node not in ("+", "-", "*") and node not in TESTED:
        return None
    first, second = _largest(parts[0]), _largest(parts[1])
    if first is None or second is None:
        return None
    if node in TESTED:
        return max(first, second)
    return first * second if node == "*" else first + second
