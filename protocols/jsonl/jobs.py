"""The runtime of a game server: time, timers, turns on the event loop, and jobs in worker processes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from protocols.accounts import Account
from protocols.jsonl.adapter import Job

LONGEST_TIMER: Final = 60.0  # seconds; timers of games that are over must not accumulate


class Runtime(Protocol):
    """The services that a server needs from its event loop."""

    def time(self) -> float:
        """Return the time in seconds, from any origin."""
        ...

    def call_at(self, when: float, callback: Callable[[], object], /) -> object:
        """Call a function at a time of time(), or soon after."""
        ...

    def call_in_turn(self, account: Account | None, callback: Callable[[], object]) -> None:
        """Call a function when an address may use the event loop, and charge its account; if there is none, soon."""
        ...

    def submit(self, job: Job) -> None:
        """Start a job. Its `on_done` is called later, and its account is charged with the processor time."""
        ...


class Jobs:
    """The runtime, with jobs on behalf of remote addresses."""

    def __init__(self, runtime: Runtime) -> None:
        self.clock = runtime.time
        self.call_at = runtime.call_at
        self.call_in_turn = runtime.call_in_turn
        self.submit = runtime.submit

    def submit_for(self, account: Account | None, job: Job) -> None:
        """Submit a job on behalf of a remote address, or later if the address is over its share of the workers."""
        if account is None:
            self.submit(job)
            return
        job = replace(job, account=account)
        if delay := account.workers.delay(self.clock(), 0.0):
            self.call_at(self.clock() + delay, partial(self.submit, job))
        else:
            self.submit(job)
