"""Random trees of the printed words, for tests."""

from hypothesis import strategies as st

from core.random import Random
from engines.acquire.gp.operators import Generator
from engines.acquire.gp.primitives import THESIS
from engines.acquire.gp.tree import Tree

GENERATOR = Generator.of(THESIS)


def grown(seed: int, depth: int = 5, full: bool = False) -> Tree:
    return GENERATOR.tree(depth, full, Random(seed))


TREES = st.builds(grown, st.integers(0, 2**32), st.integers(1, 7), st.booleans())
