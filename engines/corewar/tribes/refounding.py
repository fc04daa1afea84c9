"""Refounding: a tribe that has stood still for long begins anew from primordial soup.

A tribe of elites climbs one hill and stays there. Its warriors are on record, and the champions of the
run are remembered; the best tribe of all is left in peace.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Standstill:
    """The best grade of each tribe, and for how many panels it has been the best."""

    bests: list[float] = field(default_factory=list)
    panels: list[int] = field(default_factory=list)

    def add(self, grades: Sequence[float], patience: int) -> list[int]:
        """A panel has passed; the tribes that are to begin anew, whose records end."""
        if not self.bests:
            self.bests, self.panels = [0.0] * len(grades), [0] * len(grades)
        for tribe, grade in enumerate(grades):
            self.panels[tribe] = 0 if grade > self.bests[tribe] else self.panels[tribe] + 1
            self.bests[tribe] = max(grade, self.bests[tribe])
        best = self.bests.index(max(self.bests))
        still = [tribe for tribe, panels in enumerate(self.panels) if panels >= patience and tribe != best]
        for tribe in still:
            self.bests[tribe], self.panels[tribe] = 0.0, 0
        return still

    def data(self) -> list[list[float]]:
        return [[*self.bests], [*self.panels]]

    def resume(self, data: list[list[float]]) -> None:
        bests, panels = data
        self.bests, self.panels = [*bests], [int(each) for each in panels]
