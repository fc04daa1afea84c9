"""Random genomes with typed programs for all decisions, functions and registers, for tests."""

from core.random import Random
from engines.acquire.genome import DECISIONS, REMEMBERING, Genome, result_of
from engines.acquire.gp.operators import Generator
from engines.acquire.gp.primitives import ADF_NAMES, scope_of, typed_primitives
from engines.acquire.gp.tree import costs


def composed(seed: int, functions: int = 4, registers: int = 2) -> Genome:
    """The next one that is not too large for the machine."""
    rng = Random(seed)
    own = (*ADF_NAMES[:functions], *REMEMBERING[:registers])
    while True:
        programs = {
            name: Generator.of(typed_primitives(name, own)).tree(
                3, False, rng, result_of(name), scope_of(name)
            )
            for name in (*own, *DECISIONS)
        }
        if all(cost.is_small for cost in costs(programs).values()):
            return Genome.of(programs.items())
