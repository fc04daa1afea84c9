"""Drawings are well-formed and show every node; programs agree with themselves simplified, and not with others."""

from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given

from core.random import Random
from engines.acquire.genome import printed
from engines.acquire.gp.render import agreement, features, svg
from engines.acquire.gp.sexpr import loads
from engines.acquire.gp.simplify import simplified
from engines.acquire.gp.tree import Tree
from tests.engines.acquire.trees.trees import TREES

SVG = "{http://www.w3.org/2000/svg}"


@given(TREES)
def test_every_node_has_its_place(tree: Tree) -> None:
    root = ElementTree.fromstring(svg(tree, "a <tree> & more"))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    boxes = [
        (float(box.attrib["x"]), float(box.attrib["y"]), float(box.attrib["width"]))
        for box in root.iter(f"{SVG}rect")
        if "x" in box.attrib
    ]
    assert len(boxes) == len(tree) == len(list(root.iter(f"{SVG}text")))
    assert len(list(root.iter(f"{SVG}line"))) == len(tree) - 1
    assert all(x >= 0 and x + own <= width + 1 and y < height for x, y, own in boxes)
    for y in {y for _, y, _ in boxes}:
        level = sorted((x, own) for x, at, own in boxes if at == y)
        assert all(x + own <= other for (x, own), (other, _) in pairwise(level))


def test_the_printed_trees_agree_with_what_is_left_of_them() -> None:
    for tree in printed().values():
        assert agreement(tree, simplified(tree), 1000, Random(1)) == 1.0
    other = loads("(size-of-chain-1)")
    assert agreement(printed()["pair-2-buy"], other, 1000, Random(1)) < 0.2


def test_boards_keep_to_the_facts() -> None:
    rng = Random(2)
    lefts = agreement(
        loads("(if-chain-3-is-safe-from-merging (if-chain-1-is-safe-from-merging 0 1) 0)"),
        loads("0"), 1000, rng,
    )  # fmt: skip
    assert lefts == 1.0
    assert len({tuple(features(rng)) for _ in range(100)}) == 100
