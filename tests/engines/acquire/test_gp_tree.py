"""Trees as slices of nodes; ADFs expanded at the cost that was computed; the edit distance is a metric."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.genome import result_of
from engines.acquire.gp.sexpr import dumps, loads, loads_forms
from engines.acquire.gp.tree import (
    Tree,
    arguments,
    called_adfs,
    compile_tree,
    costs,
    distance,
    end,
    expand,
    joined,
    levels,
    replaced,
    walk,
    work,
)
from tests.engines.acquire.genomes import TREES, grown, programs

PROGRAMS = st.builds(programs, st.integers(0, 2**32), st.just(6), st.just(2), st.integers(1, 3))
MIDDLE = st.builds(grown, st.integers(0, 2**32), st.integers(1, 4))
SMALL = st.builds(grown, st.integers(0, 2**32), st.integers(1, 3))


def naive_levels(tree: Tree) -> int:
    return 1 + max((naive_levels(part) for part in arguments(tree)), default=0)


@given(TREES, st.data())
def test_a_tree_is_its_root_and_its_parts(tree: Tree, data: st.DataObject) -> None:
    assert joined(tree[0], arguments(tree)) == tree and end(tree, 0) == len(tree)
    assert levels(tree) == naive_levels(tree)
    assert [node for _, node in walk(tree)] == list(tree)
    start = data.draw(st.integers(0, len(tree) - 1))
    old, new = tree[start : end(tree, start)], grown(data.draw(st.integers(0, 1000)))
    changed = replaced(tree, start, new)
    assert end(changed, 0) == len(changed) == len(tree) - len(old) + len(new)
    assert replaced(changed, start, old) == tree


# -- ADFs ------------------------------------------------------------------------------------------


@given(PROGRAMS)
def test_the_cost_is_that_of_the_expanded_program(trees: dict[str, Tree]) -> None:
    known = costs(trees)
    if not all(cost.is_small for cost in known.values()):
        return
    for name, tree in expand(trees).items():
        assert not called_adfs(tree)
        assert loads(dumps(tree), result_of(name)) == tree
        assert (known[name].nodes, known[name].work, known[name].levels) == (
            len(tree),
            work(tree),
            levels(tree),
        )


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("(define (rate-1 it) (held it)) (define place (rate-1 (largest)))", "(held (largest))"),
        # What is inside the function ranges over chains itself: it has its own `it`, the caller's is put outside.
        (
            "(define (rate-1 it) (+ (held it) (sum (size it)))) (define place (max-over (rate-1 it)))",
            "(max-over (+ (held (it)) (sum (size (it)))))",
        ),
        (
            "(define (mix-1 a b) (- b (* a a))) (define place (mix-1 (cash) (mix-1 1 2)))",
            "(- (- 2 (* 1 1)) (* (cash) (cash)))",
        ),
        (
            "(define place (if (test-1 (smallest)) 1 2)) (define (test-1 it) (< (rate-1 it) 3))"
            " (define (rate-1 it) (price it))",
            "(if (< (price (smallest)) 3) 1 2)",
        ),
        (
            "(define (rate-1 it) (+ (held it) (sum (size it)))) (define place (rate-1 (largest)))",
            "(+ (held (largest)) (sum (size (it))))",
        ),
        ("(define (mix-1 a b) a) (define place (mix-1 1 (cash)))", "1"),
    ],
)
def test_calls_expand_to_known_programs(text: str, whole: str) -> None:
    assert dumps(expand(loads_forms(text))["place"]) == whole


def test_compiling_an_unexpanded_call_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a constant or a feature"):
        compile_tree(("rate-1", "largest"))


# -- Distance --------------------------------------------------------------------------------------


@given(SMALL, SMALL, SMALL)
def test_tree_distance_is_a_metric_and_minimal(one: Tree, other: Tree, third: Tree) -> None:
    apart = distance(one, other)
    assert apart == forest_distance((one,), (other,)) == distance(other, one)
    assert (apart == 0) is (one == other)
    assert apart <= distance(one, third) + distance(third, other)


@cache
def forest_distance(some: tuple[Tree, ...], others: tuple[Tree, ...]) -> int:
    """By the definition: the last root of either side is taken out, or one becomes the other."""
    if not some or not others:
        return sum(map(len, some + others))
    (*rest, last), (*left, final) = some, others
    below, beneath = arguments(last), arguments(final)
    return min(
        forest_distance((*rest, *below), others) + 1,
        forest_distance(some, (*left, *beneath)) + 1,
        forest_distance(tuple(rest), tuple(left)) + forest_distance(below, beneath) + (last[0] != final[0]),
    )


@given(MIDDLE, SMALL, st.integers(0, 2**32))
def test_replacing_a_subtree_costs_at_most_the_sizes_of_both(tree: Tree, new: Tree, seed: int) -> None:
    at = int(Random(seed).below(len(tree)))
    old = end(tree, at) - at
    assert abs(old - len(new)) <= distance(tree, replaced(tree, at, new)) <= old + len(new)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("(+ 1 2)", "(- 1 2)", 1),
        ("(+ 1 2)", "(+ 2 1)", 2),
        ("(+ 1 (- 2 3))", "(- 2 3)", 2),
        ("(+ (- 1 2) (* 3 4))", "(+ (- 1 (* 3 4)) 2)", 4),
        ("(+ 1 (size-of-chain-1))", "(+ (size-of-chain-2) 1)", 2),
    ],
)
def test_simple_pairs_of_trees_have_known_distances(one: str, other: str, apart: int) -> None:
    assert distance(loads(one), loads(other)) == apart
