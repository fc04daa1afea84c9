"""A chess run that is killed ten times, on either backend, ends with the hash of one that nobody disturbed."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from engines.evolution.run_store import RunStore
from tests.conftest import ROOT

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
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("config") / "config.txt"
    path.write_text(CONFIG)
    return path


@pytest.fixture(scope="module")
def undisturbed(config: Path) -> Path:
    """The folder of a run that nobody has disturbed."""
    folder = config.with_name("undisturbed")
    with session(folder, config, "--workers", "2") as process:
        assert process.wait() == 0
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


def session(folder: Path, config: Path, *more: str) -> subprocess.Popen[bytes]:
    words = ["--resume"] if (folder / "run.sqlite").exists() else [str(config)]
    words += ["--run", str(folder), "--generations", str(GENERATIONS), "--quiet", *more]
    return subprocess.Popen(
        [sys.executable, "-m", "tools", "evolve", "chess", *words],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def facts(folder: Path) -> tuple[int, int, str]:
    with RunStore.open(folder) as store:
        return store.count("generation"), store.count("contest"), store.hash


def killed_on_the_way(folder: Path, config: Path, *more: str) -> list[int]:
    """Kill the process KILLS times and let it end; the generations that were on record at each kill."""
    rng = random.Random(9)
    seen = [0]
    while len(seen) <= KILLS:
        with session(folder, config, *more) as process:
            while not (folder / "run.sqlite").exists() or facts(folder)[0] <= seen[-1]:
                assert process.poll() is None, "the run was over before it was killed often enough"
                time.sleep(0.05)
            time.sleep(rng.uniform(0.0, 4.0))
            process.kill()
        seen.append(facts(folder)[0])
    with session(folder, config, *more) as process:
        assert process.wait() == 0
    return seen[1:]


def same(one: Path, other: Path) -> bool:
    """Equal in the store and in every file beside it."""
    names = ("pool.txt", "pool.txt_games.txt", "pool.txt_best_genome.txt")
    files = all((one / name).read_bytes() == (other / name).read_bytes() for name in names)
    return files and facts(one) == facts(other)


def test_ten_kills_on_this_machine(undisturbed: Path, config: Path, tmp_path: Path) -> None:
    seen = killed_on_the_way(tmp_path / "run", config, "--workers", "2")
    print(f"\nkilled at generations {seen}, hash {facts(tmp_path / 'run')[2]}")
    assert seen[-1] < GENERATIONS
    assert same(tmp_path / "run", undisturbed)


def test_ten_kills_on_a_cluster(undisturbed: Path, config: Path, cluster: str, tmp_path: Path) -> None:
    seen = killed_on_the_way(tmp_path / "run", config, "--cluster", cluster)
    print(f"\nkilled at generations {seen}, hash {facts(tmp_path / 'run')[2]}")
    assert seen[-1] < GENERATIONS
    assert same(tmp_path / "run", undisturbed)
