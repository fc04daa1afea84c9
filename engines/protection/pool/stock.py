"""The 250 strings that Chaos plays with: those written by hand, and children of theirs for all the others."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from core.random import Random
from engines.protection.genome import Genome
from engines.protection.pool.handwritten import handwritten
from engines.protection.profile.profile import STRINGS

SEED: Final = 250
STARTER: Final = "militia"  # of whom nothing is known meets this one


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """Strings by index, and the index of the one to begin with."""

    genomes: tuple[Genome, ...]
    starter: int

    def __post_init__(self) -> None:
        if len(self.genomes) != STRINGS or not 0 <= self.starter < STRINGS:
            raise ValueError(f"a stock has {STRINGS} strings, not {len(self.genomes)}, and one to begin with")

    @property
    def code(self) -> bytes:
        """All strings, one after the other."""
        return b"".join(genome.code for genome in self.genomes)

    @property
    def hash(self) -> str:
        """What a profile is known by to belong to these strings."""
        return "sha256:" + sha256(self.code).hexdigest()


def bundled() -> Stock:
    """The one that comes with the program."""
    written = handwritten()
    genomes, rng = list(written.values()), Random(SEED)
    while len(genomes) < STRINGS:
        one, other = (genomes[rng.below(len(written))] for _ in range(2))
        genomes.append(one.mate(other, rng).mutate(rng))
    return Stock(genomes=tuple(genomes), starter=list(written).index(STARTER))
