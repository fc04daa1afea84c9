"""A program as a value: its nodes in prefix order, each the name of a primitive or a number.

A subtree is a stretch of the nodes, so crossover is the exchange of two stretches.
"""

from collections.abc import Iterator
from typing import Final

from engines.acquire.trees.words.functions import GIVEN
from engines.acquire.trees.words.primitive import Scope, Type
from engines.acquire.trees.words.sets import PRIMITIVES

Node = str | float
Tree = tuple[Node, ...]

LONGEST: Final = 4096  # nodes of a tree, for the machine
DEEPEST: Final = 64  # levels
CHAINS: Final = 7  # at most
MOST_WORK: Final = 100_000  # nodes: 4 ms, and a purchase values a program some 24 times


def arity(node: Node) -> int:
    """How many arguments follow it."""
    return len(PRIMITIVES[node].arguments) if isinstance(node, str) else 0


def end(tree: Tree, start: int) -> int:
    """Where the subtree that begins at `start` has ended."""
    wanted = 1
    while wanted:
        wanted += arity(tree[start]) - 1
        start += 1
    return start


def arguments(tree: Tree) -> tuple[Tree, ...]:
    """The subtrees below the root."""
    parts = []
    start = 1
    for _ in range(arity(tree[0])):
        stop = end(tree, start)
        parts.append(tree[start:stop])
        start = stop
    return tuple(parts)


def levels(tree: Tree) -> int:
    """Nodes on the longest path from the root."""
    return max(depth for depth, _ in walk(tree)) + 1


def walk(tree: Tree) -> Iterator[tuple[int, Node]]:
    """Every node with its distance from the root, in prefix order."""
    open_arguments = [1]  # of the nodes above, and of the root's place
    for node in tree:
        yield len(open_arguments) - 1, node
        open_arguments[-1] -= 1
        open_arguments.append(arity(node))
        while open_arguments and not open_arguments[-1]:
            open_arguments.pop()


def overs(tree: Tree) -> list[int]:
    """Of each node, how many forms that range over chains are above it."""
    path: list[int] = []  # of the nodes above: how many with them
    found = []
    for depth, node in walk(tree):
        del path[depth:]
        found.append(path[-1] if path else 0)
        path.append(found[-1] + (isinstance(node, str) and PRIMITIVES[node].is_over))
    return found


def work(tree: Tree) -> int:
    """How many nodes are valued at most: one inside forms that range over chains, once for every chain of each."""
    return sum(CHAINS**above for above in overs(tree))


def scope(tree: Tree, point: int, given: Scope) -> Scope:
    """What is given where the node stands, in a program that is given this."""
    return Scope.CHAIN if overs(tree)[point] else given


def wanted(tree: Tree) -> Scope:
    """What must be given where it is to stand: NOTHING if all that it uses is given inside."""
    if GIVEN.keys().isdisjoint(tree):
        return Scope.NOTHING
    for node, above in zip(tree, overs(tree), strict=True):
        if not above and node in GIVEN:
            return GIVEN[str(node)]
    return Scope.NOTHING


def kind(node: Node) -> Type:
    """What a node gives."""
    return PRIMITIVES[node].result if isinstance(node, str) else Type.NUMBER


def replaced(tree: Tree, start: int, new: Tree) -> Tree:
    """The tree with another subtree where one begins at `start`."""
    return tree[:start] + new + tree[end(tree, start) :]
