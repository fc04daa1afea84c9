"""What must be so on any board: which tests are decided by others, before anybody looks.

Chains are ranked by size, so what makes a chain safe, or of the maximum size, makes the larger ones so; three chains
of 41 tiles have no room on 108 squares, and there may be fewer chains than ranks. Reference: "Evolving Board
Evaluation Functions", section 4.1.3, which argues by such facts.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

from core.acquire.ranked_player import ENDS, KINDS, LEADS, OF_CHAINS, RANKS, SAFE
from core.acquire.rules import PRESETS, Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The sizes that each rank's chain may have, and where it is known, whether the player leads in it."""

    safe: int  # the sizes, in tiles, at which tests are true
    end: int
    least: tuple[int, ...]
    most: tuple[int, ...]
    leads: tuple[bool | None, ...]

    @classmethod
    def of(cls, rules: Rules) -> Self:
        """What these rules say; a chain that there is not has no tiles, and nobody leads in it."""
        chains = len(rules.chains)
        return cls(
            safe=rules.safe,
            end=rules.end,
            least=(0,) * RANKS,
            most=tuple(rules.squares // (rank + 1) if rank < chains else 0 for rank in range(RANKS)),
            leads=tuple(None if rank < chains else False for rank in range(RANKS)),
        )

    def truth(self, feature: int) -> bool | None:
        """Whether the feature, a test, is true; None where both may be."""
        rank, kind = divmod(feature - OF_CHAINS, KINDS)
        if kind == LEADS:
            return self.leads[rank]
        size = self._size(kind)
        if self.least[rank] >= size:
            return True
        return False if self.most[rank] < size else None

    def knowing(self, feature: int, truth: bool) -> Self:
        """The facts where the test has come out so."""
        rank, kind = divmod(feature - OF_CHAINS, KINDS)
        if kind == LEADS:
            return replace(self, leads=(*self.leads[:rank], truth, *self.leads[rank + 1 :]))
        size = self._size(kind)
        if truth:
            larger = [max(least, size) for least in self.least[: rank + 1]]
            return replace(self, least=(*larger, *self.least[rank + 1 :]))
        smaller = [min(most, size - 1) for most in self.most[rank:]]
        return replace(self, most=(*self.most[:rank], *smaller))

    def _size(self, kind: int) -> int:
        """The least size at which a test of this kind is true."""
        return {SAFE: self.safe, ENDS: self.end}[kind]


THESIS_FACTS: Final = Facts.of(PRESETS["thesis-2002"])
