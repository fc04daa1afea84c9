"""The processes that do errands: each does one at a time, and is replaced when it dies."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from engines.worker_pool import WorkerPool, process_pool


class Helpers:
    """Started when there is something to do for the first time. Use as an async context manager."""

    def __init__(self, workers: int) -> None:
        self._crews = [process_pool(1) for _ in range(workers)]  # of one each: a death is nobody else's
        self._idle: asyncio.LifoQueue[WorkerPool] = asyncio.LifoQueue()
        for crew in self._crews:
            self._idle.put_nowait(crew)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for crew in self._crews:
            await self._stack.enter_async_context(crew)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)

    async def do(self, function: Callable[[Any], Any], task: Any) -> Any:
        """function(task). TaskError if it ends every process that tries; what it raises passes through."""
        crew = await self._idle.get()
        try:
            return (await crew.map(function, [task]))[0]
        finally:
            self._idle.put_nowait(crew)
