"""A tree as a program of the machine."""

from core.acquire.expression import CONSTANT, Expression
from core.acquire.slots import DEAR, FEATURES
from engines.acquire.trees.primitive import PRIMITIVES
from engines.acquire.trees.tree import Tree


def compiled(tree: Tree) -> Expression:
    """ValueError for a tree that is too large for the machine."""
    constants: list[float] = []
    prefix: list[int] = []
    for node in tree:
        if isinstance(node, str):
            prefix += PRIMITIVES[node].code
        else:
            prefix.append(CONSTANT + len(constants))
            constants.append(node)
    return Expression(tuple(prefix), tuple(constants), FEATURES, DEAR)
