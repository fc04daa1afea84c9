"""Work in a thread: its answer, its fault, and who is cancelled meanwhile."""

import asyncio
import threading

import pytest

from engines.thread import in_thread


def broken() -> None:
    raise OSError("the disk is full")


async def test_its_answer_and_its_fault() -> None:
    assert await in_thread(lambda: 7) == 7
    with pytest.raises(OSError, match="full"):
        await in_thread(broken)


@pytest.mark.parametrize("fails", [False, True])
async def test_who_is_cancelled_waits(fails: bool) -> None:
    go_on, done = threading.Event(), threading.Event()

    def work() -> None:
        go_on.wait(10)
        done.set()
        if fails:
            broken()

    task = asyncio.create_task(in_thread(work))
    for _ in range(3):
        await asyncio.sleep(0.01)
        task.cancel()
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done.is_set()
