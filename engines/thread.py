"""Work for the disk, beside the loop."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Answer = TypeVar("Answer")


async def in_thread(work: Callable[[], Answer]) -> Answer:
    """Let `work` block a thread. A thread cannot be cancelled: whoever is, waits for it, as often as it takes.

    So what the work uses (a connection to a database: SQLite's cannot be closed under it) may be put away
    as soon as the await is over, however it ended.
    """
    future = asyncio.get_running_loop().run_in_executor(None, work)  # no task: nobody can cancel it
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({future})
        future.exception()  # it is of no interest any more
        raise
