"""Evolved users: the genome's text and operators, the same breeding for the same seed, and better than chance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.protection.board import Scenario, generate_map
from core.protection.rules import RULES
from core.random import Random
from engines.protection.pool.handwritten import handwritten
from engines.protection.users.breeding import Breeding
from engines.protection.users.placement import LENGTH, WEIGHTS, PlacementPolicy, bundled

STRINGS = b"".join(genome.code for genome in list(handwritten().values())[:6])
SMALL = Breeding(strings=STRINGS, size=6, generations=2, maps=1, dollars=(2000,))


@given(st.integers(0, 1 << 40))
def test_a_policy_is_read_as_it_was_written(seed: int) -> None:
    policy = PlacementPolicy.random(Random(seed))
    assert PlacementPolicy.loads(f"# a comment\n{policy.dumps()}") == policy


@given(st.integers(0, 1 << 40))
def test_a_child_has_each_unit_from_one_parent(seed: int) -> None:
    rng = Random(seed)
    one, other = (PlacementPolicy.random(rng) for _ in range(2))
    child = one.mate(other, rng)
    for first in range(0, LENGTH, WEIGHTS):
        part = child.weights[first : first + WEIGHTS]
        assert part in (one.weights[first : first + WEIGHTS], other.weights[first : first + WEIGHTS])


def test_another_number_of_weights_is_no_policy() -> None:
    with pytest.raises(ValueError, match="48 weights, not 2"):
        PlacementPolicy.loads("1 2")


def test_breeding_is_a_function_of_its_seed() -> None:
    assert SMALL.bred(Random(3)) == SMALL.bred(Random(3)) != SMALL.bred(Random(4))


def test_the_bundled_one_beats_random_ones_on_fresh_maps() -> None:
    """Against hand-written strings, on maps it was not bred on."""
    settings = [Scenario(RULES["improved"], generate_map(Random(seed))) for seed in (901, 902)]
    seeds = list(range(len(STRINGS) // 132))

    def worth(policy: PlacementPolicy) -> float:
        return sum(SMALL.rating(policy, setting, seeds) for setting in settings)

    assert worth(bundled()) > max(worth(PlacementPolicy.random(Random(seed))) for seed in range(3))
