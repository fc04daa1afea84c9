"""The random source: its golden numbers, its bounds, its moments."""

import pytest

from core.random import Random


def test_seed_0_gives_the_golden_numbers() -> None:
    rng = Random(0)
    assert [int(rng.bits()) % 2**64 for _ in range(3)] == [
        11091344671253066420,
        13793997310169335082,
        1900383378846508768,
    ]


def test_only_the_low_64_bits_of_a_seed_count() -> None:
    assert Random(5).bits() == Random(5 + 2**64).bits() == Random(5 - 2**64).bits()
    assert Random(-1).bits() == Random(2**64 - 1).bits() != Random(1).bits()


@pytest.mark.parametrize("n", [1, 2, 3, 6, 1000, 2**31, 2**32 + 1, 2**62 - 1])
def test_below_stays_below(n: int) -> None:
    rng = Random(n)
    assert all(0 <= rng.below(n) < n for _ in range(200))


def test_below_reaches_every_number() -> None:
    rng = Random(7)
    assert {rng.below(6) for _ in range(200)} == set(range(6))


def test_below_has_no_bias() -> None:
    # 2**64 is 5 1/3 times this n: a plain remainder would give the lowest third 6/16 instead of 1/3.
    n, draws = 3 * 2**60, 20_000
    rng = Random(1)
    lowest = sum(rng.below(n) < 2**60 for _ in range(draws))
    assert abs(lowest / draws - 1 / 3) < 0.0135  # four standard deviations; the bias would be 0.042


@pytest.mark.parametrize("n", [0, -1, -(2**63), 2**62])
def test_below_refuses_bounds_out_of_range(n: int) -> None:
    with pytest.raises(ValueError, match="below"):
        Random(0).below(n)


def test_uniform_has_the_moments_of_its_distribution() -> None:
    rng = Random(2)
    draws = [rng.uniform() for _ in range(40_000)]
    assert 0.0 <= min(draws) < 0.001 and 0.999 < max(draws) < 1.0
    assert abs(sum(draws) / len(draws) - 0.5) < 0.006
    assert abs(sum((x - 0.5) ** 2 for x in draws) / len(draws) - 1 / 12) < 0.0015


def test_chance_is_true_with_the_given_probability() -> None:
    rng = Random(3)
    assert not any(rng.chance(0.0) for _ in range(1000))
    assert all(rng.chance(1.0) for _ in range(1000))
    assert abs(sum(rng.chance(0.05) for _ in range(40_000)) / 40_000 - 0.05) < 0.0045


def test_normal_has_the_moments_of_its_distribution() -> None:
    rng = Random(4)
    count = 40_000
    draws = [rng.normal(10.0) / 10.0 for _ in range(count)]
    mean, square, cube, fourth = (sum(x**power for x in draws) / count for power in (1, 2, 3, 4))
    assert abs(mean) < 4 * (1 / count) ** 0.5
    assert abs(square - 1) < 4 * (2 / count) ** 0.5
    assert abs(cube) < 4 * (15 / count) ** 0.5
    assert abs(fourth - 3) < 4 * (96 / count) ** 0.5
    assert Random(4).normal(0.0) == 0.0
