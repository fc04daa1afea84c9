"""The statistics of a study, by hand and by tables."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.random import Random
from engines.match.rating import score
from tools.study.statistics import change_point, geometric_mean, mean, ranks, spearman, student


@pytest.mark.parametrize(
    ("degrees", "t"),
    [(1, 12.7062), (2, 4.30265), (4, 2.776445), (5, 2.570582), (9, 2.262157), (30, 2.042272)],
)
def test_student_as_in_the_tables(degrees: int, t: float) -> None:
    assert student(degrees) == pytest.approx(t, abs=5e-5)


def test_intervals_by_hand() -> None:
    estimate = mean([1, 2, 3, 4, 5])
    half = 2.776445 * math.sqrt(2.5 / 5)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((3, 3 - half, 3 + half), abs=1e-5)
    ratios = geometric_mean([0.5, 1, 2])
    assert ratios.value == pytest.approx(1)
    assert ratios.low * ratios.high == pytest.approx(1)
    assert math.log(ratios.high) == pytest.approx(4.30265 * math.log(2) / math.sqrt(3), abs=1e-5)
    with pytest.raises(ValueError, match="two values"):
        mean([1.0])


def test_wilson_of_the_runs() -> None:
    """The house's interval of two results is Wilson's: (n + z^2) p^2 - (2 k + z^2) p + k^2 / n = 0."""
    assert score([0, 5]).low == pytest.approx(5 / (5 + 3.841459), abs=1e-6)
    assert score([5, 0]).high == pytest.approx(3.841459 / (5 + 3.841459), abs=1e-6)
    assert (score([3, 7]).low, score([3, 7]).high) == pytest.approx((0.396778, 0.892209), abs=1e-5)


def test_spearman_by_hand() -> None:
    assert ranks([10, 30, 20, 20]) == [1, 4, 2.5, 2.5]
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]) == pytest.approx(0.820783, abs=1e-6)
    with pytest.raises(ValueError, match="constant"):
        spearman([1, 1, 1], [1, 2, 3])


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=20, unique=True), st.data())
def test_spearman_asks_for_the_order_only(xs: list[int], data: st.DataObject) -> None:
    ys = data.draw(st.permutations(xs))
    rho = spearman(xs, ys)
    assert -1 - 1e-9 <= rho <= 1 + 1e-9
    assert spearman([x**3 for x in xs], ys) == pytest.approx(rho)
    assert spearman([-x for x in xs], ys) == pytest.approx(-rho)


@settings(max_examples=25)
@given(st.integers(10, 110), st.sampled_from([-1, 1]), st.integers(0, 1 << 62))
def test_a_change_is_found_where_it_is(index: int, sign: int, seed: int) -> None:
    rng = Random(seed)
    series = [rng.normal(0.05) + sign * (place >= index) for place in range(120)]
    found = change_point(series, Random(seed))
    assert found.index == index and found.p <= 0.01
    assert found.after - found.before == pytest.approx(sign, abs=0.1)


def test_noise_seldom_changes() -> None:
    rng = Random(7)
    found = [change_point([rng.normal(1) for _ in range(80)], rng).p < 0.05 for _ in range(60)]
    assert sum(found) <= 8, "P = 0.002 if one of 20 is found"


def test_no_change_in_a_constant_and_none_in_too_few() -> None:
    assert change_point([0.1] * 100, Random(1)).p == 1
    with pytest.raises(ValueError, match="80 points"):
        change_point([0.0] * 79, Random(1))
