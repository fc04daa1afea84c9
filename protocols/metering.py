"""Measurement of the processor time that a coroutine takes, step by step.

A step is the work between two waits, so other tasks are not counted. The measure is processor time of this thread;
with wall-clock time a client would pay for other programs of a busy machine. A measurement takes a microsecond or
two.
"""

from collections.abc import Callable, Coroutine, Generator
from time import thread_time
from types import coroutine
from typing import Any, TypeVar

Outcome = TypeVar("Outcome")


async def metered(work: Coroutine[Any, Any, Outcome], charge: Callable[[float], object]) -> Outcome:
    """Do `work` and return its result; call `charge` after each step with the seconds of this thread that it took."""
    return await _steps(work, charge)


@coroutine
def _steps(
    work: Coroutine[Any, Any, Outcome], charge: Callable[[float], object]
) -> Generator[Any, Any, Outcome]:
    """Drive a coroutine as `await` does, with a clock around each step."""
    sent: Any = None
    failure: BaseException | None = None
    while True:
        began = thread_time()
        try:
            waited_for = work.send(sent) if failure is None else work.throw(failure)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        finally:
            charge(thread_time() - began)
        failure = None
        try:
            sent = yield waited_for
        except BaseException as error:  # the task is cancelled, or what it waits for has failed
            failure = error
