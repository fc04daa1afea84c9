"""A worker process: it holds engines and does tasks, so that the event loop of its owner only passes messages.

Compiled code never gives up the interpreter's lock, so what takes longer than a few milliseconds runs in another
process. The owner has a Worker for each; in the process a Host obeys. Between them is a pair of sockets, and a message
is a pickle behind its length:

    to the process      (number, verb, target, arguments)
    from the process    (number, kind, value)

`number` counts requests. The verb "do" calls a function; all others are for the engine `target`. The kind is "info" (more
will follow), "done", "refused" (the text of a ValueError), "error" (the text of any other exception) or "raised" (the
exception of a task). Functions, tasks and what comes of them are pickled once more inside the message, so that one
which cannot be read is the failure of its request alone.

Processes come from the fork server of multiprocessing, which has imported what most of them need: one begins within
some milliseconds, and shares that memory. When a process dies, all requests under way fail (WorkerEnded); the next
request begins another process. A process ends when its owner does, in the middle of whatever it does.
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
    """The process died during a request."""

    def __init__(self, was_at_work: bool = False) -> None:
        super().__init__("the engine's process has ended")
        self.was_at_work = was_at_work  # at this request: tasks are done one after another


class Worker:
    """One process, begun by start(). Its pool counts in `load` the engines in it and the tasks under way."""

    def __init__(self, niceness: int = 0) -> None:
        self.load = 0
        self.generation = 0  # counts the processes that this worker has had
        self._niceness = niceness
        self._numbers = count(1)
        self._line: _Line | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The ID of the process; None if there is none."""
        return self._line.process.pid if self._line and self._line.is_open else None

    async def start(self) -> None:
        """Begin the process unless there is one."""
        async with self._starting:
            if self._line is not None and self._line.is_open:
                return
            ours, theirs = socket.socketpair()
            try:
                process = await run_in_thread(partial(_begun, theirs, self._niceness))
                reader, writer = await asyncio.open_connection(sock=ours)
            except OSError as error:
                ours.close()
                raise EngineError(f"cannot start a process for the engine: {error.strerror}") from error
            except BaseException:
                ours.close()  # whatever has begun ends
                raise
            finally:
                theirs.close()
            self._line = _Line(reader, writer, process)
            self.generation += 1

    async def close(self) -> None:
        """End the process; requests under way fail."""
        if self._line is not None:
            self._line.end()
            await asyncio.wait({self._line.reading})

    def end(self) -> None:
        """Begin to end the process; the next start() begins another."""
        if self._line is not None:
            self._line.end()

    async def do(self, work: bytes, on_done: Callable[[], object]) -> Any:
        """Do a task that packed() has made, and return its result. A process does its tasks one after another.

        `on_done` is called when the process has finished the task. If this call is cancelled, that is later.
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
        """Ask an engine of the process for something and wait for the answer."""
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
        """Return a number that no request and no engine has had."""
        return next(self._numbers)

    def send(self, message: Any) -> None:
        """Send a message, if there is a process to send it to."""
        if self._line is not None:
            self._line.send(message)


class _Line:
    """The line to one process, and the requests under way."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, process: ForkServerProcess
    ) -> None:
        self.process = process
        self.is_open = True
        # Tasks in their order, with what to call when they are done.
        self.tasks: dict[int, Callable[[], object]] = {}
        self.reading = asyncio.create_task(self._read(reader))
        self._writer = writer
        self._answers: dict[int, asyncio.Queue[tuple[str, Any]]] = {}

    def end(self) -> None:
        """Let the process end, at once and whatever it does."""
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
            # Before, not after: a caller that is cancelled and comes back adds nothing.
            with suppress(ConnectionError):  # then the line is closed
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
        """Hand answers to those who wait; when the process is gone, tell them."""
        try:
            while True:
                number, kind, value = await receive(reader)
                if number in self._answers:
                    self._answers[number].put_nowait((kind, value))
                self._end_task(number)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except Exception:  # of an object that is not as the one that was sent
            LOG.exception("what a worker process has sent cannot be read; the process is ended")
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
    """Return a task for Worker.do(). It is pickled once, however often it is sent."""
    return pickle.dumps((function, task))


def frame(message: Any) -> bytes:
    """Return the bytes of a message: the length of its pickle, then the pickle."""
    data = pickle.dumps(message)
    return LENGTH.pack(len(data)) + data


async def receive(reader: asyncio.StreamReader) -> Any:
    """Return the next message. Raises IncompleteReadError at the end."""
    (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
    return pickle.loads(await reader.readexactly(length))


# -- Processes -------------------------------------------------------------------------------------

_BEGINNING: Final = threading.Lock()  # multiprocessing counts its processes without one
_STARTED: Final = threading.Event()  # the fork server has been


def start_fork_server(preload: Sequence[str] = ()) -> None:
    """Start the fork server unless it is running. It imports the modules of `preload` in the background."""
    with _BEGINNING:
        if preload:
            CONTEXT.set_forkserver_preload([__name__, *preload])
        # The fork server inherits it: Ctrl-C, which goes to all of a terminal's processes, would end it at its imports.
        # The tracker comes first, since to start it takes that back.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        # A folder `engines` where the user happens to be is not ours.
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


def _begun(line: socket.socket, niceness: int) -> ForkServerProcess:
    """Start a process that obeys the messages on `line`, and return it."""
    start_fork_server()
    with _BEGINNING:
        process = CONTEXT.Process(target=_main, args=(line, niceness), daemon=True)
        process.start()
    return process


def _join(process: ForkServerProcess) -> None:
    """Wait for the end of a process whose line is closed; end it by force if it takes long."""
    process.join(CLOSING_SECONDS)
    if process.exitcode is None:
        process.kill()
        process.join()
    process.close()


# -- In the process --------------------------------------------------------------------------------


class Host:
    """The engines of this process, and the requests under way."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._engines: dict[int, Engine] = {}
        self._thinking: dict[int, asyncio.Task[None]] = {}

    async def obey(self, number: int, verb: str, target: int, arguments: tuple[Any, ...]) -> None:
        if verb == "do":
            self._answer(number, *_done(*arguments))
            await self._writer.drain()  # all of it: the next task may keep the loop for seconds
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
            except Exception as error:  # whatever it was, the caller must not wait for ever
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
        except Exception as error:  # as above
            self._answer(number, "error", f"{type(error).__name__}: {error}")

    def _answer(self, number: int, kind: str, value: Any) -> None:
        self._writer.write(frame((number, kind, value)))


def _done(work: bytes) -> tuple[str, bytes]:
    """Do a task. Return the kind of answer, and the pickled result or exception."""
    try:
        function, task = pickle.loads(work)
        return "done", pickle.dumps(function(task))
    except Exception as error:
        error.add_note(f"In the worker process:\n{traceback.format_exc()}")
        try:
            pickled = pickle.dumps(error)
            pickle.loads(pickled)  # not every exception that can be written can be read
        except Exception:
            pickled = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
        return "raised", pickled


def _main(line: socket.socket, niceness: int) -> None:
    """Obey until the owner closes the line, or is gone."""
    os.environ.pop(SAFE_PATH, None)  # it was for the start of the fork server
    gc.freeze()  # what the fork server has imported: to look through it would copy its memory
    if niceness:
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C and a closed terminal are for the owner to handle
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(line.fileno(),), daemon=True).start()
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        asyncio.run(_obey(line))


async def _obey(line: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=line)
    writer.transport.set_write_buffer_limits(0)
    host = Host(writer)
    while True:
        await host.obey(*await receive(reader))


def _end_with(line: int) -> None:
    """End this process when the other end of the line is closed, even in the middle of a task."""
    hung_up = select.poll()
    hung_up.register(line, 0)  # whatever is asked for, the end of the line is told
    hung_up.poll()
    os._exit(1)
