"""Crossover and mutation: what they may give, where their points lie, and who takes a bad child's place."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.gp.operators import crossover, subtree_mutation
from engines.acquire.gp.sexpr import loads
from engines.acquire.gp.tree import Tree, levels
from tests.engines.acquire.trees.trees import GENERATOR, TREES


@given(TREES, TREES, st.integers(0, 2**32), st.booleans(), st.integers(3, 9))
def test_children_keep_nodes_and_limits(
    mother: Tree, father: Tree, seed: int, at_words: bool, most_levels: int
) -> None:
    first, second = crossover(mother, father, most_levels, at_words, Random(seed))
    for child, parent in ((first, mother), (second, father)):
        assert child == parent or 1 < levels(child) <= most_levels
    if first != mother and second != father:
        assert Counter(first + second) == Counter(mother + father)


@pytest.mark.parametrize(("at_words", "ways", "children"), [(True, 2 * 3, 5), (False, 3 * 3, 8)])
def test_points_lie_everywhere_or_at_words(at_words: bool, ways: int, children: int) -> None:
    """A word without arguments is a point, too. Two ways make the child a single node: it is its parent then."""
    mother, father = loads("(+ 1 (size-of-chain-1))"), loads("(* (price-of-chain-1) (price-of-chain-2))")
    rng = Random(7)
    drawn = Counter(crossover(mother, father, 5, at_words, rng)[0] for _ in range(900))
    assert len(drawn) == children
    for child, count in drawn.items():
        assert count == pytest.approx((2 if child == mother else 1) * 900 / ways, rel=0.35)
    if at_words:
        assert all(child[1] == 1.0 for child in drawn if child[0] == "+"), "the number stays"


def test_a_child_with_too_many_levels_is_its_parent() -> None:
    deep = loads("(+ (+ (+ 1 2) 3) 4)")
    rng = Random(1)
    for _ in range(300):
        for child in crossover(deep, deep, 4, False, rng):
            assert levels(child) <= 4


@given(TREES, st.integers(0, 2**32), st.integers(1, 5))
def test_a_mutant_has_a_new_subtree_of_any_depth_allowed(tree: Tree, seed: int, depth: int) -> None:
    mutant = subtree_mutation(tree, GENERATOR, depth, Random(seed))
    assert levels(mutant) <= levels(tree) + depth
    assert len(mutant) >= 3


def test_a_mutant_may_have_more_levels_than_any_limit() -> None:
    full = loads("(+ (+ 1 2) (+ 3 4))")
    assert max(levels(subtree_mutation(full, GENERATOR, 4, Random(seed))) for seed in range(200)) == 7
