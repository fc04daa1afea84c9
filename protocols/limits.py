"""What strangers may ask of the server; every bound is configurable and shown by `galapagos serve --limits`."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

HOUR: Final = 3600.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    line_bytes: int = 4096  # of any line but the next
    position_bytes: int = 32_768  # of UCI's position, which carries the whole game
    connections: int = 100
    connections_per_address: int = 8
    first_line_seconds: float = 5.0
    # A person at a board thinks for minutes, and GUIs send nothing meanwhile.
    idle_seconds: float = 3600.0
    messages_per_second: float = 20.0  # of strangers; this machine's own programs are not slowed
    messages_burst: int = 40
    page_connections: int = 400  # of browsers
    page_connections_per_address: int = 32
    page_idle_seconds: float = 60.0  # between two requests of a browser
    request_seconds: float = 10.0  # for the body of a request
    hill_submissions_per_hour: int = 6  # of a stranger; 64 KB each
    hash_mib: int = 32  # that one connection's engine may take
    stop_seconds: float = 2.0  # for conversations to end when the server stops


class HourlyQuota:
    """So many submissions in any hour, for each sender."""

    def __init__(self, per_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_hour = per_hour
        self._clock = clock
        self._taken: dict[str, deque[float]] = {}

    def take(self, sender: str) -> float:
        """Count a submission: 0.0 if it is within the quota, else the seconds until one is."""
        now = self._clock()
        for idle in [each for each, times in self._taken.items() if not times or times[-1] <= now - HOUR]:
            del self._taken[idle]
        times = self._taken.setdefault(sender, deque(maxlen=self.per_hour))
        if len(times) == self.per_hour and times[0] > now - HOUR:
            return times[0] + HOUR - now
        times.append(now)
        return 0.0

    def give_back(self, sender: str) -> None:
        """The last submission of a sender does not count."""
        if times := self._taken.get(sender):
            times.pop()
