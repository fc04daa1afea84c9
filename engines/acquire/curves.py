"""What the curves of an Acquire run show: fitness, the panel, sizes and steps, and what programs consist of."""

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Any, Final

from engines.statistics import score

CHARTS: Final = {"fitness": "fitness", "sigma": "size of a step", "behaviours": "behaviours"}


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of one generation by name, "CHART: CURVE"."""
    found: dict[str, float] = {}
    for key, chart in CHARTS.items():
        facts = statistics.get(key, {})
        for name, value in (facts if isinstance(facts, Mapping) else {key: facts}).items():
            if isinstance(value, int | float):
                found[f"{chart}: {name.replace('_', ' ')}"] = value
    nodes = statistics.get("nodes")
    if nodes is not None:
        found["words of a program: mean"] = nodes["mean"] if isinstance(nodes, Mapping) else nodes
    for name, tally in statistics.get("examined", {}).get("panel", {}).items():
        found[f"score against the panel: {name}"] = score(tally).value
    return found


def champion(record: Sequence[Mapping[str, Any]], state: str) -> int | None:
    """Whom the last examination found best; without one the fittest of the last generation."""
    for statistics in reversed(record):
        if "examined" in statistics:
            return int(statistics["examined"]["champion"])
    best = record[-1].get("best", {}) if record else {}
    return int(best["id"]) if "id" in best else None


def traits(text: str) -> dict[str, float]:
    """How many words each of its programs has; of a net, how large the weights of each layer are."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        words = line.replace("(", " ").replace(")", " ").split()
        if line.startswith("(define "):
            head = len(line.partition(")")[0].split()) if line.startswith("(define (") else 2
            name, words = f"words of a program: {words[1]}", words[head:]
        elif line.startswith("("):
            name, words = f"weights, root mean square: {words[0]}", words[1:]
        found.setdefault(name, []).extend(words)
    found.pop("weights, root mean square: net", None)  # its form
    return {name: _size(name, words) for name, words in found.items() if name}


def _size(name: str, words: Sequence[str]) -> float:
    if name.startswith("words"):
        return float(len(words))
    weights = [float(word) for word in words if not word[0].isalpha()]
    return sqrt(fmean(weight**2 for weight in weights)) if weights else 0.0
