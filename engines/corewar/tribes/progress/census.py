"""A census of a tribe: what can be counted without a fight.

Evolving Warriors could only estimate diversity from unequal points; here genotypes are compared.
"""

from collections.abc import Sequence
from statistics import median
from typing import Any

from core.corewar.instruction import CODE
from engines.corewar.tribes.evaluation.member import Member


def census(members: Sequence[Member], next_id: int) -> dict[str, Any]:
    """Genotypes, and the same without values; lengths; ages in offspring of the run; and the best."""
    cells = [member.warrior.cells for member in members]
    best = min(members, key=lambda member: member.merit)
    facts: dict[str, Any] = {
        "genotypes": len(set(cells)),
        "codes": len({tuple(cell & CODE for cell in each) for each in cells}),
        "length": median(map(len, cells)),
        "age": median(next_id - member.id for member in members),
        "oldest": max(next_id - member.id for member in members),
        "best": best.id,
        "best_record": [best.rounds - best.wins - best.ties, best.ties, best.wins],
    }
    if best.grade is not None:
        facts["grade"] = round(best.grade, 3)
    return facts
