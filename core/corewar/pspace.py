"""P-space: the memory of a warrior that outlives its rounds, shared by warriors with the same PIN."""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.corewar.rules import Rules
from core.corewar.warrior import Warrior


@final
class PSpaces:
    """The P-spaces of the warriors of one match. An index counts modulo the size.

    Cell 0 is a seat's own whatever its PIN: the outcome of its last round, core size - 1 before the first, 0 after
    a death, else the number of survivors. pMARS lets a warrior write it, until the round ends.
    """

    def __init__(self, rules: Rules, warriors: list[Warrior]) -> None:
        count = len(warriors)
        self.size: i64 = rules.pspace
        self.cells = vec[i64]([0] * (count * rules.pspace))
        self.outcomes = vec[i64]([rules.size - 1] * count)
        self.shares = vec[i64]([_share(warriors, seat) for seat in range(count)])

    def recall(self, seat: i64, index: i64) -> i64:
        index %= self.size
        return self.cells[self.shares[seat] * self.size + index] if index else self.outcomes[seat]

    def remember(self, seat: i64, index: i64, value: i64) -> None:
        index %= self.size
        if index:
            self.cells[self.shares[seat] * self.size + index] = value
        else:
            self.outcomes[seat] = value


def _share(warriors: list[Warrior], seat: int) -> int:
    """The first seat with the same PIN, whose cells are this seat's too."""
    pin = warriors[seat].pin
    if pin is not None:
        for other in range(seat):
            if warriors[other].pin == pin:
                return other
    return seat
