"""What people read of an evolution of nets after a generation."""

from collections.abc import Mapping
from typing import Any

from engines.acquire.league.report import of_panel
from engines.acquire.nets.config import NetConfig


class NetReport:
    """The last examination is remembered until the next one."""

    def __init__(self, config: NetConfig) -> None:
        self._config = config
        self._examined: Mapping[str, Any] = {}

    def text(self, statistics: Mapping[str, Any]) -> str:
        config = self._config
        if not statistics:
            return f"A net of {config.shape.size} weights\n"
        self._examined = statistics.get("examined", self._examined)
        fitness, sigma = statistics["fitness"], statistics["sigma"]
        lines = [
            f"Generation {statistics['evaluated']}, {config.rules}, {config.players} players, {config.conduct}",
            f"Fitness of {config.samples} samples: best {fitness['best']:.4f}, mean {fitness['mean']:.4f}, "
            f"worst {fitness['worst']:.4f}",
            f"Deviations of {config.shape.size} weights: {sigma['mean']:.4f}, from {sigma['least']:.4f} to "
            f"{sigma['most']:.4f}  Hall of fame: {statistics['hall']}",
            *of_panel(self._examined),
        ]
        return "\n".join(lines) + "\n"
