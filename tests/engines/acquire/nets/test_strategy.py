"""An evolution strategy finds the top of a hill, whatever the scales, and knows no difference between equals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.nets.strategy import Cloud, mirrored, utilities


def test_it_climbs_a_hill() -> None:
    goal = (3.0, -2.0, 0.5, 0.0)
    cloud = Cloud(centre=(0.0,) * 4, sigmas=(1.0,) * 4)
    for generation in range(120):
        samples = mirrored(4, 8, Random(generation))
        places = [
            [at + step for at, step in zip(cloud.centre, cloud.steps(each), strict=True)] for each in samples
        ]
        fitness = [-sum((a - b) ** 2 for a, b in zip(place, goal, strict=True)) for place in places]
        cloud = cloud.moved(samples, fitness, 1.0, None)
    assert cloud.centre == pytest.approx(goal, abs=0.01)
    assert max(cloud.sigmas) < 0.1


def test_it_stays_where_all_is_equal() -> None:
    cloud = Cloud(centre=(1.0, 2.0), sigmas=(0.5, 0.25))
    moved = cloud.moved(mirrored(2, 5, Random(1)), [7.0] * 10, 1.0, None)
    assert moved.centre == pytest.approx(cloud.centre) and moved.sigmas == pytest.approx(cloud.sigmas)


def test_samples_come_with_their_mirror_images() -> None:
    samples = mirrored(3, 4, Random(2))
    assert len(samples) == 8
    assert all(
        one == tuple(-part for part in other) for one, other in zip(samples[::2], samples[1::2], strict=True)
    )


@given(fitness=st.lists(st.integers(0, 5).map(float), min_size=4, max_size=30))
def test_utilities_go_by_rank(fitness: list[float]) -> None:
    found = utilities(fitness)
    assert sum(found) == pytest.approx(0.0, abs=1e-9)
    for one, first in zip(fitness, found, strict=True):
        for other, second in zip(fitness, found, strict=True):
            assert (
                first == second
                if one == other
                else (first >= second - 1e-12) == (one > other) or first == pytest.approx(second)
            )
