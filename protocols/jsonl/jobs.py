"""The runtime of a game server: a clock, timers, shares of the event loop, and jobs in worker processes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from protocols.accounts import Account
from protocols.jsonl.adapter import Job

# Seconds. Longer waits use several timers, one after the other, so that timers of finished games do not accumulate.
LONGEST_TIMER: Final = 60.0


class Runtime(Protocol):
    """The services that a server needs from its event loop."""

    def time(self) -> float:
        """Return the time in seconds since an arbitrary origin."""
        ...

    def call_at(self, when: float, callback: Callable[[], object], /) -> object:
        """Call a function when time() reaches `when`, or soon after."""
        ...

    def call_in_turn(self, account: Account | None, callback: Callable[[], object]) -> None:
        """Call a function when it is the turn of the account's address on the event loop, and charge the account.

        Without an account the function is called soon.
        """
        ...

    def submit(self, job: Job) -> None:
        """Start a job in a worker process; later, call its `on_done` and charge its account with the CPU time."""
        ...


class Jobs:
    """A runtime that also delays the jobs of remote addresses that are over their share of the workers."""

    def __init__(self, runtime: Runtime) -> None:
        self.clock = runtime.time
        self.call_at = runtime.call_at
        self.call_in_turn = runtime.call_in_turn
        self.submit = runtime.submit

    def submit_for(self, account: Account | None, job: Job) -> None:
        """Submit a job on behalf of the remote address with this account, or of a trusted client (None).

        If the address is over its share of the workers, the job is submitted later.
        """
        if account is None:
            self.submit(job)
            return
        job = replace(job, account=account)
        if delay := account.workers.delay(self.clock(), 0.0):
            self.call_at(self.clock() + delay, partial(self.submit, job))
        else:
            self.submit(job)
