"""A tree as a drawing in text, the root at the top left."""

from collections.abc import Iterator

from engines.acquire.trees.text import number
from engines.acquire.trees.tree import Tree, arguments


def drawn(tree: Tree) -> str:
    """A node a line."""
    return "".join(f"{line}\n" for line in _lines(tree))


def _lines(tree: Tree) -> Iterator[str]:
    node, parts = tree[0], arguments(tree)
    yield number(node) if isinstance(node, float) else node
    for place, part in enumerate(parts):
        is_last = place == len(parts) - 1
        for count, line in enumerate(_lines(part)):
            if count == 0:
                yield ("└─ " if is_last else "├─ ") + line
            else:
                yield ("   " if is_last else "│  ") + line
