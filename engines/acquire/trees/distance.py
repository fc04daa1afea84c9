"""How far two trees are apart: the fewest nodes to be taken out, put in, or given another word.

Reference: K. Zhang, D. Shasha, "Simple Fast Algorithms for the Editing Distance between Trees and Related
Problems" (1989).
"""

from dataclasses import dataclass
from typing import Self

from engines.acquire.trees.tree import Node, Tree, arity


def distance(one: Tree, other: Tree) -> int:
    """A metric: 0 for the same tree, at most as many as both have nodes."""
    first, second = _Ordered.of(one), _Ordered.of(other)
    subtrees = [[0] * len(other) for _ in one]
    for root in first.keyroots:
        for below in second.keyroots:
            _fill(first, second, root, below, subtrees)
    return subtrees[-1][-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ordered:
    """A tree with its nodes in postfix order."""

    nodes: list[Node]
    leaves: list[int]  # of each node: the first leaf below it, or itself

    @classmethod
    def of(cls, tree: Tree) -> Self:
        """Read from the back, an argument is complete before the word that takes it."""
        complete: list[tuple[list[Node], list[int]]] = []  # subtrees, the first on top; leaves from 0 in each
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
        """The last node of each first leaf: the root, and whoever has a brother before it."""
        return sorted({leaf: place for place, leaf in enumerate(self.leaves)}.values())


def _fill(first: _Ordered, second: _Ordered, root: int, below: int, subtrees: list[list[int]]) -> None:
    """The distances of all subtrees of two, whose first leaf is also that of the whole, into the table."""
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
