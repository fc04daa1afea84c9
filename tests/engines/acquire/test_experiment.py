"""A run of programs from its configuration to its files: the same with any number of workers, stopped or not."""

import json
from pathlib import Path

import pytest

from engines.acquire.curves import traits
from engines.acquire.experiment import CHAMPION, open_experiment
from engines.acquire.genome import Genome
from engines.evolution.run_store import RunStore
from engines.worker_pool import process_pool
from tests.engines.acquire.runs import gone_on
from tests.toy import InlinePool

SMALL = """
population = 24
games = 6
elitism = 0.1
examination interval = 3
candidates = 4
retest games = 6
panel games = 4
behaviour states = 4
"""
GENERATIONS = 8


@pytest.fixture(params=["pair", "place", "buy"])
def config(request: pytest.FixtureRequest) -> str:
    return f"{SMALL}evolve = {request.param}\n"


async def test_workers_do_not_matter(config: str, tmp_path: Path) -> None:
    hashes = set()
    for workers in (1, 3):
        async with process_pool(workers) as crew:
            heard = await gone_on(tmp_path / str(workers), config, GENERATIONS, crew)
        hashes.add(heard[-1].hash)
    assert len(hashes) == 1


async def test_a_run_in_parts_is_the_run(config: str, tmp_path: Path) -> None:
    whole = await gone_on(tmp_path / "whole", config, GENERATIONS, InlinePool())
    for part in (1, 3, GENERATIONS - 4):
        heard = await gone_on(tmp_path / "parts", config, part, InlinePool())
    assert heard[-1].hash == whole[-1].hash
    assert (tmp_path / "parts" / CHAMPION).read_bytes() == (tmp_path / "whole" / CHAMPION).read_bytes()


async def test_what_a_generation_says(config: str, tmp_path: Path) -> None:
    heard = await gone_on(tmp_path / "run", config, GENERATIONS, InlinePool())
    founders, *others = [progress.generation for progress in heard]
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


async def test_people_can_see_how_it_goes(config: str, tmp_path: Path) -> None:
    heard = await gone_on(tmp_path / "run", config, 5, InlinePool())
    with RunStore.open(tmp_path / "run") as store:
        report = open_experiment(store).report
        texts = [report(progress.generation) for progress in heard]
    assert texts[0] == "24 founders\n"
    for word in ("by luck", "1/2 whoever plays", "Champion of generation 1:", "heuristic", "tie random"):
        assert word in texts[4], "the last examination is still shown"


def test_parameters_of_functions_are_no_words_of_theirs() -> None:
    genome = Genome.loads("(define (rate-1 it) (size it))\n(define place (sum (rate-1 it)))")
    numbers = traits(genome.dumps())
    assert numbers == {f"words of a program: {name}": len(tree) for name, tree in genome.programs()}
    assert numbers["words of a program: rate-1"] == 2
