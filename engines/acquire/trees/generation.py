"""New trees: full, grow, and ramped half-and-half.

Reference: J. Koza, "Genetic Programming" (1992), Appendix B; "Evolving Board Evaluation Functions", section
3.2. Depths here are levels below the root, which is always a function.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from core.random import Random
from engines.acquire.trees.tree import Node, Tree
from engines.acquire.trees.words.functions import GIVEN, PARAMETERS
from engines.acquire.trees.words.primitive import Primitive, PrimitiveSet, Scope, Type
from engines.evolution.selection import choice

ATTEMPTS: Final = 20  # at a tree that is new in its population


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What can stand where one type is wanted. The constant, if there is one, is a terminal like another."""

    functions: tuple[Primitive, ...]
    terminals: tuple[Node | None, ...]  # None: a new constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """Makes random trees of a set of primitives."""

    choices: dict[tuple[Type, Scope], Choice]  # by what is wanted, and what is given there
    constant: tuple[float, float]

    @classmethod
    def of(cls, words: PrimitiveSet) -> Self:
        return cls(
            choices={(kind, scope): _choice(words, kind, scope) for kind in Type for scope in Scope},
            constant=words.constant or (0.0, 0.0),
        )

    def tree(
        self,
        depth: int,
        full: bool,
        rng: Random,
        kind: Type = Type.NUMBER,
        scope: Scope = Scope.NOTHING,
    ) -> Tree:
        """At most `depth` levels below the root; just so many on every path if it is to be full, but for chains."""
        return tuple(self._nodes(kind, scope, depth, full, True, rng))

    def ramped(
        self,
        count: int,
        most_levels: int,
        rng: Random,
        kind: Type = Type.NUMBER,
        scope: Scope = Scope.NOTHING,
    ) -> Iterator[Tree]:
        """Half-and-half: the depth goes from 1 to the most again and again, alternately full and grown.

        All trees are different; where a depth has no new ones to offer, it is left out from then on, and
        where none has, trees come again.
        """
        least, most = 1, most_levels - 1
        seen: set[Tree] = set()
        full = False
        for index in range(count):
            if index % (most - least + 1) == 0:
                full = not full
            for attempt in range(1, ATTEMPTS * most + 1):
                tree = self.tree(least + index % (most - least + 1), full, rng, kind, scope)
                if tree not in seen:
                    break
                if attempt % ATTEMPTS == 0:
                    least = min(least + 1, most)
            seen.add(tree)
            yield tree

    def _nodes(
        self, kind: Type, scope: Scope, depth: int, full: bool, is_root: bool, rng: Random
    ) -> Iterator[Node]:
        options = self.choices[kind, scope]
        functions, terminals = options.functions, options.terminals
        if depth <= 0 or not functions:
            yield self._terminal(choice(terminals, rng), rng)
            return
        only_functions = is_root or (full and kind is not Type.CHAIN)
        place = rng.below(len(functions) + (0 if only_functions else len(terminals)))
        if place >= len(functions):
            yield self._terminal(terminals[place - len(functions)], rng)
            return
        function = functions[place]
        yield function.name
        inner = Scope.CHAIN if function.is_over else scope
        for argument in function.arguments:
            yield from self._nodes(argument, inner, depth - 1, full, False, rng)

    def _terminal(self, node: Node | None, rng: Random) -> Node:
        if node is not None:
            return node
        low, high = self.constant
        return low + (high - low) * rng.uniform()


def _choice(words: PrimitiveSet, kind: Type, scope: Scope) -> Choice:
    """Half of the terminals of a kind that is given are what is given."""
    fitting = [each for each in words.primitives if each.result == kind and each.name not in GIVEN]
    terminals: list[Node | None] = [each.name for each in fitting if not each.arguments]
    if kind is Type.NUMBER:
        terminals += [*words.numbers, *([None] if words.constant else [])]
    if kind is (Type.CHAIN if scope is Scope.CHAIN else Type.NUMBER):
        given = PARAMETERS[scope]
        terminals += [*given] * (len(terminals) // max(len(given), 1))
    return Choice(functions=tuple(each for each in fitting if each.arguments), terminals=tuple(terminals))
