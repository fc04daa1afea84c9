"""A chess protocol as a session without I/O, in the manner of h11, and the runner that connects it to an engine.

A Session knows the protocol and the game so far; it has no clock and no socket and never waits. Lines go in,
events and lines come out, and run_session() carries the events out, over standard input or a TCP port alike:

    receive(line) -> events       report(info) -> lines       answer(info) -> events

A line that would disturb a search that owes a move (an option, a new game, the next `go`) is kept by the session and
obeyed when the search has ended, in the order of arrival; so such a search is never cut short or spoilt. What must
not be delayed (`stop`, `isready`, `?`, `quit`) is obeyed at once. Each session decides which line is of which kind.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Protocol

from core.game import State
from engines.engine import Engine, EngineError, Info, Limit, Option, explain

WRITE_SECONDS: Final = 10.0
# A search that runs at the end of input may take so long: one on a clock, since its game is over; and one whose
# extent was asked for (depth, nodes, mate, time, or a benchmark), since the commands may have come from a file.
LAST_SECONDS: Final = 1.0
LAST_WORK_SECONDS: Final = 600.0
WAITING_BYTES: Final = 65_536  # of lines that wait for the end of a search; then no more are read
LINE_BYTES: Final = 64  # that a line takes besides its text
SCRIPT_TURNS: Final = 4  # of the event loop, in which a line that was sent together with `go` is read


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
class Explain:
    """Send how the engine evaluates this state."""

    state: State


@dataclass(frozen=True, slots=True)
class Pause:
    """Let other clients use the event loop, because the line takes several milliseconds."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End the session."""


Event = Send | StartSearch | StopSearch | AbortSearch | Configure | NewGame | Explain | Pause | Quit


class Session(ABC):
    """The engine's side of a protocol. No line whatever makes it raise anything but ProtocolError."""

    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        self.name = name
        self.author = author
        self.options = options
        self.has_search = False  # under way; the runner says so
        self._waiting: deque[str] = deque()  # lines, for the end of the search
        self._waiting_bytes = 0
        self._is_resuming = False

    def receive(self, line: str) -> Iterator[Event]:
        """Obey one line, given without its line break, or keep it until the search has ended.

        ProtocolError carries the answer to a bad one; events before it are valid.
        """
        if self._must_wait(line):
            self._waiting.append(line)
            self._waiting_bytes += len(line) + LINE_BYTES
            if self._overtakes(line):
                yield from self._resume()
        else:
            yield from self._obey(line)

    @abstractmethod
    def report(self, info: Info) -> Iterator[str]:
        """Yield the lines to send for an info while the search goes on."""

    def answer(self, info: Info) -> Iterator[Event]:
        """Answer a search that has ended with this info, by itself or by StopSearch, and obey the lines that waited."""
        yield from self._answer(info)
        yield from self._resume()

    @abstractmethod
    def error_line(self, problem: str) -> str:
        """Return the line that shows the user a problem which is no protocol error of theirs."""

    @property
    def is_full(self) -> bool:
        """Whether so many lines wait for the end of the search that no more should be read before."""
        return self._waiting_bytes >= WAITING_BYTES

    def ends_script(self, line: str) -> bool:
        """Return whether a line, sent together with the search that runs, only says that the script ends here."""
        return False

    @abstractmethod
    def _must_wait(self, line: str) -> bool:
        """Return whether a line must wait for the end of the search."""

    def _overtakes(self, line: str) -> bool:
        """Return whether a line that waits ends the search, which has no end of its own."""
        return False

    def _stop(self) -> Iterator[Event]:
        """End the search with its move."""
        yield StopSearch()

    @abstractmethod
    def _obey(self, line: str) -> Iterator[Event]:
        """Obey one line now; as receive()."""

    @abstractmethod
    def _answer(self, info: Info) -> Iterator[Event]:
        """Answer a search that has ended with this info."""

    def _resume(self) -> Iterator[Event]:
        """Obey the lines that have waited, up to the next that must wait for a search of one before it.

        A search that is ended here is answered within this loop, which then goes on.
        """
        if self._is_resuming:
            return
        self._is_resuming = True
        try:
            while self._waiting:
                if self._must_wait(self._waiting[0]):
                    if not any(map(self._overtakes, self._waiting)):
                        return
                    yield from self._stop()
                    continue
                line = self._waiting.popleft()
                self._waiting_bytes -= len(line) + LINE_BYTES
                try:
                    yield from self._obey(line)
                except ProtocolError as error:
                    yield Send(str(error))
        finally:
            self._is_resuming = False

    def _option(self, name: str) -> Option | None:
        """Return the option of this name, in any case and with any white space between its words, or None."""
        words = name.lower().split()
        return next((option for option in self.options if option.name.lower().split() == words), None)


class Reader(Protocol):
    async def readline(self) -> bytes:
        """The next line with its break, empty at the end; ValueError if it is too long."""
        ...


class Writer(Protocol):
    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None: ...


async def leave_loop() -> None:
    """Let the other tasks of the event loop run once."""
    await asyncio.sleep(0)


async def run_session(
    session: Session,
    engine: Engine,
    lines: Reader,
    stream: Writer,
    first: str = "",
    *,
    last_seconds: float = LAST_WORK_SECONDS,
    pause: Callable[[], Awaitable[object]] = leave_loop,
) -> None:
    """Read, obey and answer until the session quits or the peer is gone. `first` is a line that was read already.

    At the end of input every search with an end is still answered, after `last_seconds` at most, and after LAST_SECONDS
    if it has a clock: the commands may have come from a file. Raises TimeoutError when the peer does not read for
    WRITE_SECONDS, or does not write for as long as `lines` waits, and ConnectionError when it is cut off.
    `pause` is awaited during lines that take long: it returns when the session may use the event loop again.
    """
    await _Runner(session, engine, lines, stream, last_seconds, pause).run(first)


class _Runner:
    """One task reads, obeys and answers; at most one other task searches, and one waits for the next line."""

    def __init__(
        self, session: Session, engine: Engine, lines: Reader, stream: Writer, last_seconds: float,
        pause: Callable[[], Awaitable[object]],
    ) -> None:  # fmt: skip
        self._last_seconds = last_seconds
        self._pause = pause
        self._session = session
        self._engine = engine
        self._lines = lines
        self._stream = stream
        self._reading: asyncio.Task[bytes] | None = None  # while a search runs
        self._search: asyncio.Task[None] | None = None  # until it is answered
        self._actions: tuple[int, ...] | list[int] = ()  # of the search
        self._limit = Limit()
        self._last: Info | None = None
        self._has_sent = False  # since the last drain
        self._ending: type[StopSearch | AbortSearch] | None = None  # once the search is to end
        self._is_script = False  # whether every line since `go` was there together with it

    async def run(self, line: str) -> None:
        try:
            while await self._obey(line):
                data = await self._next_line()
                if data is None:
                    self._send(self._session.error_line("line too long"))
                    return
                line = data.decode("utf-8", "replace").rstrip("\r\n")
                if not data or (self._is_script and self._has_end and self._session.ends_script(line)):
                    await self._finish()
                    return
        finally:
            if self._reading is not None:
                self._reading.cancel()
                await asyncio.wait({self._reading})
            await self._end_search(AbortSearch)

    async def _obey(self, line: str) -> bool:
        """Do what the session makes of a line; False if it quits."""
        before = self._search
        try:
            for event in self._session.receive(line):
                if isinstance(event, Quit):
                    return False
                await self._execute(event)
        except ProtocolError as error:
            self._send(str(error))
        if self._search is not before:
            self._is_script = True
        await self._drain()
        return True

    async def _next_line(self) -> bytes | None:
        """Return the next line, empty at the end of input, None if it is too long.

        Searches that end meanwhile are answered.
        """
        while self._search is not None:
            if not self._session.is_full:
                if self._reading is None:
                    self._reading = asyncio.create_task(self._lines.readline())
                    await self._see_script(self._reading)
                await asyncio.wait({self._search, self._reading}, return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.wait({self._search})
            if self._search.done():
                await self._answer()
                await self._drain()
            elif self._reading is not None and self._reading.done():
                break
        reading, self._reading = self._reading, None
        try:
            return await (reading or self._lines.readline())
        except ValueError:
            return None

    async def _see_script(self, reading: asyncio.Task[bytes]) -> None:
        """Find out whether the next line was there already when the search began, as it is in a file or a pipe."""
        for _ in range(SCRIPT_TURNS):
            if not self._is_script or reading.done():
                return
            await asyncio.sleep(0)
        self._is_script = reading.done()

    async def _finish(self) -> None:
        """Finish the searches that were asked for, after the end of input."""
        while self._search is not None and self._has_end:
            patience = LAST_SECONDS if self._limit.clock else self._last_seconds
            await asyncio.wait({self._search}, timeout=patience)
            await self._end_search(StopSearch)
            await self._drain()
        await self._obey("quit")

    @property
    def _has_end(self) -> bool:
        """Whether a search runs that ends by itself."""
        return self._search is not None and not self._limit.is_infinite

    async def _execute(self, event: Event) -> None:
        try:
            match event:
                case Send(text):
                    self._send(text)
                case StartSearch(state, limit):
                    self._session.has_search = True
                    self._actions = limit.actions or state.legal_actions()
                    self._limit = limit
                    self._last = self._ending = None
                    self._search = asyncio.create_task(self._run_search(event))
                case StopSearch() | AbortSearch():
                    await self._end_search(type(event))
                case Configure(name, value):
                    await self._engine.configure(name, value)
                case NewGame():
                    await self._engine.new_game()
                case Explain(state):
                    for line in await explain(self._engine, state):
                        self._send(line)
                case Pause():
                    await self._pause()
        except (ValueError, EngineError) as error:
            self._send(self._session.error_line(str(error)))

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

    async def _answer(self) -> None:
        """Have the session answer the search, which has ended. Raises OSError if the peer is gone."""
        search, self._search = self._search, None
        self._session.has_search = False
        assert search is not None
        search.result()
        for event in self._session.answer(self._last or Info(action=self._actions[0])):
            await self._execute(event)

    async def _end_search(self, how: type[StopSearch | AbortSearch]) -> None:
        """End the search: with its answer, or without one."""
        search = self._search
        if search is None:
            return
        self._ending = how
        if self._last is not None:  # else the first info is on its way, and ends the search
            search.cancel()
        await asyncio.wait({search})
        if how is StopSearch:
            await self._answer()
            return
        self._search = None
        self._session.has_search = False
        if not search.cancelled():
            search.exception()  # what led here is told, not what follows from it

    async def _drain(self) -> None:
        """Wait while the peer is slow to read. TimeoutError if it does not read at all."""
        if self._has_sent:
            self._has_sent = False
            async with asyncio.timeout(WRITE_SECONDS):
                await self._stream.drain()

    def _send(self, line: str) -> None:
        self._has_sent = True
        self._stream.write(line.encode("utf-8", "replace") + b"\n")
