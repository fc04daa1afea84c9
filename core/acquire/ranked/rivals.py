"""What the other seats hold of a chain, and what that leaves to one's own shares."""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.rules.bonus import shared
from core.acquire.table import ROW, SHARES


@final
class Rivals:
    """In the chain that was looked at last."""

    def __init__(self) -> None:
        self.most: i64 = 0  # shares of one of them
        self._seats: i64 = 0  # with so many
        self._next: i64 = 0  # the most after these
        self._next_seats: i64 = 0

    def look(self, table: vec[i64], seats: i64, seat: i64, chain: i64) -> None:
        """At all seats but this one."""
        self.most = self._seats = self._next = self._next_seats = 0
        at = SHARES + chain
        for other in range(seats):
            held = table[at]
            at += ROW
            if other == seat:
                continue
            if held > self.most:
                self._next, self._next_seats = self.most, self._seats
                self.most, self._seats = held, 1
            elif held == self.most:
                self._seats += 1
            elif held > self._next:
                self._next, self._next_seats = held, 1
            elif held == self._next:
                self._next_seats += 1

    def payoff(self, held: i64, price: i64) -> i64:
        """Bonus and price of so many own shares, in dollars (compare core.acquire.rules.bonus)."""
        bonus: i64 = 0
        if held == 0:
            return 0
        if held > self.most:
            bonus = 10 * price if self.most else 15 * price
        elif held == self.most:
            bonus = shared(15 * price, 1 + self._seats)
        elif self._seats == 1:
            if held > self._next:
                bonus = 5 * price
            elif held == self._next:
                bonus = shared(5 * price, 1 + self._next_seats)
        return bonus + held * price
