"""Work beside the loop: results in order whatever dies, tasks that are abandoned, bounds, and threads."""

import asyncio
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engines import worker_pool
from engines.threads import run_in_thread
from engines.worker_pool import DEATHS, PREFETCH, Cluster, TaskError, Workers, bounded
from tests.toy import InlinePool
from tests.waiting import PATIENCE_SECONDS, until


def square(number: int) -> int:
    return number * number


def square_after_first_death(task: tuple[int, Path | None]) -> int:
    """A task with a path ends the worker that is the first to try it."""
    number, mark = task
    if mark and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def square_unless_five(number: int) -> int:
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def refused(number: int) -> int:
    if number == 3:
        raise ZeroDivisionError(f"{number} cannot be done")
    return number


def pid_and_sleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def own_niceness(_: None) -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


async def test_workers_have_the_requested_niceness() -> None:
    for niceness in (0, 5):
        async with Workers(1, niceness=niceness) as pool:
            assert await pool.map(own_niceness, [None]) == [min(own_niceness(None) + niceness, 19)]


async def test_results_are_in_order() -> None:
    async with Workers(2) as pool:
        assert await pool.map(square, range(50)) == [number * number for number in range(50)]
        assert await pool.map(square, []) == []
        assert await pool.map(square, [7]) == [49]
        assert (pool.done, pool.wanted, pool.deaths) == (1, 1, 0)


async def test_tasks_of_dead_workers_are_tried_again(tmp_path: Path) -> None:
    tasks = [(number, tmp_path / str(number) if number % 10 == 5 else None) for number in range(40)]
    async with Workers(2) as pool:
        assert await pool.map(square_after_first_death, tasks) == [number * number for number in range(40)]
        assert pool.deaths >= 1 and pool.done == 40
        assert len(os.listdir(tmp_path)) == 4  # noqa: PTH208
        assert await pool.map(square, [3]) == [9]


async def test_a_dead_worker_does_not_affect_other_maps(tmp_path: Path) -> None:
    tasks = [(number, tmp_path / str(number) if number == 7 else None) for number in range(20)]
    async with Workers(2) as pool:
        both = await asyncio.gather(pool.map(square_after_first_death, tasks), pool.map(square, range(200)))
        assert [*map(len, both)] == [20, 200] and all(row == [n * n for n in range(len(row))] for row in both)
        assert pool.deaths == 1


async def test_a_task_that_ends_every_worker_is_given_up() -> None:
    async with Workers(2) as pool:
        with pytest.raises(
            TaskError, match="is abandoned, because it has ended every process that ran it: 5"
        ):
            await pool.map(square_unless_five, range(8))
        assert pool.deaths == DEATHS
        assert await pool.map(square, [3]) == [9], "the others can go on"


async def test_exceptions_of_tasks_are_raised_by_map() -> None:
    async with Workers(2) as pool:
        with pytest.raises(ZeroDivisionError, match="3 cannot be done"):
            await pool.map(refused, range(20))


async def test_the_loop_is_free_and_workers_end_with_the_pool() -> None:
    """Even in the middle of a task that takes a minute."""
    async with Workers(2) as pool:
        pids = set(await pool.map(pid_and_sleep, [0.05] * 8))
        task = asyncio.create_task(pool.map(pid_and_sleep, [3600.0] * 4))
        for _ in range(20):
            await asyncio.sleep(0.005)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert pids and all(map(is_there, pids))
    await until(lambda: not any(map(is_there, pids)))


async def test_workers_end_with_a_killed_owner() -> None:
    code = (
        "import asyncio; from engines.worker_pool import Workers; import tests.engines.test_worker_pool as t\n"
        "async def main():\n"
        "    async with Workers(2) as pool:\n"
        "        print(*set(await pool.map(t.pid_and_sleep, [0.1] * 4)), flush=True)\n"
        "        await pool.map(t.pid_and_sleep, [60.0] * 4)\n"
        "asyncio.run(main())"
    )
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert owner.stdout
    pids = [int(word) for word in (await owner.stdout.readline()).split()]
    assert pids and all(map(is_there, pids))
    owner.kill()
    await owner.wait()
    await until(lambda: not any(map(is_there, pids)))


async def test_a_failure_notes_the_place_where_it_happened() -> None:
    async with Workers(1) as pool:
        with pytest.raises(ZeroDivisionError) as caught:
            await pool.do(refused, 3)
        assert "in refused" in caught.value.__notes__[0]


class Unreadable(Exception):
    """It can be pickled, and not be read again."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def unreadable(number: int) -> Any:
    raise Unreadable(number, number)


def unwritable(number: Any) -> Any:
    return lambda: number


async def test_objects_that_cannot_be_pickled_fail_only_their_own_task() -> None:
    async with Workers(1) as pool:
        both = await asyncio.gather(pool.do(unreadable, 4), pool.do(square, 5), return_exceptions=True)
        assert (type(both[0]), str(both[0]), both[1]) == (RuntimeError, "Unreadable: 4 and 4", 25)
        with pytest.raises((AttributeError, pickle.PicklingError)):
            await pool.do(unwritable, 4)
        with pytest.raises((AttributeError, pickle.PicklingError)):
            await pool.do(unwritable, lambda: 4)
        assert await pool.do(square, 5) == 25 and pool.deaths == 0


async def test_map_runs_a_limited_number_of_tasks_at_a_time() -> None:
    most = 0

    class Counting(InlinePool):
        under_way = 0

        async def _run(self, function: Any, task: Any, prefetch: int) -> Any:
            nonlocal most
            self.under_way += 1
            most = max(most, self.under_way)
            outcome = await super()._run(function, task, prefetch)
            self.under_way -= 1
            return outcome

    async with Counting() as pool:
        assert await pool.map(square, range(100)) == [number * number for number in range(100)]
    assert most == PREFETCH


async def test_a_task_waits_for_the_first_worker_that_is_free() -> None:
    async with Workers(2) as pool:
        async with asyncio.timeout(PATIENCE_SECONDS):
            long = asyncio.create_task(pool.do(pid_and_sleep, 3600.0))
            assert len({await pool.do(pid_and_sleep, 0.0) for _ in range(5)}) == 1
        long.cancel()


async def test_processes_start_when_needed_and_end_when_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "IDLE_SECONDS", 0.2)
    async with Workers(2) as pool:
        assert not any(worker.pid for worker in pool._workers)
        pid = await pool.do(pid_and_sleep, 0.0)
        assert [worker.pid for worker in pool._workers] == [pid, None]
        for _ in range(4):  # not while it has something to do
            assert await pool.do(pid_and_sleep, 0.1) == pid
        await until(lambda: not is_there(pid), "the end of the process")
        assert await pool.do(pid_and_sleep, 0.0) != pid
        engine = await pool.engine("engines.random_engine:RandomEngine")
        await asyncio.sleep(0.5)
        assert pool._workers[0].pid, "it has an engine"
        await engine.close()
        await until(lambda: not pool._workers[0].pid, "the end of the process")


async def test_a_cancelled_task_still_keeps_its_worker_busy() -> None:
    async with Workers(1) as pool:
        await pool.do(square, 1)
        task = asyncio.create_task(pool.do(pid_and_sleep, 0.3))
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.wait({task})
        assert pool._workers[0].load == 1
        assert await pool.do(square, 3) == 9
        assert pool._workers[0].load == 0


async def test_a_folder_of_the_user_hides_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines/__init__.py").write_text("raise SystemExit('this is not ours')")
    root = Path(__file__).parents[2]
    code = (
        f"import sys; sys.path[0] = {str(root)!r}\n"
        "import asyncio; from engines.worker_pool import Workers\n"
        "async def main():\n"
        "    async with Workers(1, preload=['engines.random_engine']) as pool: print(await pool.do(abs, -4))\n"
        "asyncio.run(main())"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        code,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=tmp_path,
    )
    out, _ = await process.communicate()
    assert out.decode() == "4\n"


# -- A cluster -------------------------------------------------------------------------------------


def test_a_cluster_without_dask_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match=r"\.\[cluster\]"):
        Cluster("tcp://127.0.0.1:1")


async def test_a_local_cluster_maps_tasks_and_raises_their_errors() -> None:
    """One of processes, that die: tests/tools/test_evolve_hazards.py."""
    distributed: Any = pytest.importorskip("distributed", reason="dask is missing: pip install '.[cluster]'")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address="127.0.0.1:0"
    ) as cluster:
        async with Cluster(cluster.scheduler_address) as pool:
            assert pool.workers == 1
            assert await pool.map(square, range(20)) == [number * number for number in range(20)]
            with pytest.raises(ZeroDivisionError, match="3 cannot be done"):
                await pool.map(refused, [1, 2, 3])
            assert await pool.map(refused, [4]) == [4]


# -- Bounds ----------------------------------------------------------------------------------------


def spin(stubborn: bool) -> None:
    """Stubborn as compiled code is: no exception of a signal reaches it."""
    if stubborn:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})
    while True:
        pass


def eat(mebibytes: int) -> int:
    return len(bytes(mebibytes << 20))


async def test_too_much_time_is_an_error_that_costs_no_worker() -> None:
    """And is not tried again: it would cost as much each time."""
    async with Workers(1) as pool:
        with pytest.raises(TaskError, match=r"a task takes more than 0\.2 s of processor time"):
            await pool.map(partial(bounded, 0.2, spin), [False])
        assert await pool.map(partial(bounded, 0.2, square), [3, 4]) == [9, 16]
        assert pool.deaths == 0


def test_code_that_blocks_signals_is_ended_by_its_time_limit() -> None:
    process = multiprocessing.get_context("forkserver").Process(target=bounded, args=(0.0, spin, True))
    process.start()
    process.join(60.0)
    assert process.exitcode == -signal.SIGVTALRM


async def test_too_much_memory_is_an_error_that_costs_no_worker() -> None:
    async with Workers(1) as pool:
        assert await pool.map(partial(bounded, 9.0, eat), [100]) == [100 << 20]
        with pytest.raises(TaskError, match="more than 256 MiB"):
            await pool.map(partial(bounded, 9.0, eat), [400])
        assert await pool.map(square, [3]) == [9]
        assert pool.deaths == 0


def test_bounds_end_with_the_task() -> None:
    def bounds() -> list[object]:
        timers = [signal.getitimer(kind) for kind in (signal.ITIMER_PROF, signal.ITIMER_VIRTUAL)]
        return [resource.getrlimit(resource.RLIMIT_AS), signal.getsignal(signal.SIGPROF), *timers]

    before = bounds()
    assert bounded(1.0, square, 4) == 16
    with pytest.raises(TaskError):
        bounded(1.0, eat, 400)
    with pytest.raises(TaskError):
        bounded(0.01, spin, False)
    assert bounds() == before


# -- Threads ---------------------------------------------------------------------------------------


def broken() -> None:
    raise OSError("the disk is full")


async def test_run_in_thread_returns_results_and_raises_errors() -> None:
    assert await run_in_thread(lambda: 7) == 7
    with pytest.raises(OSError, match="full"):
        await run_in_thread(broken)


@pytest.mark.parametrize("fails", [False, True])
async def test_cancelling_run_in_thread_waits_for_the_thread(fails: bool) -> None:
    go_on, done = threading.Event(), threading.Event()

    def work() -> None:
        go_on.wait(PATIENCE_SECONDS)
        done.set()
        if fails:
            broken()

    task = asyncio.create_task(run_in_thread(work))
    for _ in range(3):
        await asyncio.sleep(0.01)
        task.cancel()
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done.is_set()
