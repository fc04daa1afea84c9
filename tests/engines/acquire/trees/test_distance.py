"""The distance of trees: a metric, of which some values are plain to see."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.gp.sexpr import loads
from engines.acquire.gp.tree import Tree, arguments, distance, end, replaced
from tests.engines.acquire.trees.trees import grown

MIDDLE = st.builds(grown, st.integers(0, 2**32), st.integers(1, 4))
SMALL = st.builds(grown, st.integers(0, 2**32), st.integers(1, 3))


@given(SMALL, SMALL, SMALL)
def test_it_is_a_metric(one: Tree, other: Tree, third: Tree) -> None:
    apart = distance(one, other)
    assert (apart == 0) is (one == other)
    assert apart == distance(other, one)
    assert abs(len(one) - len(other)) <= apart <= len(one) + len(other)
    assert apart <= distance(one, third) + distance(third, other)


@given(SMALL, SMALL)
def test_it_is_the_least_of_all_ways(one: Tree, other: Tree) -> None:
    assert distance(one, other) == forests_apart((one,), (other,))


@cache
def forests_apart(some: tuple[Tree, ...], others: tuple[Tree, ...]) -> int:
    """By the definition: the last root of either side is taken out, or one becomes the other."""
    if not some or not others:
        return sum(map(len, some + others))
    (*rest, last), (*left, final) = some, others
    below, beneath = arguments(last), arguments(final)
    return min(
        forests_apart((*rest, *below), others) + 1,
        forests_apart(some, (*left, *beneath)) + 1,
        forests_apart(tuple(rest), tuple(left)) + forests_apart(below, beneath) + (last[0] != final[0]),
    )


@given(MIDDLE, SMALL, st.integers(0, 2**32))
def test_an_exchange_of_subtrees_is_at_most_both(tree: Tree, new: Tree, seed: int) -> None:
    at = int(Random(seed).below(len(tree)))
    old = end(tree, at) - at
    assert abs(old - len(new)) <= distance(tree, replaced(tree, at, new)) <= old + len(new)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("1", "1", 0),
        ("1", "2", 1),
        ("(+ 1 2)", "(- 1 2)", 1),
        ("(+ 1 2)", "(+ 2 1)", 2),
        ("(+ 1 2)", "1", 2),
        ("(+ 1 (- 2 3))", "(- 2 3)", 2),
        ("(+ (- 1 2) (* 3 4))", "(+ (- 1 (* 3 4)) 2)", 4),
        ("(+ 1 (size-of-chain-1))", "(+ (size-of-chain-2) 1)", 2),
    ],
)
def test_what_is_plain(one: str, other: str, apart: int) -> None:
    assert distance(loads(one), loads(other)) == apart
