"""All programs of a player made shorter: each by itself, and those gone that no decision depends on."""

from collections.abc import Mapping

from engines.acquire.trees.shorter.facts import Facts
from engines.acquire.trees.shorter.sums import shortest
from engines.acquire.trees.tree import Tree
from engines.acquire.trees.words.functions import FUNCTIONS
from engines.acquire.trees.words.typed import MEMORY_NAMES


def shortened(programs: Mapping[str, Tree], facts: Facts) -> dict[str, Tree]:
    """By name: what decides the same wherever the facts hold."""
    short = {name: shortest(tree, facts) for name, tree in programs.items()}
    waiting = [name for name in short if name not in FUNCTIONS and name not in MEMORY_NAMES]
    wanted = set(waiting)
    while waiting:
        found = {name for name in _used(short[waiting.pop()]) & short.keys() if name not in wanted}
        wanted |= found
        waiting += found
    return {name: tree for name, tree in short.items() if name in wanted}


def _used(tree: Tree) -> set[str]:
    """The functions that it calls, and what fills the registers that it reads."""
    words = set(map(str, tree))
    return words & set(FUNCTIONS) | {filling for filling, memory in MEMORY_NAMES.items() if memory in words}
