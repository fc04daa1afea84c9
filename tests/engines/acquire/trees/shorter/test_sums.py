"""What cancels out is gone and nothing else: the value stays to the last bit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.genome import printed
from engines.acquire.gp.render import agreement
from engines.acquire.gp.sexpr import dumps, loads
from engines.acquire.gp.simplify import cancelled, shortest
from engines.acquire.gp.tree import Tree
from tests.engines.acquire.trees.trees import TREES, grown


@given(TREES, st.integers(0, 2**32))
def test_the_value_stays(tree: Tree, seed: int) -> None:
    short = shortest(tree)
    assert len(short) <= len(tree)
    assert shortest(short) == short
    assert agreement(tree, short, 5, Random(seed)) == 1.0


@given(st.builds(grown, st.integers(0, 2**32), st.integers(1, 2)), st.integers(0, 2**32))
def test_a_tree_less_itself(tree: Tree, seed: int) -> None:
    """Whether or not it is exact, there and back again is the same."""
    there = ("-", "+", "size-of-chain-1", *tree, *tree)
    assert agreement(there, shortest(there), 5, Random(seed)) == 1.0


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("(+ (- (size-of-chain-1) (price-of-chain-2)) (price-of-chain-2))", "(size-of-chain-1)"),
        ("(- (size-of-chain-1) (- (size-of-chain-1) (price-of-chain-2)))", "(price-of-chain-2)"),
        ("(- (- 1 (size-of-chain-1)) 1)", "(- 0 (size-of-chain-1))"),
        ("(+ 3 (+ (size-of-chain-1) 4))", "(+ (size-of-chain-1) 7)"),
        ("(+ (- (size-of-chain-1) (* (price-of-chain-2) 2)) (* (price-of-chain-2) 2))", "(size-of-chain-1)"),
        # A quotient and a fraction are not exact, a product of three sums of money is too large.
        ("(+ (- 1 (div (size-of-chain-1) 3)) (div (size-of-chain-1) 3))", ""),
        ("(+ (- (size-of-chain-1) 0.1) 0.1)", ""),
        ("(+ (- 1 (* (cash-held-by-player) (* (cash-held-by-player) (cash-held-by-player))))"
         " (* (cash-held-by-player) (* (cash-held-by-player) (cash-held-by-player))))", ""),
    ],
)  # fmt: skip
def test_what_is_left_of(text: str, short: str) -> None:
    assert dumps(cancelled(loads(text))) == (short or text)


def test_the_printed_tree_that_adds_and_subtracts_the_bank() -> None:
    trees = printed()
    assert len(shortest(trees["best-of-run-place"])) == 7
    assert sum(len(shortest(tree)) for tree in trees.values()) <= 94
