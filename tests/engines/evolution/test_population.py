"""Seeds that derive from a run's seed and a place in it."""

from hypothesis import given
from hypothesis import strategies as st

from engines.evolution.population import derive_seed

places = st.lists(st.integers(min_value=-(2**70), max_value=2**70), max_size=4)


@given(st.integers(), places)
def test_a_seed_is_a_function_of_its_place_in_63_bits(seed: int, place: list[int]) -> None:
    assert 0 <= derive_seed(seed, *place) < 2**63
    assert derive_seed(seed, *place) == derive_seed(seed, *place)


@given(st.lists(places.map(tuple), min_size=2, max_size=2, unique=True))
def test_different_places_have_different_seeds(pair: list[tuple[int, ...]]) -> None:
    assert derive_seed(1, *pair[0]) != derive_seed(1, *pair[1])


def test_derived_seeds_keep_their_recorded_values() -> None:
    """Or no run that was begun earlier would go on as it would have."""
    assert derive_seed(1, 2, 3) == 926643494850814613
    assert derive_seed(12, 3) != derive_seed(1, 23)
