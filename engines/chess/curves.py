"""What the curves of a chess run show: its pools, the panel, and what the genes weigh in those who are born."""

from collections.abc import Mapping, Sequence
from typing import Any

from engines.chess.genes import OPENING
from engines.chess.genome import Genome
from engines.match.rating import score


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of one generation by name, "CHART: CURVE"."""
    found = {
        f"score against the panel: {name}": score(tally).value
        for name, tally in statistics.get("panel", {}).items()
    }
    if "step" in statistics:
        found["size of a step: step"] = statistics["step"]
    if "died" in statistics:
        found["comings and goings: died"] = len(statistics["died"])
        found["comings and goings: new blood"] = statistics["new_blood"]
        found["comings and goings: moved"] = len(statistics.get("swaps", ()))
    return found


def champion(record: Sequence[Mapping[str, Any]]) -> int | None:
    """The centre of a run of mirror images, else who has lived longest; IDs are given in the order of birth."""
    last = record[-1] if record else {}
    if "centre" in last:
        return int(last["centre"])
    return min((int(id) for pool in last.get("living", ()) for id in pool), default=None)


def traits(text: str) -> dict[str, float]:
    """The priority of each gene in the opening; 0 for one that is switched off."""
    return {
        f"priority of a gene: {gene.name.removesuffix(' Gene')}": (
            gene.within(OPENING, "Priority") if gene.active else 0.0
        )
        for gene in Genome.loads(text).genes
        if any(rule.name.startswith("Priority") for rule in gene.properties)
    }
