"""What the curves of a run of Advanced Protection show: performances (the lower the better), and what strings buy."""

from collections.abc import Mapping, Sequence
from typing import Any

from engines.protection.genome import MINIONS, Genome


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of one generation by name, "CHART: CURVE"."""
    found = {
        f"performance in the population: {name}": float(statistics[name])
        for name in ("best", "mean", "worst")
        if name in statistics
    }
    if "converged" in statistics:
        found["bits on which the population agrees: bits"] = statistics["converged"]
    for minion, preference in zip(MINIONS, statistics.get("preferences", ()), strict=False):
        found[f"preferences of the best: {minion}"] = preference
    if "examined" in statistics:
        found["performance of the champion in fresh tests: mean"] = statistics["examined"]["mean"]
    return found


def champion(record: Sequence[Mapping[str, Any]], state: str) -> int | None:
    """Whom the last examination found best; before one, the best ever."""
    for key, field in (("examined", "champion"), ("best_ever", "id")):
        for statistics in reversed(record):
            if key in statistics:
                return int(statistics[key][field])
    return None


def traits(text: str) -> dict[str, float]:
    """What it spends its money on."""
    preferences = Genome.loads(text).preferences
    return {f"preference: {name}": float(each) for name, each in zip(MINIONS, preferences, strict=True)}
