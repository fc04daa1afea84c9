"""Genetic programming: what is bred and from whom, what a generation records, and what people read of it."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.random import Random
from engines.acquire.experiment import CHAMPION, open_experiment
from engines.acquire.genome import Genome
from engines.acquire.gp.tree import levels
from engines.acquire.gp_config import GpConfig
from engines.acquire.gp_evolution import SELECTIONS, Breeder
from engines.evolution.run_store import RunStore
from tests.engines.acquire.runs import GP, gone_on
from tests.toy import InlinePool


def founders(config: GpConfig) -> list[Genome]:
    return Breeder(config).founders(Random(1))


def children(**settings: Any) -> tuple[list[Genome], list[Any]]:
    config = GpConfig(**settings)
    genomes = founders(config)
    credit = [[float(slot)] * 3 for slot in range(len(genomes))]
    return genomes, list(Breeder(config).children(genomes, credit, Random(2)))


@pytest.mark.parametrize(("evolve", "decisions"), [("place", 1), ("buy", 1), ("pair", 2)])
def test_founders_are_distinct_and_have_two_to_five_levels(evolve: Any, decisions: int) -> None:
    genomes = founders(GpConfig(evolve=evolve))
    assert len(genomes) == 1000
    for genome in genomes:
        assert len(genome.programs()) == decisions
        assert all(2 <= levels(tree) <= 5 for _, tree in genome.programs())
    assert len({genome.place or genome.buy for genome in genomes}) == 1000


def test_crossover_and_copies_have_the_shares_of_the_thesis() -> None:
    """980 are bred: 686 and 196 by crossover, 98 copied."""
    genomes, bred = children()
    assert Counter(child.origin for child in bred) == {"crossover": 882, "copy": 98}
    assert [child.origin for child in bred] == ["crossover"] * 882 + ["copy"] * 98
    for child in bred:
        assert all(levels(tree) <= 5 for _, tree in child.genome.programs())
        if child.origin == "copy":
            assert child.genome == genomes[child.parents[0]]


def test_only_one_program_changes_at_a_time() -> None:
    genomes, bred = children(population=200)
    for child in bred:
        parent = genomes[child.parents[0]]
        assert child.genome.place == parent.place or child.genome.buy == parent.buy


def test_an_enlarging_elite_replaces_no_offspring() -> None:
    assert len(children(elite="enlarges")[1]) == 1000
    assert len(children(elitism=0.0)[1]) == 1000


def test_mutation_fills_the_share_left_by_crossover_and_copies() -> None:
    _, bred = children(population=100, elitism=0.0, reproduction=0.0, games=5, crossover_anywhere=0.1)
    assert Counter(child.origin for child in bred) == {"crossover": 80, "mutation": 20}
    _, bred = children(population=1000, elitism=0.0, copy_mutation=0.9)
    origins = Counter(child.origin for child in bred)
    assert origins["crossover"] == 900 and 80 <= origins["mutation"] <= 98


@pytest.mark.parametrize(
    ("settings", "mean", "times"),
    [
        ({"tournament": 1}, 0.5, 20_000),
        ({"tournament": 2}, 2 / 3, 20_000),
        ({"tournament": 7}, 7 / 8, 20_000),
        ({"selection": "rank"}, 2 / 3, 20_000),
        ({"selection": "proportionate"}, 2 / 3, 20_000),
        # Anybody of the best quarter, which is within the deviation; the mean of 2,000 is off by 0.0016.
        ({"selection": "lexicase"}, 7 / 8, 2_000),
    ],
)
def test_each_selection_method_has_its_expected_pressure(settings: Any, mean: float, times: int) -> None:
    """The mean place of those chosen, where fitness grows evenly from 0 to 1."""
    fitness = [slot / 999 for slot in range(1000)]
    config = GpConfig(**settings)
    select = SELECTIONS[config.selection](config, [[each] * 3 for each in fitness])
    rng = Random(3)
    chosen = [fitness[select(rng)] for _ in range(times)]
    assert sum(chosen) / times == pytest.approx(mean, abs=0.01)


@pytest.mark.parametrize("evolve", ["pair", "buy"])
async def test_a_generation_records_births_contests_and_statistics(evolve: str, tmp_path: Path) -> None:
    reports = await gone_on(tmp_path / "run", f"{GP}evolve = {evolve}\n", 8, InlinePool())
    founders, *others = [progress.generation for progress in reports]
    assert len(founders.born) == 24 and not founders.contests
    for number, generation in enumerate(others, 1):
        facts = generation.statistics
        assert generation.number == number and facts["evaluated"] == number - 1
        assert len(generation.contests) == 24 * 6 // 2 and len(generation.born) == 22
        assert facts["fitness"]["mean"] == 0.5, "both sides are credited"
        assert facts["fitness"]["least"] <= 0.5 <= facts["fitness"]["best"]
        assert 1 <= facts["behaviours"] <= facts["genotypes"] <= 24
        assert ("examined" in facts) is (number % 3 == 0)
    with RunStore.open(tmp_path / "run") as store:
        champion = Genome.loads((tmp_path / "run" / CHAMPION).read_text())
        assert champion == Genome.loads(store.individual(others[5].statistics["examined"]["champion"]).genome)
        living = json.loads(store.state)["living"]
        known = {born.id: born for born in map(store.individual, store.ids())}
        assert all(parent < born.id for born in known.values() for parent in born.parents)
        fitness = others[-1].statistics["best"]
        assert living[0] == fitness["id"] and len(living) == 24, "the best goes on"
        assert {born.origin for born in known.values()} == {"random", "crossover", "copy"}


async def test_the_report_shows_founders_and_the_latest_examination(tmp_path: Path) -> None:
    reports = await gone_on(tmp_path / "run", GP, 5, InlinePool())
    with RunStore.open(tmp_path / "run") as store:
        report = open_experiment(store).report
        texts = [report(progress.generation) for progress in reports]
    assert texts[0] == "24 founders\n"
    for word in ("by luck", "always 1/2", "Champion of generation 1:", "heuristic", "tie random"):
        assert word in texts[4], "the last examination is still shown"
