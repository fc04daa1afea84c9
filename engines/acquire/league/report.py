"""What people read of a league after a generation."""

from collections.abc import Iterator, Mapping
from typing import Any

from engines.acquire.league.config import LeagueConfig
from engines.statistics import score


class LeagueReport:
    """The last examination is remembered until the next one."""

    def __init__(self, config: LeagueConfig) -> None:
        self._config = config
        self._examined: Mapping[str, Any] = {}

    def text(self, statistics: Mapping[str, Any]) -> str:
        config = self._config
        if not statistics:
            return f"{config.population} founders\n"
        self._examined = statistics.get("examined", self._examined)
        fitness, best = statistics["fitness"], statistics["best"]
        lines = [
            f"Generation {statistics['evaluated']}, {config.rules}, {config.players} players, {config.conduct}",
            f"Fitness: best {fitness['best']:.4f} ({best['id']}, {statistics['tables']} tables), "
            f"elite {fitness['elite']:.4f}, mean {fitness['mean']:.4f}",
            f"Nodes: {statistics['nodes']:.1f}  Hall of fame: {statistics['hall']}",
            *_of_diversity(statistics),
            *(f"  {name}: {text}" for name, text in best.items() if name != "id"),
            *of_panel(self._examined),
        ]
        return "\n".join(lines) + "\n"


def of_panel(examined: Mapping[str, Any]) -> Iterator[str]:
    """Lines on what came of an examination; none, if there has not been any."""
    if examined:
        yield ""
        yield f"Champion {examined['champion']} after {examined['tables']} tables"
        for name, tally in examined["panel"].items():
            losses, ties, wins = tally
            estimate = score((losses, ties, wins))
            yield (
                f"  against {name:12} {wins:5} won {losses:5} lost {ties:4} tied, a tie half: "
                f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"
            )


def _of_diversity(statistics: Mapping[str, Any]) -> Iterator[str]:
    if "behaviours" in statistics:
        behaviours = statistics["behaviours"]
        yield f"Behaviours: {behaviours['distinct']}, two of them differ in {behaviours['apart']:.1%} of states"
    if "islands" in statistics:
        yield f"Islands: best {', '.join(f'{best:.4f}' for best in statistics['islands'])}"
