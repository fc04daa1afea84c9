"""The genome of Core War: an evolved warrior as a value, whose text is its load file; and warriors from outside a run.

Reference: Evolving Warriors, section The Smallest Gene: a gene is an instruction.

What breeds are genes: a warrior's cells with two things that no core sees. Where a run has wide values, a value may
have 24 bits, as in the listing of the warrior E1 (section Appendix); a core takes it modulo its size. Where the start
evolves, the cell that is executed first carries a mark, so that it is found again wherever a crossover puts it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, Self

from core.corewar import instruction as ins
from core.corewar.assembler import assemble
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar import load_file
from engines.corewar.battles import fields
from engines.corewar.evolution.config import TribesConfig

Cells = tuple[int, ...]

MARK: Final = 1 << 62  # above all fields of a cell

CORE_SIZE: Final = re.compile(
    r"^[ \t]*;[ \t]*assert[ \t]+CORESIZE[ \t]*==[ \t]*([0-9]{1,8})[ \t]*\r?$", re.ASCII | re.M
)
SIZE_UNLESS_SAID: Final = 8000
LONGEST: Final = 1000  # instructions that a text may have; a core has fewer places for them
END: Final = "\nEND\n"  # of a load file

OWN: Final = Path(__file__).parents[1] / "warriors"
SUFFIXES: Final = (".red", ".redcode", ".rc")


@dataclass(frozen=True, slots=True, kw_only=True)
class WarriorGenome:
    """Cells for a core of `size`, and which of them is executed first. Values may be wide."""

    cells: Cells
    start: int = 0
    size: int = SIZE_UNLESS_SAID
    name: str = "Unknown"
    author: str = "Galapagos"

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
        named = CORE_SIZE.search(text)
        rules = _rules(int(named[1]) if named else SIZE_UNLESS_SAID)
        return cls.of(load_file.as_written(text, rules), rules)

    def dumps(self) -> str:
        return load_file.dumps(self._warrior(self.cells), _rules(self.size))

    def express(self) -> Warrior:
        """The warrior as its core takes it: values modulo the size."""
        return self._warrior(load_file.normalised(self.cells, self.size))

    def as_part(self) -> Cells:
        """The warrior's cells, to be executed from the first one on: a jump leads to a start that is elsewhere."""
        warrior = self.express()
        if not warrior.start:
            return warrior.cells
        return (
            ins.pack(ins.JMP, ins.DOT_B, ins.DIRECT, (warrior.start + 1) % self.size, ins.DIRECT, 0),
            *warrior.cells,
        )

    def _warrior(self, cells: Cells) -> Warrior:
        return Warrior(self.name, self.author, cells, self.start)


@cache
def _rules(size: int) -> Rules:
    """Room enough for whatever a text says. ValueError if no core has this size."""
    return Rules(size=size, length=LONGEST, distance=LONGEST)


# -- Genes -------------------------------------------------------------------------------------------


def marked(cells: Cells, start: int) -> Cells:
    """With a mark on the cell that is executed first, if the warrior has that cell."""
    return tuple(cell | MARK if place == start else cell for place, cell in enumerate(cells))


def unmarked(genes: Cells) -> tuple[Cells, int]:
    """Cells without a mark, and where the first mark was; without any a warrior begins at its first cell."""
    start = next((place for place, gene in enumerate(genes) if gene & MARK), None)
    if start is None:
        return genes, 0
    return tuple(gene & ~MARK for gene in genes), start


def marked_once(genes: Cells) -> Cells:
    """With one mark: crossover may have brought together two, of which the first counts, or left none."""
    return marked(*unmarked(genes))


def expressed(genes: Cells, size: int) -> Warrior:
    """The warrior that a core of this size executes; it has no name."""
    cells, start = unmarked(genes)
    return Warrior("", "", load_file.normalised(cells, size), start)


# -- Ancestors: the warriors of an earlier run, who found the tribes of this one ----------------------

# The end of their lineage is in the record of that run; a founder has the name that its file gave it there.


def read_ancestors(where: str, config: TribesConfig) -> list[WarriorGenome]:
    """Tribe after tribe, from the files that a run writes for people: of whole runs, or those of the tribes named.

    ValueError or OSError if there is nobody, or if one cannot be read, is too long, or uses P-space or another start
    than the first instruction where the run has neither.
    """
    if where == "none":
        return []
    ancestors = []
    for path in chain.from_iterable(_tribe_files(Path(name.strip())) for name in where.split(",")):
        for text in path.read_text(encoding="utf-8").split(END)[:-1]:
            try:
                ancestor = WarriorGenome.loads(text + END)
                _check_suits(ancestor, config)
                ancestors.append(rescaled(ancestor, config.core_size))
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from None
    if not ancestors:
        raise ValueError(f"{where}: no tribe is there, in a file tribe_0.red")
    if (longest := max(len(genome.cells) for genome in ancestors)) > config.most_instructions:
        raise ValueError(
            f"{where}: a warrior has {longest} instructions, above the length, {config.most_instructions}"
        )
    return ancestors


def _check_suits(genome: WarriorGenome, config: TribesConfig) -> None:
    if config.start == "first" and genome.start:
        raise ValueError(f"{genome.name} begins at instruction {genome.start}, which needs start = evolved")
    for cell in genome.cells:
        if config.pspace == "off" and ins.operation_of(cell) in (ins.LDP, ins.STP):
            raise ValueError(
                f"{genome.name} has {ins.OPERATIONS[ins.operation_of(cell)]}, which needs pspace = on"
            )


def rescaled(genome: WarriorGenome, size: int) -> WarriorGenome:
    """For another core: what points into the warrior still does so, what points beyond goes as far in proportion."""
    if genome.size == size:
        return genome
    reach = len(genome.cells)

    def value(old: int) -> int:
        way = int(ins.signed(old, genome.size))
        return (way if abs(way) < reach else round(way * size / genome.size)) % size

    cells = []
    for cell in genome.cells:
        operation, modifier, a_mode, a, b_mode, b = fields(cell)
        cells.append(int(ins.pack(operation, modifier, a_mode, value(a), b_mode, value(b))))
    return replace(genome, cells=tuple(cells), size=size)


def _tribe_files(path: Path) -> list[Path]:
    """The files of a run's tribes in their order, or the one that this is."""
    if path.suffix == ".red":
        return [path]
    return sorted(path.glob("tribe_*.red"), key=lambda path: (len(path.name), path.name))


# -- Fixed opponents, and parts of founders -----------------------------------------------------------

# The program's own warriors, or those of files that a configuration names. They are read when a run begins and
# belong to its record from then on.


def read_opponents(where: str, config: TribesConfig) -> list[WarriorGenome]:
    """In the order of their files' names; of our own those that these rules suit.

    ValueError or OSError if something cannot be read, or if there is nobody.
    """
    if where == "none":
        return []
    opponents = []
    for path in _warrior_files(OWN if where == "own" else Path(where)):
        try:
            opponents.append(_read_warrior(path, config))
        except ValueError:
            if where != "own":
                raise
    if not opponents:
        raise ValueError(f"{where}: no warrior is there, in a file {', '.join(SUFFIXES)}")
    return opponents


def read_parts(where: str, config: TribesConfig) -> list[WarriorGenome]:
    """In the order in which they are named, with commas between: files, or names of our own warriors.

    ValueError or OSError if one cannot be read.
    """
    if where == "none":
        return []
    paths = []
    for name in map(str.strip, where.split(",")):
        own = OWN / f"{name}.red"
        paths.append(own if name == Path(name).name and own.is_file() else Path(name))
    return [_read_warrior(path, config) for path in paths]


def _read_warrior(path: Path, config: TribesConfig) -> WarriorGenome:
    """ValueError with the first thing that is wrong."""
    assembly = assemble(path.read_text(encoding="iso-8859-1"), config.rules, warriors=2)
    warrior = assembly.warrior
    if warrior is None:
        errors = assembly.errors
        reason = f"line {errors[0].line}: {errors[0].text}" if errors else "no instructions"
        raise ValueError(f"{path}: {reason}")
    if warrior.start >= len(warrior.cells):
        raise ValueError(f"{path}: {load_file.OUTSIDE}")
    return WarriorGenome.of(warrior, config.rules)


def _warrior_files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for file in sorted(path.iterdir()):
        if file.suffix.lower() in SUFFIXES:
            yield file
