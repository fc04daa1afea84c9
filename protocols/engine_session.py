"""A chess protocol as a session without I/O, in the manner of h11, and the runner that connects it to an engine.

A Session knows the protocol and the game so far; it has no clock and no socket and never waits. Lines go in,
events and lines come out, and run_session() carries the events out, over standard input or a TCP port alike:

    receive(line) -> events       report(info) -> lines       answer(info) -> events
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Protocol

from core.game import State
from engines.engine import Engine, EngineError, Info, Limit, Option

WRITE_SECONDS: Final = 10.0
LAST_SECONDS: Final = 1.0


class ProtocolError(ValueError):
    """A line that cannot be obeyed; the text is the answer that the protocol has for it."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send this line."""

    text: str


@dataclass(frozen=True, slots=True)
class StartSearch:
    """Begin to search; infos go to report(), the last one to answer()."""

    state: State
    limit: Limit


@dataclass(frozen=True, slots=True)
class StopSearch:
    """End the search; answer() gets its last info."""


@dataclass(frozen=True, slots=True)
class AbortSearch:
    """End the search without an answer."""


@dataclass(frozen=True, slots=True)
class Configure:
    """Set an option of the engine."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """Let the engine forget the last game."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End the session."""


Event = Send | StartSearch | StopSearch | AbortSearch | Configure | NewGame | Quit


class Session(ABC):
    """The engine's side of a protocol. No line whatever makes it raise anything but ProtocolError."""

    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        self.name = name
        self.author = author
        self.options = options
        self.has_search = False  # under way; the runner says so
        self.last_seconds = LAST_SECONDS  # for searches with an end, once no line can come any more

    @abstractmethod
    def receive(self, line: str) -> Iterator[Event]:
        """Obey one line, given without its line break. ProtocolError carries the answer to a bad one;
        events before it are valid."""

    @abstractmethod
    def report(self, info: Info) -> Iterator[str]:
        """What to send of an info while the search goes on."""

    @abstractmethod
    def answer(self, info: Info) -> Iterator[Event]:
        """The search has ended, by itself or by StopSearch, with this info."""

    @abstractmethod
    def error_line(self, problem: str) -> str:
        """The line that shows the user a problem which is no protocol error of theirs."""

    def _option(self, name: str) -> Option | None:
        """The option of this name, in any case."""
        return next((option for option in self.options if option.name.lower() == name.lower()), None)


class Reader(Protocol):
    async def readline(self) -> bytes:
        """The next line with its break, empty at the end; ValueError if it is too long."""
        ...


class Writer(Protocol):
    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None: ...


async def run_session(
    session: Session, engine: Engine, lines: Reader, stream: Writer, first: str = ""
) -> None:
    """Read, obey and answer until the session quits or the peer is gone. `first` is a line that was read already.

    At the end of input a search with an end is still answered, after LAST_SECONDS at most: the commands may have
    come from a file. TimeoutError when the peer does not read for WRITE_SECONDS, or does not write for as long as
    `lines` waits; ConnectionError when it is cut off.
    """
    try:
        async with asyncio.TaskGroup() as tasks:
            await _Runner(session, engine, lines, stream, tasks).run(first)
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None  # the only one: what fails first ends the other task


class _Runner:
    """One task reads and obeys, whatever the engine does; at most one other task searches."""

    def __init__(
        self, session: Session, engine: Engine, lines: Reader, stream: Writer, tasks: asyncio.TaskGroup
    ) -> None:
        self._session = session
        self._engine = engine
        self._lines = lines
        self._stream = stream
        self._tasks = tasks
        self._search: asyncio.Task[None] | None = None
        self._is_infinite = False  # the search
        self._last: Info | None = None  # of the search
        self._has_sent = False  # since the last drain
        self._ending: type[StopSearch | AbortSearch] | None = None  # once the search is to end

    async def run(self, line: str) -> None:
        try:
            while True:
                try:
                    for event in self._session.receive(line):
                        if isinstance(event, Quit):
                            return
                        await self._execute(event)
                except ProtocolError as error:
                    self._send(str(error))
                await self._drain()
                try:
                    data = await self._lines.readline()
                except ValueError:
                    self._send(self._session.error_line("line too long"))
                    return
                if not data:
                    break
                line = data.decode("utf-8", "replace").rstrip("\r\n")
            try:
                async with asyncio.timeout(self._session.last_seconds):
                    while self._search is not None and not self._is_infinite:  # one may follow another
                        await asyncio.wait({self._search})
            except TimeoutError:
                pass
            await self._end_search(StopSearch)
        finally:
            await self._end_search(AbortSearch)

    async def _execute(self, event: Event) -> None:
        try:
            match event:
                case Send(text):
                    self._send(text)
                case StartSearch():
                    self._start_search(event)
                case StopSearch() | AbortSearch():
                    await self._end_search(type(event))
                case Configure(name, value):
                    await self._engine.configure(name, value)
                case NewGame():
                    await self._engine.new_game()
        except (ValueError, EngineError) as error:
            self._send(self._session.error_line(str(error)))

    def _start_search(self, search: StartSearch) -> None:
        self._session.has_search = True
        self._is_infinite = search.limit.is_infinite
        self._last = None
        self._ending = None
        self._search = self._tasks.create_task(self._run_search(search))

    async def _run_search(self, search: StartSearch) -> None:
        try:
            async with aclosing(self._engine.think(search.state, search.limit)) as infos:
                async for info in infos:
                    self._last = info
                    for line in self._session.report(info):
                        self._send(line)
                    if self._ending:
                        break
                    await self._drain()
        except asyncio.CancelledError:
            if not self._ending:
                raise
        except OSError:  # the peer is gone, or does not read
            if self._ending is not AbortSearch:
                raise
        except Exception as error:  # whatever is wrong with the engine, the peer waits for a move
            self._send(self._session.error_line(str(error) or type(error).__name__))
        self._session.has_search = False
        if self._ending is not AbortSearch:
            self._search = None
            actions = search.limit.actions or search.state.legal_actions()
            for event in self._session.answer(self._last or Info(action=actions[0])):
                if isinstance(event, StartSearch):
                    self._start_search(event)
                elif isinstance(event, Send):
                    self._send(event.text)

    async def _end_search(self, how: type[StopSearch | AbortSearch]) -> None:
        """Let the search come to its end, with an answer or without."""
        search = self._search
        if search is None:
            return
        self._ending = how
        if self._last is not None:  # else the first info is on its way, and ends the search
            search.cancel()
        await asyncio.wait({search})
        if self._search is search:
            self._search = None

    async def _drain(self) -> None:
        """Wait while the peer is slow to read. TimeoutError if it does not read at all."""
        if self._has_sent:
            self._has_sent = False
            async with asyncio.timeout(WRITE_SECONDS):
                await self._stream.drain()

    def _send(self, line: str) -> None:
        self._has_sent = True
        self._stream.write(line.encode("utf-8", "replace") + b"\n")
