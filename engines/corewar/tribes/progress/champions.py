"""Champions: the warriors of whom the panel has thought most, in all of a run."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

SIZE: Final = 10


@dataclass(frozen=True, slots=True)
class Champion:
    """A warrior and its mean score against the panel."""

    score: float
    id: int
    panels: int = 1


@dataclass(slots=True)
class Champions:
    """At most SIZE of them, the best first; `stale` counts panels since the best was last surpassed."""

    ranked: list[Champion] = field(default_factory=list)
    stale: int = 0

    def add(self, seen: Sequence[tuple[int, float]]) -> None:
        """A panel has seen these: ID, score."""
        best = self.ranked[0].score if self.ranked else 0.0
        known = {champion.id: champion for champion in self.ranked}
        for id, score in seen:
            panels, mean = (known[id].panels, known[id].score) if id in known else (0, 0.0)
            mean = round((mean * panels + score) / (panels + 1), 3)
            known[id] = Champion(mean, id, panels + 1)
        self.ranked = sorted(known.values(), key=lambda each: (-each.score, each.id))[:SIZE]
        self.stale = 0 if self.ranked[0].score > best else self.stale + 1

    def data(self) -> list[list[float]]:
        return [[self.stale], *([champion.id, champion.score, champion.panels] for champion in self.ranked)]

    def resume(self, data: list[list[float]]) -> None:
        (stale,), *ranked = data
        self.stale = int(stale)
        self.ranked = [Champion(score, int(id), int(panels)) for id, score, panels in ranked]
