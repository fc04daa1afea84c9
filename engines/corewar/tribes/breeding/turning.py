"""The turning point: when viable offspring are more common than others, all newborn are tested.

Reference: Evolving Warriors, section Tribes and Breeding.
"""

from typing import Any

from engines.corewar.tribes.config import TribesConfig


class Turning:
    """Counts the offspring until the point; `point` is how many there were then."""

    def __init__(self, config: TribesConfig) -> None:
        self.point: int | None = 0 if config.viability == "always" else None
        self._is_wanted = config.viability == "turning point"
        self._window = config.turning_window
        self._latest = config.latest_turning
        self._seen = 0  # offspring
        self._last = ""  # of the window, a letter each: + for a viable one

    @property
    def is_selective(self) -> bool:
        return self.point is not None

    def add(self, tries: str) -> None:
        """Some were born: a letter for each try, of which there is one each before the turning point."""
        if self.is_selective or not self._is_wanted:
            return
        for letter in tries:
            self._seen += 1
            self._last = (self._last + letter)[-self._window :]
            many = len(self._last) == self._window and 2 * self._last.count("+") > self._window
            if many or self._seen >= self._latest:
                self.point = self._seen
                return

    def data(self) -> dict[str, Any]:
        return {"point": self.point, "seen": self._seen, "last": self._last}

    def resume(self, data: dict[str, Any]) -> None:
        self.point, self._seen, self._last = data["point"], data["seen"], data["last"]
