"""How many messages somebody may send: so many a second, and a burst of them after a while of silence."""


class Allowance:
    """Times are seconds, from any origin."""

    def __init__(self, a_second: float, burst: float, now: float) -> None:
        self._a_second = a_second
        self._burst = float(burst)
        self._left = self._burst
        self._filled = now

    def wait(self, now: float) -> float:
        """Seconds until another message is allowed; 0.0 if one is."""
        self._left = min(self._left + (now - self._filled) * self._a_second, self._burst)
        self._filled = now
        return max((1.0 - self._left) / self._a_second, 0.0)

    def spend(self) -> None:
        """A message has come, allowed or not."""
        self._left -= 1.0

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the burst is spent, as wait() has seen it."""
        return self._left == self._burst
