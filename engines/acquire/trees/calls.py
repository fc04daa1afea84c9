"""Calls of a genome's own functions: what they cost, and programs in which they are replaced by what they stand for.

The machine has no calls. An argument is put wherever the function has its name, so it is valued as often; and since
the name has no meaning inside forms that range over chains, none of them can catch an `it` of the caller.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from engines.acquire.trees.tree import CHAINS, DEEPEST, LONGEST, MOST_WORK, Node, Tree, arguments, overs
from engines.acquire.trees.words.functions import FUNCTIONS, GIVEN, parameters
from engines.acquire.trees.words.sets import PRIMITIVES


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Of a program with all calls expanded; of what it is given, how often it is used, and the levels above it."""

    nodes: int
    work: int
    levels: int
    uses: Mapping[str, tuple[int, int]]

    @classmethod
    def of(cls, tree: Tree, known: Mapping[str, Self], is_inside: bool = False) -> Self:
        """`known` are those of the functions that it may call. Inside a form over chains nothing else is given."""
        node = tree[0]
        parts = [cls.of(part, known, is_inside or _is_over(node)) for part in arguments(tree)]
        if node in FUNCTIONS:
            return known[str(node)]._with(parameters(str(node)), parts)
        times = CHAINS if _is_over(node) else 1
        uses = {str(node): (1, 0)} if node in GIVEN and not is_inside else {}
        for part in parts:
            uses = _together(uses, part.uses, 1, 1)
        return cls(
            nodes=1 + sum(part.nodes for part in parts),
            work=1 + times * sum(part.work for part in parts),
            levels=1 + max((part.levels for part in parts), default=0),
            uses=uses,
        )

    @property
    def is_small(self) -> bool:
        """Whether the machine takes it."""
        return self.nodes <= LONGEST and self.levels <= DEEPEST and self.work <= MOST_WORK

    def _with(self, names: tuple[str, ...], parts: list[Self]) -> Self:
        """Of a function with these arguments."""
        nodes, work, levels = self.nodes, self.work, self.levels
        uses: Mapping[str, tuple[int, int]] = {}
        for name, part in zip(names, parts, strict=True):
            count, above = self.uses.get(name, (0, 0))
            if count:
                nodes += count * (part.nodes - 1)
                work += count * (part.work - 1)
                levels = max(levels, above + part.levels)
                uses = _together(uses, part.uses, count, above)
        return type(self)(nodes=nodes, work=work, levels=levels, uses=uses)


def costs(programs: Mapping[str, Tree]) -> dict[str, Cost]:
    """Of each program; the functions that are called are among them."""
    known: dict[str, Cost] = {}
    for name in FUNCTIONS:
        if name in programs:
            known[name] = Cost.of(programs[name], known)
    return {name: known.get(name) or Cost.of(tree, known) for name, tree in programs.items()}


def expanded(programs: Mapping[str, Tree]) -> dict[str, Tree]:
    """Every program but the functions, without calls."""
    bodies: dict[str, Tree] = {}
    for name in FUNCTIONS:
        if name in programs:
            bodies[name] = _without_calls(programs[name], bodies)
    return {
        name: _without_calls(tree, bodies) if bodies else tree
        for name, tree in programs.items()
        if name not in FUNCTIONS
    }


def called(tree: Tree) -> set[str]:
    """The functions that it calls itself."""
    return {str(node) for node in tree if node in FUNCTIONS}


def _without_calls(tree: Tree, bodies: Mapping[str, Tree]) -> Tree:
    node = tree[0]
    parts = [_without_calls(part, bodies) for part in arguments(tree)]
    if node not in FUNCTIONS:
        return (node, *(each for part in parts for each in part))
    body = bodies[str(node)]
    given = dict(zip(parameters(str(node)), parts, strict=True))
    return tuple(
        each
        for place, above in zip(body, overs(body), strict=True)
        for each in ((place,) if above else given.get(str(place), (place,)))
    )


def _together(
    uses: Mapping[str, tuple[int, int]], more: Mapping[str, tuple[int, int]], times: int, above: int
) -> dict[str, tuple[int, int]]:
    """Uses beside those of a part, which is there so many times, with levels above it."""
    sums = dict(uses)
    for name, (count, depth) in more.items():
        before, deepest = sums.get(name, (0, 0))
        sums[name] = (before + times * count, max(deepest, above + depth))
    return sums


def _is_over(node: Node) -> bool:
    return isinstance(node, str) and PRIMITIVES[node].is_over
