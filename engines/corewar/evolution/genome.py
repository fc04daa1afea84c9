"""Genes: what a warrior of the tribes inherits, its cells with two things that no core sees.

Where a run has wide values, a value may have 24 bits, as in the listing of the warrior E1 (Evolving Warriors,
section Appendix); a core takes it modulo its size. Where the beginning of a warrior evolves, the cell that is
executed first carries a mark, so that it is found again wherever a crossover puts it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, Self

from core.corewar.instruction import a_mode_of, a_of, b_mode_of, b_of, modifier_of, operation_of, pack, signed
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar import load_file
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.variation import Mutation, single_point
from engines.corewar.load_file import normalised

Cells = tuple[int, ...]

MARK: Final = 1 << 62  # above all fields of a cell


def marked(cells: Cells, start: int) -> Cells:
    """With a mark on the cell that is executed first, if the warrior has that cell."""
    return tuple(cell | MARK if place == start else cell for place, cell in enumerate(cells))


def unmarked(genes: Cells) -> tuple[Cells, int]:
    """Cells without a mark, and where the first mark was; without any a warrior begins at its first cell."""
    start = next((place for place, gene in enumerate(genes) if gene & MARK), None)
    if start is None:
        return genes, 0
    return tuple(gene & ~MARK for gene in genes), start


def settled(genes: Cells) -> Cells:
    """With one mark: crossover may have brought together two, of which the first counts, or left none."""
    return marked(*unmarked(genes))


def expressed(genes: Cells, size: int) -> Warrior:
    """The warrior that a core of this size executes; it has no name."""
    cells, start = unmarked(genes)
    return Warrior("", "", normalised(cells, size), start)


# The genome of Core War: an evolved warrior as a value. Its text is the warrior's load file.
#
# Reference: Evolving Warriors, section The Smallest Gene: a gene is an instruction.


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


# Ancestors: the warriors of an earlier run, who found the tribes of this one, in their core or in a larger one.
#
# The end of their lineage is in the record of that run; a founder has the name that its file gave it there.


END: Final = "\nEND\n"  # of a load file


def read_ancestors(where: str, config: TribesConfig) -> list[WarriorGenome]:
    """Tribe after tribe, from the files that a run writes for people: of whole runs, or those of the tribes named.

    ValueError or OSError if there is nobody, or if one cannot be read or is too long.
    """
    if where == "none":
        return []
    found = []
    for path in chain.from_iterable(_tribes(Path(name.strip())) for name in where.split(",")):
        for text in path.read_text(encoding="utf-8").split(END)[:-1]:
            try:
                found.append(carried(WarriorGenome.loads(text + END), config.core_size))
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from None
    if not found:
        raise ValueError(f"{where}: no tribe is there, in a file tribe_0.red")
    if (longest := max(len(genome.cells) for genome in found)) > config.length:
        raise ValueError(f"{where}: a warrior has {longest} instructions, above the length, {config.length}")
    return found


def _tribes(path: Path) -> list[Path]:
    """The files of a run's tribes in their order, or the one that this is."""
    if path.suffix == ".red":
        return [path]
    return sorted(path.glob("tribe_*.red"), key=lambda path: (len(path.name), path.name))


def carried(genome: WarriorGenome, size: int) -> WarriorGenome:
    """To another core: what points into the warrior does so there, what points beyond goes as far in proportion."""
    if genome.size == size:
        return genome
    reach = len(genome.cells)

    def value(old: int) -> int:
        way = int(signed(old, genome.size))
        return (way if abs(way) < reach else round(way * size / genome.size)) % size

    cells = tuple(
        int(
            pack(
                operation_of(cell),
                modifier_of(cell),
                a_mode_of(cell),
                value(a_of(cell)),
                b_mode_of(cell),
                value(b_of(cell)),
            )
        )
        for cell in genome.cells
    )
    return replace(genome, cells=cells, size=size)


# Fixed opponents, and parts of founders: the program's own warriors, or those of files that a configuration names.
#
# They are read when a run begins and belong to its record from then on. The reader of Redcode comes from
# outside: the language is a protocol.


OWN: Final = Path(__file__).parents[1] / "warriors"
SUFFIXES: Final = (".red", ".redcode", ".rc")

Reader = Callable[[str, Rules], Warrior]  # ValueError for a text that is no warrior under these rules


def read_opponents(where: str, config: TribesConfig, read: Reader) -> list[WarriorGenome]:
    """In the order of their files' names; of our own those that these rules suit.

    ValueError or OSError if something cannot be read, or if there is nobody.
    """
    if where == "none":
        return []
    found = []
    for path in _files(OWN if where == "own" else Path(where)):
        try:
            found.append(_warrior(path, config, read))
        except ValueError:
            if where != "own":
                raise
    if not found:
        raise ValueError(f"{where}: no warrior is there, in a file {', '.join(SUFFIXES)}")
    return found


def read_parts(where: str, config: TribesConfig, read: Reader) -> list[WarriorGenome]:
    """In the order in which they are named, with commas between: files, or names of our own warriors.

    ValueError or OSError if one cannot be read.
    """
    if where == "none":
        return []
    paths = []
    for name in map(str.strip, where.split(",")):
        own = OWN / f"{name}.red"
        paths.append(own if name == Path(name).name and own.is_file() else Path(name))
    return [_warrior(path, config, read) for path in paths]


def _warrior(path: Path, config: TribesConfig, read: Reader) -> WarriorGenome:
    try:
        warrior = read(path.read_text(encoding="iso-8859-1"), config.rules)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return WarriorGenome.of(warrior, config.rules)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for each in sorted(path.iterdir()):
        if each.suffix.lower() in SUFFIXES:
            yield each
