"""Work outside the event loop: tasks in other processes or on other machines, with results in order despite crashes.

    async with Workers(2) as pool:
        squares = await pool.map(square, range(100))
        engine = await pool.engine("engines.chess.engine:ChessEngine")

Processes start when there is work, and end after ten seconds without work. If a process is killed, the task that it
was doing is done again elsewhere; a task that has ended three processes is abandoned (TaskError). Only a few tasks
are sent to each process at a time, never all.
"""

import asyncio
import logging
import resource
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from engines.remote_engine import RemoteEngine
from engines.threads import run_in_thread
from engines.worker import Worker, WorkerEnded, packed, start_fork_server

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

PREFETCH: Final = 2  # tasks of a list that each worker has at a time: one running, one waiting
DEATHS: Final = 3  # processes that a task may end
IDLE_SECONDS: Final = 10.0
MEMORY_BYTES: Final = 256 << 20  # for a bounded task
GRACE_SECONDS: Final = 1  # of processor time, for a bounded task to end by an exception
STATUS: Final = Path("/proc/self/statm")  # sizes in pages


class TaskError(RuntimeError):
    """A task cannot be done: it ends every worker that tries it, or takes too much time or memory."""


class WorkerPool(ABC):
    """The interface of pools of workers, for tasks of a whole run; pools are async context managers."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.done = 0  # tasks done of the present map(), or of the last one
        self.wanted = 0  # number of its tasks

    async def __aenter__(self) -> Self:
        return self

    @abstractmethod
    async def __aexit__(self, *_: object) -> None:
        """End the workers, even during tasks."""

    @abstractmethod
    async def _run(self, function: Callable[[Task], Outcome], task: Task, prefetch: int) -> Outcome:
        """Return function(task), computed by the first worker that has fewer than `prefetch` tasks.

        Exceptions of the function pass through. Raises TaskError if the task ends every worker that tries it.
        """

    async def do(
        self, function: Callable[[Task], Outcome], task: Task, seconds: float | None = None
    ) -> Outcome:
        """Return function(task), computed by the first worker that is free. Exceptions of the function pass through.

        With `seconds`, the task is bounded: TaskError is raised if it takes more processor time, or too much memory.
        """
        return await self._run(_bound(function, seconds), task, 1)

    async def map(
        self, function: Callable[[Task], Outcome], tasks: Sequence[Task], seconds: float | None = None
    ) -> list[Outcome]:
        """Return function(task) for each task, in the order of the tasks.

        The first exception passes through, and no more tasks are started. `seconds` bounds each task as in do().
        """
        work = _bound(function, seconds)
        outcomes: dict[int, Outcome] = {}
        waiting = iter(enumerate(tasks))
        self.done, self.wanted = 0, len(tasks)

        async def go_on() -> None:
            for index, task in waiting:
                outcomes[index] = await self._run(work, task, PREFETCH)
                self.done += 1

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(PREFETCH * self.workers, len(tasks))):
                    group.create_task(go_on())
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return [outcomes[index] for index in range(len(tasks))]


class Workers(WorkerPool):
    """A pool of up to `workers` processes on this machine, for tasks and for engines."""

    def __init__(self, workers: int, preload: Sequence[str] = (), *, niceness: int = 0) -> None:
        """Create a pool; processes start with the first work.

        `niceness` lowers the priority of the processes, for an owner that must answer clients while they work.
        `preload` of the first pool of a program determines which modules all processes have from their start.
        """
        super().__init__(workers)
        self.deaths = 0  # number of processes that have ended during a task
        self._preload = preload
        self._workers = [Worker(niceness) for _ in range(workers)]
        self._places: dict[int, asyncio.Semaphore] = {}  # by `prefetch`
        self._timers: dict[Worker, asyncio.TimerHandle] = {}  # of idle workers

    async def __aenter__(self) -> Self:
        await run_in_thread(partial(start_fork_server, self._preload))
        return self

    async def __aexit__(self, *_: object) -> None:
        for timer in self._timers.values():
            timer.cancel()
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def _run(self, function: Callable[[Task], Outcome], task: Task, prefetch: int) -> Outcome:
        places = self._places.setdefault(prefetch, asyncio.Semaphore(prefetch * self.workers))
        work, deaths = packed(function, task), 0
        while deaths < DEATHS:
            async with places:
                worker = self._take_worker()
                release = partial(self._release, worker)
                try:
                    await worker.start()
                except BaseException:
                    release()
                    raise
                try:
                    outcome: Outcome = await worker.do(work, release)
                except WorkerEnded as error:
                    deaths += error.was_at_work
                    self.deaths += error.was_at_work
                else:
                    return outcome
        raise TaskError(_abandoned_text(task))

    async def engine(self, factory: str, *arguments: Any) -> RemoteEngine:
        """Return a new engine, made by `factory` ("module:callable") with `arguments` in one of the processes."""
        worker = self._take_worker()
        return await RemoteEngine.open(worker, partial(self._release, worker), factory, *arguments)

    def _take_worker(self) -> Worker:
        """Return the worker with the lowest load, and count one more task or engine for it."""
        worker = min(self._workers, key=lambda worker: worker.load)
        worker.load += 1
        if timer := self._timers.pop(worker, None):
            timer.cancel()
        return worker

    def _release(self, worker: Worker) -> None:
        """Count one task or engine less; a worker without any ends after IDLE_SECONDS."""
        worker.load -= 1
        if not worker.load and worker.pid is not None:
            loop = asyncio.get_running_loop()
            self._timers[worker] = loop.call_later(IDLE_SECONDS, self._end_idle, worker)

    def _end_idle(self, worker: Worker) -> None:
        del self._timers[worker]
        worker.end()


class Cluster(WorkerPool):
    """The workers of a dask.distributed scheduler at tcp://HOST:PORT; the port executes pickles, so keep it private.

    dask itself repeats the tasks of a killed worker. After a lost connection, the pool connects to the scheduler
    again.
    """

    def __init__(self, address: str) -> None:
        """Connect to a scheduler, to learn the number of its workers.

        Raises ValueError if dask is not installed or the scheduler has no workers, and ConnectionError if there is no
        scheduler.
        """
        try:
            self._distributed: Any = import_module("distributed")
        except ImportError:
            raise ValueError("a cluster needs dask: .venv/bin/pip install '.[cluster]'") from None
        # The messages of this logger are raised as exceptions, too.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        self._address = address
        client = self._connected()
        super().__init__(sum(client.nthreads().values()))
        client.close()
        if not self.workers:
            raise ValueError(f"the cluster has no workers; start some with: dask worker {address}")
        self._client: Any = None
        self._connecting = asyncio.Lock()

    async def __aexit__(self, *_: object) -> None:
        await self._disconnect(self._client)

    async def _run(self, function: Callable[[Task], Outcome], task: Task, prefetch: int) -> Outcome:
        for _ in range(DEATHS):
            client = await self._ready()
            executor: Executor = client.get_executor(pure=False)
            try:
                future = asyncio.wrap_future(executor.submit(function, task))
            except BrokenExecutor:
                await self._disconnect(client)
                continue
            future.add_done_callback(_is_lost)  # retrieves the exception, or asyncio would log it
            await asyncio.wait([future])
            if not _is_lost(future):
                try:
                    return future.result()
                except self._distributed.KilledWorker as error:
                    raise TaskError(_abandoned_text(task)) from error
            await self._disconnect(client)
        raise TaskError(_abandoned_text(task))

    async def _ready(self) -> Any:
        """Return a connected client; connecting may take seconds, so it is done in a thread."""

        def connect() -> None:
            self._client = self._connected()  # kept even if the caller was cancelled

        async with self._connecting:
            if self._client is None:
                await run_in_thread(connect)
            return self._client

    async def _disconnect(self, client: Any) -> None:
        """Close a client, unless another task has done so."""
        if client is not None and client is self._client:
            self._client = None
            await run_in_thread(client.close)

    def _connected(self) -> Any:
        try:
            return self._distributed.Client(self._address, timeout=10, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ConnectionError(
                f"cannot connect to a cluster at {self._address[:100]!r}: {error}"
            ) from None


def bounded(seconds: float, function: Callable[[Task], Outcome], task: Task) -> Outcome:
    """Return function(task), in a worker process. Raises TaskError for too much memory or processor time.

    The error is raised when compiled code returns; code that does not return in time ends the process.
    """

    def time_is_up(*_: object) -> None:
        raise TaskError(f"a task takes more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, time_is_up)
    # SIGVTALRM ends the process. RLIMIT_CPU would count from the start of the process, by ticks, which after a minute
    # of work differ by seconds from getrusage().
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds + GRACE_SECONDS)
    try:
        with _limited(resource.RLIMIT_AS, _address_space() + MEMORY_BYTES):
            try:
                signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-6))
                return function(task)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0.0)
    except MemoryError:
        raise TaskError(f"a task takes more than {MEMORY_BYTES >> 20} MiB of memory") from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGPROF, before)


# -- Helpers ---------------------------------------------------------------------------------------


def _bound(function: Callable[[Task], Outcome], seconds: float | None) -> Callable[[Task], Outcome]:
    return function if seconds is None else partial(bounded, seconds, function)


def _is_lost(future: "asyncio.Future[Any]") -> bool:
    """Return whether the cluster was lost before the task was done; dask then cancels the future."""
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor)


def _abandoned_text(task: object) -> str:
    return f"a task is abandoned, because it has ended every process that ran it: {task!r:.300}"


@contextmanager
def _limited(kind: int, amount: int) -> Iterator[None]:
    soft, hard = before = resource.getrlimit(kind)
    resource.setrlimit(kind, (min(limit for limit in (soft, hard, amount) if limit >= 0), hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, before)


def _address_space() -> int:
    """Return the bytes of address space of this process; without Linux's /proc, more than it can have."""
    if not STATUS.exists():
        return 1 << 47
    return int(STATUS.read_text().split()[0]) * resource.getpagesize()
