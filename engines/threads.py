"""Blocking work in a thread that has always ended when the await ends."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Outcome = TypeVar("Outcome")


async def run_in_thread(work: Callable[[], Outcome]) -> Outcome:
    """Run `work` in a thread and return its result.

    A caller that is cancelled still waits until the thread has ended. So whatever `work` uses can be closed after the
    await, however the await ends. A connection to SQLite, for example, cannot be closed while another thread uses it.
    """
    future = asyncio.get_running_loop().run_in_executor(None, work)  # no task: cannot be cancelled
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({future})
        future.exception()  # retrieved, so that asyncio does not log it
        raise
