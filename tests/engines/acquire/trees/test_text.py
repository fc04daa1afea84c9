"""S-expressions: what is written reads back, and what is no program is refused at the right place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.acquire.genome import printed
from engines.acquire.gp.sexpr import TreeError, dumps, dumps_forms, loads, loads_forms
from engines.acquire.gp.tree import Tree
from tests.engines.acquire.trees.trees import TREES


@given(TREES)
def test_a_tree_reads_back(tree: Tree) -> None:
    assert loads(dumps(tree)) == tree


@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9-]{0,10}", fullmatch=True), TREES, max_size=4))
def test_forms_read_back(forms: dict[str, Tree]) -> None:
    text = dumps_forms(forms)
    assert loads_forms(text) == forms
    assert list(loads_forms(text)) == list(forms)


def test_people_may_write_as_they_like() -> None:
    text = "; a comment (\n  (IF-CHAIN-1-IS-SAFE-FROM-MERGING ;(\n 07.50 Size-Of-Chain-2)"
    assert loads(text) == ("if-chain-1-is-safe-from-merging", 7.5, "size-of-chain-2")
    assert loads("(- 1e2 -.5)") == ("-", 100.0, -0.5)


def test_lines_are_not_too_long() -> None:
    text = dumps_forms(printed())
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1, column 1: a tree is expected, not the end of the text"),
        (")", "line 1, column 1: a tree is expected, not '\\)'"),
        ("(+ 1\n  2", "line 2, column 4: '\\)' is expected, not the end"),
        ("(+ 1 2 3)", "line 1, column 8: \\+ takes 2 arguments; '\\)' is expected, not '3'"),
        ("(+ 1)", "line 1, column 5: \\+ takes 2 arguments, and '\\)' closes it after 1"),
        ("(size-of-chain-1 2)", "column 18: size-of-chain-1 takes no arguments"),
        ("(+ 1 (size-of-chane-1))", "column 7: no word is 'size-of-chane-1'; size-of-chain-1\\?"),
        ("(1 2)", "column 2: no word is '1'"),
        ("(+ + 1)", "column 4: \\+ takes 2 arguments: write \\(\\+ \\.\\.\\.\\)"),
        ("1 2", "column 3: the tree has ended, and '2' follows"),
        ("1e999", "too large"),
        ("nan", "no word"),
        ("()", "no word is '\\)'"),
        ("(+ " * 3000, "at most 64 levels"),
        (
            "\n " + "(sum " * 6 + "7" + ")" * 6,
            "line 2, column 2: a program values at most 100,000 nodes, .*137,257",
        ),
    ],
)
def test_what_is_no_tree_is_refused(text: str, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        loads(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1", "column 1: '\\(' is expected, not '1'"),
        ("(define", "a name is expected, not the end"),
        ("(define 7 8)", "column 9: a name is expected"),
        ("(define a 1)\n(define a 2)", "line 2, column 9: a is defined already"),
        ("(define a 1 2)", "column 13: '\\)' is expected, not '2'"),
        ("(defun a 1)", "'define' is expected, not 'defun'"),
    ],
)
def test_what_is_no_form_is_refused(text: str, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        loads_forms(text)


@given(st.text(alphabet="()+-*div; \n0129.ez", max_size=60))
def test_nothing_else_is_raised(text: str) -> None:
    for read in (loads, loads_forms):
        try:
            read(text)
        except TreeError as error:
            assert str(error).startswith("line ")
