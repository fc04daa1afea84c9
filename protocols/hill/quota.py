"""How many submissions an address may send in an hour."""

import time
from collections import deque
from collections.abc import Callable
from typing import Final

HOUR: Final = 3600.0  # seconds


class Quota:
    """Counts by address; forgets what is older than an hour."""

    def __init__(self, per_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_hour = per_hour
        self._clock = clock
        self._sent: dict[str, deque[float]] = {}

    def wait(self, address: str) -> float:
        """Seconds until `address` may submit again; 0.0 lets it, and counts."""
        now = self._clock()
        for known in [known for known, times in self._sent.items() if times[-1] <= now - HOUR]:
            del self._sent[known]
        times = self._sent.setdefault(address, deque(maxlen=self._per_hour))
        if len(times) == self._per_hour and times[0] > now - HOUR:
            return times[0] + HOUR - now
        times.append(now)
        return 0.0
