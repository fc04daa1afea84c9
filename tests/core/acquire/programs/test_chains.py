"""The machine's words for chains and truths: loops, chains as values, and what is no program."""

import pytest

from core.acquire.program import (
    ADD,
    AND,
    BEST,
    CONSTANT,
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
    SUM,
    Program,
)

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
