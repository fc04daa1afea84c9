"""The pool that comes with the program: the strings written by hand, and children of theirs for all the others."""

from typing import Final

from core.random import Random
from engines.protection.pool.handwritten import handwritten
from engines.protection.pool.pool import Entry, Pool
from engines.protection.profile.profile import STRINGS

SEED: Final = 250
STARTER: Final = "militia"  # of whom nothing is known meets this one


def bundled() -> Pool:
    """The same strings every time."""
    written, rng = handwritten(), Random(SEED)
    entries = [Entry(name=name, genome=genome) for name, genome in written.items()]
    while len(entries) < STRINGS:
        one, other = (entries[rng.below(len(written))] for _ in range(2))
        child = one.genome.mate(other.genome, rng).mutate(rng)
        entries.append(
            Entry(name=f"child-{len(entries)}", genome=child, provenance={"parents": [one.name, other.name]})
        )
    return Pool(entries=tuple(entries), starter=list(written).index(STARTER))
