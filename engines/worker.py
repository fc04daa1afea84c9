"""A worker process, which has engines and does tasks, so that the event loop of its owner only passes messages.

Compiled code never releases the interpreter's lock, so work of more than a few milliseconds runs in another process.
The owner has a Worker for each process; in the process, a Host executes requests. Between them is a pair of sockets.
A message is a pickle after its length:

    to the process      (number, verb, target, arguments)
    from the process    (number, kind, value)

`number` counts requests. The verb "do" calls a function; all others are for the engine `target`. The kind is "info"
(more answers follow), "done", "refused" (the text of a ValueError), "error" (the text of any other exception) or
"raised" (the exception of a task). Functions, tasks and their results are pickled once more inside the message, so
that a pickle that cannot be read makes its own request fail, but no other.

Processes come from the fork server of multiprocessing, which has imported the modules that most of them need: a
process starts within some milliseconds and shares that memory. When a process dies, all its open requests fail
(WorkerEnded); the next request starts another process. A process ends when its owner does, even during a task.
"""

import asyncio
import gc
import logging
import multiprocessing
import os
import pickle
import select
import signal
import socket
import struct
import threading
import traceback
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from importlib import import_module
from itertools import count
from multiprocessing import forkserver, resource_tracker
from multiprocessing.context import ForkServerProcess
from typing import Any, Final, TypeVar

from core.game import State
from engines.engine import Engine, EngineError, Limit, explain
from engines.threads import run_in_thread

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

LENGTH: Final = struct.Struct("!I")
CLOSING_SECONDS: Final = 2.0
LOG: Final = logging.getLogger(__name__)
SAFE_PATH: Final = "PYTHONSAFEPATH"
CONTEXT: Final = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([__name__])


class WorkerEnded(EngineError):
    """The process has ended during a request."""

    def __init__(self, was_at_work: bool = False) -> None:
        super().__init__("the engine's process has ended")
        self.was_at_work = was_at_work  # whether at this request; tasks are done one after another


class Worker:
    """The owner's side of a process, which start() starts; `load` counts engines and open tasks, for the pool."""

    def __init__(self, niceness: int = 0) -> None:
        self.load = 0
        self.generation = 0  # number of processes that this worker has had
        self._niceness = niceness
        self._numbers = count(1)
        self._line: _Line | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The ID of the process; None if no process runs."""
        return self._line.process.pid if self._line and self._line.is_open else None

    async def start(self) -> None:
        """Start the process unless it runs. Raises EngineError if that is impossible."""
        async with self._starting:
            if self._line is not None and self._line.is_open:
                return
            ours, theirs = socket.socketpair()
            try:
                process = await run_in_thread(partial(_start_process, theirs, self._niceness))
                reader, writer = await asyncio.open_connection(sock=ours)
            except OSError as error:
                ours.close()
                raise EngineError(f"cannot start a process for the engine: {error.strerror}") from error
            except BaseException:
                ours.close()  # this ends a process that has started
                raise
            finally:
                theirs.close()
            self._line = _Line(reader, writer, process)
            self.generation += 1

    async def close(self) -> None:
        """End the process, and wait for its end; open requests fail."""
        if self._line is not None:
            self._line.end()
            await asyncio.wait({self._line.reading})

    def end(self) -> None:
        """End the process without waiting for its end; the next start() starts another."""
        if self._line is not None:
            self._line.end()

    async def do(self, work: bytes, on_done: Callable[[], object]) -> Any:
        """Do a task that packed() has made, and return its result; a process does its tasks one after another.

        `on_done` is called when the process has finished the task, which is later than the end of a call that was
        cancelled. Raises WorkerEnded, or the exception of the task.
        """
        if self._line is None:
            on_done()
            raise WorkerEnded
        number = self.new_number()
        self._line.tasks[number] = on_done
        async with aclosing(self._line.request(number, "do", 0, (work,))) as answers:
            kind, value = await anext(answers)
        outcome = pickle.loads(value)
        if kind == "raised":
            raise outcome
        return outcome

    async def call(self, verb: str, engine: int, *arguments: Any) -> Any:
        """Send a request to an engine of the process, and return the first answer."""
        async with aclosing(self.stream(verb, engine, *arguments)) as answers:
            _, value = await anext(answers)
        return value

    async def stream(self, verb: str, engine: int, *arguments: Any) -> AsyncGenerator[tuple[str, Any], None]:
        """Yield the answers to one request; the last one is "done". Raises WorkerEnded, EngineError or ValueError."""
        if self._line is None:
            raise WorkerEnded
        number, kind = self.new_number(), ""
        line = self._line
        try:
            async with aclosing(line.request(number, verb, engine, arguments)) as answers:
                async for kind, value in answers:
                    yield kind, value
        finally:
            if kind in ("", "info"):
                line.send((self.new_number(), "stop", number, ()))

    def new_number(self) -> int:
        """Return a new number for a request or an engine."""
        return next(self._numbers)

    def send(self, message: Any) -> None:
        """Send a message to the process, if it runs."""
        if self._line is not None:
            self._line.send(message)


class _Line:
    """The connection to one process, with the open requests."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, process: ForkServerProcess
    ) -> None:
        self.process = process
        self.is_open = True
        # Open tasks in order, each with the callback for its end.
        self.tasks: dict[int, Callable[[], object]] = {}
        self.reading = asyncio.create_task(self._read(reader))
        self._writer = writer
        self._answers: dict[int, asyncio.Queue[tuple[str, Any]]] = {}

    def end(self) -> None:
        """End the process at once, even during a task."""
        self.is_open = False
        self._writer.transport.abort()

    def send(self, message: Any) -> None:
        if self.is_open:
            self._writer.write(frame(message))

    async def request(
        self, number: int, verb: str, target: int, arguments: tuple[Any, ...]
    ) -> AsyncGenerator[tuple[str, Any], None]:
        """Yield the answers to one request. Raises WorkerEnded, EngineError or ValueError."""
        answers: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self._answers[number] = answers
        is_sent = False
        try:
            # Before sending, not after: a caller that is cancelled and tries again adds nothing.
            with suppress(ConnectionError):  # then is_open is False
                await self._writer.drain()
            if not self.is_open:
                raise WorkerEnded
            self.send((number, verb, target, arguments))
            is_sent = True
            while True:
                kind, value = await answers.get()
                if kind == "refused":
                    raise ValueError(value)
                if kind == "error":
                    raise EngineError(value)
                if kind == "ended":
                    raise WorkerEnded(was_at_work=value)
                yield kind, value
                if kind != "info":
                    return
        finally:
            del self._answers[number]
            if not is_sent:
                self._end_task(number)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Pass answers to their requests; when the process has ended, fail all open requests."""
        try:
            while True:
                number, kind, value = await receive(reader)
                if number in self._answers:
                    self._answers[number].put_nowait((kind, value))
                self._end_task(number)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except Exception:  # of unpickling
            LOG.exception("an answer of a worker process cannot be read; the process is stopped")
        self.end()
        at_work = next(iter(self.tasks), 0)
        for number, answers in self._answers.items():
            answers.put_nowait(("ended", number == at_work))
        for number in [*self.tasks]:
            self._end_task(number)
        await run_in_thread(partial(_join, self.process))

    def _end_task(self, number: int) -> None:
        if number in self.tasks:
            self.tasks.pop(number)()


def packed(function: Callable[[Task], Any], task: Task) -> bytes:
    """Return a task for Worker.do(), pickled once for any number of attempts."""
    return pickle.dumps((function, task))


def frame(message: Any) -> bytes:
    """Return the bytes of a message: the length of its pickle, then the pickle."""
    data = pickle.dumps(message)
    return LENGTH.pack(len(data)) + data


async def receive(reader: asyncio.StreamReader) -> Any:
    """Return the next message. Raises IncompleteReadError at the end of the connection."""
    (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
    return pickle.loads(await reader.readexactly(length))


# -- Processes -------------------------------------------------------------------------------------

_BEGINNING: Final = threading.Lock()  # multiprocessing counts its processes without a lock
_STARTED: Final = threading.Event()  # set once the fork server has started


def start_fork_server(preload: Sequence[str] = ()) -> None:
    """Start the fork server unless it runs; it imports the modules of `preload` in the background."""
    with _BEGINNING:
        if preload:
            CONTEXT.set_forkserver_preload([__name__, *preload])
        # The fork server inherits the blocked signal: Ctrl-C, which goes to all processes of a terminal, would
        # otherwise end it during its imports. The resource tracker starts first, because that unblocks the signal.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        # A folder `engines` in the current directory must not be imported.
        is_ours = not _STARTED.is_set() and SAFE_PATH not in os.environ
        if is_ours:
            os.environ[SAFE_PATH] = "1"
        try:
            forkserver.ensure_running()
            _STARTED.set()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            if is_ours:
                del os.environ[SAFE_PATH]


def _start_process(line: socket.socket, niceness: int) -> ForkServerProcess:
    """Start a process that executes the requests on `line`, and return the process."""
    start_fork_server()
    with _BEGINNING:
        process = CONTEXT.Process(target=_main, args=(line, niceness), daemon=True)
        process.start()
    return process


def _join(process: ForkServerProcess) -> None:
    """Wait for the end of a process whose connection is closed; kill the process after CLOSING_SECONDS."""
    process.join(CLOSING_SECONDS)
    if process.exitcode is None:
        process.kill()
        process.join()
    process.close()


# -- In the process --------------------------------------------------------------------------------


class Host:
    """The process's side: its engines, and the searches that are running."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._engines: dict[int, Engine] = {}
        self._thinking: dict[int, asyncio.Task[None]] = {}

    async def obey(self, number: int, verb: str, target: int, arguments: tuple[Any, ...]) -> None:
        if verb == "do":
            self._answer(number, *_execute_task(*arguments))
            await self._writer.drain()  # completely, because the next task may block the loop for seconds
        elif verb == "stop":
            if target in self._thinking:
                self._thinking[target].cancel()
        elif verb == "think":
            task = asyncio.create_task(self._think(number, target, *arguments))
            self._thinking[number] = task
            task.add_done_callback(lambda _: self._thinking.pop(number, None))
        else:
            try:
                self._answer(number, "done", await self._ask(verb, target, *arguments))
            except ValueError as error:
                self._answer(number, "refused", str(error))
            except Exception as error:  # of any kind: the caller must not wait for ever
                self._answer(number, "error", f"{type(error).__name__}: {error}")

    async def _ask(self, verb: str, target: int, *arguments: Any) -> Any:
        if verb == "open":
            factory, made_with = arguments
            module, _, name = factory.partition(":")
            engine: Engine = getattr(import_module(module), name)(*made_with)
            self._engines[target] = engine
            return engine.name, engine.author, engine.options
        if verb == "configure":
            return await self._engines[target].configure(*arguments)
        if verb == "new_game":
            return await self._engines[target].new_game()
        if verb == "explain":
            return await explain(self._engines[target], *arguments)
        if verb == "close":
            return await self._engines.pop(target).close()
        raise RuntimeError(f"unknown request {verb}")

    async def _think(self, number: int, target: int, state: State, limit: Limit) -> None:
        try:
            async with aclosing(self._engines[target].think(state, limit)) as infos:
                async for info in infos:
                    self._answer(number, "info", info)
            self._answer(number, "done", None)
        except Exception as error:  # as in obey()
            self._answer(number, "error", f"{type(error).__name__}: {error}")

    def _answer(self, number: int, kind: str, value: Any) -> None:
        self._writer.write(frame((number, kind, value)))


def _execute_task(work: bytes) -> tuple[str, bytes]:
    """Do a task, and return the kind of answer with the pickled result or exception."""
    try:
        function, task = pickle.loads(work)
        return "done", pickle.dumps(function(task))
    except Exception as error:
        error.add_note(f"In the worker process:\n{traceback.format_exc()}")
        try:
            pickled = pickle.dumps(error)
            pickle.loads(pickled)  # some exceptions can be pickled, but not unpickled
        except Exception:
            pickled = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
        return "raised", pickled


def _main(line: socket.socket, niceness: int) -> None:
    """Execute requests until the owner closes the connection or ends."""
    os.environ.pop(SAFE_PATH, None)  # was set for the start of the fork server alone
    gc.freeze()  # the imports of the fork server: a collection would copy their memory
    if niceness:
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the owner handles Ctrl-C and a closed terminal
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_exit_on_close, args=(line.fileno(),), daemon=True).start()
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        asyncio.run(_obey(line))


async def _obey(line: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=line)
    writer.transport.set_write_buffer_limits(0)
    host = Host(writer)
    while True:
        await host.obey(*await receive(reader))


def _exit_on_close(line: int) -> None:
    """End this process when the other end of the connection is closed, even during a task."""
    hung_up = select.poll()
    hung_up.register(line, 0)  # poll() always reports the end of a connection
    hung_up.poll()
    os._exit(1)
