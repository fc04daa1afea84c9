"""A run of strings from its configuration to its files: the same with any number of workers, stopped or not."""

from pathlib import Path

import pytest

from core.protection.rules import RULES
from engines.config import ConfigError
from engines.evolution.run import GenerationRecorded, evolve
from engines.evolution.run_store import RunStore
from engines.protection.bit_strings.bit_strings import BitStrings, packed, unpacked
from engines.protection.bit_strings.config import BitStringsConfig
from engines.protection.experiment import CHAMPION, RUNS, open_experiment, seed_in
from engines.protection.genome import Genome
from engines.protection.pool import bundled_pool
from engines.worker_pool import WorkerPool, process_pool
from tests.toy import InlinePool

SMALL = """
arrangement = mixed
population = 300
trials = 3000
saved = 12
candidates = 4
fresh tests = 20
examination interval = 4
"""
VARIANTS = {
    "genesis": SMALL,
    "rank": f"{SMALL}selection = rank\nre evaluate = yes\nreplicates = 2\nelitist = no\n",
    "growing": f"{SMALL}founders = pool\nre evaluate = yes\nlast replicates = 3\n",
    "gap": f"{SMALL}gap = 0.5\nwindow = 0\nwindow start = zero\nbudget = 3000\n",
}


@pytest.fixture(params=VARIANTS)
def config(request: pytest.FixtureRequest) -> str:
    return VARIANTS[request.param]


def opened(folder: Path, config: str) -> RunStore:
    if folder.exists():
        return RunStore.open(folder, writing=True)
    return RunStore.create(folder, game="protection", config=config, seed=seed_in(config), version="test")


async def gone_on(folder: Path, config: str, crew: WorkerPool, steps: int = 1000) -> list[GenerationRecorded]:
    """So many generations more, or to the end."""
    heard: list[GenerationRecorded] = []
    with opened(folder, config) as store:
        experiment = open_experiment(store)
        generations = evolve(experiment, crew, store)
        while len(heard) < steps and not experiment.is_over():
            heard.append(await anext(generations))
        await generations.aclose()
    return heard


async def test_workers_do_not_matter(tmp_path: Path) -> None:
    hashes = set()
    for workers in (1, 2):
        async with process_pool(workers) as crew:
            hashes.add((await gone_on(tmp_path / str(workers), SMALL, crew))[-1].hash)
    assert len(hashes) == 1


async def test_a_run_in_parts_is_the_run(config: str, tmp_path: Path) -> None:
    whole = await gone_on(tmp_path / "whole", config, InlinePool())
    parts: list[GenerationRecorded] = []
    for steps in (1, 1, 3, 1000):
        parts += await gone_on(tmp_path / "parts", config, InlinePool(), steps)
    assert [each.hash for each in parts] == [each.hash for each in whole]
    assert not await gone_on(tmp_path / "parts", config, InlinePool()), "what is over stays over"


async def test_what_is_on_record(tmp_path: Path) -> None:
    heard = await gone_on(tmp_path / "run", SMALL, InlinePool())
    *generations, last = heard[1:]
    assert [each.generation.statistics["trials"] for each in generations][:1] == [300]
    assert sum(each.generation.statistics["tried"] for each in generations) >= 3000
    examined = last.generation.statistics["examined"]
    with RunStore.open(tmp_path / "run") as store:
        ids = store.ids()
        assert ids == list(range(len(ids)))
        champion = Genome.loads(store.individual(examined["champion"]).genome)
        records = [contest for _, contest in store.contests()]
        assert len(records) == len(generations)
        assert [contest.length for contest in records] == [len(unpacked(each.record)) for each in records]
        report = open_experiment(store).report
        for progress in heard:
            assert report(progress.generation)
    assert Genome.loads((tmp_path / "run" / CHAMPION).read_text()) == champion
    assert examined["tests"] == 10 and 0 <= examined["negative"] <= 1


async def test_it_finds_better_strings_than_chance_has(tmp_path: Path) -> None:
    config = (
        SMALL.replace("mixed", "drones")
        .replace("trials = 3000", "trials = 9000")
        .replace("fresh tests = 20", "fresh tests = 80")
    )
    heard = await gone_on(tmp_path / "run", config, InlinePool())
    means = [each.generation.statistics["mean"] for each in heard if "mean" in each.generation.statistics]
    assert means[-1] < means[0] - 3000
    assert heard[-1].generation.statistics["examined"]["mean"] < 0


def test_a_state_of_other_strings_is_refused() -> None:
    population = BitStrings(BitStringsConfig(population=10, trials=10, saved=4, candidates=1), 1)
    population.step([])
    state = population.dumps()
    again = BitStrings(BitStringsConfig(population=10, trials=10, saved=4, candidates=1), 2)
    with pytest.raises(ValueError, match="another version"):
        again.resume(state, [])


def test_tests_grow_evenly_in_number() -> None:
    config = BitStringsConfig(trials=20_000, replicates=2, last_replicates=12)
    assert [config.tests_after(trials) for trials in (0, 1999, 2000, 10_000, 20_000, 30_000)] == [
        2, 2, 3, 7, 12, 12,
    ]  # fmt: skip
    assert BitStringsConfig(replicates=3).tests_after(5000) == 3


def test_founders_are_those_of_a_pool(tmp_path: Path) -> None:
    strings = [each.genome for each in bundled_pool().entries]
    path = tmp_path / "strings.jsonl"
    path.write_text(bundled_pool().dumps())
    assert list(BitStringsConfig(founders="pool").founding()) == strings
    assert list(BitStringsConfig(founders=str(path), population=60).founding()) == strings[:60]
    assert BitStringsConfig().founding() == ()
    path.write_text("{}")
    with pytest.raises(ConfigError, match=r"strings.jsonl: line 1: the head of a pool"):
        seed_in(f"founders = {path}")


def test_performances_are_packed() -> None:
    assert unpacked(packed([3, -(2**40), 0])) == [3, -(2**40), 0]


@pytest.mark.parametrize("path", sorted(RUNS.glob("*.txt")), ids=lambda path: path.stem)
def test_bundled_configurations(path: Path) -> None:
    text = path.read_text()
    config = BitStringsConfig.loads(text)
    assert BitStringsConfig.loads(config.dumps()) == config
    assert seed_in(text) == 1
    if path.stem == "genesis":
        assert config == BitStringsConfig(arrangement="mixed"), "the defaults are those of the paper"


def test_files_on_which_strings_are_tried(tmp_path: Path) -> None:
    board, units = tmp_path / "lake.apm", tmp_path / "units.txt"
    board.write_text(f"{'~' * 24}\n" * 23 + f"{',' * 24}\n")
    units.write_text("settler 3 23\ndrone 4 23\n")
    target = BitStringsConfig(map=str(board), arrangement=str(units)).target()
    assert target.budget == target.arrangement.value(RULES["seed"]) == 170
    assert BitStringsConfig(map=str(board), arrangement=str(units), budget=500).target().budget == 500
    units.write_text("settler 3 2\n")
    with pytest.raises(ConfigError, match="stand"):
        BitStringsConfig(map=str(board), arrangement=str(units)).target()
    board.write_text("~")
    with pytest.raises(ConfigError, match=r"lake.apm: line 1: a row has 24 letters, not 1"):
        BitStringsConfig(map=str(board)).target()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("population = 50\ntrials = 49", "line 2: trials must be enough for a population, 50, not 49"),
        ("saved = 3", "candidates are of the 3 saved, not 10"),
        ("mutation = 0", "line 1: mutation must be 1e-06 to 0.5, not '0'"),
        ("money = 0", "an arrangement without units makes every rating 0"),
        ("elitist = perhaps", "line 1: elitist must be yes or no, not 'perhaps'"),
    ],
)
def test_what_cannot_be_run(text: str, reason: str) -> None:
    with pytest.raises(ConfigError) as refused:
        seed_in(text)
    assert reason in str(refused.value)
