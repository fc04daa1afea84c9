"""Work beside the event loop: tasks on other processes or machines, with results in order whatever dies on the way.

    async with Workers(2) as pool:
        squares = await pool.map(square, range(100))
        engine = await pool.engine("engines.chess.engine:ChessEngine")

Processes begin when there is something to do, and end when they have had nothing to do for ten seconds. One that is killed
costs the task that it was at, which is done again elsewhere; a task that has ended three processes is given up (TaskError).
A few tasks a process are under way at a time, never all.
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

PREFETCH: Final = 2  # tasks of a list under way for each worker: one at work, one at hand
DEATHS: Final = 3  # that a task may cause
IDLE_SECONDS: Final = 10.0
MEMORY_BYTES: Final = 256 << 20  # that a bounded task may take
GRACE_SECONDS: Final = 1  # of the processor, for a bounded task to end by an exception
STATUS: Final = Path("/proc/self/statm")  # in pages


class TaskError(RuntimeError):
    """A task that cannot be done: it ends every worker that tries, or takes too much time or memory."""


class WorkerPool(ABC):
    """Workers that hold for a whole run. Use as an async context manager."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.done = 0  # tasks of the map() that is under way, or was the last
        self.wanted = 0  # all tasks of it

    async def __aenter__(self) -> Self:
        return self

    @abstractmethod
    async def __aexit__(self, *_: object) -> None:
        """End the workers, whatever they do."""

    @abstractmethod
    async def _run(self, function: Callable[[Task], Outcome], task: Task, prefetch: int) -> Outcome:
        """Return function(task), computed by the first worker that has fewer than `prefetch` tasks.

        What the function raises passes through. Raises TaskError if the task ends every worker that tries it.
        """

    async def do(
        self, function: Callable[[Task], Outcome], task: Task, seconds: float | None = None
    ) -> Outcome:
        """Return function(task), computed by the first worker that is free. What the function raises passes through.

        With `seconds`, it is bounded: TaskError if it takes more of the processor, or too much memory.
        """
        return await self._run(_bound(function, seconds), task, 1)

    async def map(
        self, function: Callable[[Task], Outcome], tasks: Sequence[Task], seconds: float | None = None
    ) -> list[Outcome]:
        """Return function(task) for each task, in their order. The first exception passes through; bounds as those of do()."""
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
    """A pool of up to `workers` processes on this machine, for tasks or for engines."""

    def __init__(self, workers: int, preload: Sequence[str] = (), *, niceness: int = 0) -> None:
        """`niceness` lowers their priority, for an owner that has to answer others while they work.

        The first pool of a program decides by `preload` which modules all processes have from the beginning.
        """
        super().__init__(workers)
        self.deaths = 0  # of processes, at tasks
        self._preload = preload
        self._workers = [Worker(niceness) for _ in range(workers)]
        self._places: dict[int, asyncio.Semaphore] = {}  # by `prefetch`
        self._timers: dict[Worker, asyncio.TimerHandle] = {}  # of those that have nothing to do

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
                worker = self._taken()
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
        worker = self._taken()
        return await RemoteEngine.open(worker, partial(self._release, worker), factory, *arguments)

    def _taken(self) -> Worker:
        """Return the worker that has least to do, with one thing more."""
        worker = min(self._workers, key=lambda worker: worker.load)
        worker.load += 1
        if timer := self._timers.pop(worker, None):
            timer.cancel()
        return worker

    def _release(self, worker: Worker) -> None:
        """A task is done, or an engine is closed."""
        worker.load -= 1
        if not worker.load and worker.pid is not None:
            loop = asyncio.get_running_loop()
            self._timers[worker] = loop.call_later(IDLE_SECONDS, self._end_idle, worker)

    def _end_idle(self, worker: Worker) -> None:
        del self._timers[worker]
        worker.end()


class Cluster(WorkerPool):
    """The workers of a dask.distributed scheduler at tcp://HOST:PORT. Its port runs pickles: keep it private.

    dask itself does again what a killed worker leaves undone; a scheduler that is lost is looked for again.
    """

    def __init__(self, address: str) -> None:
        """Raises ValueError if dask is not installed or the scheduler has no workers, ConnectionError if there is no scheduler."""
        try:
            self._distributed: Any = import_module("distributed")
        except ImportError:
            raise ValueError("a cluster needs dask: pip install 'galapagos-engines[cluster]'") from None
        # What it says comes as exceptions, too.
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
            future.add_done_callback(_is_lost)  # or asyncio complains that nobody looked
            await asyncio.wait([future])
            if not _is_lost(future):
                try:
                    return future.result()
                except self._distributed.KilledWorker as error:
                    raise TaskError(_abandoned_text(task)) from error
            await self._disconnect(client)
        raise TaskError(_abandoned_text(task))

    async def _ready(self) -> Any:
        """Return a client. To get one may take seconds, which are not the event loop's."""

        def connect() -> None:
            self._client = self._connected()  # kept even if nobody waits for it any more

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
            raise ConnectionError(f"no cluster at {self._address[:100]!r}: {error}") from None


def bounded(seconds: float, function: Callable[[Task], Outcome], task: Task) -> Outcome:
    """Return function(task), in a worker process. Raises TaskError for too much memory, or time of the processor.

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


# -- Helpers ---------------------------------------------------------------------------------------


def _bound(function: Callable[[Task], Outcome], seconds: float | None) -> Callable[[Task], Outcome]:
    return function if seconds is None else partial(bounded, seconds, function)


def _is_lost(future: "asyncio.Future[Any]") -> bool:
    """Return whether the cluster was lost before the task was done; it then cancels the future."""
    return future.cancelled() or isinstance(future.exception(), BrokenExecutor)


def _abandoned_text(task: object) -> str:
    return f"a task ends every worker that tries it, and is given up: {task!r:.300}"


@contextmanager
def _limited(kind: int, amount: int) -> Iterator[None]:
    soft, hard = before = resource.getrlimit(kind)
    resource.setrlimit(kind, (min(limit for limit in (soft, hard, amount) if limit >= 0), hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, before)


def _address_space() -> int:
    """Return the bytes that this process has reserved; where no Linux says, more than it can have."""
    if not STATUS.exists():
        return 1 << 47
    return int(STATUS.read_text().split()[0]) * resource.getpagesize()
