"""Work beside the loop: results in order whatever dies, tasks that are abandoned, bounds, and threads."""

import asyncio
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import _ExecutorManagerThread
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engines.worker_pool import (
    DEATHS,
    PREFETCH,
    TaskError,
    WorkerPool,
    bounded,
    dask_pool,
    process_pool,
    run_in_thread,
)
from tests.waiting import PATIENCE_SECONDS, until


def square(number: int) -> int:
    return number * number


def square_at_last(task: tuple[int, Path | None]) -> int:
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


async def test_workers_have_the_priority_that_was_asked_for() -> None:
    for niceness in (0, 5):
        async with process_pool(1, niceness=niceness) as pool:
            assert await pool.map(own_niceness, [None]) == [min(own_niceness(None) + niceness, 19)]


async def test_results_are_in_order() -> None:
    async with process_pool(2) as pool:
        assert await pool.map(square, range(50)) == [number * number for number in range(50)]
        assert await pool.map(square, []) == []
        assert await pool.map(square, [7]) == [49]
        assert (pool.done, pool.wanted, pool.rebuilt) == (1, 1, 0)


async def test_a_dead_worker_costs_nothing_but_time(tmp_path: Path) -> None:
    tasks = [(number, tmp_path / str(number) if number % 10 == 5 else None) for number in range(40)]
    async with process_pool(2) as pool:
        assert await pool.map(square_at_last, tasks) == [number * number for number in range(40)]
        assert pool.rebuilt >= 1 and pool.done == 40
        assert len(os.listdir(tmp_path)) == 4  # noqa: PTH208
        assert await pool.map(square, [3]) == [9]


async def test_two_who_share_a_pool_share_its_accidents(tmp_path: Path) -> None:
    tasks = [(number, tmp_path / str(number) if number == 7 else None) for number in range(20)]
    before = threading.enumerate()
    async with process_pool(2) as pool:
        both = await asyncio.gather(pool.map(square_at_last, tasks), pool.map(square, range(200)))
        assert [*map(len, both)] == [20, 200] and all(row == [n * n for n in range(len(row))] for row in both)
    begun = [thread for thread in threading.enumerate() if thread not in before]
    assert not [thread for thread in begun if isinstance(thread, _ExecutorManagerThread)], (
        "one is left behind"
    )


async def test_a_task_that_ends_every_worker_is_given_up() -> None:
    async with process_pool(2) as pool:
        with pytest.raises(TaskError, match="task 5 of the generation"):
            await pool.map(square_unless_five, range(8))
        assert pool.rebuilt == 1 + DEATHS, "first in company, then alone"
        assert await pool.map(square, [3]) == [9], "the others can go on"


async def test_what_a_task_raises_passes_through() -> None:
    async with process_pool(2) as pool:
        with pytest.raises(ZeroDivisionError, match="3 cannot be done"):
            await pool.map(refused, range(20))


async def test_the_loop_is_free_and_workers_end_with_the_pool() -> None:
    """Even in the middle of a task that takes a minute."""
    async with process_pool(2) as pool:
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
        "import asyncio; from engines.worker_pool import process_pool; import tests.engines.test_worker_pool as t\n"
        "async def main():\n"
        "    async with process_pool(2) as pool:\n"
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


# -- Any executor will do --------------------------------------------------------------------------


class Counting(ThreadPoolExecutor):
    """Threads that know how many tasks they were given before the first was done, and break at times."""

    def __init__(self, breaks: list[int]) -> None:
        super().__init__(2)
        self.breaks = breaks  # submissions, counted from the last break, that break it
        self.given = 0

    def submit(self, function, /, *args):  # type: ignore[no-untyped-def, override]
        self.given += 1
        if self.breaks and self.given == self.breaks[0]:
            self.breaks.pop(0)
            raise BrokenExecutor("an idle worker has died")
        return super().submit(function, *args)


async def test_an_executor_that_breaks_while_it_is_given_tasks() -> None:
    started: list[Counting] = []
    breaks = [3, 1, 2]

    def start() -> Executor:
        started.append(Counting(breaks))
        return started[-1]

    async with WorkerPool(2, start, lambda executor: executor.shutdown()) as pool:
        assert await pool.map(square, range(10)) == [number * number for number in range(10)]
    assert pool.rebuilt == 3 and len(started) == 4


async def test_few_tasks_are_under_way_at_a_time() -> None:
    class Lazy(Executor):
        """Does a task when the next is given, or a moment later."""

        most = 0

        def __init__(self) -> None:
            self.waiting: list[tuple[Future[int], int]] = []

        def submit(self, function, /, *args):  # type: ignore[no-untyped-def, override]
            future: Future[int] = Future()
            self.waiting.append((future, function(*args)))
            Lazy.most = max(Lazy.most, len(self.waiting))
            asyncio.get_running_loop().call_later(0.001, self.finish)
            return future

        def finish(self) -> None:
            future, result = self.waiting.pop(0)
            future.set_result(result)

    async with WorkerPool(3, Lazy, lambda executor: None) as pool:
        assert await pool.map(square, range(100)) == [number * number for number in range(100)]
    assert Lazy.most == PREFETCH * 3


def test_no_cluster_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match=r"galapagos-engines\[cluster\]"):
        dask_pool("tcp://127.0.0.1:1")


async def test_a_cluster_in_this_process() -> None:
    """One of processes, that die: tests/tools/test_evolve_hazards.py."""
    distributed: Any = pytest.importorskip("distributed", reason="dask is missing: pip install '.[cluster]'")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address="127.0.0.1:0"
    ) as cluster:
        async with dask_pool(cluster.scheduler_address) as pool:
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
    async with process_pool(1) as pool:
        with pytest.raises(TaskError, match=r"a task takes more than 0\.2 s of the processor"):
            await pool.map(partial(bounded, 0.2, spin), [False])
        assert await pool.map(partial(bounded, 0.2, square), [3, 4]) == [9, 16]
        assert pool.rebuilt == 0


def test_code_that_hears_no_signal_is_ended() -> None:
    process = multiprocessing.get_context("forkserver").Process(target=bounded, args=(0.0, spin, True))
    process.start()
    process.join(60.0)
    assert process.exitcode == -signal.SIGVTALRM


async def test_too_much_memory_is_an_error_that_costs_no_worker() -> None:
    async with process_pool(1) as pool:
        assert await pool.map(partial(bounded, 9.0, eat), [100]) == [100 << 20]
        with pytest.raises(TaskError, match="more than 256 MiB"):
            await pool.map(partial(bounded, 9.0, eat), [400])
        assert await pool.map(square, [3]) == [9]
        assert pool.rebuilt == 0


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


async def test_its_answer_and_its_fault() -> None:
    assert await run_in_thread(lambda: 7) == 7
    with pytest.raises(OSError, match="full"):
        await run_in_thread(broken)


@pytest.mark.parametrize("fails", [False, True])
async def test_who_is_cancelled_waits(fails: bool) -> None:
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
