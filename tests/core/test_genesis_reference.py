"""The operators of GENESIS, one after another, beside the same in plain Python: bit for bit the same generation."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.genesis import Strings, keep, proportional, ranked, sampled, shuffle
from core.random import Random
from tests.core import genesis_reference
from tests.core.genesis_reference import Structure


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
def test_a_generation_is_that_of_the_reference(
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
def test_strings_of_the_length_of_the_game(bits: int) -> None:
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
    expected = ranked(performances, settings.least_share) if is_ranked else proportional(performances, worst)
    samples, new = sampled(expected, rng), round(settings.gap * len(population))
    shuffle(samples, rng)
    keep(samples, new, rng)
    children = strings.copied(samples)
    children.mutate(settings.mutation, new, rng)
    children.cross(int(settings.crossover * new + 1e-9), rng)
    return children
