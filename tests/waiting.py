"""Waits of tests, whose bound only ends a hang, and the processor time of other processes."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

PATIENCE_SECONDS = 60.0
_POLL_SECONDS = 0.01
_FEATURE_SECONDS = 2.0  # that python-chess waits for a CECP engine's first features


async def until(holds: Callable[[], object], expected: str = "the condition") -> None:
    """Wait until `holds()` is true. Raises AssertionError, which names what was `expected`, after PATIENCE_SECONDS."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not holds():  # noqa: ASYNC110 - another process or thread makes it true
                await asyncio.sleep(_POLL_SECONDS)
    except TimeoutError:
        raise AssertionError(f"{expected} did not come true within {PATIENCE_SECONDS:g} s") from None


@asynccontextmanager
async def counted_turns() -> AsyncIterator[list[int]]:
    """Count, in the first item of the list, how often the loop serves another task meanwhile."""
    turns = [0]

    async def others() -> None:
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(others())
    try:
        yield turns
    finally:
        counting.cancel()


def processor_seconds(pid: int) -> float:
    """Return the processor time that another process has used so far, in steps of 10 ms."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(holds: Callable[[], object], expected: str = "the condition") -> None:
    """Do what until() does, without a loop."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end, f"{expected} did not come true within {PATIENCE_SECONDS:g} s"
        time.sleep(_POLL_SECONDS)


@contextmanager
def patient_python_chess() -> Iterator[None]:
    """Let python-chess wait PATIENCE_SECONDS for the first features of the CECP engines that are opened meanwhile."""
    call_later: Any = asyncio.BaseEventLoop.call_later

    def call_later_patiently(
        loop: Any, delay: float, callback: Any, *arguments: Any, context: Any = None
    ) -> Any:
        delay = PATIENCE_SECONDS if delay == _FEATURE_SECONDS else delay
        return call_later(loop, delay, callback, *arguments, context=context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.BaseEventLoop, "call_later", call_later_patiently)
        yield
