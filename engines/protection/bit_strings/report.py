"""What people read of an evolution of strings after a generation."""

from collections.abc import Iterator, Mapping
from typing import Any

from engines.protection.bit_strings.config import BitStringsConfig
from engines.protection.genome import MINIONS


class BitStringsReport:
    """`statistics` are those of a generation; the last examination is remembered until the next one."""

    def __init__(self, config: BitStringsConfig) -> None:
        self._config = config
        self._examined: Mapping[str, Any] = {}

    def text(self, statistics: Mapping[str, Any]) -> str:
        self._examined = statistics.get("examined", self._examined)
        parts = ["\n".join(self._generation(statistics))] if "trials" in statistics else []
        if self._examined:
            parts.append("\n".join(self._examination(self._examined)))
        return "\n\n".join(parts or [f"{self._config.population} founders"]) + "\n"

    def _generation(self, facts: Mapping[str, Any]) -> Iterator[str]:
        config, best = self._config, facts["best_ever"]
        yield f"Generation {facts['bred']}, rules {config.rules}, {config.against}"
        yield f"Trials: {facts['trials']:,} of {config.trials:,}, {facts['tried']:,} in this generation"
        yield f"Performance: best {facts['best']:,}, mean {facts['mean']:,.1f}, worst {facts['worst']:,}"
        yield f"Best of the run: {best['id']}, {best['performance']:,} in one trial"
        yield f"Bits that are the same in nearly all strings: {facts['converged']}"
        yield f"Preferences, mean of the {config.saved} best:"
        yield "  " + " ".join(
            f"{name} {mean:.1f}" for name, mean in zip(MINIONS, facts["preferences"], strict=True)
        )

    def _examination(self, facts: Mapping[str, Any]) -> Iterator[str]:
        yield f"Champion after {facts['trials']:,} trials: {facts['champion']}"
        error = "" if facts["error"] is None else f" +-{1.96 * facts['error']:,.0f}"
        yield (
            f"Rating in {facts['tests']} fresh tests: {facts['mean']:,.1f}{error}, "
            f"below 0 in {facts['negative']:.0%}; it was {facts['performance']:,} in its trial"
        )
