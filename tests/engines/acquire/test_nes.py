"""The natural evolution strategy: it finds the top of a hill, knows no difference between equals, and nets learn."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.nes import SearchDistribution, antithetic_samples, utilities
from engines.acquire.net_genome import NetGenome
from engines.acquire.registry import PlayerSpec, bundled_genomes, load_genome
from engines.acquire.rules_genome import RulesGenome
from tests.engines.acquire.runs import NES, THREE, gone_on
from tests.toy import InlinePool


@pytest.mark.parametrize("players", [THREE, "players = 3\n"], ids=["two", "three"])
async def test_a_run_of_nets_records_contests_and_its_champion(players: str, tmp_path: Path) -> None:
    recorded = await gone_on(tmp_path / "run", NES + players, 7, InlinePool())
    assert [each.generation.born[0].parents for each in recorded[:3]] == [(), (0,), (13,)]
    last = recorded[-1].generation
    assert len(last.contests) == 12 * 6
    statistics = [json.loads(json.dumps(each.generation.statistics)) for each in recorded]
    assert [each["evaluated"] for each in statistics if "examined" in each] == [3]
    champion = PlayerSpec.parse(str(tmp_path / "run"))
    assert champion.genome == recorded[3].generation.born[0].genome
    assert isinstance(champion.genome, NetGenome)
    assert load_genome(champion.genome.dumps()) == champion.genome
    assert last.statistics["hall"] == 3


async def test_a_run_may_begin_with_a_bundled_net(tmp_path: Path) -> None:
    text = "evolve = net\nfounder = evolved-net-three\nrules = thesis-2002\nsamples = 4\ntables = 2\n"
    recorded = await gone_on(tmp_path / "run", text, 1, InlinePool())
    assert recorded[0].generation.born[0].genome == bundled_genomes()["evolved-net-three"]


async def test_rules_of_thumb_evolve_from_those_of_the_heuristic(tmp_path: Path) -> None:
    text = "evolve = rules\nsamples = 8\ntables = 8\nexamination interval = 2\npanel games = 2\n"
    recorded = await gone_on(tmp_path / "run", text, 4, InlinePool())
    means = [each.generation.born[0].genome for each in recorded]
    assert means[0] == RulesGenome.founder() and len(set(means)) == len(means)
    assert PlayerSpec.parse(str(tmp_path / "run")).genome == means[2]


async def test_nets_learn_to_beat_the_random_player(tmp_path: Path) -> None:
    """To beat the random player, from weights by chance."""
    text = "evolve = net\nrules = thesis-2002\nsamples = 20\ntables = 10\nopponent = random\nopponent share = 1\nhall share = 0\n"
    recorded = await gone_on(tmp_path / "run", text, 13, InlinePool())
    means = [each.generation.statistics["fitness"]["mean"] for each in recorded[1:]]
    assert sum(means[-3:]) / 3 > sum(means[:3]) / 3 + 0.1


# -- The strategy -------------------------------------------------------------------------------------------


def test_the_distribution_converges_to_the_optimum() -> None:
    goal = (3.0, -2.0, 0.5, 0.0)
    distribution = SearchDistribution(mean=(0.0,) * 4, sigmas=(1.0,) * 4)
    for generation in range(120):
        samples = antithetic_samples(4, 8, Random(generation))
        places = [
            [at + step for at, step in zip(distribution.mean, distribution.steps(each), strict=True)]
            for each in samples
        ]
        fitness = [-sum((a - b) ** 2 for a, b in zip(place, goal, strict=True)) for place in places]
        distribution = distribution.moved(samples, fitness, 1.0)
    assert distribution.mean == pytest.approx(goal, abs=0.01)
    assert max(distribution.sigmas) < 0.1


def test_equal_fitness_does_not_move_the_distribution() -> None:
    distribution = SearchDistribution(mean=(1.0, 2.0), sigmas=(0.5, 0.25))
    moved = distribution.moved(antithetic_samples(2, 5, Random(1)), [7.0] * 10, 1.0)
    assert moved.mean == pytest.approx(distribution.mean) and moved.sigmas == pytest.approx(
        distribution.sigmas
    )


def test_samples_come_in_antithetic_pairs() -> None:
    samples = antithetic_samples(3, 4, Random(2))
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
