"""Opponents: members of the panel that a league meets besides its own, each by its weight.

Written `heuristic 4, pair-1, pair-2 0.5`; a weight that is not said is 1.
"""

from dataclasses import dataclass
from typing import Final, Self

from core.random import Random
from engines.acquire.registry import PLAYERS
from engines.config import folded, number, plain
from engines.evolution.selection import weighted_index

WEIGHT: Final = number(0.001, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponents:
    """Their names, all different, and how often each is met, beside the others."""

    names: tuple[str, ...]
    weights: tuple[float, ...]

    @classmethod
    def loads(cls, text: str) -> Self:
        """ValueError completes the sentence `opponent must be ...`."""
        parts = [each.split() for each in folded(text).split(",")]
        names = tuple(part[0] for part in parts if part)
        if len(set(names)) < len(parts) or not PLAYERS.keys() >= set(names) or max(map(len, parts)) > 2:
            raise ValueError(f"different names, with a weight behind each or none, of {', '.join(PLAYERS)}")
        return cls(names=names, weights=tuple(_weight(part[1:]) for part in parts))

    def __str__(self) -> str:
        """As loads() reads it."""
        pairs = zip(self.names, self.weights, strict=True)
        return ", ".join(name if weight == 1 else f"{name} {plain(weight)}" for name, weight in pairs)

    def drawn(self, rng: Random) -> str:
        """One of them; nothing is drawn for a single one."""
        return self.names[0] if len(self.names) == 1 else self.names[weighted_index(self.weights, rng)]


def _weight(words: list[str]) -> float:
    try:
        return float(str(WEIGHT(words[0]))) if words else 1.0
    except ValueError as error:
        raise ValueError(f"names with weights of {error}") from None
