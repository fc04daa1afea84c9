"""The operators of GENESIS: how often each string is taken, where it is cut, how many bits change, what is marked."""

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from librt.vecs import vec

from core.bit_strings import (
    Strings,
    generation_gap,
    linear_ranking,
    proportional,
    stochastic_universal_sampling,
)
from core.random import Random, shuffle
from tests.core import genesis_reference
from tests.core.genesis_reference import Structure

PERFORMANCES = st.lists(st.integers(-5000, 5000), min_size=2, max_size=60)


def filled(rows: list[bytes]) -> Strings:
    strings = Strings(len(rows), len(rows[0]))
    for index, row in enumerate(rows):
        strings.put(index, row, float(index))
    return strings


def floats(values: list[int]) -> vec[float]:
    return vec[float](list(map(float, values)))


@given(PERFORMANCES, st.integers(0, 1000))
def test_expectations_are_proportional_to_the_distance_from_the_worst(values: list[int], more: int) -> None:
    worst = max(values) + more
    expected = proportional(floats(values), float(worst))
    mean = sum(values) / len(values)
    if worst == mean:
        assert list(expected) == [1.0] * len(values)
    else:
        assert list(expected) == pytest.approx([(worst - each) / (worst - mean) for each in values])


def test_strings_worse_than_the_worst_expect_no_children() -> None:
    assert list(proportional(floats([0, 10, 30]), 20.0)) == pytest.approx([2, 1, 0])


def test_linear_ranking_sets_expectations_by_rank() -> None:
    assert list(linear_ranking(floats([30, -5, 7]), 0.75)) == pytest.approx([0.75, 1.25, 1.0])
    assert sum(linear_ranking(floats(list(range(50))), 0.2)) == pytest.approx(50)


@given(PERFORMANCES, st.integers(0, 2**32))
def test_sampling_takes_each_string_its_expectation_rounded(values: list[int], seed: int) -> None:
    expected = proportional(floats(values), float(max(values) + 1))
    taken = Counter(stochastic_universal_sampling(expected, Random(seed)))
    assert sum(taken.values()) == len(values)
    for index, share in enumerate(expected):
        assert share - 1 - 1e-9 < taken[index] < share + 1 + 1e-9


def test_stochastic_universal_sampling_has_no_bias() -> None:
    taken = Counter[int]()
    for seed in range(4000):
        taken.update(stochastic_universal_sampling(vec[float]([0.3, 1.5, 0.2, 2.0]), Random(seed)))
    assert [taken[index] / 4000 for index in range(4)] == pytest.approx([0.3, 1.5, 0.2, 2.0], abs=0.03)


@given(st.integers(1, 50), st.integers(0, 2**32))
def test_a_shuffle_loses_nothing(count: int, seed: int) -> None:
    samples = stochastic_universal_sampling(vec[float]([1.0] * count), Random(seed))
    before = sorted(samples)
    shuffle(samples, Random(seed))
    assert sorted(samples) == before


def test_shuffle_makes_every_order_equally_likely() -> None:
    orders = Counter[tuple[int, ...]]()
    for seed in range(6000):
        samples = stochastic_universal_sampling(vec[float]([1.0] * 3), Random(1))
        shuffle(samples, Random(seed))
        orders[tuple(samples)] += 1
    assert len(orders) == 6
    assert all(abs(count - 1000) < 5 * 29 for count in orders.values())


def test_the_generation_gap_keeps_old_structures_at_random() -> None:
    kept = Counter[int]()
    for seed in range(300):
        samples = stochastic_universal_sampling(vec[float]([10.0] + [0.0] * 9), Random(seed))
        generation_gap(samples, 6, Random(seed))
        assert set(samples[:6]) == {0}
        kept.update(samples[6:])
    assert set(kept) == set(range(10))


def test_mutation_flips_half_as_many_bits_as_the_rate_says() -> None:
    """10,000 strings of 1056 bits at .001: .0005 of them change, within three sigma."""
    strings = Strings(10_000, 132)
    strings.mutate(0.001, 10_000, Random(7))
    ones = sum(each.bit_count() for each in strings.rows(list(range(10_000))))
    bits = 10_000 * 1056
    assert abs(ones - bits * 0.0005) < 3 * (bits * 0.0005) ** 0.5


def test_mutation_marks_exactly_the_changed_strings() -> None:
    rows = [bytes([index] * 4) for index in range(200)]
    strings = filled(rows)
    strings.mutate(0.02, 150, Random(3))
    changed = [index for index in range(200) if strings.row(index) != rows[index]]
    assert strings.waiting() == changed
    assert 0 < len(changed) < 100 and max(changed) < 150
    sites = Counter(
        bit
        for index in changed
        for bit in range(32)
        if (int.from_bytes(strings.row(index), "big") ^ int.from_bytes(rows[index], "big")) >> bit & 1
    )
    assert len(sites) > 20
    with pytest.raises(ValueError, match="a rate of mutation"):
        strings.mutate(0.0, 150, Random(3))


def test_crossover_cuts_are_uniform_and_children_are_complements() -> None:
    lengths, starts = Counter[int](), Counter[int]()
    for seed in range(4000):
        strings = filled([bytes(3), b"\xff" * 3])
        strings.cross(2, Random(seed))
        one, other = (int.from_bytes(strings.row(index), "big") for index in (0, 1))
        assert one ^ other == 0xFFFFFF
        if strings.waiting():
            assert strings.waiting() == [0, 1]
            bits = f"{one:024b}"
            lengths[bits.count("1")] += 1
            starts[bits.index("1")] += 1
            assert bits.strip("0").find("0") < 0, "one stretch"
        else:
            lengths[24] += 1  # all of it: 0 to 24
    # Of 25 * 24 / 2 pairs of cuts 25 - n are n apart; 24 apart there is only one.
    for length in range(1, 25):
        wanted = 4000 * (25 - length) / 300
        assert abs(lengths[length] - wanted) < 5 * wanted**0.5 + 1
    assert set(starts) == set(range(24))


@given(st.binary(min_size=6, max_size=6), st.binary(min_size=6, max_size=6), st.integers(0, 2**32))
def test_crossover_swaps_bits_in_place(mother: bytes, father: bytes, seed: int) -> None:
    strings = filled([mother, father])
    strings.cross(2, Random(seed))
    one, other = strings.row(0), strings.row(1)
    for was, becomes in zip(zip(mother, father, strict=True), zip(one, other, strict=True), strict=True):
        assert was[0] ^ was[1] == becomes[0] ^ becomes[1]
        assert was[0] & was[1] == becomes[0] & becomes[1]
    if {one, other} == {mother, father}:
        assert (one, other, strings.waiting()) == (mother, father, [])
    else:
        assert strings.waiting() == [0, 1]


def test_only_the_first_pairs_are_crossed() -> None:
    strings = filled([bytes(4), b"\xff" * 4] * 10)
    strings.cross(7, Random(1))
    assert max(strings.waiting()) < 6


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_copied_strings_keep_performances_and_waiting_marks(samples: list[int]) -> None:
    strings = filled([bytes([index]) * 3 for index in range(6)])
    strings.mutate(0.4, 1, Random(2))
    taken = stochastic_universal_sampling(vec[float]([1.0] * len(samples)), Random(0))
    for place, index in enumerate(samples):
        taken[place] = index
    copy = strings.copied(taken)
    assert [copy.row(place) for place in range(len(samples))] == [strings.row(index) for index in samples]
    assert list(copy.performances) == [float(index) for index in samples]
    assert copy.waiting() == [place for place, index in enumerate(samples) if index in strings.waiting()]


def test_strings_are_found_graded_and_checked_for_convergence() -> None:
    strings = Strings(20, 2)
    assert strings.waiting() == list(range(20))
    strings.grade([3, 4], [-7, 9])
    assert list(strings.performances[2:5]) == [0.0, -7.0, 9.0]
    assert 3 not in strings.waiting()
    assert strings.converged(1.0) == 16
    strings.put(7, b"\x81\x00", 5.0)
    assert strings.find(b"\x81\x00") == 7
    assert strings.find(b"\x81\x01") == -1
    assert strings.converged(1.0) == 14
    assert strings.converged(0.95) == 16
    with pytest.raises(ValueError, match="2 bytes, not 3"):
        strings.put(7, b"abc", 0.0)
    with pytest.raises(IndexError, match="20 strings has no string 20"):
        strings.row(20)
    with pytest.raises(ValueError, match="a population has at least"):
        Strings(0, 2)


def test_founders_are_a_function_of_the_seed() -> None:
    one, same, other = (Strings(50, 132) for _ in range(3))
    one.randomize(Random(1))
    same.randomize(Random(1))
    other.randomize(Random(2))
    everybody = list(range(50))
    assert one.rows(everybody) == same.rows(everybody) != other.rows(everybody)
    ones = sum(byte.bit_count() for byte in one.rows(everybody))
    assert abs(ones - 26_400) < 4 * (52_800 / 4) ** 0.5


# The operators of GENESIS, one after another, beside the same in plain Python: bit for bit the same generation.


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """As a configuration names them."""

    gap: float = 1.0
    crossover: float = 0.6
    mutation: float = 0.02
    selection: str = "proportional"
    least_share: float = 0.75
    is_elitist: bool = False


SETTINGS = st.builds(
    Settings,
    gap=st.sampled_from([0.3, 0.5, 1.0]),
    crossover=st.sampled_from([0.0, 0.6, 1.0]),
    mutation=st.sampled_from([1e-6, 0.001, 0.02, 0.5]),
    selection=st.sampled_from(["proportional", "rank"]),
    least_share=st.sampled_from([0.0, 0.75]),
)
POPULATIONS = st.lists(
    st.tuples(st.binary(min_size=3, max_size=3), st.integers(-3000, 3000)), min_size=2, max_size=12
)


@given(POPULATIONS, SETTINGS, st.integers(0, 2**32), st.integers(0, 500))
def test_a_generation_matches_the_genesis_reference(
    population: list[tuple[bytes, int]], settings: Settings, seed: int, more: int
) -> None:
    worst = float(max(performance for _, performance in population) + more)
    old = [Structure.of(packed, float(performance)) for packed, performance in population]
    expected = genesis_reference.bred(old, worst, Random(seed), settings)
    strings = next_generation(population, settings, worst, Random(seed))
    assert [strings.row(index) for index in range(strings.count)] == [each.packed for each in expected]
    assert list(strings.performances) == [each.performance for each in expected]
    assert strings.waiting() == [index for index, each in enumerate(expected) if each.needs_trial]


@pytest.mark.parametrize("bits", [24, 1056])
def test_strings_of_game_length_match_the_genesis_reference(bits: int) -> None:
    rng = Random(bits)
    rows = [bytes(int(rng.below(256)) for _ in range(bits // 8)) for _ in range(10)]
    population = [(row, int(rng.below(1000))) for row in rows]
    old = [Structure.of(row, float(performance)) for row, performance in population]
    for seed in range(30):
        expected = genesis_reference.bred(old, 1000.0, Random(seed), Settings())
        strings = next_generation(population, Settings(), 1000.0, Random(seed))
        assert [strings.row(index) for index in range(10)] == [each.packed for each in expected]


def next_generation(
    population: list[tuple[bytes, int]], settings: Settings, worst: float, rng: Random
) -> Strings:
    strings = Strings(len(population), len(population[0][0]))
    for index, (packed, performance) in enumerate(population):
        strings.put(index, packed, float(performance))
    performances = strings.performances
    is_ranked = settings.selection == "rank"
    expected = (
        linear_ranking(performances, settings.least_share) if is_ranked else proportional(performances, worst)
    )
    samples, new = stochastic_universal_sampling(expected, rng), round(settings.gap * len(population))
    shuffle(samples, rng)
    generation_gap(samples, new, rng)
    children = strings.copied(samples)
    children.mutate(settings.mutation, new, rng)
    children.cross(int(settings.crossover * new + 1e-9), rng)
    return children
