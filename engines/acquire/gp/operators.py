"""Variation of trees: ramped half-and-half, crossover and three mutations.

Reference: J. Koza, "Genetic Programming" (1992), Appendix B; "Evolving Board Evaluation Functions", section 3.2.
Depths are levels below the root, which is always a function. Terminals with a name are lists in Lisp, so they count
as function points of a crossover; only numbers do not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

from core.random import Random
from engines.acquire.gp.primitives import (
    BOUND_IN,
    PARAMETERS,
    PRIMITIVES,
    Primitive,
    PrimitiveSet,
    Scope,
    Type,
)
from engines.acquire.gp.tree import (
    MAX_WORK,
    Node,
    Tree,
    end,
    levels,
    needed_scope,
    replaced,
    scope_at,
    type_of,
    work,
)
from engines.evolution.selection import choice

ATTEMPTS: Final = 20  # to generate a tree that is new in its population, for each depth


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The functions and terminals of one type in one scope. A new random constant is one terminal like another."""

    functions: tuple[Primitive, ...]
    terminals: tuple[Node | None, ...]  # None: a new constant

    @classmethod
    def of(cls, primitives: PrimitiveSet, type: Type, scope: Scope) -> Self:
        """Return the choice for a type and a scope.

        Names bound in the scope, such as `it`, are repeated until half of the terminals of their type are such names.
        """
        fitting = [
            each for each in primitives.primitives if each.result is type and each.name not in BOUND_IN
        ]
        terminals: list[Node | None] = [each.name for each in fitting if not each.arguments]
        if type is Type.NUMBER:
            terminals += [*primitives.numbers, *([None] if primitives.constant else [])]
        if type is (Type.CHAIN if scope is Scope.CHAIN else Type.NUMBER):
            bound = PARAMETERS[scope]
            terminals += [*bound] * (len(terminals) // max(len(bound), 1))
        return cls(functions=tuple(each for each in fitting if each.arguments), terminals=tuple(terminals))


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """A generator of random trees from a set of primitives."""

    choices: dict[tuple[Type, Scope], Choice]
    constant: tuple[float, float]

    @classmethod
    def of(cls, primitives: PrimitiveSet) -> Self:
        return cls(
            choices={(type, scope): Choice.of(primitives, type, scope) for type in Type for scope in Scope},
            constant=primitives.constant or (0.0, 0.0),
        )

    def tree(
        self,
        depth: int,
        full: bool,
        rng: Random,
        type: Type = Type.NUMBER,
        scope: Scope = Scope.TOP_LEVEL,
    ) -> Tree:
        """Return a random tree with at most `depth` levels below its root.

        If `full`, every path has exactly `depth` levels, except in subtrees of type CHAIN.
        """
        return tuple(self._nodes(type, scope, depth, full, True, rng))

    def ramped(
        self,
        count: int,
        most_levels: int,
        rng: Random,
        type: Type = Type.NUMBER,
        scope: Scope = Scope.TOP_LEVEL,
    ) -> Iterator[Tree]:
        """Yield `count` trees by ramped half-and-half: depths from 1 up in turn, alternately full and grown.

        All trees are different. A depth that has no new trees left is skipped from then on; trees are repeated if no
        depth has any.
        """
        least, most = 1, most_levels - 1
        seen: set[Tree] = set()
        full = False
        for index in range(count):
            if index % (most - least + 1) == 0:
                full = not full
            for attempt in range(1, ATTEMPTS * most + 1):
                tree = self.tree(least + index % (most - least + 1), full, rng, type, scope)
                if tree not in seen:
                    break
                if attempt % ATTEMPTS == 0:
                    least = min(least + 1, most)
            seen.add(tree)
            yield tree

    def _nodes(
        self, type: Type, scope: Scope, depth: int, full: bool, is_root: bool, rng: Random
    ) -> Iterator[Node]:
        options = self.choices[type, scope]
        functions, terminals = options.functions, options.terminals
        if depth <= 0 or not functions:
            yield self._terminal(choice(terminals, rng), rng)
            return
        only_functions = is_root or (full and type is not Type.CHAIN)
        place = rng.below(len(functions) + (0 if only_functions else len(terminals)))
        if place >= len(functions):
            yield self._terminal(terminals[place - len(functions)], rng)
            return
        function = functions[place]
        yield function.name
        inner = Scope.CHAIN if function.binds_chain else scope
        for argument in function.arguments:
            yield from self._nodes(argument, inner, depth - 1, full, False, rng)

    def _terminal(self, node: Node | None, rng: Random) -> Node:
        if node is not None:
            return node
        low, high = self.constant
        return low + (high - low) * rng.uniform()


def crossover(
    mother: Tree,
    father: Tree,
    most_levels: int,
    at_names: bool,
    rng: Random,
    scope: Scope = Scope.TOP_LEVEL,
) -> tuple[Tree, Tree]:
    """Return two children, by the exchange of subtrees at random points of two programs of the same scope.

    With `at_names`, the points are not at numbers. A child that is a single node, has too many levels or takes too
    much work is replaced by its own parent.
    """
    first = choice(_points(mother, at_names), rng)
    leaving = mother[first : end(mother, first)]
    needed, own = needed_scope(leaving), scope_at(mother, first, scope)
    others = [
        point
        for point in _points(father, at_names)
        if type_of(father[point]) is type_of(mother[first])
        and (needed is Scope.TOP_LEVEL or needed is scope_at(father, point, scope))
        and needed_scope(father[point : end(father, point)]) in (Scope.TOP_LEVEL, own)
    ]
    if not others:
        return mother, father
    second = choice(others, rng)
    taken = father[second : end(father, second)]
    return (
        _allowed(replaced(mother, first, taken), mother, most_levels),
        _allowed(replaced(father, second, leaving), father, most_levels),
    )


def subtree_mutation(
    tree: Tree, generator: Generator, depth: int, rng: Random, scope: Scope = Scope.TOP_LEVEL
) -> Tree:
    """Return the tree with a new random subtree at a random point.

    The subtree is grown: its root is a function if there is one of its type, with at most `depth` levels below it.
    The levels of the result are not limited; if the result takes too much work, the tree is returned unchanged.
    """
    point = int(rng.below(len(tree)))
    grown = generator.tree(depth, False, rng, type_of(tree[point]), scope_at(tree, point, scope))
    child = replaced(tree, point, grown)
    return child if work(child) <= MAX_WORK else tree


def point_mutation(tree: Tree, generator: Generator, rng: Random, scope: Scope = Scope.TOP_LEVEL) -> Tree:
    """Return the tree with a node replaced by another of the same signature; a number is changed a little."""
    point = int(rng.below(len(tree)))
    node = tree[point]
    new: Node | None
    if isinstance(node, float):
        new = node * (1.0 + rng.normal(0.5)) + rng.normal(0.5)
        return (*tree[:point], float(f"{new:.3g}"), *tree[point + 1 :])
    primitive = PRIMITIVES[node]
    options = generator.choices[primitive.result, scope_at(tree, point, scope)]
    if primitive.arguments:
        new = choice([each.name for each in options.functions if _is_alike(each, primitive)] or [node], rng)
    else:
        new = choice([each for each in options.terminals if each is not None] or [node], rng)
    return (*tree[:point], new, *tree[point + 1 :])


def shrink_mutation(tree: Tree, rng: Random, scope: Scope = Scope.TOP_LEVEL) -> Tree:
    """Return the tree with a random subtree replaced by one of its own parts of the same type."""
    point = int(rng.below(len(tree)))
    part = tree[point : end(tree, point)]
    own = scope_at(tree, point, scope)
    inner = [
        below
        for below in range(1, len(part))
        if type_of(part[below]) is type_of(part[0])
        and needed_scope(part[below : end(part, below)]) in (Scope.TOP_LEVEL, own)
    ]
    if not inner:
        return tree
    below = choice(inner, rng)
    return replaced(tree, point, part[below : end(part, below)])


def _is_alike(one: Primitive, other: Primitive) -> bool:
    return one.arguments == other.arguments and one.binds_chain == other.binds_chain


def _points(tree: Tree, at_names: bool) -> Sequence[int]:
    names = [point for point, node in enumerate(tree) if isinstance(node, str)] if at_names else []
    return names or range(len(tree))


def _allowed(child: Tree, parent: Tree, most_levels: int) -> Tree:
    return child if 1 < levels(child) <= most_levels and work(child) <= MAX_WORK else parent
