"""A tree as a program of the machine."""

from core.acquire.programs.expression import Expression
from core.acquire.programs.prefix import CONSTANT
from core.acquire.ranked.slots import DEAR, FEATURES
from engines.acquire.trees.tree import Tree
from engines.acquire.trees.words.sets import PRIMITIVES


def compiled(tree: Tree, features: int = FEATURES, dear: int = DEAR) -> Expression:
    """Over so many features, those of core.acquire.ranked.slots. ValueError for a tree that is too large for the machine."""
    constants: list[float] = []
    prefix: list[int] = []
    for node in tree:
        if isinstance(node, str):
            prefix += PRIMITIVES[node].code
        else:
            prefix.append(CONSTANT + len(constants))
            constants.append(node)
    return Expression(tuple(prefix), tuple(constants), features, dear)
