"""Trees as stretches of nodes: their parts, ends and levels agree."""

from hypothesis import given
from hypothesis import strategies as st

from engines.acquire.gp.tree import Tree, arguments, end, levels, replaced, walk
from tests.engines.acquire.trees.trees import TREES, grown


def naive_levels(tree: Tree) -> int:
    return 1 + max((naive_levels(part) for part in arguments(tree)), default=0)


@given(TREES)
def test_levels(tree: Tree) -> None:
    assert levels(tree) == naive_levels(tree)
    assert [node for _, node in walk(tree)] == list(tree)


@given(TREES)
def test_a_tree_is_its_root_and_its_parts(tree: Tree) -> None:
    assert end(tree, 0) == len(tree)
    assert (tree[0], *(node for part in arguments(tree) for node in part)) == tree


@given(TREES, st.data())
def test_a_subtree_can_be_exchanged_and_put_back(tree: Tree, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(tree) - 1))
    old, new = tree[start : end(tree, start)], grown(data.draw(st.integers(0, 1000)))
    changed = replaced(tree, start, new)
    assert end(changed, 0) == len(changed) == len(tree) - len(old) + len(new)
    assert replaced(changed, start, old) == tree
