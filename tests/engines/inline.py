"""A crew whose only worker is the event loop."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from engines.worker_pool import WorkerPool

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


class InlineCrew(WorkerPool):
    def __init__(self) -> None:
        """Nothing to start and nothing to end."""

    async def map(self, function: Callable[[Task], Outcome], tasks: Sequence[Task]) -> list[Outcome]:
        await asyncio.sleep(0)
        return [function(task) for task in tasks]
