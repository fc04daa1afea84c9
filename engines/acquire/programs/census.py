"""A census of a generation: sizes, levels, how different its programs are and how differently they play."""

from collections.abc import Sequence
from statistics import fmean, quantiles
from typing import Any

from engines.acquire.genome import Genome
from engines.acquire.gp.sexpr import dumps
from engines.acquire.gp.tree import levels
from engines.evolution.population import Individual


def census(
    living: Sequence[Individual[Genome]], fitness: Sequence[float], digests: Sequence[bytes]
) -> dict[str, Any]:
    """Nodes are those of all programs of a player together; quartiles with least and most around them."""
    best = max(range(len(living)), key=fitness.__getitem__)
    every = [each.genome.programs() for each in living]
    return {
        "nodes": _spread([sum(len(tree) for _, tree in programs) for programs in every]),
        "levels": _spread([max(levels(tree) for _, tree in programs) for programs in every]),
        "genotypes": len({each.genome for each in living}),
        "behaviours": len(set(digests)),
        "best": {
            "id": living[best].id,
            "fitness": round(fitness[best], 6),
            **{name: dumps(tree) for name, tree in every[best]},
        },
    }


def _spread(values: Sequence[int]) -> dict[str, Any]:
    return {"mean": round(fmean(values), 3), "quartiles": [min(values), *quantiles(values, n=4), max(values)]}
