"""Engines in worker processes, because a compiled search never releases the interpreter's lock."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, Self

from core.game import State
from engines.engine import Engine, Info, Limit, Option
from engines.worker import Worker


class RemoteEngine(Engine):
    """An engine in the process of a Worker; `release` is called when the engine is closed.

    If the process ends, the next call starts another process and opens the engine there, configured as before.
    """

    def __init__(
        self, worker: Worker, release: Callable[[], object], factory: str, arguments: tuple[Any, ...]
    ) -> None:
        self.name = self.author = ""
        self.options: tuple[Option, ...] = ()
        self._worker = worker
        self._release = release
        self._made_by = (factory, arguments)
        self._configured: dict[str, str] = {}
        self._number = 0
        self._generation = -1
        self._opening = asyncio.Lock()
        self._is_closed = False

    @classmethod
    async def open(cls, worker: Worker, release: Callable[[], object], factory: str, *arguments: Any) -> Self:
        engine = cls(worker, release, factory, arguments)
        try:
            await engine._ensure_process()
        except BaseException:
            release()
            raise
        return engine

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        # One legal action at once: the process may be busy, or may have ended.
        yield Info(action=state.legal_actions()[0] if not limit.actions else limit.actions[0])
        await self._ensure_process()
        async with aclosing(self._worker.stream("think", self._number, state, limit)) as answers:
            async for kind, value in answers:
                if kind == "info":
                    yield value

    async def configure(self, name: str, value: str) -> None:
        await self._ensure_process()
        await self._worker.call("configure", self._number, name, value)
        self._configured[name] = value

    async def new_game(self) -> None:
        await self._ensure_process()
        await self._worker.call("new_game", self._number)

    async def explain(self, state: State) -> list[str]:
        await self._ensure_process()
        lines: list[str] = await self._worker.call("explain", self._number, state)
        return lines

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        if self._generation == self._worker.generation:
            self._worker.send((0, "close", self._number, ()))
        self._release()

    async def _ensure_process(self) -> None:
        """Ensure that the process runs and has this engine, configured as before."""
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
    """An engine with a process of its own, which ends when the engine is closed."""

    @classmethod
    async def start(cls, factory: str, *arguments: Any) -> Self:
        worker = Worker()
        try:
            return await cls.open(worker, worker.end, factory, *arguments)
        except BaseException:
            await worker.close()
            raise

    async def close(self) -> None:
        await super().close()
        await self._worker.close()
