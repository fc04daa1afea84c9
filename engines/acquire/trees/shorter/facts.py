"""What must be so on any board: which tests are decided by others, before anybody looks.

Chains are ranked by size, so a safe chain makes the larger ones safe, and so for the maximum size, which is
above the safe one; and three chains of the maximum size have no room. Reference: "Evolving Board Evaluation
Functions", section 4.1.3, which argues by such facts.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

from core.acquire.ranked.slots import ENDS, KINDS, LEADS, OF_CHAINS, RANKS, SAFE

UNSAFE: Final = 0  # grades of a chain's size
SAFE_SIZE: Final = 1
MAXIMUM: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The grades that each rank's chain may have, and where it is known, whether the player leads in it."""

    least: tuple[int, ...] = (UNSAFE,) * RANKS
    most: tuple[int, ...] = (MAXIMUM, MAXIMUM, SAFE_SIZE)
    leads: tuple[bool | None, ...] = (None,) * RANKS

    def truth(self, feature: int) -> bool | None:
        """Whether the feature, a test, is true; None where both may be."""
        rank, kind = divmod(feature - OF_CHAINS, KINDS)
        if kind == LEADS:
            return self.leads[rank]
        grade = _grade(kind)
        if self.least[rank] >= grade:
            return True
        return False if self.most[rank] < grade else None

    def knowing(self, feature: int, truth: bool) -> Self:
        """The facts where the test has come out so."""
        rank, kind = divmod(feature - OF_CHAINS, KINDS)
        if kind == LEADS:
            return replace(self, leads=(*self.leads[:rank], truth, *self.leads[rank + 1 :]))
        grade = _grade(kind)
        if truth:
            larger = [max(least, grade) for least in self.least[: rank + 1]]
            return replace(self, least=(*larger, *self.least[rank + 1 :]))
        smaller = [min(most, grade - 1) for most in self.most[rank:]]
        return replace(self, most=(*self.most[:rank], *smaller))


def _grade(kind: int) -> int:
    """The least grade at which a test of this kind is true."""
    return {SAFE: SAFE_SIZE, ENDS: MAXIMUM}[kind]
