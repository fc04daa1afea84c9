"""The runtime of a game server gives it the time, timers, turns on the event loop, and work in other processes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from protocols.accounts import Account
from protocols.jsonl.adapter import Job

LONGEST_TIMER: Final = 60.0  # seconds: timers of games that are over must not pile up


class Runtime(Protocol):
    """Time, timers and other processes."""

    def time(self) -> float:
        """Seconds, from any origin."""
        ...

    def call_at(self, when: float, callback: Callable[[], object], /) -> object:
        """Call it then or soon after."""
        ...

    def call_in_turn(self, account: Account | None, callback: Callable[[], object]) -> None:
        """Call a function when an address may use the event loop, and charge its account; without an account, call it soon."""
        ...

    def submit(self, job: Job) -> None:
        """Start a job. Its `on_done` is called later, and its account is charged with the time that it took."""
        ...


class Jobs:
    """Work in other processes, on behalf of remote addresses."""

    def __init__(self, runtime: Runtime) -> None:
        self.clock = runtime.time
        self.call_at = runtime.call_at
        self.call_in_turn = runtime.call_in_turn
        self.submit = runtime.submit

    def submit_for(self, account: Account | None, job: Job) -> None:
        """Have a job done on behalf of a remote address; it waits while the address is over its share."""
        if account is None:
            self.submit(job)
            return
        job = replace(job, account=account)
        if delay := account.workers.delay(self.clock(), 0.0):
            self.call_at(self.clock() + delay, partial(self.submit, job))
        else:
            self.submit(job)
