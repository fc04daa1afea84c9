"""Crossover and mutation of trees.

Reference: J. Koza, "Genetic Programming" (1992), Appendix B. Words without arguments are lists in Lisp and
count as function points; only numbers do not.
"""

from collections.abc import Sequence

from core.random import Random
from engines.acquire.trees.generation import Generator
from engines.acquire.trees.primitive import PRIMITIVES, Type
from engines.acquire.trees.tree import Node, Tree, end, levels, replaced
from engines.selection import picked


def crossed(mother: Tree, father: Tree, most_levels: int, at_words: bool, rng: Random) -> tuple[Tree, Tree]:
    """Two children, by the exchange of subtrees; each point is as likely as another, or, `at_words`, all but numbers.

    A child that is a single node or has too many levels is replaced by its own parent.
    """
    first = picked(_points(mother, at_words), rng)
    others = [point for point in _points(father, at_words) if kind(father[point]) is kind(mother[first])]
    if not others:
        return mother, father
    second = picked(others, rng)
    given, taken = mother[first : end(mother, first)], father[second : end(father, second)]
    return (
        _allowed(replaced(mother, first, taken), mother, most_levels),
        _allowed(replaced(father, second, given), father, most_levels),
    )


def mutated(tree: Tree, generator: Generator, depth: int, rng: Random) -> Tree:
    """The tree with a new subtree at any point: grown, its root a function, of at most `depth` levels below it.

    Nobody checks how many levels come out.
    """
    point = int(rng.below(len(tree)))
    return replaced(tree, point, generator.tree(depth, False, rng, kind(tree[point])))


def kind(node: Node) -> Type:
    """What a node gives."""
    return PRIMITIVES[node].result if isinstance(node, str) else Type.NUMBER


def _points(tree: Tree, at_words: bool) -> Sequence[int]:
    words = [point for point, node in enumerate(tree) if isinstance(node, str)] if at_words else []
    return words or range(len(tree))


def _allowed(child: Tree, parent: Tree, most_levels: int) -> Tree:
    return child if 1 < levels(child) <= most_levels else parent
