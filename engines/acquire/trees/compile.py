"""A tree as a program of the machine."""

from core.acquire.program import CONSTANT, Program
from core.acquire.ranked_player import FEATURES, LAZY
from engines.acquire.trees.tree import Tree
from engines.acquire.trees.words.sets import PRIMITIVES


def compiled(tree: Tree, features: int = FEATURES, dear: int = LAZY) -> Program:
    """Over so many features, those of core.acquire.ranked_player. ValueError for a tree that is too large for the machine."""
    constants: list[float] = []
    prefix: list[int] = []
    for node in tree:
        if isinstance(node, str):
            prefix += PRIMITIVES[node].code
        else:
            prefix.append(CONSTANT + len(constants))
            constants.append(node)
    return Program(tuple(prefix), tuple(constants), features, dear)
