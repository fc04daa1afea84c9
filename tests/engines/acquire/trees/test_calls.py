"""Calls are what they stand for: expanded programs have no calls, the costs that were told, and nothing mixed up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.genome import DECISIONS, result_of
from engines.acquire.gp.operators import Generator
from engines.acquire.gp.primitives import ADF_NAMES, scope_of, typed_primitives
from engines.acquire.gp.sexpr import TreeError, dumps, dumps_forms, loads, loads_forms
from engines.acquire.gp.tree import Tree, called_adfs, compile_tree, costs, expand, levels, work

NAMES = (*ADF_NAMES[:6], "place", "end")
GENERATORS = {name: Generator.of(typed_primitives(name, ADF_NAMES[:6])) for name in NAMES}


def grown(seed: int, depth: int) -> dict[str, Tree]:
    """Six functions and two decisions."""
    rng = Random(seed)
    return {
        name: generator.tree(1 + int(rng.below(depth)), False, rng, result_of(name), scope_of(name))
        for name, generator in GENERATORS.items()
    }


PROGRAMS = st.builds(grown, st.integers(0, 2**32), st.integers(1, 3))


@given(PROGRAMS)
def test_the_cost_is_that_of_the_expanded_program(programs: dict[str, Tree]) -> None:
    told = costs(programs)
    if not all(cost.is_small for cost in told.values()):
        return
    whole = expand(programs)
    assert whole.keys() == {"place", "end"}
    for name, tree in whole.items():
        assert not called_adfs(tree)
        assert loads(dumps(tree), result_of(name)) == tree
        cost = told[name]
        assert (cost.nodes, cost.work, cost.levels) == (len(tree), work(tree), levels(tree))


@given(PROGRAMS)
def test_forms_with_functions_read_back(programs: dict[str, Tree]) -> None:
    text = dumps_forms(programs)
    if all(cost.is_small for cost in costs(programs).values()):
        assert loads_forms(text, ("end",)) == programs
    else:
        with pytest.raises(TreeError, match="with all calls expanded"):
            loads_forms(text, ("end",))


@given(PROGRAMS, st.integers(0, 400), st.integers(1, 12))
def test_what_is_torn_is_refused_or_read(programs: dict[str, Tree], start: int, length: int) -> None:
    text = dumps_forms(programs)
    try:
        forms = loads_forms(text[:start] + text[start + length :], ("end",))
    except TreeError as error:
        assert str(error).startswith("line ")
    else:
        assert loads_forms(dumps_forms(forms), ("end",)) == forms


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
        ("(define (mix-1 a b) a) (define place (mix-1 1 (cash)))", "1"),
    ],
)
def test_expanded(text: str, whole: str) -> None:
    assert dumps(expand(loads_forms(text))["place"]) == whole


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "(define rate-1 1)",
            "line 1, column 9: rate-1 is a function: write \\(define \\(rate-1 it\\) ...\\)",
        ),
        ("(define (rate-1 a) 1)", "column 17: 'it' is expected, not 'a'"),
        ("(define (mix-1 a b c) 1)", "column 20: '\\)' is expected, not 'c'"),
        ("(define (place it) 1)", "column 10: no function is called place; there are rate-1, test-1"),
        ("(define (rate-1 it) (rate-1 it))", "column 22: rate-1 may call no function but those before it"),
        (
            "(define (rate-1 it)\n (rate-2 it))",
            "line 2, column 3: rate-1 may call no function but those before",
        ),
        ("(define place (rate-1 (largest)))", "column 16: rate-1 is not defined: \\(define \\(rate-1 it\\)"),
        ("(define (test-1 it) (held it))", "column 22: a truth is expected, and held is a number"),
        (
            "(define (rate-1 it) 1) (define place (rate-1 3))",
            "column 46: a chain is expected, and 3 is a number",
        ),
        ("(define (mix-1 a b) (held it))", "column 27: it stands only inside"),
        (
            "(define (mix-1 a b) (sum a))",
            "column 26: a stands only inside a function of two numbers, and outside",
        ),
        ("(define place (+ a 1))", "column 18: a stands only inside"),
    ],
)
def test_what_is_no_function_is_refused(text: str, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        loads_forms(text)


def test_exponential_expansion_is_refused_where_it_begins() -> None:
    """Each function calls the one before it four times: 4**8 nodes, never laid out."""
    lines = ["(define (rate-1 it) (+ (+ (size it) (held it)) (+ (left it) (price it))))"]
    previous = "rate-1"
    for name in ADF_NAMES[1:]:
        call = f"({previous} it)" if previous.startswith(("rate", "test")) else f"({previous} 1 2)"
        if previous.startswith("test"):
            call = f"(if {call} 1 2)"
        four = f"(+ (+ {call} {call}) (+ {call} {call}))"
        if name.startswith("mix"):
            four = four.replace(" it)", " (largest))")
        lines.append(
            f"(define ({name} a b) {four})" if name.startswith("mix")
            else f"(define ({name} it) {four})" if name.startswith("rate")
            else f"(define ({name} it) (< {four} 1))"
        )  # fmt: skip
        previous = name
    with pytest.raises(TreeError, match=r"line 6, column 10: with all calls expanded, mix-2 has .* nodes"):
        loads_forms("\n".join(lines))


def test_work_of_arguments_counts_as_often_as_they_are_used() -> None:
    inner = "(sum " * 4 + "(size it)" + ")" * 4
    text = f"(define (mix-1 a b) {'(+ a ' * 30}a{')' * 30})\n(define place (mix-1 {inner} 1))"
    with pytest.raises(TreeError, match="line 2, column 9: place, with all calls expanded: a program values"):
        loads_forms(text)


def test_the_machine_has_no_calls() -> None:
    with pytest.raises(ValueError, match="no leaf"):
        compile_tree(("rate-1", "largest"))


def test_every_decision_may_call_every_function() -> None:
    for name in DECISIONS:
        words = {each.name for each in typed_primitives(name, ADF_NAMES).primitives}
        assert words >= set(ADF_NAMES)
    assert not {each.name for each in typed_primitives("place").primitives} & set(ADF_NAMES)
