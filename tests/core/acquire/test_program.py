"""Programs: prefix code, the compiler and the machine, against Python's own arithmetic."""

import math
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acquire.program import (
    ADD,
    AND,
    BEST,
    CONSTANT,
    DIVIDE,
    EQUAL,
    GREATER,
    IF,
    IT,
    LEAF,
    LESS,
    LESSER,
    MOST,
    MULTIPLY,
    NOT,
    OR,
    READ,
    SUBTRACT,
    SUM,
    Program,
)

FEATURES = 5
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False, width=32)

COMPARING: dict[int, Callable[[float, float], float]] = {
    LESSER: lambda a, b: a if a < b else b,
    GREATER: lambda a, b: a if a > b else b,
    AND: lambda a, b: bool(a) and bool(b),
    OR: lambda a, b: bool(a) or bool(b),
    LESS: lambda a, b: a < b,
    EQUAL: lambda a, b: a == b,
}


def read(prefix: tuple[int, ...], values: list[float], constants: list[float]) -> float:
    """What the prefix code says, read from the left by recursion."""
    rest = iter(prefix)

    def value() -> float:
        node = next(rest)
        if node >= CONSTANT:
            return constants[node - CONSTANT]
        if node >= LEAF:
            return values[node - LEAF]
        if node == IF:
            truth, then, otherwise = value(), value(), value()
            return then if truth else otherwise
        first = value()
        if node == NOT:
            return float(not first)
        second = value()
        if node in COMPARING:
            return float(COMPARING[node](first, second))
        if node == DIVIDE:
            return first / second if second else 0.0
        return {ADD: first + second, SUBTRACT: first - second, MULTIPLY: first * second}[node]

    return value()


LEAVES = st.one_of(
    st.integers(0, FEATURES - 1).map(lambda slot: (LEAF + slot,)),
    st.integers(0, 2).map(lambda place: (CONSTANT + place,)),
)


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def inner(children: st.SearchStrategy[tuple[int, ...]]) -> st.SearchStrategy[tuple[int, ...]]:
    binary = st.tuples(st.sampled_from([ADD, SUBTRACT, MULTIPLY, DIVIDE, *COMPARING]), children, children)
    choice = st.tuples(st.just(IF), children, children, children)
    negation = st.tuples(st.just(NOT), children)
    return st.one_of(binary, choice, negation).map(
        lambda parts: (parts[0], *(node for part in parts[1:] for node in part))
    )


PREFIXES = st.recursive(LEAVES, inner, max_leaves=40)


@given(
    PREFIXES,
    st.lists(NUMBERS, min_size=FEATURES, max_size=FEATURES),
    st.lists(NUMBERS, min_size=3, max_size=3),
)
def test_its_value_is_what_the_prefix_code_says(
    prefix: tuple[int, ...], values: list[float], constants: list[float]
) -> None:
    expression = Program(prefix, tuple(constants), FEATURES)
    for slot, value in enumerate(values):
        expression.set(slot, value)
    expected = read(prefix, values, constants)
    for each in (expression, expression):  # the first value leaves nothing behind
        value = each.value()
        assert value == expected or (math.isnan(value) and math.isnan(expected))


@given(PREFIXES, st.lists(NUMBERS, min_size=FEATURES, max_size=FEATURES), st.integers(0, 2**FEATURES - 1))
def test_it_asks_for_what_costs_much_and_only_on_the_way(
    prefix: tuple[int, ...], values: list[float], dear: int
) -> None:
    """Whatever is not asked for may be anything."""
    constants = (1.0, 2.0, 3.0)
    expression = Program(prefix, constants, FEATURES, dear)
    assert expression.always & ~dear == 0
    expression.known = 0
    for slot, value in enumerate(values):
        is_there = 1 << slot & (expression.always | ~dear)
        expression.set(slot, value if is_there else math.nan)
    expression.known = expression.always
    expression.begin()
    while (feature := expression.run()) >= 0:
        assert 1 << feature & dear & ~expression.known
        expression.set(feature, values[feature])
        expression.known |= 1 << feature
    assert same(expression.result(), read(prefix, values, [*constants]))


@given(PREFIXES)
def test_it_knows_what_it_uses(prefix: tuple[int, ...]) -> None:
    uses = Program(prefix, (1.0, 2.0, 3.0), FEATURES).uses
    assert uses == sum({1 << (node - LEAF) for node in prefix if LEAF <= node < CONSTANT})


@given(PREFIXES)
def test_it_travels(prefix: tuple[int, ...]) -> None:
    sent = Program(prefix, (1.0, 2.0, 3.0), FEATURES)
    got = pickle.loads(pickle.dumps(sent))
    assert (got.prefix, got.constants, got.uses, got.value()) == (
        sent.prefix, sent.constants, sent.uses, sent.value(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("prefix", "reason"),
    [
        ((), "missing"),
        ((ADD, LEAF), "missing"),
        ((LEAF, LEAF), "left over"),
        ((LEAF + FEATURES,), "no leaf"),
        ((CONSTANT + 1,), "no leaf"),
        ((-1,), "no leaf"),
        ((99, LEAF, LEAF), "no operation"),
        ((ADD,) * 5000 + (LEAF,) * 5001, "too many"),
        ((ADD,) * 200 + (LEAF,) * 201, "levels"),
    ],
)
def test_what_is_no_expression_is_refused(prefix: tuple[int, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Program(prefix, (1.0,), FEATURES)


# Slots: 0 to 7 what the chains have, 8 to 15 ranks, as core.acquire.typed_features has them.
HAS = [3.0, 0.0, 8.0, 0.0, 0.0, 5.0, 0.0, 0.0]
RANKS = [7.0, 2.0, 5.0, 0.0, 7.0, 7.0, 7.0, 7.0]
ALL = 0b100101
OF = READ
KTH = READ + 8


def value(*prefix: int, constants: tuple[float, ...] = (), chains: int = ALL) -> float:
    expression = Program(prefix, constants, 16)
    for slot, each in enumerate([*HAS, *RANKS]):
        expression.set(slot, each)
    expression.chains = chains
    return expression.value()


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ((SUM, OF, IT), 16.0),
        ((MOST, OF, IT), 8.0),
        ((BEST, OF, IT), 2.0),
        ((OF, BEST, OF, IT), 8.0),
        ((SUM, MULTIPLY, OF, IT, OF, IT), 98.0),
        ((SUM, SUM, OF, IT), 48.0),  # the inner form's chain, three times
        ((SUM, ADD, OF, IT, SUM, OF, IT), 16.0 + 48.0),  # the outer one's is still there
        ((SUM, ADD, SUM, OF, IT, OF, IT), 48.0 + 16.0),
        ((MOST, IF, LESS, OF, IT, LEAF + 5, OF, IT, LEAF + 1), 3.0),
    ],
)
def test_forms_over_all_chains(prefix: tuple[int, ...], expected: float) -> None:
    assert value(*prefix) == expected


@pytest.mark.parametrize("chains", [0, ALL])
def test_a_feature_needed_in_a_loop_that_may_be_empty_is_asked_for_after_the_loop(chains: int) -> None:
    costly = LEAF + 8
    program = Program((IF, LEAF + 9, ADD, SUM, costly, costly, CONSTANT), (0.0,), 10, 1 << 8)
    program.chains = chains
    program.set(9, 1.0)
    program.begin()
    while (feature := program.run()) >= 0:
        program.set(feature, 5.0)
        program.known |= 1 << feature
    assert program.known == 1 << 8
    assert program.result() == 5.0 * (chains.bit_count() + 1)


def test_without_chains() -> None:
    assert value(SUM, OF, IT, chains=0) == 0.0
    assert value(MOST, OF, IT, chains=0) == 0.0
    assert value(BEST, OF, IT, chains=0) == 7.0


def test_the_first_of_equal_chains_and_negative_values() -> None:
    assert value(BEST, CONSTANT, constants=(-4.0,)) == 0.0
    assert value(MOST, CONSTANT, constants=(-4.0,)) == -4.0


@pytest.mark.parametrize(
    ("number", "chain"),
    [(1.0, 2.0), (2.9, 5.0), (3.0, 0.0), (4.0, 7.0), (0.0, 7.0), (-1.0, 7.0), (8.0, 7.0), (1e300, 7.0)],
)
def test_chains_by_rank(number: float, chain: float) -> None:
    assert value(KTH, CONSTANT, constants=(number,)) == chain


@pytest.mark.parametrize("first", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("second", [0.0, 1.0, -3.0])
def test_truths_and_limits(first: float, second: float) -> None:
    def of(word: int) -> float:
        return value(word, CONSTANT, CONSTANT + 1, constants=(first, second))

    assert of(AND) == float(bool(first) and bool(second))
    assert of(OR) == float(bool(first) or bool(second))
    assert of(LESS) == float(first < second)
    assert of(EQUAL) == float(first == second)
    assert (of(LESSER), of(GREATER)) == (min(first, second), max(first, second))
    assert value(NOT, CONSTANT, constants=(first,)) == float(not first)


@pytest.mark.parametrize(
    "prefix", [(IT,), (OF, IT), (ADD, SUM, OF, IT, OF, IT), (SUM,), (READ + 9, LEAF), (8, LEAF)]
)
def test_what_is_no_program(prefix: tuple[int, ...]) -> None:
    with pytest.raises(ValueError):
        Program(prefix, (), 16)
