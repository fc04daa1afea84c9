"""Blocking work in a thread, which is over when the await is over."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Outcome = TypeVar("Outcome")


async def run_in_thread(work: Callable[[], Outcome]) -> Outcome:
    """Run `work` in a thread, and return its result. If the caller is cancelled, it still waits until the thread has ended.

    So what `work` uses can be closed as soon as the await is over, however it ended. A connection to SQLite, for example,
    cannot be closed while another thread uses it.
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
