"""What foreign engines have in common whatever they speak: a process, options, one question at a time."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import ClassVar, Self

from core.chess.position import Position
from core.game import State
from engines.engine import EngineError, Info, Limit, Option
from protocols.client.process import PATIENCE, EngineProcess, Patience, shown
from protocols.client.question import Question


class ForeignEngine(ABC):
    """An Engine in a program of its own. Protocols differ in the words, which subclasses know."""

    stop_command: ClassVar[str]

    def __init__(self, process: EngineProcess, patience: Patience) -> None:
        self.name = process.program
        self.author = "unknown"
        self.options: tuple[Option, ...] = ()
        self._process = process
        self._patience = patience
        self._question: Question | None = None  # as long as the engine owes us a move

    @classmethod
    async def open(
        cls,
        command: Sequence[str],
        *,
        name: str | None = None,
        options: Mapping[str, str] = {},
        patience: Patience = PATIENCE,
    ) -> Self:
        """Start `command`, a program and its arguments, and set `options`; `name` replaces its own name.

        EngineError if it does not start or does not speak the protocol, ValueError for a wrong option.
        """
        engine = cls(await EngineProcess.start(command), patience)
        try:
            async with engine._within(patience.introduction, "introduce itself"):
                await engine._introduce()
            for option, value in options.items():
                await engine.configure(option, value)
        except BaseException:
            engine._process.fail("could not be set up")
            await engine.close()
            raise
        engine.name = shown(name or engine.name)
        return engine

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        if not isinstance(state, Position):
            raise TypeError("foreign engines think about chess positions")
        yield Info(action=limit.actions[0] if limit.actions else state.legal_actions()[0])
        await self._settle()
        thought = await self._ask(state, limit)
        if thought is not None:
            yield thought
        try:
            while self._question is not None:
                thought = self._hear(await self._process.line())
                if thought is not None:
                    yield thought
                if self._question is not None and self._question.is_overdue:
                    self._stop(self._question)
        finally:
            # A failure here would hide the cancellation; the next use of the engine raises it anyway.
            with suppress(EngineError):
                if self._question is not None:
                    self._stop(self._question)
                    await self._settle()

    async def configure(self, name: str, value: str) -> None:
        option = next((option for option in self.options if option.name.lower() == name.lower()), None)
        if option is None:
            raise ValueError(f"no option is named {name[:40]!r}")
        value = option.checked(value)
        if not value.isprintable():
            raise ValueError(f"{option.name} must be one line of text, not {value[:40]!r}")
        await self._settle()
        self._set(option, value)
        await self._ready()

    async def new_game(self) -> None:
        await self._settle()
        self._new()
        await self._ready()

    async def close(self) -> None:
        await self._process.close(self._patience.quit)

    # -- For the protocols -------------------------------------------------------------------------

    @abstractmethod
    async def _introduce(self) -> None:
        """Shake hands; learn name, author and options."""

    @abstractmethod
    async def _ask(self, position: Position, limit: Limit) -> Info | None:
        """Let it think: set `_question`, or return the answer that it has given unasked."""

    @abstractmethod
    def _hear(self, line: str) -> Info | None:
        """Understand a line; clear `_question` when it is answered."""

    @abstractmethod
    def _set(self, option: Option, value: str) -> None: ...

    @abstractmethod
    def _new(self) -> None:
        """A new game begins."""

    @abstractmethod
    async def _ready(self) -> None:
        """Wait until it has done all that it was told."""

    @asynccontextmanager
    async def _within(self, seconds: float, task: str) -> AsyncIterator[None]:
        """Count the engine dead (EngineError) if the block takes longer."""
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            raise self._process.fail(f"did not {task} within {seconds:g} s") from None

    def _stop(self, question: Question) -> None:
        """Let it answer now."""
        if not question.stopped:
            question.stopped = True
            self._process.send(self.stop_command)

    async def _settle(self) -> None:
        """Read on to the move that is still owed, so that question and answer stay in step."""
        if self._question is not None:
            async with self._within(self._patience.stop, "move when told to"):
                while self._question is not None:
                    self._hear(await self._process.line())
