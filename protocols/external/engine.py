"""The part of external chess engines that all protocols share: a process, options, one search at a time.

A subclass of ExternalEngine parses the lines of the process into Reports, and PendingSearch turns these into Infos: an
illegal move ends a line of expected play, and an answer that is no legal move becomes the action -1, with which the
engine forfeits.

A search that has been started must be answered by the engine, even if the consumer of think() stops early. So think()
ends by sending the stop command and reading up to the answer, and think(), configure() and new_game() begin by reading
up to an answer that is still to come (_drain).
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from core.chess.position import Position
from core.game import State
from engines.engine import EngineError, Info, Limit, Option
from protocols.external.process import TIMEOUTS, EngineProcess, Timeouts, sanitize

MAX_OPTIONS: Final = 300
LONGEST_LINE: Final = 60  # moves of a line that are read; reading one in algebraic notation takes 0.08 ms
MAX_DIGITS: Final = 15  # of a number in a line of an engine
GAME_MOVES: Final = 30  # moves to come that node_budget() assumes for a clock without periods


class ExternalEngine(ABC):
    """An Engine (engines.engine) in a process of its own. Subclasses implement the protocol."""

    protocol: ClassVar[str]  # the name of the protocol
    stop_command: ClassVar[str]  # the line that makes the engine answer its search at once

    def __init__(self, process: EngineProcess, timeouts: Timeouts = TIMEOUTS) -> None:
        self.name = process.program
        self.author = "unknown"
        self.options: tuple[Option, ...] = ()
        self._process = process
        self._timeouts = timeouts
        self._search: PendingSearch | None = None  # until the engine has sent its move

    @classmethod
    async def open(
        cls,
        command: Sequence[str],
        *,
        name: str | None = None,
        options: Mapping[str, str] = {},
        timeouts: Timeouts = TIMEOUTS,
        notify: Callable[[str], None] = lambda notice: None,
    ) -> Self:
        """Start `command`, a program and its arguments, and set `options`; `name` replaces the engine's own name.

        `notify` is called with a sentence if the program stays silent for a while. Raises EngineError if the program
        does not start or does not speak the protocol, and ValueError for a wrong option.
        """
        engine = cls(await EngineProcess.start(command), timeouts)
        await engine.initialize(options, notify)
        engine.name = sanitize(name or engine.name)
        return engine

    async def initialize(
        self, options: Mapping[str, str] = {}, notify: Callable[[str], None] = lambda notice: None
    ) -> None:
        """Exchange the first lines and set options, with `notify` as for open(); if either fails, close the process."""
        patience = self._timeouts.introduction
        waiting = (
            f"{self._process.program} has not introduced itself by {self.protocol} yet; "
            f"waiting up to {patience:g} s in total (Ctrl-C to stop)"
        )
        notice = asyncio.get_running_loop().call_later(self._timeouts.notice, notify, waiting)
        try:
            async with self._time_limit(patience, "introduce itself"):
                await self._handshake()
            notice.cancel()
            for option, value in options.items():
                await self.configure(option, value)
        except BaseException:
            self._process.fail("could not be set up")
            await self.close()
            raise
        finally:
            notice.cancel()

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        if not isinstance(state, Position):
            raise TypeError("external engines can search chess positions only")
        if state.is_chess960() and not self.plays_chess960:
            raise EngineError(f"{self.name} does not offer Chess960")
        # The first info must come before the first await (engines.engine).
        yield Info(action=limit.actions[0] if limit.actions else state.legal_actions()[0])
        await self._drain()
        info = await self._start_search(state, limit)
        if info is not None:
            yield info
        try:
            while self._search is not None:
                info = self._on_line(await self._process.line())
                if info is not None:
                    yield info
                if self._search is not None and self._search.is_overdue:
                    self._stop(self._search)
        finally:
            # A failure here would hide the cancellation; the next use of the engine raises it anyway.
            with suppress(EngineError):
                if self._search is not None:
                    self._stop(self._search)
                    await self._drain()

    async def configure(self, name: str, value: str) -> None:
        option = next((option for option in self.options if option.name.lower() == name.lower()), None)
        if option is None:
            raise ValueError(f"no option is named {name[:40]!r}")
        value = option.checked(value)
        if not value.isprintable():
            raise ValueError(f"{option.name} must be one line of text, not {value[:40]!r}")
        await self._drain()
        self._send_option(option, value)
        await self._wait_ready()

    async def new_game(self) -> None:
        await self._drain()
        self._send_new_game()
        await self._wait_ready()

    async def close(self) -> None:
        await self._process.close(self._timeouts.quit)

    @property
    @abstractmethod
    def plays_chess960(self) -> bool:
        """Whether the engine offers Chess960."""

    # -- The parts that subclasses define or use ---------------------------------------------------

    def _check_echo(self, line: str, command: str) -> None:
        """Raise EngineError if a line is the command just sent: then the program repeats its input, as `cat` does."""
        if line == command:
            raise EngineError(
                f"{self._process.program} repeats its input, so it does not speak {self.protocol}"
            )

    @abstractmethod
    async def _handshake(self) -> None:
        """Exchange the first lines, and set the name, author and options that the engine announces."""

    @abstractmethod
    async def _start_search(self, position: Position, limit: Limit) -> Info | None:
        """Start a search and set `_search`; or return the answer, if the engine has moved without being asked."""

    @abstractmethod
    def _on_line(self, line: str) -> Info | None:
        """Parse a line and return its info, or None if it has none; clear `_search` if the line answers the search."""

    @abstractmethod
    def _send_option(self, option: Option, value: str) -> None: ...

    @abstractmethod
    def _send_new_game(self) -> None: ...

    @abstractmethod
    async def _wait_ready(self) -> None:
        """Wait until the engine has obeyed all commands."""

    @asynccontextmanager
    async def _time_limit(self, seconds: float, task: str) -> AsyncIterator[None]:
        """Declare the process failed and raise EngineError if the block takes longer than `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            raise self._process.fail(f"did not {task} within {seconds:g} s") from None

    def _stop(self, search: "PendingSearch") -> None:
        """Send the stop command, unless it was already sent for this search."""
        if not search.is_stopped:
            search.is_stopped = True
            self._process.send(self.stop_command)

    async def _drain(self) -> None:
        """Read up to the answer of a pending search, so that it is not taken for the answer of the next one."""
        if self._search is not None:
            async with self._time_limit(self._timeouts.stop, "move when stopped"):
                while self._search is not None:
                    self._on_line(await self._process.line())


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The content of one line of an engine about its search; None for each value that the line does not have."""

    moves: Sequence[str] = ()
    cents: int | None = None
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None


class PendingSearch:
    """A position that an external engine searches, and the infos that the engine has sent so far."""

    def __init__(self, position: Position, limit: Limit) -> None:
        self.position = position.clone()
        self.last = Info(action=0)
        self.is_stopped = False  # the engine has been sent its stop command
        self._actions = limit.actions
        self._nodes = node_budget(limit)
        self._depth = limit.depth

    @property
    def is_overdue(self) -> bool:
        """Whether the search has passed a bound that the protocol cannot express or that the engine ignores."""
        deep = self._depth is not None and self.last.depth > self._depth
        return deep or (self._nodes is not None and self.last.nodes >= self._nodes)

    def on_info(self, report: Report) -> Info | None:
        """Record a report and return the info so far, or None if the report has no line that may be played."""
        last = self.last
        line = read_line(self.position, report.moves)
        named = bool(line) and (not self._actions or line[0] in self._actions)
        scored = report.cents is not None or report.mate is not None
        self.last = Info(
            action=line[0] if named else last.action,
            line=line if named else last.line,
            cents=report.cents if scored else last.cents,
            mate=report.mate if scored else last.mate,
            depth=last.depth if report.depth is None else report.depth,
            nodes=last.nodes if report.nodes is None else report.nodes,
            seconds=last.seconds if report.seconds is None else report.seconds,
        )
        return self.last if named else None

    def answer(self, text: str) -> Info | None:
        """Return the info that ends the search, with the move in `text`; None for a move outside `Limit.actions`.

        A move that is not legal gives the action -1.
        """
        try:
            action = read_move(self.position, text)
        except ValueError:
            return Info(action=-1, text=sanitize(text))
        if self._actions and action not in self._actions:
            return None
        line = self.last.line if self.last.line[:1] == (action,) else (action,)
        return replace(self.last, action=action, line=line)


def checked_option(option: Option) -> Option | None:
    """Return an option that an engine has announced, or None if its default is invalid."""
    try:
        if option.kind != "button":
            option.checked(option.default)
    except ValueError:
        return None
    return option


def read_move(position: Position, text: str) -> int:
    """Return the legal move that an engine means, in coordinates or in any algebraic notation.

    Raises ValueError if there is no such move.
    """
    try:
        return position.parse_uci(text.lower())
    except ValueError:
        # Imported here because python-chess is slow to import and seldom needed.
        from engines.chess.pgn import parse_move

        return parse_move(position, text[:10].rstrip("!?"))


def read_line(position: Position, moves: Sequence[str]) -> tuple[int, ...]:
    """Return the moves of a line before the first illegal one, up to a draw, at most LONGEST_LINE."""
    ahead = position.clone()
    line: list[int] = []
    for text in moves[:LONGEST_LINE]:
        try:
            move = read_move(ahead, text)
        except ValueError:
            break
        line.append(move)
        ahead.make(move)
        if ahead.is_draw():
            break
    return tuple(line)


def read_number(text: str) -> int | None:
    """Return a whole number of at most MAX_DIGITS digits, or None if the text is anything else."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS else None


def node_budget(limit: Limit) -> int | None:
    """Return how many nodes a search may have by `limit`, or None if `limit` does not bound them.

    With `nodes_per_second`, seconds become nodes here, because an external engine may not count them so itself.
    """
    budgets = [] if limit.nodes is None else [limit.nodes]
    if limit.nodes_per_second:
        if limit.seconds is not None:
            budgets.append(int(limit.seconds * limit.nodes_per_second))
        if limit.clock is not None:
            share = limit.clock.seconds / ((limit.clock.moves_to_reset or GAME_MOVES) + 1)
            budgets.append(int((max(share, 0.0) + limit.clock.increment / 2) * limit.nodes_per_second))
    return max(min(budgets), 1) if budgets else None


def check_variant(engine: object, starts: Iterable[State]) -> None:
    """Raise ValueError if a start position is one of Chess960 and the engine does not offer Chess960."""
    if isinstance(engine, ExternalEngine) and not engine.plays_chess960:
        if any(isinstance(start, Position) and start.is_chess960() for start in starts):
            raise ValueError(f"{engine.name} does not offer Chess960, but a start position needs it")
