"""Expressions, in pMARS's way and in C's."""

import ctypes
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.dialect import Evaluator
from core.corewar.expression import DivisionByZeroError, ExpressionError, Registers, evaluate

EVALUATORS: tuple[Evaluator, ...] = ("0.9.2", "0.9.4", "sane")


@pytest.mark.parametrize(
    ("text", "mars", "sane"),
    [
        ("2+3*4", 14, 14),
        ("8-2*3-1", 3, 1),  # what follows the product is taken into it
        ("100-2*3-1+4*5-6", 81, 107),
        ("-7/2", -3, -3),
        ("-7%2", -1, -1),
        ("3--2", 5, 5),
        ("-+-5", 5, 5),
        ("!0+!5", 1, 1),
        ("2>1", 1, 1),
        ("1+1==2", 1, 1),
        ("(1+2*3)==7", 1, 1),
        ("1&&0||1", 1, 1),
        (" 1 + 2 ", 3, 3),
        ("9223372036854775806", 2**63 - 2, 2**63 - 2),
        ("9999999999999999999", 2**63 - 1, 2**63 - 1),
        ("a=b=3", 3, 3),
        ("(Q=4)*q", 16, 16),
    ],
)
def test_expressions_match_pmars_and_the_sane_evaluator(text: str, mars: int, sane: int) -> None:
    assert evaluate(text, Registers()) == (mars, False)
    assert evaluate(text, Registers(), "sane") == (sane, False)


def test_an_equality_after_a_product_is_an_error_as_in_pmars() -> None:
    with pytest.raises(ExpressionError, match="Bad expression"):
        evaluate("1+2*3==7", Registers())
    assert evaluate("1+2*3==7", Registers(), "sane") == (1, False)
    assert evaluate("1+2*3<=7", Registers()) == (1, False)


@pytest.mark.parametrize(
    ("text", "value"),
    [("8-2*3-1", 1), ("100-2*3-1+4*5-6", 107), ("1+1==2", 1), ("1<2+3*4<5", 0), ("1+2*3!=7", 0), ("2!*2", 1)],
)
def test_expressions_match_pmars_094(text: str, value: int) -> None:
    assert evaluate(text, Registers(), "0.9.4") == (value, False)


@pytest.mark.parametrize("text", ["1+2*3==7", "1<2*3==1", "(1+2*3==7)"])
def test_an_equality_after_a_product_is_an_error_as_in_pmars_094(text: str) -> None:
    with pytest.raises(ExpressionError, match="Bad expression"):
        evaluate(text, Registers(), "0.9.4")


@pytest.mark.parametrize(
    ("text", "value"), [("8000=8000", 0), ("1=1+1", 1), ("2!*2", 1), ("(5)&77", 0), ("12|312", 1)]
)
def test_a_single_operator_sign_swallows_the_next_character(text: str, value: int) -> None:
    assert evaluate(text, Registers()) == (value, False)
    with pytest.raises(ExpressionError, match="Bad expression"):
        evaluate(text, Registers(), "sane")


@pytest.mark.parametrize(
    ("text", "column"),
    [("1+", 3), ("", 1), ("(1", 3), ("1)", 2), ("1 2", 4), ("1+*2", 3), ("1=2", 4), ("1&2", 4)],
)
def test_errors_have_a_column(text: str, column: int) -> None:
    for evaluator in EVALUATORS:
        with pytest.raises(ExpressionError) as caught:
            evaluate(text, Registers(), evaluator)
        assert caught.value.reason == "Bad expression"
        assert caught.value.column == column


@pytest.mark.parametrize("text", ["1/0", "1%0", "5/(a-a)", "0*(1/0)"])
def test_division_by_zero_raises_an_error(text: str) -> None:
    with pytest.raises(DivisionByZeroError):
        evaluate(text, Registers())
    with pytest.raises(ZeroDivisionError):
        evaluate(text, Registers(), "sane")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9223372036854775807+1", -(2**63)),
        ("-9223372036854775807-2", 2**63 - 1),
        ("9223372036854775807*2", -2),
    ],
)
def test_overflow_wraps_and_is_reported(text: str, value: int) -> None:
    assert evaluate(text, Registers()) == (value, True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0-(-9223372036854775807-1)", -(2**63)),
        ("-1*(-9223372036854775807-1)", -(2**63)),
        ("(-9223372036854775807-1)/-1", -(2**63)),  # stops pMARS
    ],
)
def test_overflow_that_pmars_misses_is_not_reported(text: str, value: int) -> None:
    assert evaluate(text, Registers()) == (value, False)


def test_registers_last_until_they_are_cleared() -> None:
    registers = Registers()
    assert evaluate("(z=6)+1", registers) == (7, False)
    assert evaluate("Z*7", registers) == (42, False)
    registers.clear()
    assert evaluate("z", registers) == (0, False)


@given(st.recursive(
    st.integers(0, 2**40).map(str),
    lambda part: st.one_of(
        st.tuples(part, st.sampled_from("+-*"), part).map(" ".join),
        part.map(lambda text: f"({text})"),
        part.map(lambda text: f"-{text}"),
    ),
    max_leaves=20,
))  # fmt: skip
def test_the_sane_evaluator_agrees_with_c_and_python(text: str) -> None:
    exact = eval(text)
    assert evaluate(text, Registers(), "sane")[0] == ctypes.c_int64(exact).value


@given(st.text(st.sampled_from("0123456789ab+-*/%()!=<>&|_ .,"), max_size=40))
def test_any_text_has_a_value_or_an_error(text: str) -> None:
    for evaluator in EVALUATORS:
        try:
            value, _ = evaluate(text, Registers(), evaluator)
        except ExpressionError as error:
            assert 1 <= error.column <= len(text) + 1
        else:
            assert -(2**63) <= value < 2**63


@pytest.mark.parametrize("evaluator", ["0.9.2", "sane"])
@pytest.mark.parametrize(
    "text",
    [
        "1" + "+1" * 100_000,
        "(" * 100_000,
        "-" * 100_000 + "1",
        "1/0+" * 50_000 + "1",
        "9" * 100_000,
        "a=" * 50_000,
        "1||2*3&&" * 20_000 + "1",
        "1 " * 50_000,
        "!" * 100_000,
    ],
    ids=lambda text: text[:9],
)
def test_long_expressions_are_evaluated_or_refused_quickly(text: str, evaluator: Evaluator) -> None:
    start = process_time()
    try:
        evaluate(text, Registers(), evaluator)
    except ExpressionError as error:
        assert len(str(error)) < 200
    assert process_time() - start < 1.0
