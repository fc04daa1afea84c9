"""The genome of Core War: an evolved warrior as a value. Its text is the warrior's load file.

Reference: Evolving Warriors, section The Smallest Gene: a gene is an instruction.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Self

from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.breeding.crossover import single_point
from engines.corewar.tribes.breeding.mutation import Mutation
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.genes import Cells, marked, unmarked

SIZE: Final = re.compile(
    r"^[ \t]*;[ \t]*assert[ \t]+CORESIZE[ \t]*==[ \t]*([0-9]{1,8})[ \t]*\r?$", re.ASCII | re.M
)
SIZE_UNLESS_SAID: Final = 8000
LONGEST: Final = 1000  # instructions that a text may have; a core has fewer places for them


@dataclass(frozen=True, slots=True, kw_only=True)
class WarriorGenome:
    """Cells for a core of `size`, and which of them is executed first. Values may be wide, see genes.py."""

    cells: Cells
    start: int = 0
    size: int = SIZE_UNLESS_SAID
    name: str = "Unknown"
    author: str = "Galapagos"

    @classmethod
    def random(cls, rng: Random) -> Self:
        """A warrior of the primordial soup, of 1 to 100 instructions."""
        config = _standard(SIZE_UNLESS_SAID)
        length = 1 + int(rng.below(config.founders_longest))
        return cls(cells=Mutation.of(config).soup.cells(length, rng))

    @classmethod
    def of(cls, warrior: Warrior, rules: Rules) -> Self:
        """The name in a form that a load file can hold."""
        return cls(
            cells=warrior.cells,
            start=warrior.start,
            size=rules.size,
            name=" ".join(warrior.name.split()) or "Unknown",
            author=" ".join(warrior.author.split()) or "Anonymous",
        )

    @classmethod
    def loads(cls, text: str) -> Self:
        """LoadFileError, a ValueError, names the line and what is wrong with it."""
        said = SIZE.search(text)
        size = int(said[1]) if said else SIZE_UNLESS_SAID
        return cls.of(load_file.as_written(text, _rules(size)), _rules(size))

    def dumps(self) -> str:
        return load_file.dumps(self._warrior(self.cells), _rules(self.size))

    def express(self) -> Warrior:
        return self._warrior(load_file.normalised(self.cells, self.size))

    def mutate(self, rng: Random) -> Self:
        """One to eight bits flipped, in the parts and with the chances of Evolving Warriors."""
        mutation = Mutation.of(_standard(self.size))
        return replace(self, cells=mutation.apply(self.cells, [False] * len(self.cells), rng)[0])

    def mate(self, other: Self, rng: Random) -> Self:
        """Single point crossover; the child is no longer than the longer parent."""
        longest = max(len(self.cells), len(other.cells))
        mother, father = marked(self.cells, self.start), marked(other.cells, other.start)
        cells, start = unmarked(single_point(mother, father, longest, rng))
        return replace(self, cells=cells, start=start)

    def _warrior(self, cells: Cells) -> Warrior:
        return Warrior(self.name, self.author, cells, self.start)


@cache
def _rules(size: int) -> Rules:
    """Room enough for whatever a text says. ValueError if no core has this size."""
    return Rules(size=size, length=LONGEST, distance=LONGEST)


@cache
def _standard(size: int) -> TribesConfig:
    """The chances of Evolving Warriors in a core of this size."""
    longest = min(100, max(size // 2, 1))
    return TribesConfig(core_size=max(size, 2), length=longest, distance=longest, founders_longest=longest)
