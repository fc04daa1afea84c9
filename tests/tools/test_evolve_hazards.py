"""`galapagos evolve` with kills, signals, a full disk and lost workers: a resumed run always ends with the same hash."""

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from engines.evolution.run_store import RunStore
from tests.conftest import ROOT
from tests.tools.conftest import SQUARES
from tests.tools.kills import generations_of
from tests.waiting import PATIENCE_SECONDS, wait_until
from tools.__main__ import main

GENERATIONS = 40
SESSIONS: list[subprocess.Popen[str]] = []  # to be killed if a test fails


@pytest.fixture(autouse=True)
def kill_leftover_sessions() -> Iterator[None]:
    yield
    while SESSIONS:
        with SESSIONS.pop() as process:
            process.kill()


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hash of GENERATIONS that nothing has disturbed."""
    folder = tmp_path_factory.mktemp("expected")
    (folder / "c").write_text(SQUARES, encoding="utf-8")
    ended(started(folder / "run", folder / "c", "--workers", "1"))
    return hash_of(folder / "run")


def arguments(run: Path, config: Path | None, *more: str) -> list[str]:
    first = ["--resume"] if config is None else [str(config)]
    return ["evolve", "tic-tac-toe", *first, "--run", str(run), "--generations", str(GENERATIONS), *more]


def started(run: Path, config: Path | None, *more: str, **hazards: float) -> subprocess.Popen[str]:
    """A session in a process of its own; without a configuration it resumes."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from tests.tools import hazard; hazard.run()",
            *arguments(run, config, *more),
        ],
        cwd=ROOT,
        env=os.environ | {name: str(value) for name, value in hazards.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    SESSIONS.append(process)
    return process


def ended(process: subprocess.Popen[str], status: int = 0) -> tuple[str, str]:
    """Standard output and error, when it has ended."""
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == status, (process.returncode, out, err)
    return out, err


def hash_of(run: Path) -> str:
    with RunStore.open(run) as store:
        assert store.count("generation") == GENERATIONS + 1
        assert [past.number for past in store.generations()] == list(range(GENERATIONS + 1))
        return store.hash


def resumed(run: Path) -> str:
    """The hash after a resumed session has come to the end."""
    ended(started(run, None))
    return hash_of(run)


def children(pid: int) -> list[int]:
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(word) for thread in threads for word in thread.read_text().split()]


def workers(process: subprocess.Popen[str]) -> list[int]:
    """The workers: the children of the fork server."""
    return [worker for helper in children(process.pid) for worker in children(helper)]


# -- The same run, bit for bit ---------------------------------------------------------------------


@pytest.mark.parametrize("workers", ["2", "4"])
def test_the_number_of_workers_changes_nothing(
    workers: str, expected: str, squares: Path, tmp_path: Path
) -> None:
    assert main(arguments(tmp_path / "run", squares, "--workers", workers, "--quiet")) == 0
    assert hash_of(tmp_path / "run") == expected


@pytest.mark.parametrize("kills", [3, pytest.param(10, marks=pytest.mark.slow)])
def test_a_killed_run_resumes_to_the_same_hash(
    kills: int, expected: str, squares: Path, tmp_path: Path
) -> None:
    run, rng = tmp_path / "run", random.Random(kills)
    for _ in range(kills):
        process = started(run, None if (run / "run.sqlite").exists() else squares, SECONDS=0.002 * kills)
        time.sleep(rng.uniform(0.2, 0.8))
        orphans = workers(process)
        process.kill()
        ended(process, -signal.SIGKILL)
        wait_until(lambda: not any(Path(f"/proc/{orphan}").exists() for orphan in orphans))  # noqa: B023
    if not (run / "run.sqlite").exists():
        assert main(arguments(run, squares, "--quiet")) == 0
    assert resumed(run) == expected


def test_killed_workers_are_replaced(expected: str, squares: Path, tmp_path: Path) -> None:
    run, rng = tmp_path / "run", random.Random(1)
    process = started(run, squares, "--workers", "2", SECONDS=0.003)
    killed = 0
    for share in (0.1, 0.4, 0.7):
        wait_until(lambda: generations_of(run) > share * GENERATIONS)  # noqa: B023
        wait_until(lambda: workers(process))
        with suppress(ProcessLookupError):
            os.kill(rng.choice(workers(process)), signal.SIGKILL)
            killed += 1
    ended(process)
    assert killed
    assert hash_of(run) == expected


def test_a_task_that_ends_every_worker_is_given_up(expected: str, squares: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = started(run, squares, "--json", POISON=20)
    out, err = ended(process, 1)
    assert "is abandoned" in err and "Traceback" not in err
    last = json.loads(out.splitlines()[-1])
    assert last["reason"] == "failure" and "is abandoned" in last["error"]
    assert last["resume"].startswith("galapagos evolve tic-tac-toe --run")
    assert last["generation"] == generations_of(run) - 1 > 0
    assert resumed(run) == expected


def test_a_run_stopped_by_a_full_disk_resumes_to_the_same_hash(
    expected: str, squares: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    out, err = ended(started(run, squares, BYTES=100_000), 1)
    assert re.fullmatch(r"galapagos evolve: .*run\.sqlite: .*(full|I/O).*\n", err)
    assert f"--run {run} --resume" in out
    assert 1 < generations_of(run) < GENERATIONS
    assert resumed(run) == expected


# -- Signals ---------------------------------------------------------------------------------------


def test_ctrl_c_ends_the_run_after_the_generation(expected: str, squares: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = started(run, squares, "--workers", "2", SECONDS=0.05)
    wait_until(lambda: generations_of(run) > 1)
    process.send_signal(signal.SIGINT)
    before = generations_of(run)
    out, err = ended(process, 130)
    assert "press Ctrl-C again to stop at once" in err and "Traceback" not in err
    assert before <= generations_of(run) <= before + 1
    resume = out.splitlines()[-1].partition("galapagos ")[2]
    assert resume == f"evolve tic-tac-toe --run {run} --resume --workers 2"
    assert main([*shlex.split(resume), "--generations", str(GENERATIONS)]) == 0
    assert hash_of(run) == expected


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_second_signal_ends_the_run_at_once(
    number: signal.Signals, status: int, expected: str, squares: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    process = started(run, squares, "--workers", "2", SECONDS=60)
    wait_until(lambda: len(workers(process)) == 2)
    orphans = workers(process)
    process.send_signal(number)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(number)
    out, err = ended(process, status)
    assert "Traceback" not in err and "never retrieved" not in err
    assert "--resume" in out
    wait_until(lambda: not any(Path(f"/proc/{orphan}").exists() for orphan in orphans))
    assert generations_of(run) == 1
    assert resumed(run) == expected


# -- A cluster -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A dask scheduler and two workers, without the nannies that would replace them."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: Sequence[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    if not find_spec("distributed"):
        pytest.skip("dask is not installed: pip install '.[cluster]'")
    logs = [tmp_path / name for name in ("scheduler.log", "1.log", "2.log")]
    with ExitStack() as stack:

        def begun(program: str, log: Path, *words: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{program}", "--no-dashboard", *words],
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT), "SECONDS": "0.002"},
                stderr=stack.enter_context(log.open("wb")),
            )
            stack.enter_context(process)
            stack.callback(process.kill)
            return process

        scheduler = begun("dask_scheduler", logs[0], "--host", "127.0.0.1", "--port", "0")
        wait_until(lambda: re.search(r"Scheduler at:\s+(tcp://\S+)", logs[0].read_text()))
        address = re.findall(r"tcp://\S+", logs[0].read_text())[0]
        workers = [begun("dask_worker", log, address, "--nthreads", "1", "--no-nanny") for log in logs[1:]]
        wait_until(lambda: logs[0].read_text().count("Starting worker compute stream") == 2)
        yield Cluster(address=address, scheduler=scheduler, workers=workers)


@pytest.mark.slow
def test_a_cluster_gives_the_same_hash(
    cluster: Cluster, expected: str, squares: Path, tmp_path: Path
) -> None:
    """Even if one of its workers dies."""
    run = tmp_path / "run"
    process = started(run, squares, "--cluster", cluster.address)
    wait_until(lambda: generations_of(run) > GENERATIONS // 3)
    cluster.workers[0].kill()
    ended(process)
    assert hash_of(run) == expected


@pytest.mark.slow
def test_a_run_resumes_to_the_same_hash_after_its_cluster_is_lost(
    cluster: Cluster, expected: str, squares: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    process = started(run, squares, "--cluster", cluster.address)
    wait_until(lambda: generations_of(run) > 2)
    cluster.scheduler.kill()
    _, err = ended(process, 1)
    assert err.startswith("galapagos evolve: cannot connect to a cluster at") and err.count("\n") == 1
    assert resumed(run) == expected
