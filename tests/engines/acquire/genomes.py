"""Random trees and genomes for tests."""

from hypothesis import strategies as st

from core.random import Random
from engines.acquire.genome import DECISIONS, REMEMBERING, Genome, result_of
from engines.acquire.gp.operators import Generator
from engines.acquire.gp.primitives import ADF_NAMES, THESIS, scope_of, typed_primitives
from engines.acquire.gp.tree import Tree, costs

GENERATOR = Generator.of(THESIS)


def grown(seed: int, depth: int = 5, full: bool = False) -> Tree:
    """A tree of the thesis's primitives."""
    return GENERATOR.tree(depth, full, Random(seed))


TREES = st.builds(grown, st.integers(0, 2**32), st.integers(1, 7), st.booleans())


def programs(seed: int, functions: int, registers: int, depth: int) -> dict[str, Tree]:
    """Typed programs for all decisions, and so many ADFs and registers; they may be too large when expanded."""
    rng = Random(seed)
    own = (*ADF_NAMES[:functions], *REMEMBERING[:registers])
    return {
        name: Generator.of(typed_primitives(name, own)).tree(
            depth, False, rng, result_of(name), scope_of(name)
        )
        for name in (*own, *DECISIONS)
    }


def composed(seed: int, functions: int = 4, registers: int = 2) -> Genome:
    """The next one that is not too large for the interpreter."""
    while True:
        trees = programs(seed, functions, registers, 3)
        if all(cost.is_small for cost in costs(trees).values()):
            return Genome.of(trees.items())
        seed += 1 << 32
