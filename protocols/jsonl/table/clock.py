"""The clock of one seat. Times come from outside, in seconds; on the wire everything is milliseconds."""

from math import floor, inf
from typing import Final

from protocols.jsonl.messages import ClockLeft, ClockTerms

ROUNDING: Final = 1e-3  # milliseconds: differences of times are not exact


class SeatClock:
    """Free time for each decision, then the bank, then the grace."""

    def __init__(self, terms: ClockTerms | None) -> None:
        self.terms = terms
        self.bank_ms = float(terms.bank_ms) if terms else 0.0
        self._decisions = 0

    def deadline(self, began: float) -> float:
        """When a decision that began then is overdue."""
        if self.terms is None:
            return inf
        return began + (self._free_ms() + self.bank_ms + self.terms.grace_ms) / 1000

    def left(self, began: float, now: float) -> ClockLeft | None:
        """What is left of a decision that began then."""
        if self.terms is None:
            return None
        used = (now - began) * 1000
        free = self._free_ms()
        move = min(max(free - used, 0.0), self.terms.move_ms)  # the first decision may take longer than told
        bank = max(self.bank_ms - max(used - free, 0.0), 0.0)
        return ClockLeft(bank_ms=floor(bank + ROUNDING), move_ms=floor(move + ROUNDING))

    def stop(self, began: float, now: float) -> None:
        """The decision is made."""
        if self.terms is None:
            return
        over = max((now - began) * 1000 - self._free_ms(), 0.0)
        self.bank_ms = max(self.bank_ms - over, 0.0) + self.terms.inc_ms
        self._decisions += 1

    def take_up(self, bank_ms: float) -> None:
        """Be as after a decision that left so much in the bank."""
        self.bank_ms = bank_ms
        self._decisions += 1

    def _free_ms(self) -> float:
        if self.terms is None:
            return inf
        return max(self.terms.init_ms, self.terms.move_ms) if not self._decisions else self.terms.move_ms
