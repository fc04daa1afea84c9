"""A chess run that is killed ten times, on either backend, ends with the hash of one that nobody disturbed."""

import random
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.tools.kills import Evolution, facts

CONFIG = """
maximum simultaneous games = 8
gene pool population = 16
gene pool count = 3
draw kill probability = 0.05
pool swap interval = 100
minimum game time = 5
maximum game time = 15
game time increment = 1
gene pool file = pool.txt
nodes per second = 200
"""
GENERATIONS = 400  # 9,600 games
KILLS = 10

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def evolution(tmp_path_factory: pytest.TempPathFactory) -> Evolution:
    path = tmp_path_factory.mktemp("config") / "config.txt"
    path.write_text(CONFIG)
    return Evolution(game="chess", config=path, generations=GENERATIONS)


@pytest.fixture(scope="module")
def undisturbed(evolution: Evolution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nobody has disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    evolution.run(folder, "--workers", "2")
    return folder


@pytest.fixture
def cluster() -> Iterator[str]:
    """The address of a dask scheduler with two workers."""
    if not find_spec("distributed"):
        pytest.skip("dask is not installed: pip install '.[cluster]'")
    distributed: Any = import_module("distributed")  # only half of it has types

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as local:
        yield local.scheduler_address


def run_with_kills(evolution: Evolution, folder: Path, *more: str) -> list[int]:
    """Kill it KILLS times and let it end; the generations that were on record at each kill."""
    rng = random.Random(9)
    seen = [evolution.kill(folder, *more, after=1, seconds=rng.uniform(0.0, 4.0)) for _ in range(KILLS)]
    evolution.run(folder, *more)
    return seen


def same(one: Path, other: Path) -> bool:
    """Equal in the store and in every file beside it."""
    names = ("pool.txt", "pool.txt_games.txt", "pool.txt_best_genome.txt")
    files = all((one / name).read_bytes() == (other / name).read_bytes() for name in names)
    return files and facts(one) == facts(other)


def test_a_run_killed_ten_times_on_this_machine_ends_with_the_same_hash(
    undisturbed: Path, evolution: Evolution, tmp_path: Path
) -> None:
    seen = run_with_kills(evolution, tmp_path / "run", "--workers", "2")
    print(f"\nkilled at generations {seen}, hash {facts(tmp_path / 'run')[2]}")
    assert seen[-1] < GENERATIONS
    assert same(tmp_path / "run", undisturbed)


def test_a_run_killed_ten_times_on_a_cluster_ends_with_the_same_hash(
    undisturbed: Path, evolution: Evolution, cluster: str, tmp_path: Path
) -> None:
    seen = run_with_kills(evolution, tmp_path / "run", "--cluster", cluster)
    print(f"\nkilled at generations {seen}, hash {facts(tmp_path / 'run')[2]}")
    assert seen[-1] < GENERATIONS
    assert same(tmp_path / "run", undisturbed)
