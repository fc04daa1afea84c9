"""What people read of an evolution of programs after a generation."""

from collections.abc import Iterator, Mapping
from typing import Any

from engines.acquire.programs.config import ProgramsConfig
from engines.statistics import score


class ProgramsReport:
    """`statistics` are those of a generation; the last examination is remembered until the next one."""

    def __init__(self, config: ProgramsConfig) -> None:
        self._config = config
        self._examined: Mapping[str, Any] = {}

    def text(self, statistics: Mapping[str, Any]) -> str:
        if not statistics:
            return f"{self._config.population} founders\n"
        self._examined = statistics.get("examined", self._examined)
        parts = ["\n".join(self._generation(statistics))]
        if self._examined:
            parts.append("\n".join(self._examination(self._examined)))
        return "\n\n".join(parts) + "\n"

    def _generation(self, facts: Mapping[str, Any]) -> Iterator[str]:
        config = self._config
        fitness, best = facts["fitness"], facts["best"]
        yield f"Generation {facts['evaluated']}, {config.rules}, {config.conduct}"
        yield (
            f"Fitness: best {fitness['best']:.4f} (of equal players {fitness['best_by_luck']:.4f} by luck), "
            f"least {fitness['least']:.4f}, deviation {fitness['deviation']:.4f}"
        )
        if config.fitness != "money" and config.pairing == "exact":
            yield f"Mean {fitness['mean']:.4f}: both sides are credited, so it is 1/2 whoever plays"
        yield (
            f"Nodes: {facts['nodes']['mean']:.1f}  Levels: {facts['levels']['mean']:.2f}  "
            f"Different programs: {facts['genotypes']}  Behaviours: {facts['behaviours']}"
        )
        yield f"Best of {config.games} games: {best['id']}"
        yield from (f"  {name}: {best[name]}" for name in config.decisions)

    def _examination(self, facts: Mapping[str, Any]) -> Iterator[str]:
        champion = str(facts["champion"])
        yield (
            f"Champion of generation {facts['evaluated']}: {champion}, {facts['retest'][champion]:.4f} "
            f"in {self._config.retest_games} other games"
        )
        for name, tally in facts["panel"].items():
            losses, ties, wins = tally
            estimate = score((losses, ties, wins))
            yield (
                f"  against {name:12} {wins:5} won {losses:5} lost {ties:4} tied, a tie half: "
                f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"
            )
