"""Engines in processes of their own, since a compiled search never gives up the interpreter's lock.

A Worker is one persistent process that holds any number of engines; a Workers is a pool of them, so
that N games use the cores and the caller's event loop only passes messages. Both ends of the socket
are ours: messages are pickles, each behind its length. When a process dies, the requests under way fail
(EngineError); the next request starts it anew, with its engines as they were configured.
"""

import asyncio
import pickle
import socket
import struct
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from importlib import import_module
from itertools import count
from typing import Any, Final

from core.game import State
from engines.engine import Engine, EngineError, Info, Limit, Option, explain

LENGTH: Final = struct.Struct("!I")
CLOSING_SECONDS: Final = 2.0

# To the process: (number, verb, engine, arguments). From it: (number, kind, value), kind one of "info"
# (more will follow), "done", "refused" (value: the text of a ValueError) and "error" (of any other).


class Worker:
    """One process. `load` counts the engines in it."""

    def __init__(self) -> None:
        self.load = 0
        self.generation = 0  # counts the processes that this worker has had
        self._numbers = count(1)
        self._answers: dict[int, asyncio.Queue[tuple[str, Any]]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Start the process unless it runs."""
        async with self._starting:
            if self._writer is not None:
                return
            ours, theirs = socket.socketpair()
            try:
                # -P: a folder `engines` where the user happens to be is not ours. A process group of its own:
                # Ctrl-C is ours to handle. Not a session: Linux shares the processors among sessions first, and the
                # server would wait for its busy workers.
                process = await asyncio.create_subprocess_exec(
                    sys.executable, "-P", "-m", "engines.engine_process", str(theirs.fileno()),
                    pass_fds=[theirs.fileno()], stdin=asyncio.subprocess.DEVNULL, process_group=0,
                )  # fmt: skip
            except OSError as error:
                ours.close()
                raise EngineError(f"cannot start a process for the engine: {error.strerror}") from error
            finally:
                theirs.close()
            reader, self._writer = await asyncio.open_connection(sock=ours)
            self._process = process
            self.generation += 1
            self._reading = asyncio.create_task(self._read(reader, self._writer, process))

    async def close(self) -> None:
        """End the process; requests under way fail."""
        if self._writer is not None:
            self._writer.close()
        if self._process is not None:
            try:
                await asyncio.wait_for(self._process.wait(), CLOSING_SECONDS)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        if self._reading is not None:
            await self._reading

    async def call(self, verb: str, engine: int, *arguments: Any) -> Any:
        """Ask an engine of the process for something and wait for the answer."""
        async for kind, value in self.stream(verb, engine, *arguments):
            if kind == "done":
                return value
        raise EngineError("the engine's process has ended")

    async def stream(self, verb: str, engine: int, *arguments: Any) -> AsyncGenerator[tuple[str, Any], None]:
        """The answers to one request, up to and with its "done". EngineError, ValueError as raised there."""
        number = self.new_number()
        answers: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self._answers[number] = answers
        is_sent, kind = False, ""
        try:
            await self._drain()  # before, not after: a caller that is cancelled and comes back adds nothing
            is_sent = self.send((number, verb, engine, arguments))
            if not is_sent:
                raise EngineError("the engine's process has ended")
            while kind != "done":
                kind, value = await answers.get()
                if kind == "refused":
                    raise ValueError(value)
                if kind == "error":
                    raise EngineError(value)
                yield kind, value
        finally:
            del self._answers[number]
            if is_sent and kind in ("", "info"):
                self.send((self.new_number(), "stop", number, ()))

    def new_number(self) -> int:
        """Return a number that no request and no engine has had."""
        return next(self._numbers)

    def send(self, message: Any) -> bool:
        """Whether there is a process to send it to."""
        if self._writer is None:
            return False
        self._writer.write(frame(message))
        return True

    async def _drain(self) -> None:
        """Wait while the process is slow to read what was sent to it."""
        if self._writer is not None:
            with suppress(ConnectionError):  # the next send() fails
                await self._writer.drain()

    async def _read(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, process: asyncio.subprocess.Process
    ) -> None:
        """Hand answers to those who wait; when the process is gone, tell them."""
        try:
            while True:
                number, kind, value = await receive(reader)
                if number in self._answers:
                    self._answers[number].put_nowait((kind, value))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        self._writer = None
        for answers in self._answers.values():
            answers.put_nowait(("error", "the engine's process has ended"))
        writer.close()
        await process.wait()


class Workers:
    """A pool of processes; a new engine goes where the fewest are."""

    def __init__(self, processes: int) -> None:
        self._workers = [Worker() for _ in range(processes)]

    async def __aenter__(self) -> "Workers":
        await asyncio.gather(*(worker.start() for worker in self._workers))
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def engine(self, factory: str, *arguments: Any) -> "RemoteEngine":
        """A new engine, made by `factory` ("module:callable") with `arguments` in one of the processes."""
        worker = min(self._workers, key=lambda worker: worker.load)
        return await RemoteEngine.open(worker, factory, *arguments)


class RemoteEngine(Engine):
    """An engine that lives in a Worker."""

    def __init__(self, worker: Worker, factory: str, arguments: tuple[Any, ...]) -> None:
        self.name = self.author = ""
        self.options: tuple[Option, ...] = ()
        self._worker = worker
        self._made_by = (factory, arguments)
        self._configured: dict[str, str] = {}
        self._number = 0
        self._generation = -1
        self._opening = asyncio.Lock()
        self._is_closed = False
        worker.load += 1

    @classmethod
    async def open(cls, worker: Worker, factory: str, *arguments: Any) -> "RemoteEngine":
        engine = cls(worker, factory, arguments)
        try:
            await engine._ready()
        except BaseException:
            worker.load -= 1
            raise
        return engine

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        # One legal action at once: the process may be busy, or gone.
        yield Info(action=state.legal_actions()[0] if not limit.actions else limit.actions[0])
        await self._ready()
        async with aclosing(self._worker.stream("think", self._number, state, limit)) as answers:
            async for kind, value in answers:
                if kind == "info":
                    yield value

    async def configure(self, name: str, value: str) -> None:
        await self._ready()
        await self._worker.call("configure", self._number, name, value)
        self._configured[name] = value

    async def new_game(self) -> None:
        await self._ready()
        await self._worker.call("new_game", self._number)

    async def explain(self, state: State) -> list[str]:
        await self._ready()
        lines: list[str] = await self._worker.call("explain", self._number, state)
        return lines

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._worker.load -= 1
        if self._generation == self._worker.generation:
            self._worker.send((0, "close", self._number, ()))

    async def _ready(self) -> None:
        """Make sure that the process runs and holds this engine, as it was configured."""
        async with self._opening:
            await self._worker.start()
            if self._generation == self._worker.generation:
                return
            self._number = self._worker.new_number()
            self.name, self.author, self.options = await self._worker.call(
                "open", self._number, *self._made_by
            )
            self._generation = self._worker.generation
            for name, value in self._configured.items():
                await self._worker.call("configure", self._number, name, value)


class OwnedEngine(RemoteEngine):
    """An engine alone in a process, which ends with it."""

    @classmethod
    async def start(cls, factory: str, *arguments: Any) -> "OwnedEngine":
        worker = Worker()
        engine = cls(worker, factory, arguments)
        try:
            await engine._ready()
        except BaseException:
            await worker.close()
            raise
        return engine

    async def close(self) -> None:
        await super().close()
        await self._worker.close()


def frame(message: Any) -> bytes:
    """A message as it travels: its length, then its pickle."""
    data = pickle.dumps(message)
    return LENGTH.pack(len(data)) + data


async def receive(reader: asyncio.StreamReader) -> Any:
    """The next message. IncompleteReadError at the end."""
    (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
    return pickle.loads(await reader.readexactly(length))


# -- In the process --------------------------------------------------------------------------------


class Host:
    """The engines of this process, and the requests under way."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._engines: dict[int, Engine] = {}
        self._thinking: dict[int, asyncio.Task[None]] = {}

    async def obey(self, number: int, verb: str, target: int, arguments: tuple[Any, ...]) -> None:
        if verb == "stop":
            if target in self._thinking:
                self._thinking[target].cancel()
        elif verb == "think":
            task = asyncio.create_task(self._think(number, target, *arguments))
            self._thinking[number] = task
            task.add_done_callback(lambda _: self._thinking.pop(number, None))
        else:
            try:
                self._answer(number, "done", await self._do(verb, target, *arguments))
            except ValueError as error:
                self._answer(number, "refused", str(error))
            except Exception as error:  # whatever it was, the caller must not wait for ever
                self._answer(number, "error", f"{type(error).__name__}: {error}")

    async def _do(self, verb: str, target: int, *arguments: Any) -> Any:
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


async def _main(descriptor: int) -> None:
    reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=descriptor))
    host = Host(writer)
    try:
        while True:
            await host.obey(*await receive(reader))
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # our owner has closed the line, or is gone


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1])))
