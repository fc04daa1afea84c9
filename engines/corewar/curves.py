"""What the curves of a Core War run show: grades, the panel, how alike a tribe is, and what warriors consist of."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from core.corewar.instruction import OPERATIONS, operation_of
from engines.corewar.tribes.genome import WarriorGenome
from engines.match.rating import score

OF_TRIBES: Final = {
    "length": "length of a warrior: median of a tribe",
    "genotypes": "different warriors of a tribe: as they are",
    "codes": "different warriors of a tribe: without their values",
}


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of one generation by name, "CHART: CURVE"."""
    tribes = statistics.get("tribes", ())
    found: dict[str, float] = {}
    grades = [tribe["grade"] for tribe in tribes if "grade" in tribe]
    if grades:
        found["grade of the best of a tribe: best"] = max(grades)
        found["grade of the best of a tribe: mean"] = fmean(grades)
    if panel := [score(tally).value for tally in statistics.get("panel", {}).values()]:
        found["score against the panel: best"] = max(panel)
        found["score against the panel: mean"] = fmean(panel)
        found["score against the panel: worst"] = min(panel)
    for key, name in OF_TRIBES.items():
        if tribes:
            found[name] = fmean(tribe[key] for tribe in tribes)
    if statistics.get("tries"):
        found["viable newborn: share"] = statistics["viable"] / statistics["tries"]
    return found


def champion(record: Sequence[Mapping[str, Any]]) -> int | None:
    """Of whom the last panel thought most; without panels whom the last grades call best."""
    for statistics in reversed(record):
        if candidates := statistics.get("champions"):
            return int(max(candidates, key=lambda each: each[1])[0])
    tribes = record[-1].get("tribes", ()) if record else ()
    best = max(tribes, key=lambda tribe: tribe.get("grade", 0.0), default=None)
    return int(best["best"]) if best else None


def traits(text: str) -> dict[str, float]:
    """Its length, and the share of each operation among its instructions."""
    cells = WarriorGenome.loads(text).cells
    counts = Counter(OPERATIONS[operation_of(cell)] for cell in cells)
    shares = {f"share of an operation: {name}": counts[name] / max(len(cells), 1) for name in OPERATIONS}
    return {"length: instructions": float(len(cells))} | shares
