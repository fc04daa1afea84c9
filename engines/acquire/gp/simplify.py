"""Simplification: shorter programs with the same value on every board.

Constants are folded, tests are decided, sums are cancelled and unused ADFs are removed. Reference: "Evolving Board
Evaluation Functions", section 4.1.3, where two trees are simplified by hand. Chains are ranked by size, so if one is
safe, or of the maximum size, the larger ones are as well; three chains of 41 tiles have no room on 108 squares; and
there may be fewer chains than ranks.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

from core.acquire.program import LEAF
from core.acquire.ranked_player import ENDS, FIRST_CHAIN_FEATURE, KINDS, LEADS, RANKS, SAFE
from core.acquire.rules import PRESETS, Rules
from engines.acquire.gp.primitives import ADF_NAMES, ARITHMETIC, MEMORY_NAMES, PRIMITIVES, TESTS
from engines.acquire.gp.tree import Tree, arguments, called_adfs, joined

TESTED: Final = {test.name: test.code[1] - LEAF for test in TESTS}  # the feature that each test reads
CALCULATING: Final = frozenset(each.name for each in ARITHMETIC)
ZERO: Final = (0.0,)
ONE: Final = (1.0,)
EXACT: Final = 2.0**53  # all whole numbers below it are doubles


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The sizes that the chain of each rank may have, and whether the player leads in it, where that is known."""

    safe: int  # the sizes, in tiles, at which tests are true
    end: int
    least: tuple[int, ...]
    most: tuple[int, ...]
    leads: tuple[bool | None, ...]

    @classmethod
    def of(cls, rules: Rules) -> Self:
        """Return the facts that hold on any board.

        A rank that no chain can have has no tiles, and no player leads in it.
        """
        chains = len(rules.chains)
        return cls(
            safe=rules.safe,
            end=rules.end,
            least=(0,) * RANKS,
            most=tuple(rules.squares // (rank + 1) if rank < chains else 0 for rank in range(RANKS)),
            leads=tuple(None if rank < chains else False for rank in range(RANKS)),
        )

    def truth(self, feature: int) -> bool | None:
        """Return whether a feature that is a test is true, or None if it may be either."""
        rank, kind = divmod(feature - FIRST_CHAIN_FEATURE, KINDS)
        if kind == LEADS:
            return self.leads[rank]
        size = self._size(kind)
        if self.least[rank] >= size:
            return True
        return False if self.most[rank] < size else None

    def with_fact(self, feature: int, truth: bool) -> Self:
        """Return the facts that hold where a test is true, or where it is false."""
        rank, kind = divmod(feature - FIRST_CHAIN_FEATURE, KINDS)
        if kind == LEADS:
            return replace(self, leads=(*self.leads[:rank], truth, *self.leads[rank + 1 :]))
        size = self._size(kind)
        if truth:
            larger = [max(least, size) for least in self.least[: rank + 1]]
            return replace(self, least=(*larger, *self.least[rank + 1 :]))
        smaller = [min(most, size - 1) for most in self.most[rank:]]
        return replace(self, most=(*self.most[:rank], *smaller))

    def _size(self, kind: int) -> int:
        """Return the least size at which a test of this kind is true."""
        return {SAFE: self.safe, ENDS: self.end}[kind]


THESIS_FACTS: Final = Facts.of(PRESETS["thesis-2002"])


def shortest_programs(programs: Mapping[str, Tree], facts: Facts) -> dict[str, Tree]:
    """Return the programs of a player, each as short as it can be made.

    Programs that no decision depends on are left out.
    """
    short = {name: shortest(tree, facts) for name, tree in programs.items()}
    waiting = [name for name in short if name not in ADF_NAMES and name not in MEMORY_NAMES]
    used = set(waiting)
    while waiting:
        tree = short[waiting.pop()]
        fillers = {filling for filling, memory in MEMORY_NAMES.items() if memory in tree}
        found = ((called_adfs(tree) | fillers) & short.keys()) - used
        used |= found
        waiting += found
    return {name: tree for name, tree in short.items() if name in used}


def shortest(tree: Tree, facts: Facts = THESIS_FACTS) -> Tree:
    """Return the tree simplified and cancelled until nothing changes."""
    while True:
        shorter = simplified(cancelled(tree), facts)
        if shorter == tree:
            return tree
        tree = shorter


def simplified(tree: Tree, facts: Facts = THESIS_FACTS) -> Tree:
    """Return a simpler tree that is equal wherever the facts hold and no intermediate result is infinite.

    A result of 0 may change its sign.
    """
    node = tree[0]
    if not isinstance(node, str) or not PRIMITIVES[node].arguments:
        return tree
    if node in TESTED:
        return _test(tree, facts)
    parts = [simplified(part, facts) for part in arguments(tree)]
    if node in CALCULATING:
        return _arithmetic(node, *parts)
    return _typed(node, parts)


def cancelled(tree: Tree) -> Tree:
    """Return the tree with its sums cancelled: x - y + y becomes x.

    Only sums of whole numbers that are small enough to be exact are cancelled. The result is not longer; it is equal
    on every board where money is in dollars.
    """
    tree = joined(tree[0], [cancelled(part) for part in arguments(tree)])
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
    shorter = added.pop(0) if added else ZERO
    for term in added:
        shorter = ("+", *shorter, *term)
    for term in subtracted:
        shorter = ("-", *shorter, *term)
    return shorter if len(shorter) < len(tree) else tree


# -- Folding ---------------------------------------------------------------------------------------


def _test(tree: Tree, facts: Facts) -> Tree:
    feature = TESTED[str(tree[0])]
    then, otherwise = arguments(tree)
    truth = facts.truth(feature)
    if truth is not None:
        return simplified(then if truth else otherwise, facts)
    then = simplified(then, facts.with_fact(feature, True))
    otherwise = simplified(otherwise, facts.with_fact(feature, False))
    return then if then == otherwise else (tree[0], *then, *otherwise)


def _typed(node: str, parts: list[Tree]) -> Tree:
    match node, parts:
        case "if" | "if-chain", [_, then, otherwise] if then == otherwise:
            return then
        case "if" | "if-chain", [("not", *truth), then, otherwise]:
            return (node, *truth, *otherwise, *then)
        case "min" | "max" | "and" | "or", [first, second] if first == second:
            return first
        case "min" | "max", [(float(one),), (float(other),)]:
            return (min(one, other) if node == "min" else max(one, other),)
        case "not", [("not", *truth)]:
            return tuple(truth)
    return joined(node, parts)


def _arithmetic(node: str, first: Tree, second: Tree) -> Tree:
    one, other = first[0], second[0]
    if isinstance(one, float) and isinstance(other, float):
        return (_folded(node, one, other),)
    match node:
        case "+" if ZERO in (first, second):
            return second if first == ZERO else first
        case "-" if second == ZERO:
            return first
        case "-" if first == second:
            return ZERO
        case "*" if ZERO in (first, second):
            return ZERO
        case "*" if ONE in (first, second):
            return second if first == ONE else first
        case "div" if ZERO in (first, second):
            return ZERO
        case "div" if second == ONE:
            return first
    return (node, *first, *second)


def _folded(node: str, one: float, other: float) -> float:
    match node:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
    return one / other if other else 0.0


# -- Cancelling ------------------------------------------------------------------------------------


def _terms(tree: Tree, sign: int) -> Iterator[tuple[int, Tree]]:
    """Yield the terms of a sum: with 1 those that are added, with -1 those that are subtracted."""
    if tree[0] not in ("+", "-"):
        yield sign, tree
        return
    first, second = arguments(tree)
    yield from _terms(first, sign)
    yield from _terms(second, sign if tree[0] == "+" else -sign)


def _is_exact(tree: Tree) -> bool:
    bound = _bound(tree)
    return bound is not None and bound < EXACT


def _bound(tree: Tree) -> float | None:
    """Return the largest absolute value of a tree, or None if it may not be whole or its bound is not known."""
    node, parts = tree[0], arguments(tree)
    if isinstance(node, float):
        return abs(node) if node.is_integer() else None
    if not parts:
        return PRIMITIVES[node].bound
    if node not in ("+", "-", "*") and node not in TESTED:
        return None
    first, second = _bound(parts[0]), _bound(parts[1])
    if first is None or second is None:
        return None
    if node in TESTED:
        return max(first, second)
    return first * second if node == "*" else first + second
