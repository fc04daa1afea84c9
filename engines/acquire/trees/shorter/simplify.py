"""A shorter tree of the same value on every board: constants folded, tests decided, nothing computed for nothing.

Reference: "Evolving Board Evaluation Functions", section 4.1.3, where two trees are simplified by hand.
"""

from typing import Final

from core.acquire.program import LEAF
from engines.acquire.trees.shorter.facts import THESIS_FACTS, Facts
from engines.acquire.trees.tree import Tree, arguments
from engines.acquire.trees.words.primitive import ARITHMETIC, TESTS
from engines.acquire.trees.words.sets import PRIMITIVES

TESTED: Final = {test.name: test.code[1] - LEAF for test in TESTS}  # the features
CALCULATING: Final = frozenset(each.name for each in ARITHMETIC)
ZERO: Final = (0.0,)
ONE: Final = (1.0,)


def simplified(tree: Tree, facts: Facts = THESIS_FACTS) -> Tree:
    """Equal wherever the facts hold and no intermediate result is infinite; a 0 may change its sign."""
    node = tree[0]
    if not isinstance(node, str) or not PRIMITIVES[node].arguments:
        return tree
    if node in TESTED:
        return _choice(tree, facts)
    parts = [simplified(part, facts) for part in arguments(tree)]
    if node in CALCULATING:
        return _arithmetic(node, *parts)
    return _typed(node, parts)


def _choice(tree: Tree, facts: Facts) -> Tree:
    feature = TESTED[str(tree[0])]
    then, otherwise = arguments(tree)
    truth = facts.truth(feature)
    if truth is not None:
        return simplified(then if truth else otherwise, facts)
    then = simplified(then, facts.knowing(feature, True))
    otherwise = simplified(otherwise, facts.knowing(feature, False))
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
    return (node, *(each for part in parts for each in part))


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
