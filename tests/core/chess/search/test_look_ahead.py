"""The Look Ahead Gene at work, against the sums of Genetic Chess, section 4.1.2, and its own laws."""

import math
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.search.look_ahead import LookAhead

lengths = st.floats(1.0, 10_000.0)
moves = st.integers(0, 10_000)
times = st.floats(1e-6, 1e6)


def look_ahead(mean: float = 50.0, minimum: float = 0.0, k: float = 0.5, active: bool = True) -> LookAhead:
    return LookAhead(mean, minimum, 100.0, k, active)


@pytest.mark.parametrize(
    ("mean", "made", "left"),
    [
        (50, 0, "50.000000"),
        (50, 30, "20.033914"),
        (50, 50, "6.089410"),
        (50, 80, "2.440373"),
        (50, 200, "1.327548"),
        (1, 0, "1.581977"),
        (1, 10, "1.089577"),
    ],
)
def test_check_values(mean: int, made: int, left: str) -> None:
    assert f"{look_ahead(mean).expected_moves_left(made):.6f}" == left


@pytest.mark.parametrize("mean", [1, 7, 50, 120])
@pytest.mark.parametrize("made", [0, 1, 20, 70, 200])
def test_is_the_exact_sum_less_n(mean: int, made: int) -> None:
    term, above, sum_above = Fraction(1), Fraction(0), Fraction(0)
    for i in range(1, made + 5 * mean + 40):
        term *= Fraction(mean, i)
        if i > made:
            above += term
            sum_above += term * i
    exact = sum_above / above - made
    assert look_ahead(mean).expected_moves_left(made) == pytest.approx(float(exact), rel=1e-12)


@given(mean=lengths, made=moves)
def test_expected_moves_are_finite_and_shrink_slower_than_the_game(mean: float, made: int) -> None:
    gene = look_ahead(mean)
    left, next_left = gene.expected_moves_left(made), gene.expected_moves_left(made + 1)
    slack = 1e-9 * (mean + made)
    assert 1.0 <= left < math.inf
    assert left >= mean - made - slack  # knowing that it is not over makes no game shorter
    assert left - 1 - slack <= next_left <= left + slack


def test_is_fast_for_any_length() -> None:
    gene = look_ahead(10_000)
    start = time.perf_counter()
    for made in range(0, 10_001, 10):
        gene.expected_moves_left(made)
    assert time.perf_counter() - start < 0.5  # measured: 0.004 s


def test_minimum_and_reset_bound_the_plan() -> None:
    assert look_ahead().moves_to_plan(0, None) == pytest.approx(50.0)
    assert look_ahead(minimum=15.0).moves_to_plan(50, None) == 15.0
    assert look_ahead(minimum=15.0).moves_to_plan(0, None) == pytest.approx(50.0)
    assert look_ahead(minimum=15.0).moves_to_plan(39, 1) == 1.0  # the 40th move may use everything
    assert look_ahead(minimum=15.0).moves_to_plan(0, 40) == 40.0


@given(mean=lengths, minimum=st.floats(0.0, 1e9), made=moves, reset=st.none() | st.integers(-5, 100))
def test_plan_never_divides_by_less_than_1(mean: float, minimum: float, made: int, reset: int | None) -> None:
    gene = look_ahead(mean, minimum)
    plan = gene.moves_to_plan(made, reset)
    unreset = max(gene.expected_moves_left(made), minimum)
    assert plan == (unreset if reset is None else max(min(unreset, reset), 1.0))
    assert 1.0 <= plan < math.inf


def test_inactive_gives_no_time_and_never_looks_ahead() -> None:
    gene = look_ahead(k=1.0, active=False)
    assert 300.0 / gene.moves_to_plan(10, None) == 300.0 / gene.moves_to_plan(39, 1) == 0.0
    assert gene.chance(2.0, 1.0) == gene.chance(0.5, 1.0) == 0.0


@given(k=st.floats(0.0, 1.0), needed=times, extra=st.floats(0.0, 1e6))
def test_enough_time_is_certain(k: float, needed: float, extra: float) -> None:
    assert look_ahead(k=k).chance(needed + extra, needed) == 1.0


@given(part=st.floats(0.0, 0.999), needed=times)
def test_k_0_never_gambles_and_k_1_always_does(part: float, needed: float) -> None:
    assert look_ahead(k=0.0).chance(part * needed, needed) == 0.0
    assert look_ahead(k=1.0).chance(part * needed, needed) == 1.0
    assert look_ahead(k=0.5).chance(part * needed, needed) == pytest.approx(part)


@given(k=st.floats(0.01, 0.49), part=st.floats(0.01, 0.99))
def test_small_k_is_careful_and_its_mirror_image_daring(k: float, part: float) -> None:
    careful, daring = look_ahead(k=k).chance(part, 1.0), look_ahead(k=1.0 - k).chance(part, 1.0)
    assert careful < part < daring
    assert daring ** ((1.0 - k) / k) == pytest.approx(part)  # the exponents are each other's inverse
    assert careful == pytest.approx(part ** ((1.0 - k) / k))


@given(k=st.floats(0.0, 1.0), given_=st.floats(-1e3, 1e3), needed=times)
def test_chance_is_a_probability(k: float, given_: float, needed: float) -> None:
    assert 0.0 <= look_ahead(k=k).chance(given_, needed) <= 1.0


@pytest.mark.parametrize("k", [5e-324, 1e-300, 1.0 - 2**-53])
def test_extreme_k_stays_finite(k: float) -> None:
    assert 0.0 <= look_ahead(k=k).chance(1e-300, 1e300) <= 1.0
    assert look_ahead(k=k).chance(-1.0, 0.0) == 0.0
