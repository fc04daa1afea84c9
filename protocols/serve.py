"""A conversation at work: a session, an engine and a pair of streams. The only place with concurrency.

One task reads and obeys, whatever the engine does; at most one other task thinks. An engine on
standard input and one behind a TCP port run through the same code.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import aclosing
from typing import Final, Protocol

from engines.engine import Engine, EngineError, Info
from protocols.session import (
    Configure,
    Discard,
    Event,
    MoveNow,
    NewGame,
    ProtocolError,
    Quit,
    Send,
    Session,
    Think,
)

WRITE_SECONDS: Final = 10.0
LAST_SECONDS: Final = 1.0  # for a search with an end, once nobody can stop it any more


class Reader(Protocol):
    async def readline(self) -> bytes:
        """The next line with its break, empty at the end; ValueError if it is too long."""
        ...


class Writer(Protocol):
    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None: ...


async def serve(
    session: Session, engine: Engine, reader: Reader, writer: Writer, first_line: str = ""
) -> None:
    """Converse until the session quits or the other side is gone. `first_line` was read already.

    At the end of input a move that is being thought out is still played, after LAST_SECONDS at most: the
    commands may have come from a file. TimeoutError when the other side does not read for WRITE_SECONDS,
    or does not write for as long as the reader waits; ConnectionError when it is cut off.
    """
    try:
        async with asyncio.TaskGroup() as tasks:
            await _Conversation(session, engine, reader, writer, tasks).run(first_line)
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None  # of a broken line the reader and the thinker both tell


class _Conversation:
    def __init__(
        self, session: Session, engine: Engine, reader: Reader, writer: Writer, tasks: asyncio.TaskGroup
    ) -> None:
        self._session = session
        self._engine = engine
        self._reader = reader
        self._writer = writer
        self._tasks = tasks
        self._thinking: asyncio.Task[None] | None = None
        self._is_infinite = False  # the thinking
        self._last: Info | None = None
        self._ending = ""  # "move" or "discard", once the thinking is to end

    async def run(self, first_line: str) -> None:
        try:
            going = not first_line or await self._obey(first_line)
            while going:
                try:
                    line = await self._reader.readline()
                except ValueError:
                    self._say(self._session.complain("line too long"))
                    break
                if not line:
                    if self._thinking is not None and not self._is_infinite:
                        await asyncio.wait({self._thinking}, timeout=LAST_SECONDS)
                    await self._end_thinking("move")
                    break
                going = await self._obey(line.decode("utf-8", "replace").rstrip("\r\n"))
                await self._flush()
        finally:
            await self._end_thinking("discard")

    async def _obey(self, line: str) -> bool:
        """Obey a line; False when it ends the conversation."""
        try:
            for event in self._session.receive(line):
                if isinstance(event, Quit):
                    return False
                await self._do(event)
        except ProtocolError as error:
            self._say(str(error))
        return True

    async def _do(self, event: Event) -> None:
        match event:
            case Send(text):
                self._say(text)
            case Think():
                self._start(event)
            case MoveNow():
                await self._end_thinking("move")
            case Discard():
                await self._end_thinking("discard")
            case Configure(name, value):
                await self._prepare(self._engine.configure(name, value))
            case NewGame():
                await self._prepare(self._engine.new_game())

    async def _prepare(self, step: Awaitable[None]) -> None:
        try:
            await step
        except (ValueError, EngineError) as error:
            self._say(self._session.complain(str(error)))

    def _start(self, event: Think) -> None:
        self._is_infinite = event.limit.is_infinite
        self._last = None
        self._ending = ""
        self._thinking = self._tasks.create_task(self._think(event))

    async def _think(self, event: Think) -> None:
        try:
            async with aclosing(self._engine.think(event.state, event.limit)) as thoughts:
                async for thought in thoughts:
                    self._last = thought
                    for line in self._session.report(thought):
                        self._say(line)
                    if self._ending:
                        break
                    await self._flush()
        except asyncio.CancelledError:
            if not self._ending:
                raise
        except OSError:
            raise  # the other side is gone, or does not read
        except Exception as error:  # whatever ails the engine, the other side waits for a move
            self._say(self._session.complain(str(error) or type(error).__name__))
        if self._ending != "discard":
            self._thinking = None
            actions = event.limit.actions or event.state.legal_actions()
            for answer in self._session.answer(self._last or Info(action=actions[0])):
                if isinstance(answer, Think):
                    self._start(answer)
                elif isinstance(answer, Send):
                    self._say(answer.text)

    async def _end_thinking(self, how: str) -> None:
        """Let the thinking task come to its end: with an answer ("move"), or without ("discard")."""
        task = self._thinking
        if task is None:
            return
        self._ending = how
        if self._last is not None:  # else the first thought is on its way, and ends the task
            task.cancel()
        await asyncio.wait({task})
        if self._thinking is task:
            self._thinking = None

    async def _flush(self) -> None:
        """Wait while the other side is slow to read. TimeoutError if it is deaf."""
        async with asyncio.timeout(WRITE_SECONDS):
            await self._writer.drain()

    def _say(self, line: str) -> None:
        self._writer.write(line.encode("utf-8", "replace") + b"\n")
