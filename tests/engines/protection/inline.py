"""A crew that plays in the caller's process, for tests of what is played and not of who plays."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from engines.worker_pool import WorkerPool


class InlineCrew(WorkerPool):
    """One worker: the caller."""

    def __init__(self) -> None:
        super().__init__(1, lambda: ThreadPoolExecutor(1), lambda executor: executor.shutdown())

    async def map(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> list[Any]:
        return [function(task) for task in tasks]
