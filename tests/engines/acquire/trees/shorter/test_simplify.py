"""Simplification: shorter, of the same value wherever the facts of a board hold, and the same in English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acquire.ranked_player import ENDS, FEATURES, LEADS, RANKS, SAFE, TILES, ranked
from engines.acquire.genome import printed
from engines.acquire.reading.drawing import drawn
from engines.acquire.reading.english import explained, unreachable
from engines.acquire.trees.compile import compiled
from engines.acquire.trees.shorter.simplify import simplified
from engines.acquire.trees.text import dumps, loads
from engines.acquire.trees.tree import Tree, levels
from tests.engines.acquire.trees.trees import TREES


@st.composite
def boards(draw: st.DrawFn) -> list[float]:
    """Features that a board could have: sizes in the order of ranks, on 108 squares, and what follows from them."""
    sizes = sorted(draw(st.lists(st.integers(0, 60), min_size=RANKS, max_size=RANKS)), reverse=True)
    if sum(sizes) > 108:
        sizes = [36, 36, 36]
    values = [float(draw(st.integers(0, 30))) for _ in range(FEATURES)]
    for rank, size in enumerate(sizes):
        values[ranked(TILES, rank)] = float(size)
        values[ranked(SAFE, rank)] = float(size >= 11)
        values[ranked(ENDS, rank)] = float(size >= 41)
        values[ranked(LEADS, rank)] = float(draw(st.booleans()))
    return values


def value(tree: Tree, features: list[float]) -> float:
    expression = compiled(tree)
    for slot, each in enumerate(features):
        expression.set(slot, each)
    return expression.value()


@given(TREES, st.lists(boards(), min_size=1, max_size=8))
def test_the_value_stays(tree: Tree, every: list[list[float]]) -> None:
    simple = simplified(tree)
    assert len(simple) <= len(tree)
    assert simplified(simple) == simple or len(simplified(simple)) < len(simple)
    for features in every:
        assert value(simple, features) == value(tree, features)


@given(TREES, boards())
def test_what_cannot_be_reached_may_be_anything(tree: Tree, features: list[float]) -> None:
    """Exchange a dead branch, found by its text, for a number: nothing changes."""
    for line in unreachable(tree):
        branch = loads(line.partition(", for there")[0])
        places = [at for at in range(len(tree)) if tree[at : at + len(branch)] == branch]
        if len(places) == 1:
            at = places[0]
            changed = (*tree[:at], 12345.0, *tree[at + len(branch) :])
            assert value(changed, features) == value(tree, features)


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("(+ 0 (size-of-chain-1))", "(size-of-chain-1)"),
        ("(- (size-of-chain-1) (* 0 (cash-held-by-player)))", "(size-of-chain-1)"),
        ("(- (size-of-chain-1) (size-of-chain-1))", "0"),
        ("(div (* 1 (size-of-chain-1)) (div 3 0))", "0"),
        ("(div (size-of-chain-1) (- 3 2))", "(size-of-chain-1)"),
        ("(if-chain-1-is-safe-from-merging (+ 1 2) 3)", "3"),
        ("(if-chain-2-is-of-maximum-size (if-chain-1-is-safe-from-merging 1 2) 3)",
         "(if-chain-2-is-of-maximum-size 1 3)"),
        ("(if-chain-1-is-safe-from-merging 1 (if-chain-3-is-safe-from-merging 2 3))",
         "(if-chain-1-is-safe-from-merging 1 3)"),
        ("(if-i-am-maj-stockholder-in-chain-1 (if-i-am-maj-stockholder-in-chain-1 1 2) 3)",
         "(if-i-am-maj-stockholder-in-chain-1 1 3)"),
    ],
)  # fmt: skip
def test_what_is_left_of(text: str, simple: str) -> None:
    assert dumps(simplified(loads(text))) == simple


def test_seventeen_levels_are_not_too_many() -> None:
    tree = loads("(+ (size-of-chain-1) " * 16 + "(size-of-chain-2)" + ")" * 16)
    assert levels(tree) == 17
    assert simplified(tree) == tree
    assert len(drawn(tree).splitlines()) == len(tree)
    assert "the size of the second chain" in explained("buy", tree)


def test_the_reading_of_the_text() -> None:
    assert explained("buy", printed()["best-of-run-buy"]) == (
        "Buy the shares after which this is largest:\n"
        "  if the second chain is safe from merging:\n"
        "    the sum of\n"
        "      7\n"
        "    and\n"
        "      if the third chain is safe from merging:\n"
        "        2\n"
        "      otherwise:\n"
        "        my shares of the largest chain\n"
        "  otherwise:\n"
        "    the distance from the third chain to the nearest other chain\n"
        "Never reached:\n"
        "  8, for there it is never so that the third chain has the maximum size\n"
        "  (perimeter-of-chain-2), for there it is never so that the third chain is safe from merging\n"
    )


def test_a_drawing_has_its_root_at_the_top() -> None:
    assert drawn(loads("(+ (- 1 2) (size-of-chain-1))")) == (
        "+\n├─ -\n│  ├─ 1\n│  └─ 2\n└─ size-of-chain-1\n"
    )
