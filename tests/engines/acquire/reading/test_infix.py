"""Formulas: they read back, have no parentheses too many, and say where they are wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.acquire.gp.infix import formula, from_formula
from engines.acquire.gp.primitives import Type
from engines.acquire.gp.sexpr import TreeError, loads
from engines.acquire.gp.tree import Tree
from tests.engines.acquire.trees.trees import TREES


@given(TREES)
def test_a_formula_reads_back(tree: Tree) -> None:
    assert from_formula(formula(tree)) == tree


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(+ (+ 1 2) 3)", "1 + 2 + 3"),
        ("(+ 1 (+ 2 3))", "1 + (2 + 3)"),
        ("(- 1 (- 2 3))", "1 - (2 - 3)"),
        ("(* (+ 1 2) 3)", "(1 + 2) * 3"),
        ("(+ 1 (* 2 3))", "1 + 2 * 3"),
        ("(div 1 (* 2 -3.5))", "1 div (2 * -3.5)"),
        ("(- 1 -2)", "1 - -2"),
        ("(if-chain-1-is-safe-from-merging (- 0 (size-of-chain-1)) 8)",
         "if-chain-1-is-safe-from-merging(0 - size-of-chain-1, 8)"),
    ],
)  # fmt: skip
def test_how_it_looks(text: str, written: str) -> None:
    assert formula(loads(text)) == written


def test_typed_words() -> None:
    text = "if(not(safe(largest)) and cash < 3 or i-lead, sum(held(it) * price(it)), size(kth(2)) - 1)"
    tree = from_formula(text)
    assert formula(tree) == text
    assert tree[:4] == ("if", "or", "and", "not")
    assert from_formula("can-end", Type.TRUTH) == ("can-end",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "column 1: a number, a word or a parenthesis is expected, not 'the end'"),
        ("1 +", "column 4: a number"),
        ("(1 + 2", "column 7: '\\)' is expected"),
        ("1 2", "column 3: the formula has ended, not '2'"),
        ("size-of-chain-9", "column 1: .* not 'size-of-chain-9'"),
        ("if-chain-1-is-safe-from-merging(1)", "column 34: ',' is expected"),
        ("1 - - x", "column 7: a number is expected"),
        ("1e999", "column 1: the number is too large"),
        ("div(1, 2)", "column 1"),
        ("(" * 5000, "may be open"),
        ("1 + " * 5000 + "1", "levels"),
        ("largest + 1", "is no program: .* a number is expected, and largest is a chain"),
        ("max-over(size(it)) + held(it)", "it stands only inside a form"),
    ],
)
def test_what_is_wrong_is_told(text: str, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        from_formula(text)


@given(st.text(alphabet="1.5e-+*/(),div ifsize-of-chain-1<=x\n", max_size=60))
def test_any_text_is_a_tree_or_an_error(text: str) -> None:
    try:
        tree = from_formula(text)
    except TreeError:
        return
    assert from_formula(formula(tree)) == tree
