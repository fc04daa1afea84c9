"""Programs as values: a tree is a tuple of its nodes in prefix order, each the name of a primitive or a number.

A subtree is a slice of the nodes, so crossover exchanges two slices. ADFs are expanded before a tree is compiled,
because the interpreter has no calls: each use of a parameter is replaced by the argument, which is then evaluated as
often as the parameter is used. Parameters are not bound inside forms that range over chains, so none of these forms
can capture an `it` of the caller. Reference of the distance: K. Zhang, D. Shasha, "Simple Fast Algorithms for the
Editing Distance between Trees and Related Problems" (1989).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Self

from core.acquire.program import CONSTANT, Program
from core.acquire.ranked_player import FEATURES, LAZY
from engines.acquire.gp.primitives import ADF_NAMES, BOUND_IN, PRIMITIVES, Scope, Type, parameters

Node = str | float
Tree = tuple[Node, ...]

MAX_NODES: Final = 4096  # of a tree, because of the interpreter
MAX_LEVELS: Final = 64
MAX_CHAINS: Final = 7
MAX_WORK: Final = 100_000  # nodes evaluated in one run: 4 ms; a purchase runs a program about 24 times


def arity(node: Node) -> int:
    """Return the number of arguments of a node."""
    return len(PRIMITIVES[node].arguments) if isinstance(node, str) else 0


def type_of(node: Node) -> Type:
    """Return the type of a node's value."""
    return PRIMITIVES[node].result if isinstance(node, str) else Type.NUMBER


def binds_chain(node: Node) -> bool:
    """Return whether a node is a form that ranges over chains."""
    return isinstance(node, str) and PRIMITIVES[node].binds_chain


def end(tree: Tree, start: int) -> int:
    """Return the index after the last node of the subtree that begins at `start`."""
    missing = 1
    while missing:
        missing += arity(tree[start]) - 1
        start += 1
    return start


def arguments(tree: Tree) -> tuple[Tree, ...]:
    """Return the subtrees below the root."""
    parts = []
    start = 1
    for _ in range(arity(tree[0])):
        stop = end(tree, start)
        parts.append(tree[start:stop])
        start = stop
    return tuple(parts)


def joined(node: Node, parts: tuple[Tree, ...] | list[Tree]) -> Tree:
    """Return the tree with this root and these subtrees below it."""
    return (node, *(each for part in parts for each in part))


def replaced(tree: Tree, start: int, new: Tree) -> Tree:
    """Return the tree with the subtree that begins at `start` replaced by another."""
    return tree[:start] + new + tree[end(tree, start) :]


def levels(tree: Tree) -> int:
    """Return the number of nodes on the longest path from the root."""
    return max(depth for depth, _ in walk(tree)) + 1


def walk(tree: Tree) -> Iterator[tuple[int, Node]]:
    """Yield every node with its distance from the root, in prefix order."""
    missing = [1]  # missing arguments of the nodes above; the first entry is the root
    for node in tree:
        yield len(missing) - 1, node
        missing[-1] -= 1
        missing.append(arity(node))
        while missing and not missing[-1]:
            missing.pop()


def loops_above(tree: Tree) -> list[int]:
    """Return for each node the number of forms above it that range over chains."""
    path: list[int] = []  # the count of each node above, including that node
    found = []
    for depth, node in walk(tree):
        del path[depth:]
        found.append(path[-1] if path else 0)
        path.append(found[-1] + binds_chain(node))
    return found


def work(tree: Tree) -> int:
    """Return how many nodes are evaluated at most.

    A node inside forms that range over chains counts once for every chain of each.
    """
    return sum(MAX_CHAINS**above for above in loops_above(tree))


def scope_at(tree: Tree, point: int, scope: Scope) -> Scope:
    """Return the scope of the node at `point`, in a program of this scope."""
    return Scope.CHAIN if loops_above(tree)[point] else scope


def needed_scope(tree: Tree) -> Scope:
    """Return the scope in which the tree must stand; TOP_LEVEL if all its names are bound inside it."""
    if not BOUND_IN.keys().isdisjoint(tree):
        for node, above in zip(tree, loops_above(tree), strict=True):
            if not above and node in BOUND_IN:
                return BOUND_IN[str(node)]
    return Scope.TOP_LEVEL


def compile_tree(tree: Tree, features: int = FEATURES, lazy: int = LAZY) -> Program:
    """Compile a tree for the interpreter, over this number of features.

    The features whose bits are in `lazy` are computed when they are read. Raises ValueError if the tree is too large.
    """
    constants: list[float] = []
    prefix: list[int] = []
    for node in tree:
        if isinstance(node, str):
            prefix += PRIMITIVES[node].code
        else:
            prefix.append(CONSTANT + len(constants))
            constants.append(node)
    return Program(tuple(prefix), tuple(constants), features, lazy)


# -- ADFs ------------------------------------------------------------------------------------------


Uses = Mapping[str, tuple[int, int]]  # by parameter: how often it is used, and the most levels above it


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of a program with all its ADFs expanded."""

    nodes: int
    work: int
    levels: int
    uses: Uses

    @classmethod
    def of(cls, tree: Tree, known: Mapping[str, Self], is_inside: bool = False) -> Self:
        """Return the cost of a tree, given the costs of the ADFs that it may call.

        `is_inside` is true if a form that ranges over chains is above the tree.
        """
        node = tree[0]
        is_loop = binds_chain(node)
        parts = [cls.of(part, known, is_inside or is_loop) for part in arguments(tree)]
        if node in ADF_NAMES:
            return known[str(node)]._called(parameters(str(node)), parts)
        uses: Uses = {str(node): (1, 0)} if node in BOUND_IN and not is_inside else {}
        for part in parts:
            uses = _added(uses, part.uses, 1, 1)
        return cls(
            nodes=1 + sum(part.nodes for part in parts),
            work=1 + (MAX_CHAINS if is_loop else 1) * sum(part.work for part in parts),
            levels=1 + max((part.levels for part in parts), default=0),
            uses=uses,
        )

    @property
    def is_small(self) -> bool:
        """Whether the interpreter accepts a program of this cost."""
        return self.nodes <= MAX_NODES and self.levels <= MAX_LEVELS and self.work <= MAX_WORK

    def _called(self, names: tuple[str, ...], parts: list[Self]) -> Self:
        """Return the cost of a call of this ADF with these arguments."""
        nodes, work, levels = self.nodes, self.work, self.levels
        uses: Uses = {}
        for name, part in zip(names, parts, strict=True):
            count, above = self.uses.get(name, (0, 0))
            if count:
                nodes += count * (part.nodes - 1)
                work += count * (part.work - 1)
                levels = max(levels, above + part.levels)
                uses = _added(uses, part.uses, count, above)
        return type(self)(nodes=nodes, work=work, levels=levels, uses=uses)


def costs(programs: Mapping[str, Tree]) -> dict[str, Cost]:
    """Return the cost of each program. The programs must include the ADFs that they call."""
    known: dict[str, Cost] = {}
    for name in ADF_NAMES:
        if name in programs:
            known[name] = Cost.of(programs[name], known)
    return {name: known.get(name) or Cost.of(tree, known) for name, tree in programs.items()}


def expand(programs: Mapping[str, Tree]) -> dict[str, Tree]:
    """Return all programs except the ADFs, with every call expanded."""
    bodies: dict[str, Tree] = {}
    for name in ADF_NAMES:
        if name in programs:
            bodies[name] = _without_calls(programs[name], bodies)
    return {
        name: _without_calls(tree, bodies) if bodies else tree
        for name, tree in programs.items()
        if name not in ADF_NAMES
    }


def called_adfs(tree: Tree) -> set[str]:
    """Return the names of the ADFs that a tree calls directly."""
    return {str(node) for node in tree if node in ADF_NAMES}


def _without_calls(tree: Tree, bodies: Mapping[str, Tree]) -> Tree:
    node = tree[0]
    parts = [_without_calls(part, bodies) for part in arguments(tree)]
    if node not in ADF_NAMES:
        return joined(node, parts)
    body = bodies[str(node)]
    given = dict(zip(parameters(str(node)), parts, strict=True))
    return tuple(
        each
        for place, above in zip(body, loops_above(body), strict=True)
        for each in ((place,) if above else given.get(str(place), (place,)))
    )


def _added(uses: Uses, more: Uses, times: int, above: int) -> Uses:
    """Return `uses` with the uses of a part added that occurs `times` times, with `above` levels above it."""
    sums = dict(uses)
    for name, (count, depth) in more.items():
        before, deepest = sums.get(name, (0, 0))
        sums[name] = (before + times * count, max(deepest, above + depth))
    return sums


# -- Distance --------------------------------------------------------------------------------------


def distance(one: Tree, other: Tree) -> int:
    """Return the edit distance: the least number of nodes to delete, insert or rename.

    It is a metric, and at most the number of nodes of both trees together.
    """
    first, second = _Postfix.of(one), _Postfix.of(other)
    subtrees = [[0] * len(other) for _ in one]
    for root in first.keyroots:
        for below in second.keyroots:
            _fill(first, second, root, below, subtrees)
    return subtrees[-1][-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Postfix:
    """A tree with its nodes in postfix order."""

    nodes: list[Node]
    leaves: list[int]  # for each node: the first leaf below it, or the node if it is a leaf

    @classmethod
    def of(cls, tree: Tree) -> Self:
        """Convert a tree to postfix order.

        Nodes are read from the end, so the arguments of a function are complete before the function is reached.
        """
        complete: list[tuple[list[Node], list[int]]] = []  # a stack; leaves count from 0 in each
        for node in reversed(tree):
            nodes: list[Node] = []
            leaves: list[int] = []
            for _ in range(arity(node)):
                below, firsts = complete.pop()
                leaves += [first + len(nodes) for first in firsts]
                nodes += below
            leaves.append(leaves[0] if leaves else 0)
            complete.append(([*nodes, node], leaves))
        ((nodes, leaves),) = complete
        return cls(nodes=nodes, leaves=leaves)

    @property
    def keyroots(self) -> list[int]:
        """The last node of each first leaf: the root, and every node with a sibling before it."""
        return sorted({leaf: place for place, leaf in enumerate(self.leaves)}.values())


def _fill(first: _Postfix, second: _Postfix, root: int, below: int, subtrees: list[list[int]]) -> None:
    """Fill in the distances of all pairs of subtrees of two keyroots.

    `root` and `below` are the keyroots; a subtree of theirs is one that has the same first leaf.
    """
    start, begin = first.leaves[root], second.leaves[below]
    rows, columns = root - start + 2, below - begin + 2
    forests = [
        [row + column if not row or not column else 0 for column in range(columns)] for row in range(rows)
    ]
    for row in range(1, rows):
        one = start + row - 1
        for column in range(1, columns):
            other = begin + column - 1
            least = min(forests[row - 1][column], forests[row][column - 1]) + 1
            if first.leaves[one] == start and second.leaves[other] == begin:
                renamed = forests[row - 1][column - 1] + (first.nodes[one] != second.nodes[other])
                subtrees[one][other] = forests[row][column] = min(least, renamed)
            else:
                before = forests[first.leaves[one] - start][second.leaves[other] - begin]
                forests[row][column] = min(least, before + subtrees[one][other])
