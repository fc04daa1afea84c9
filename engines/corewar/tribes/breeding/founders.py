"""Founders: primordial soup, or parts that can fight already, behind random phrases that might choose among them.

Reference: Evolving Warriors, sections Recipe for primordial soup, and P-space: "absolutely the most common use of
P-space is to use it to select a strategy". The parts are given; when to execute which of them is left to evolution.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Self

from core.corewar.instruction import DIRECT, DOT_B, JMP, pack
from core.corewar.mars import Mars
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.tribes.breeding.phrases import phrase
from engines.corewar.tribes.breeding.soup import Soup
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.evaluation.niche import begin_alone, homes
from engines.corewar.tribes.genes import Cells, expressed, marked
from engines.corewar.tribes.genome import WarriorGenome


@dataclass(frozen=True, slots=True, kw_only=True)
class Founders:
    """How many random instructions a founder has, and the parts that follow them."""

    soup: Soup
    shortest: int
    longest: int
    start_evolves: bool
    parts: tuple[Cells, ...]
    tries: int  # for each; the one that lives in most of the core founds
    core: Mars  # in which they try
    cycles: int

    @classmethod
    def of(cls, config: TribesConfig, parts: Sequence[WarriorGenome]) -> Self:
        """ValueError if parts are too long for a warrior."""
        cells = tuple(entered(part) for part in parts)
        length = config.founders_longest + sum(map(len, cells))
        if cells and length > config.length:
            raise ValueError(
                f"parts and {config.founders_longest} instructions before them make {length}, above the length, "
                f"{config.length}"
            )
        return cls(
            soup=Soup.of(config),
            shortest=config.founders_shortest,
            longest=config.founders_longest,
            start_evolves=config.start == "evolved",
            parts=cells,
            tries=config.founder_tries,
            core=Mars(config.rules, [Warrior("", "", (), 0)]),
            cycles=config.viability_cycles,
        )

    def draw(self, rng: Random) -> Cells:
        """The genes of a founder."""
        genes = self._drawn(rng)
        most = self._homes(genes) if self.tries > 1 else 0
        for _ in range(self.tries - 1):
            other = self._drawn(rng)
            if (lived_in := self._homes(other)) > most:
                genes, most = other, lived_in
        return genes

    def _homes(self, genes: Cells) -> int:
        begin_alone(expressed(genes, self.soup.size), self.core)
        self.core.run(self.cycles)
        return homes(self.core)

    def _drawn(self, rng: Random) -> Cells:
        length = self.shortest + int(rng.below(self.longest - self.shortest + 1))
        cells = self._choosing(length, rng) if self.parts else self.soup.cells(length, rng)
        cells += sum(self.parts, ())
        return marked(cells, int(rng.below(length))) if self.start_evolves else cells

    def _choosing(self, length: int, rng: Random) -> Cells:
        """Phrases, the last of them cut short, that go on at one another or at one of the parts."""
        entrances = list(accumulate(map(len, self.parts[:-1]), initial=length))
        places = [*range(length), *entrances]
        cells: Cells = ()
        while len(cells) < length:
            cells += phrase([place - len(cells) for place in places], self.soup.size, rng)
        return cells[:length]


def entered(part: WarriorGenome) -> Cells:
    """Its cells, to be executed from the first one on."""
    warrior = part.express()
    if not warrior.start:
        return warrior.cells
    return (pack(JMP, DOT_B, DIRECT, (warrior.start + 1) % part.size, DIRECT, 0), *warrior.cells)
