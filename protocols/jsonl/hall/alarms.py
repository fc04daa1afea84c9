"""What is to be done when: calls in the order of their times, without a clock."""

import heapq
from collections.abc import Callable
from itertools import count
from math import inf

Call = Callable[[float], None]  # is given the time


class Alarms:
    """Times are seconds from any origin."""

    def __init__(self) -> None:
        self.next = inf  # when ring() has something to do
        self._calls: list[tuple[float, int, Call]] = []
        self._order = count()

    def set(self, when: float, call: Call) -> None:
        """Have `call` called then or soon after."""
        heapq.heappush(self._calls, (when, next(self._order), call))
        self.next = self._calls[0][0]

    def ring(self, now: float) -> None:
        """Do what is due by now; what that sets is for the next time."""
        due = []
        while self._calls and self._calls[0][0] <= now:
            due.append(heapq.heappop(self._calls)[2])
        for call in due:
            call(now)
        self.next = self._calls[0][0] if self._calls else inf

    def __len__(self) -> int:
        return len(self._calls)
