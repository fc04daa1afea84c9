"""S-expressions: what is written reads back, and what is no program is refused at the right place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.acquire.gp.primitives import ADF_NAMES
from engines.acquire.gp.sexpr import TreeError, dumps, dumps_forms, loads, loads_forms
from engines.acquire.gp.tree import Tree, costs
from engines.acquire.registry import thesis_trees
from tests.engines.acquire.genomes import TREES, programs

PROGRAMS = st.builds(programs, st.integers(0, 2**32), st.just(6), st.just(2), st.integers(1, 3))


@given(TREES)
def test_a_tree_reads_back(tree: Tree) -> None:
    assert loads(dumps(tree)) == tree


@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9-]{0,10}", fullmatch=True), TREES, max_size=4))
def test_forms_read_back(forms: dict[str, Tree]) -> None:
    assert list(loads_forms(dumps_forms(forms)).items()) == list(forms.items())


@given(PROGRAMS)
def test_forms_with_adfs_read_back(trees: dict[str, Tree]) -> None:
    text = dumps_forms(trees)
    assert max(map(len, text.splitlines())) <= 100
    if all(cost.is_small for cost in costs(trees).values()):
        assert loads_forms(text, ("end",)) == trees
    else:
        with pytest.raises(TreeError, match="with all calls expanded"):
            loads_forms(text, ("end",))


@given(PROGRAMS, st.integers(0, 400), st.integers(1, 12))
def test_damaged_text_is_refused_or_reads_back(trees: dict[str, Tree], start: int, length: int) -> None:
    text = dumps_forms(trees)
    try:
        forms = loads_forms(text[:start] + text[start + length :], ("end",))
    except TreeError as error:
        assert str(error).startswith("line ")
    else:
        assert loads_forms(dumps_forms(forms), ("end",)) == forms


@given(st.text(alphabet="()+-*div; \n0129.ez", max_size=60))
def test_any_text_raises_nothing_but_tree_errors(text: str) -> None:
    for read in (loads, loads_forms):
        try:
            read(text)
        except TreeError as error:
            assert str(error).startswith("line ")


def test_comments_case_and_number_formats_are_free() -> None:
    text = "; a comment (\n  (IF-CHAIN-1-IS-SAFE-FROM-MERGING ;(\n 07.50 Size-Of-Chain-2)"
    assert loads(text) == ("if-chain-1-is-safe-from-merging", 7.5, "size-of-chain-2")
    assert loads("(- 1e2 -.5)") == ("-", 100.0, -0.5)
    assert max(map(len, dumps_forms(thesis_trees()).splitlines())) <= 100


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1, column 1: a tree is expected, not the end of the text"),
        (")", "line 1, column 1: a tree is expected, not '\\)'"),
        ("(+ 1\n  2", "line 2, column 4: '\\)' is expected, not the end"),
        ("(+ 1 2 3)", "line 1, column 8: \\+ takes 2 arguments; '\\)' is expected, not '3'"),
        ("(+ 1)", "line 1, column 5: \\+ takes 2 arguments, and '\\)' closes it after 1"),
        ("(size-of-chain-1 2)", "column 18: size-of-chain-1 takes no arguments"),
        ("(+ 1 (size-of-chane-1))", "column 7: unknown name 'size-of-chane-1'; did you mean size-of-chain-1"),
        ("(1 2)", "column 2: unknown name '1'"),
        ("(+ + 1)", "column 4: \\+ takes 2 arguments: write \\(\\+ \\.\\.\\.\\)"),
        ("1 2", "column 3: the tree has ended, and '2' follows"),
        ("1e999", "too large"),
        ("nan", "unknown name"),
        ("()", "unknown name '\\)'"),
        ("(+ " * 3000, "at most 64 levels"),
        (
            "\n " + "(sum " * 6 + "7" + ")" * 6,
            "line 2, column 2: a program evaluates at most 100,000 nodes, .*137,257",
        ),
        ("(size 3)", "line 1, column 7: a chain is expected, and 3 is a number"),
        ("(+ 1 (largest))", "a number is expected, and largest is a chain"),
        ("(if (cash) 1 2)", "a truth is expected, and cash is a number"),
        ("(held (it))", "it is allowed only inside a form that ranges over chains"),
        ("(+ (sum (held it)) (held it))", "column 26: it is allowed only inside"),
        ("(i-lead)", "a number is expected, and i-lead is a truth"),
    ],
)
def test_invalid_trees_are_refused(text: str, reason: str) -> None:
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
        (
            "(define rate-1 1)",
            "line 1, column 9: rate-1 is a function: write \\(define \\(rate-1 it\\) ...\\)",
        ),
        ("(define (rate-1 a) 1)", "column 17: 'it' is expected, not 'a'"),
        ("(define (mix-1 a b c) 1)", "column 20: '\\)' is expected, not 'c'"),
        ("(define (place it) 1)", "column 10: no function is called place; there are rate-1, test-1"),
        ("(define (rate-1 it) (rate-1 it))", "column 22: rate-1 may call only the functions before it"),
        ("(define (rate-1 it)\n (rate-2 it))", "line 2, column 3: rate-1 may call only the functions before"),
        ("(define place (rate-1 (largest)))", "column 16: rate-1 is not defined: \\(define \\(rate-1 it\\)"),
        ("(define (test-1 it) (held it))", "column 22: a truth is expected, and held is a number"),
        ("(define (rate-1 it) 1) (define place (rate-1 3))", "column 46: a chain is expected, and 3 is a number"),
        ("(define (mix-1 a b) (held it))", "column 27: it is allowed only inside"),
        (
            "(define (mix-1 a b) (sum a))",
            "column 26: a is allowed only inside a function of two numbers, and outside",
        ),
        ("(define place (+ a 1))", "column 18: a is allowed only inside"),
        (  # the work of an argument counts as often as it is used
            f"(define (mix-1 a b) {'(+ a ' * 30}a{')' * 30})\n(define place (mix-1 {'(sum ' * 4}(size it){')' * 4} 1))",
            "line 2, column 9: place, with all calls expanded: a program evaluates",
        ),
    ],
)  # fmt: skip
def test_invalid_forms_are_refused(text: str, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        loads_forms(text)


def test_exponential_expansion_is_refused_where_it_begins() -> None:
    """Each ADF calls the one before it four times: 4**8 nodes, never laid out."""
    lines = ["(define (rate-1 it) (+ (+ (size it) (held it)) (+ (left it) (price it))))"]
    previous = "rate-1"
    for name in ADF_NAMES[1:]:
        call = f"({previous} it)" if previous.startswith(("rate", "test")) else f"({previous} 1 2)"
        if previous.startswith("test"):
            call = f"(if {call} 1 2)"
        four = f"(+ (+ {call} {call}) (+ {call} {call}))"
        lines.append(
            f"(define ({name} a b) {four.replace(' it)', ' (largest))')})" if name.startswith("mix")
            else f"(define ({name} it) {four})" if name.startswith("rate")
            else f"(define ({name} it) (< {four} 1))"
        )  # fmt: skip
        previous = name
    with pytest.raises(TreeError, match=r"line 6, column 10: with all calls expanded, mix-2 has .* nodes"):
        loads_forms("\n".join(lines))
