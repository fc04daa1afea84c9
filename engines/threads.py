"""Blocking work in a thread, which is over when the await is over."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Outcome = TypeVar("Outcome")


async def run_in_thread(work: Callable[[], Outcome]) -> Outcome:
    """Run `work` in a thread, and return what it returns; a task that is cancelled waits until the thread has ended.

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
