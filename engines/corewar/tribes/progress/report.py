"""What people read of tribes after a generation: totals, a line a tribe, the panel, the champions."""

from collections.abc import Iterator, Sequence
from typing import Any

from engines.corewar.tribes.progress.champions import Champion

HEAD = (
    f"{'Tribe':>5}{'Genotypes':>11}{'Codes':>7}{'Length':>8}{'Age':>9}{'Oldest':>9}{'Best':>10}{'Score':>8}"
)


class TribesReport:
    """`statistics` are those of a generation; the last panel is remembered until the next one."""

    def __init__(self, population: int) -> None:
        self._population = population  # warriors that live at a time
        self._panel: dict[str, Sequence[int]] = {}

    def text(self, statistics: dict[str, Any], champions: Sequence[Champion]) -> str:
        self._panel = statistics.get("panel", self._panel)
        parts = [self._totals(statistics), "\n".join(_tribes(statistics["tribes"]))]
        if self._panel:
            parts.append("\n".join(_panel(self._panel)))
        if champions:
            parts.append("\n".join(_champions(champions)))
        return "\n\n".join(parts) + "\n"

    def _totals(self, facts: dict[str, Any]) -> str:
        viable = f"{facts['viable'] / facts['tries']:.0%}" if facts["tries"] else "unknown"
        turning = "not yet" if facts["turning_point"] is None else f"{facts['turning_point']:,} offspring"
        return (
            f"Offspring: {facts['offspring']:,}  Generations of {self._population}: "
            f"{facts['offspring'] / self._population:,.1f}  Sweeps: {facts['sweep']:,}\n"
            f"Viable at birth: {viable}  Turning point: {turning}  Crossover: {facts['crossover']:.0%}"
        )


def _tribes(tribes: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield HEAD
    for number, facts in enumerate(tribes):
        losses, ties, wins = facts["best_record"]
        rounds = losses + ties + wins
        score = facts.get("grade", 100 * (3 * wins + ties) / rounds if rounds else 0.0)
        yield (
            f"{number:5}{facts['genotypes']:11}{facts['codes']:7}{facts['length']:8g}{facts['age']:9,.0f}"
            f"{facts['oldest']:9,}{facts['best']:10}{score:8.1f}"
        )


def _panel(panel: dict[str, Sequence[int]]) -> Iterator[str]:
    """In the manner of the table in section Results and Discussion."""
    yield f"{'The best of the tribes against':32}{'Won':>7}{'Tied':>7}{'Lost':>7}  Points"
    for name, (losses, ties, wins) in panel.items():
        ours, theirs = 3 * wins + ties, 3 * losses + ties
        yield (
            f"{name[:31]:32}{wins:7}{ties:7}{losses:7}  {ours} - {theirs} ({ours / max(ours + theirs, 1):.0%})"
        )


def _champions(champions: Sequence[Champion]) -> Iterator[str]:
    yield "Champions: " + ", ".join(
        f"{champion.id} ({champion.score:.1f} in {champion.panels})" for champion in champions[:5]
    )
