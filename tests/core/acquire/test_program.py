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
    LEAF,
    LESS,
    LESSER,
    LOOP_CHAIN,
    MAX_OVER_CHAINS,
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
def test_the_value_matches_the_prefix_code_read_recursively(
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
def test_costly_features_are_requested_only_when_needed(
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
def test_uses_contains_the_features_of_the_prefix_code(prefix: tuple[int, ...]) -> None:
    uses = Program(prefix, (1.0, 2.0, 3.0), FEATURES).uses
    assert uses == sum({1 << (node - LEAF) for node in prefix if LEAF <= node < CONSTANT})


@given(PREFIXES)
def test_programs_survive_pickling(prefix: tuple[int, ...]) -> None:
    sent = Program(prefix, (1.0, 2.0, 3.0), FEATURES)
    got = pickle.loads(pickle.dumps(sent))
    assert (got.prefix, got.constants, got.uses, got.value()) == (
        sent.prefix, sent.constants, sent.uses, sent.value(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("prefix", "reason"),
    [
        ((), "before the expression is complete"),
        ((ADD, LEAF), "before the expression is complete"),
        ((LEAF, LEAF), "ends after 1 of 2 nodes"),
        ((LEAF + FEATURES,), "not a constant or a feature"),
        ((CONSTANT + 1,), "not a constant or a feature"),
        ((-1,), "not a constant or a feature"),
        ((99, LEAF, LEAF), "not an operation"),
        ((ADD,) * 5000 + (LEAF,) * 5001, "too many"),
        ((ADD,) * 200 + (LEAF,) * 201, "levels"),
    ],
)
def test_invalid_prefix_codes_are_refused(prefix: tuple[int, ...], reason: str) -> None:
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
        ((SUM, OF, LOOP_CHAIN), 16.0),
        ((MAX_OVER_CHAINS, OF, LOOP_CHAIN), 8.0),
        ((BEST, OF, LOOP_CHAIN), 2.0),
        ((OF, BEST, OF, LOOP_CHAIN), 8.0),
        ((SUM, MULTIPLY, OF, LOOP_CHAIN, OF, LOOP_CHAIN), 98.0),
        ((SUM, SUM, OF, LOOP_CHAIN), 48.0),  # the inner form's chain, three times
        ((SUM, ADD, OF, LOOP_CHAIN, SUM, OF, LOOP_CHAIN), 16.0 + 48.0),  # the outer one's is still there
        ((SUM, ADD, SUM, OF, LOOP_CHAIN, OF, LOOP_CHAIN), 48.0 + 16.0),
        ((MAX_OVER_CHAINS, IF, LESS, OF, LOOP_CHAIN, LEAF + 5, OF, LOOP_CHAIN, LEAF + 1), 3.0),
    ],
)
def test_sum_most_and_best_run_over_all_chains(prefix: tuple[int, ...], expected: float) -> None:
    assert value(*prefix) == expected


@pytest.mark.parametrize("chains", [0, ALL])
def test_a_costly_feature_used_in_and_after_a_loop_is_requested(chains: int) -> None:
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


def test_sum_most_and_best_over_no_chains_have_defaults() -> None:
    assert value(SUM, OF, LOOP_CHAIN, chains=0) == 0.0
    assert value(MAX_OVER_CHAINS, OF, LOOP_CHAIN, chains=0) == 0.0
    assert value(BEST, OF, LOOP_CHAIN, chains=0) == 7.0


def test_best_takes_the_first_of_equal_chains_and_most_may_be_negative() -> None:
    assert value(BEST, CONSTANT, constants=(-4.0,)) == 0.0
    assert value(MAX_OVER_CHAINS, CONSTANT, constants=(-4.0,)) == -4.0


@pytest.mark.parametrize(
    ("number", "chain"),
    [(1.0, 2.0), (2.9, 5.0), (3.0, 0.0), (4.0, 7.0), (0.0, 7.0), (-1.0, 7.0), (8.0, 7.0), (1e300, 7.0)],
)
def test_chains_are_selected_by_rank(number: float, chain: float) -> None:
    assert value(KTH, CONSTANT, constants=(number,)) == chain


@pytest.mark.parametrize("first", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("second", [0.0, 1.0, -3.0])
def test_logic_and_comparison_operations_match_python(first: float, second: float) -> None:
    def of(word: int) -> float:
        return value(word, CONSTANT, CONSTANT + 1, constants=(first, second))

    assert of(AND) == float(bool(first) and bool(second))
    assert of(OR) == float(bool(first) or bool(second))
    assert of(LESS) == float(first < second)
    assert of(EQUAL) == float(first == second)
    assert (of(LESSER), of(GREATER)) == (min(first, second), max(first, second))
    assert value(NOT, CONSTANT, constants=(first,)) == float(not first)


@pytest.mark.parametrize(
    ("prefix", "complaint"),
    [
        ((LOOP_CHAIN,), f"code {LOOP_CHAIN} is not an operation"),
        ((OF, LOOP_CHAIN), f"code {LOOP_CHAIN} is not an operation"),
        ((ADD, SUM, OF, LOOP_CHAIN, OF, LOOP_CHAIN), f"code {LOOP_CHAIN} is not an operation"),
        ((SUM,), "the code ends before the expression is complete"),
        ((READ + 9, LEAF), f"code {READ + 9} reads beyond the last feature"),
        ((8, LEAF), "code 8 is not an operation"),
    ],
)
def test_misplaced_chain_forms_are_refused(prefix: tuple[int, ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Program(prefix, (), 16)
