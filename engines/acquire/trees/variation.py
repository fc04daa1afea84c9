"""Crossover and mutation of trees.

Reference: J. Koza, "Genetic Programming" (1992), Appendix B. Words without arguments are lists in Lisp and
count as function points; only numbers do not.
"""

from collections.abc import Sequence

from core.random import Random
from engines.acquire.trees.generation import Generator
from engines.acquire.trees.tree import (
    MOST_WORK,
    Node,
    Tree,
    end,
    kind,
    levels,
    replaced,
    scope,
    wanted,
    work,
)
from engines.acquire.trees.words.primitive import Primitive, Scope
from engines.acquire.trees.words.sets import PRIMITIVES
from engines.evolution.selection import choice


def crossed(
    mother: Tree,
    father: Tree,
    most_levels: int,
    at_words: bool,
    rng: Random,
    given: Scope = Scope.NOTHING,
) -> tuple[Tree, Tree]:
    """Two children of programs that are given the same, by the exchange of subtrees; each point is as likely as another, or, `at_words`, all but numbers.

    A child that is a single node, has too many levels or too much work is replaced by its own parent.
    """
    first = choice(_points(mother, at_words), rng)
    leaving = mother[first : end(mother, first)]
    needs, has = wanted(leaving), scope(mother, first, given)
    others = [
        point
        for point in _points(father, at_words)
        if kind(father[point]) is kind(mother[first])
        and _fits(needs, father, point, given)
        and wanted(father[point : end(father, point)]) in (Scope.NOTHING, has)
    ]
    if not others:
        return mother, father
    second = choice(others, rng)
    taken = father[second : end(father, second)]
    return (
        _allowed(replaced(mother, first, taken), mother, most_levels),
        _allowed(replaced(father, second, leaving), father, most_levels),
    )


def mutated(tree: Tree, generator: Generator, depth: int, rng: Random, given: Scope = Scope.NOTHING) -> Tree:
    """The tree with a new subtree at any point: grown, its root a function, of at most `depth` levels below it.

    Nobody checks how many levels come out; where it is too much work, the tree remains as it was.
    """
    point = int(rng.below(len(tree)))
    grown = generator.tree(depth, False, rng, kind(tree[point]), scope(tree, point, given))
    child = replaced(tree, point, grown)
    return child if work(child) <= MOST_WORK else tree


def with_other_word(tree: Tree, generator: Generator, rng: Random, given: Scope = Scope.NOTHING) -> Tree:
    """The tree with a word in place of another that takes and gives the same; a number is changed a little."""
    point = int(rng.below(len(tree)))
    node = tree[point]
    new: Node | None
    if isinstance(node, float):
        new = node * (1.0 + rng.normal(0.5)) + rng.normal(0.5)
        return (*tree[:point], float(f"{new:.3g}"), *tree[point + 1 :])
    primitive = PRIMITIVES[node]
    options = generator.choices[primitive.result, scope(tree, point, given)]
    if primitive.arguments:
        new = choice([each.name for each in options.functions if _are_alike(each, primitive)] or [node], rng)
    else:
        new = choice([each for each in options.terminals if each is not None] or [node], rng)
    return (*tree[:point], new, *tree[point + 1 :])


def shrunk(tree: Tree, rng: Random, given: Scope = Scope.NOTHING) -> Tree:
    """The tree with a part of a subtree in its place."""
    point = int(rng.below(len(tree)))
    part = tree[point : end(tree, point)]
    inner = [
        below
        for below in range(1, len(part))
        if kind(part[below]) is kind(part[0])
        and _fits(wanted(part[below : end(part, below)]), tree, point, given)
    ]
    if not inner:
        return tree
    below = choice(inner, rng)
    return replaced(tree, point, part[below : end(part, below)])


def _fits(needs: Scope, tree: Tree, point: int, given: Scope) -> bool:
    return needs is Scope.NOTHING or needs is scope(tree, point, given)


def _are_alike(one: Primitive, other: Primitive) -> bool:
    return one.arguments == other.arguments and one.is_over == other.is_over


def _points(tree: Tree, at_words: bool) -> Sequence[int]:
    words = [point for point, node in enumerate(tree) if isinstance(node, str)] if at_words else []
    return words or range(len(tree))


def _allowed(child: Tree, parent: Tree, most_levels: int) -> Tree:
    return child if 1 < levels(child) <= most_levels and work(child) <= MOST_WORK else parent
