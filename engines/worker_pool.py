"""Work beside the event loop: tasks on other processes or machines, with results in order whatever dies on the way.

Any concurrent.futures.Executor will do, if it can be made anew when it has broken. A worker that is
killed breaks the standard pool as a whole: what was under way is done again, each task alone, and a
task that has then broken three pools is abandoned (TaskError). A few tasks a worker are under way at a
time, never all.
"""

import asyncio
import logging
import multiprocessing
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final, TypeVar

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

PREFETCH: Final = 2  # tasks under way for each worker: one at work, one at hand
DEATHS: Final = 3  # that a task may cause
MEMORY_BYTES: Final = 256 << 20  # that a bounded task may take
GRACE_SECONDS: Final = 1  # of the processor, for a bounded task to end by an exception
HANGING_SECONDS: Final = 1  # after which an executor without workers does not end by itself
STATUS: Final = Path("/proc/self/statm")  # in pages


class TaskError(RuntimeError):
    """A task that cannot be done: it ends every worker that tries."""


class WorkerPool:
    """Workers that hold for a whole run. Use as an async context manager."""

    def __init__(
        self,
        workers: int,
        start: Callable[[], Executor],
        end: Callable[[Executor], None],
        abandoned: tuple[type[Exception], ...] = (),
    ) -> None:
        """`abandoned`: what the executor itself raises for a task that ends its workers."""
        self.workers = workers
        self.rebuilt = 0  # how often the executor broke
        self.done = 0  # tasks of the map() that is under way, or was the last
        self.wanted = 0  # of so many
        self._start = start
        self._stop = end
        self._abandoned = abandoned
        self._executor: Executor | None = None
        self._starting = asyncio.Lock()  # several maps may be under way

    async def __aenter__(self) -> "WorkerPool":
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._executor is not None:
            await self._end(self._executor)

    async def map(self, function: Callable[[Task], Outcome], tasks: Sequence[Task]) -> list[Outcome]:
        """function(task) for each task, in their order. What the function raises passes through."""
        outcomes: dict[int, Outcome] = {}
        self.done, self.wanted = 0, len(tasks)
        suspects = await self._all(function, tasks, range(len(tasks)), outcomes)
        while suspects:  # the executor broke; what was under way may have done it
            for index in suspects:
                await self._alone(function, tasks[index], index, outcomes)
            suspects = await self._all(
                function, tasks, [index for index in range(len(tasks)) if index not in outcomes], outcomes
            )
        return [outcomes[index] for index in range(len(tasks))]

    async def _all(
        self,
        function: Callable[[Task], Outcome],
        tasks: Sequence[Task],
        wanted: Sequence[int],
        outcomes: dict[int, Outcome],
    ) -> list[int]:
        """Do the wanted tasks; if the executor breaks, the indices of those that were under way."""
        waiting = iter(wanted)
        under_way: dict[asyncio.Future[Outcome], int] = {}
        broken: list[int] = []
        executor = await self._ready()
        try:
            while True:
                while not broken and len(under_way) < PREFETCH * self.workers:
                    index = next(waiting, None)
                    if index is None:
                        break
                    under_way[_submitted(executor, function, tasks[index])] = index
                if not under_way:
                    break
                done, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                for future in done:
                    index = under_way.pop(future)
                    if _is_lost(future):
                        broken.append(index)
                    else:
                        outcomes[index] = self._outcome(future, tasks[index], index)
        finally:
            for future in under_way:
                future.add_done_callback(_is_lost)  # or asyncio complains that nobody looked
        if broken:
            await self._give_up(executor)
        return sorted(broken)

    async def _alone(
        self,
        function: Callable[[Task], Outcome],
        task: Task,
        index: int,
        outcomes: dict[int, Outcome],
    ) -> None:
        for _ in range(DEATHS):
            executor = await self._ready()
            future = _submitted(executor, function, task)
            future.add_done_callback(_is_lost)
            await asyncio.wait([future])
            if not _is_lost(future):
                outcomes[index] = self._outcome(future, task, index)
                return
            await self._give_up(executor)
        raise TaskError(_abandoned_text(index, task))

    def _outcome(self, future: "asyncio.Future[Outcome]", task: object, index: int) -> Outcome:
        try:
            outcome = future.result()
        except self._abandoned as error:
            raise TaskError(_abandoned_text(index, task)) from error
        self.done += 1
        return outcome

    async def _ready(self) -> Executor:
        """The executor. To get one may take seconds, which are not the event loop's."""

        def start() -> None:
            self._executor = self._start()  # kept even if nobody waits for it any more

        async with self._starting:
            if self._executor is None:
                await run_in_thread(start)
            assert self._executor is not None
            return self._executor

    async def _give_up(self, executor: Executor) -> None:
        """It is broken; another map may have seen that before."""
        if executor is self._executor:
            self.rebuilt += 1
            await self._end(executor)

    async def _end(self, executor: Executor) -> None:
        self._executor = None
        await run_in_thread(partial(self._stop, executor))


def process_pool(workers: int, preload: Sequence[str] = (), *, niceness: int = 0) -> WorkerPool:
    """Return workers on this machine, from a fork server that has imported the modules of `preload`.

    `niceness` lowers their priority, for workers of an owner that has to answer others while they work.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *preload])
    lifelines: dict[Executor, Connection] = {}  # the workers of an executor end when its lifeline is closed

    def start() -> Executor:
        # The fork server inherits it: Ctrl-C, which goes to all of a terminal's processes, would end it at its imports.
        # The tracker comes first, since to start it takes that back.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        end_of_workers, lifeline = context.Pipe(duplex=False)
        executor = ProcessPoolExecutor(
            workers, mp_context=context, initializer=_begin, initargs=(end_of_workers, niceness)
        )
        lifelines[executor] = lifeline
        executor.submit(os.getpid)  # the first task waits for the imports of the fork server
        return executor

    def end(executor: Executor) -> None:
        # Nothing is cancelled: up to Python 3.12 a pool that breaks chokes on a cancelled future. And it is
        # waited for: at the end of the process the pool would wake a thread that has closed its pipe.
        lifelines.pop(executor).close()
        if sys.version_info < (3, 11, 5):
            _free(executor)
        executor.shutdown()

    return WorkerPool(workers, start, end)


def dask_pool(address: str) -> WorkerPool:
    """The workers of a dask.distributed scheduler at tcp://HOST:PORT.

    ValueError if dask is missing or nobody works there, ConnectionError if there is no scheduler.
    dask itself does again what a killed worker leaves undone. Its port runs pickles: keep it private.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ValueError("a cluster needs dask: pip install 'galapagos-engines[cluster]'") from None
    # What it says comes as exceptions, too.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    clients = [_connected(distributed, address)]
    workers = sum(clients[0].nthreads().values())
    clients.pop().close()
    if not workers:
        raise ValueError(f"the cluster has no workers; start some with: dask worker {address}")

    def start() -> Executor:
        clients.append(_connected(distributed, address))
        executor: Executor = clients[0].get_executor(pure=False)
        return executor

    def end(executor: Executor) -> None:
        executor.shutdown(wait=False)
        clients.pop().close()

    return WorkerPool(workers, start, end, abandoned=(distributed.KilledWorker,))


def bounded(seconds: float, function: Callable[[Task], Outcome], task: Task) -> Outcome:
    """function(task), in a worker process. TaskError for too much memory, or for too much of the processor's time.

    The error is raised when compiled code returns; code that does not return in time ends the process.
    """

    def time_is_up(*_: object) -> None:
        raise TaskError(f"a task takes more than {seconds:g} s of the processor")

    before = signal.signal(signal.SIGPROF, time_is_up)
    # SIGVTALRM ends the process. RLIMIT_CPU would count from the process's beginning, by ticks, which are seconds away
    # from what getrusage() says after a minute's work.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds + GRACE_SECONDS)
    try:
        with _limited(resource.RLIMIT_AS, _address_space() + MEMORY_BYTES):
            try:
                signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-6))
                return function(task)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0.0)
    except MemoryError:
        raise TaskError(f"a task takes more than {MEMORY_BYTES >> 20} MiB") from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGPROF, before)


async def run_in_thread(work: Callable[[], Outcome]) -> Outcome:
    """Run `work` in a thread, and return what it returns; a task that is cancelled waits until the thread has ended.

    So what the work uses (a connection to a database: SQLite's cannot be closed under it) may be put away
    as soon as the await is over, however it ended.
    """
    future = asyncio.get_running_loop().run_in_executor(None, work)  # no task: nobody can cancel it
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({future})
        future.exception()  # it is of no interest any more
        raise


# -- Helpers ---------------------------------------------------------------------------------------


def _free(executor: Executor) -> None:
    """Help an executor whose workers are gone, if it does not end by itself: early Pythons need that.

    A thread of it may write for ever to workers that never read; with no reader left, it ends. Later Pythons see to it
    (https://github.com/python/cpython/issues/94777). Only when it hangs: on its way out it closes the reader itself,
    and two threads that do so at once close what another has opened meanwhile.
    """
    parts: dict[str, Any] = vars(executor)
    manager = parts["_executor_manager_thread"]
    manager.join(HANGING_SECONDS)
    if manager.is_alive():
        parts["_call_queue"]._reader.close()


def _submitted(
    executor: Executor, function: Callable[[Task], Outcome], task: Task
) -> "asyncio.Future[Outcome]":
    try:
        return asyncio.wrap_future(executor.submit(function, task))
    except BrokenExecutor as error:  # an idle worker has died
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        future.set_exception(error)
        return future


def _is_lost(future: "asyncio.Future[Any]") -> bool:
    """Return whether the executor broke before the task was done; a cluster then cancels the future."""
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor)


def _abandoned_text(index: int, task: object) -> str:
    return f"task {index} of the generation ends every worker that tries it; it is given up: {task!r:.300}"


def _begin(lifeline: Connection, niceness: int) -> None:
    """Let a new worker leave Ctrl-C and a closed terminal to its owner, and end with its owner or at its word."""
    os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    wait([lifeline])
    os._exit(1)


def _connected(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ConnectionError(f"no cluster at {address[:100]!r}: {error}") from None


@contextmanager
def _limited(kind: int, amount: int) -> Iterator[None]:
    soft, hard = before = resource.getrlimit(kind)
    resource.setrlimit(kind, (min(limit for limit in (soft, hard, amount) if limit >= 0), hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, before)


def _address_space() -> int:
    """Bytes that this process has reserved; where no Linux says, more than it can have."""
    if not STATUS.exists():
        return 1 << 47
    return int(STATUS.read_text().split()[0]) * resource.getpagesize()
