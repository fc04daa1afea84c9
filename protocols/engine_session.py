"""A chess protocol as a session without I/O, in the manner of h11, and the runner that connects it to an engine.

A Session knows one protocol (protocols.uci, protocols.cecp) and the game so far. It has no clock and no socket, and
it never waits. Lines and infos go in, events and lines come out:

    receive(line) -> events       report(info) -> lines       answer(info) -> events

run_session() executes the events with an engine and two streams, in the same way for standard input, a TCP port and a
WebSocket. Because a session does no I/O, its tests try each command in each state without an engine.

A search has three stages. The event StartSearch begins it. While it runs, report() makes the lines to send for each
info. When it ends by itself or by StopSearch, answer() gets the last info and yields the events that send the move;
after AbortSearch there is no answer. A session has at most one search at a time.

A line that arrives during a search is one of three kinds, and each session decides which:

    at once      `stop`, `isready`, `?`, `quit` and others that must not be delayed
    waits        a line that would disturb a search that owes a move: an option, a new game, the next `go`
    overtakes    a line that waits, and ends a search that has no end of its own: `go` after `go infinite` in UCI

Lines that wait are kept by the session and obeyed in the order of arrival once the search is answered, until one of
them must wait for a search that an earlier one has started. So a search that owes a move is never cut short or
changed. Waiting lines are bounded: from WAITING_BYTES on, no further line is read until the search has ended.

The runner has one task that reads, obeys and answers. While a search runs there are two more: one searches, one waits
for the next line. Until commit 40518ca the searching task answered, and of an answer's events it executed only Send
and StartSearch. Lines that have waited may also set options or start a new game, so now the reading task answers.

These rules hold:

- No line makes a session raise anything but ProtocolError, whose text is the answer to the line.
- Every search that is not aborted is answered once, even if the engine fails: by its last info, or, if there is none,
  by the first action that may be played. A failure is reported to the user in a line before that answer.
- After the end of input, searches with an end are still answered, because the commands may have come from a file:
  within LAST_SECONDS on a clock, otherwise within `last_seconds`. One second for all was too short for `bench`.
- A `quit` that arrives together with `go`, as in a file, counts as such an end of input if the session says so.
- A peer that does not read for WRITE_SECONDS ends the session.

Sources: h11 (a protocol as a state machine without I/O); the protocols' own are named in their modules.
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
# For a search that runs at the end of input: one on a clock, whose game is over, and one whose extent was given
# (depth, nodes, mate, time, or a benchmark).
LAST_SECONDS: Final = 1.0
LAST_WORK_SECONDS: Final = 600.0
WAITING_BYTES: Final = 65_536  # of lines that wait for the end of a search; then no more are read
LINE_BYTES: Final = 64  # that a waiting line takes in addition to its text
SCRIPT_TURNS: Final = 4  # of the event loop, within which a line that was sent together with `go` is read


class ProtocolError(ValueError):
    """A line that cannot be obeyed; the error's text is the protocol's answer to the line."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send a line to the peer."""

    text: str


@dataclass(frozen=True, slots=True)
class StartSearch:
    """Start a search, whose infos go to report(), and whose last info goes to answer()."""

    state: State
    limit: Limit


@dataclass(frozen=True, slots=True)
class StopSearch:
    """End the search and answer it: answer() gets its last info."""


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
    """Send the engine's explanation of how it evaluates a state."""

    state: State


@dataclass(frozen=True, slots=True)
class Pause:
    """Let other clients use the event loop, because obeying the line takes several milliseconds."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End the session."""


Event = Send | StartSearch | StopSearch | AbortSearch | Configure | NewGame | Explain | Pause | Quit


class Session(ABC):
    """The engine's side of a protocol, without I/O. No line makes a session raise anything but ProtocolError."""

    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        self.name = name
        self.author = author
        self.options = options
        self.has_search = False  # whether a search runs; set by the runner
        self._waiting: deque[str] = deque()  # lines that wait for the end of the search
        self._waiting_bytes = 0
        self._is_resuming = False

    def receive(self, line: str) -> Iterator[Event]:
        """Obey one line, given without its line break, or keep it until the search has ended.

        Raises ProtocolError with the answer to a line that cannot be obeyed; events yielded before it are valid.
        """
        if self._must_wait(line):
            self._waiting.append(line)
            self._waiting_bytes += len(line) + LINE_BYTES
            if self._interrupts_search(line):
                yield from self._resume()
        else:
            yield from self._obey(line)

    @abstractmethod
    def report(self, info: Info) -> Iterator[str]:
        """Yield the lines to send for an info of the running search."""

    def answer(self, info: Info) -> Iterator[Event]:
        """Answer a search that has ended, by itself or by StopSearch, with this info; then obey the waiting lines."""
        yield from self._answer(info)
        yield from self._resume()

    @abstractmethod
    def error_line(self, problem: str) -> str:
        """Return the line that reports `problem` to the user, for faults other than protocol errors."""

    @property
    def is_full(self) -> bool:
        """Whether the waiting lines have WAITING_BYTES, so that no more should be read until the search ends."""
        return self._waiting_bytes >= WAITING_BYTES

    def ends_script(self, line: str) -> bool:
        """Return whether a line that was sent together with the running search only marks the end of a script."""
        return False

    @abstractmethod
    def _must_wait(self, line: str) -> bool:
        """Return whether a line must wait for the end of the search."""

    def _interrupts_search(self, line: str) -> bool:
        """Return whether a waiting line ends the running search because that has no end of its own."""
        return False

    def _stop(self) -> Iterator[Event]:
        """End the search with its move."""
        yield StopSearch()

    @abstractmethod
    def _obey(self, line: str) -> Iterator[Event]:
        """Obey one line now, with the events and errors of receive()."""

    @abstractmethod
    def _answer(self, info: Info) -> Iterator[Event]:
        """Answer a search that has ended with this info."""

    def _resume(self) -> Iterator[Event]:
        """Obey the waiting lines, up to one that must wait for a search that an earlier line has started.

        A search that is ended here is answered within this loop, which then continues.
        """
        if self._is_resuming:
            return
        self._is_resuming = True
        try:
            while self._waiting:
                if self._must_wait(self._waiting[0]):
                    if not any(map(self._interrupts_search, self._waiting)):
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
        """Return the next line with its break, or b"" at the end. Raises ValueError if the line is too long."""
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
    """Read, obey and answer until the session quits or the input ends. `first` is a line that was read already.

    A line that is too long also ends the session. After the end of input every search with an end is still answered,
    within LAST_SECONDS if it has a clock, otherwise within `last_seconds`. Raises TimeoutError if the peer does not
    read for WRITE_SECONDS, or does not write for as long as `lines` waits, and ConnectionError if the connection is
    lost. `pause` is awaited during lines that take long: it returns when the session may use the event loop again.
    """
    await _Runner(session, engine, lines, stream, last_seconds, pause).run(first)


class _Runner:
    """The runner of one session: its streams, its engine, the running search and the read that waits."""

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
        self._last_info: Info | None = None
        self._has_sent = False  # since the last drain
        self._ending: type[StopSearch | AbortSearch] | None = None  # once the search must end
        self._is_script = False  # whether every line since `go` was sent together with it

    async def run(self, line: str) -> None:
        try:
            while await self._obey(line):
                data = await self._next_line()
                if data is None:
                    self._send(self._session.error_line("the line is too long"))
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
        """Execute the events that a line causes. Return False if the session quits."""
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
        """Return the next line, b"" at the end of input, or None if the line is too long.

        Searches that end while the line is awaited are answered.
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
        """Set `_is_script` to whether the next line was available when the search began, as in a file or a pipe."""
        for _ in range(SCRIPT_TURNS):
            if not self._is_script or reading.done():
                return
            await asyncio.sleep(0)
        self._is_script = reading.done()

    async def _finish(self) -> None:
        """Wait for the searches with an end after the end of input, answer them, and quit."""
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
                    self._last_info = self._ending = None
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
                    self._last_info = info
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
        except Exception as error:  # the peer waits for a move, whatever fault the engine has
            self._send(self._session.error_line(str(error) or type(error).__name__))

    async def _answer(self) -> None:
        """Let the session answer the search, which has ended. Raises OSError if the peer is gone."""
        search, self._search = self._search, None
        self._session.has_search = False
        assert search is not None
        search.result()
        for event in self._session.answer(self._last_info or Info(action=self._actions[0])):
            await self._execute(event)

    async def _end_search(self, how: type[StopSearch | AbortSearch]) -> None:
        """End the running search, if there is one: with its answer (StopSearch) or without (AbortSearch)."""
        search = self._search
        if search is None:
            return
        self._ending = how
        if self._last_info is not None:  # otherwise the first info is about to come, and ends the search
            search.cancel()
        await asyncio.wait({search})
        if how is StopSearch:
            await self._answer()
            return
        self._search = None
        self._session.has_search = False
        if not search.cancelled():
            search.exception()  # mark the error as retrieved: the first fault is reported, not its consequences

    async def _drain(self) -> None:
        """Wait while the peer is slow to read. Raises TimeoutError if the peer reads nothing for WRITE_SECONDS."""
        if self._has_sent:
            self._has_sent = False
            async with asyncio.timeout(WRITE_SECONDS):
                await self._stream.drain()

    def _send(self, line: str) -> None:
        self._has_sent = True
        self._stream.write(line.encode("utf-8", "replace") + b"\n")
