"""The genome of Core War: an evolved warrior whose text is its load file; and the warriors that a run reads.

A gene is an instruction ("Evolving Warriors", section "The Smallest Gene"), so genes are a warrior's cells, with two
additions that cells in a core do not have:

- Wide values: if the configuration allows them, a value may have 24 bits, as in the listing of the warrior E1 (section
  "Appendix"). The warrior that fights has the value modulo the size of the core.
- A mark: if the start evolves, the cell that is executed first carries a mark, which a crossover moves with the cell.
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

MARK: Final = 1 << 62  # a bit above all fields of a cell

CORE_SIZE: Final = re.compile(
    r"^[ \t]*;[ \t]*assert[ \t]+CORESIZE[ \t]*==[ \t]*([0-9]{1,8})[ \t]*\r?$", re.ASCII | re.M
)
DEFAULT_CORE_SIZE: Final = 8000
LONGEST: Final = 1000  # the maximum number of instructions in a text; no run allows more
END: Final = "\nEND\n"  # ends each load file in a file of several

STARTER_FOLDER: Final = Path(__file__).parents[1] / "warriors"
SUFFIXES: Final = (".red", ".redcode", ".rc")


@dataclass(frozen=True, slots=True, kw_only=True)
class WarriorGenome:
    """The cells of a warrior for a core of `size` cells; execution starts at the cell with the index `start`.

    Values may be wide, that is not below `size`.
    """

    cells: Cells
    start: int = 0
    size: int = DEFAULT_CORE_SIZE
    name: str = "Unknown"
    author: str = "Galapagos"

    @classmethod
    def of(cls, warrior: Warrior, rules: Rules) -> Self:
        """Return the genome of a warrior, with names that a load file can hold."""
        return cls(
            cells=warrior.cells,
            start=warrior.start,
            size=rules.size,
            name=" ".join(warrior.name.split()) or "Unknown",
            author=" ".join(warrior.author.split()) or "Anonymous",
        )

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the genome in a load file. Raises LoadFileError, a ValueError, that names the line and its fault."""
        named = CORE_SIZE.search(text)
        rules = _rules(int(named[1]) if named else DEFAULT_CORE_SIZE)
        return cls.of(load_file.as_written(text, rules), rules)

    def dumps(self) -> str:
        return load_file.dumps(self._warrior(self.cells), _rules(self.size))

    def express(self) -> Warrior:
        """Return the warrior that fights, with values modulo the size of the core."""
        return self._warrior(load_file.normalised(self.cells, self.size))

    def as_part(self) -> Cells:
        """Return the warrior's cells, with a jump to its start in front unless it starts at its first cell."""
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
    """Return rules that allow a text of LONGEST instructions. Raises ValueError if no core has this size."""
    return Rules(size=size, length=LONGEST, distance=LONGEST)


# -- Genes -------------------------------------------------------------------------------------------


def marked(cells: Cells, start: int) -> Cells:
    """Return the cells with a mark on the cell at index `start`, if there is such a cell."""
    return tuple(cell | MARK if place == start else cell for place, cell in enumerate(cells))


def unmarked(genes: Cells) -> tuple[Cells, int]:
    """Return the cells without marks, and the index of the first mark, or 0 if there is no mark."""
    start = next((place for place, gene in enumerate(genes) if gene & MARK), None)
    if start is None:
        return genes, 0
    return tuple(gene & ~MARK for gene in genes), start


def marked_once(genes: Cells) -> Cells:
    """Return the genes with exactly one mark.

    A crossover may give genes two marks, of which the first stays, or none, in which case the first cell is marked.
    """
    return marked(*unmarked(genes))


def expressed(genes: Cells, size: int) -> Warrior:
    """Return the warrior that these genes express in a core of `size` cells, without a name."""
    cells, start = unmarked(genes)
    return Warrior("", "", load_file.normalised(cells, size), start)


# -- Ancestors: warriors of an earlier run that become the founders of this run's tribes ---------------

# The earlier part of their lineage is in the record of that run. A founder keeps its name from the file, which
# contains its ID in that run.


def read_ancestors(where: str, config: TribesConfig) -> list[WarriorGenome]:
    """Return the ancestors in the places that `where` names, tribe after tribe.

    `where` lists folders and tribe files, with commas between, or is "none". A tribe file is one that a run exports,
    tribe_N.red. Raises ValueError or OSError if `where` names no ancestor, or if an ancestor cannot be read, is too
    long, or needs what this run does not allow: P-space, or a start other than the first instruction.
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
        raise ValueError(f"{where} has no file of a tribe such as tribe_0.red")
    if (longest := max(len(genome.cells) for genome in ancestors)) > config.most_instructions:
        raise ValueError(
            f"{where}: a warrior has {longest} instructions, above the length, {config.most_instructions}"
        )
    return ancestors


def _check_suits(genome: WarriorGenome, config: TribesConfig) -> None:
    """Raise ValueError if the genome has a start or uses a P-space that the configuration does not allow."""
    if config.start == "first" and genome.start:
        raise ValueError(f"{genome.name} starts at instruction {genome.start}, which needs start = evolved")
    for cell in genome.cells:
        if config.pspace == "off" and ins.operation_of(cell) in (ins.LDP, ins.STP):
            raise ValueError(
                f"{genome.name} has {ins.OPERATIONS[ins.operation_of(cell)]}, which needs pspace = on"
            )


def rescaled(genome: WarriorGenome, size: int) -> WarriorGenome:
    """Return the genome for a core of another size.

    A value that points less far than the warrior is long stays, so that it still points to the same instruction; any
    other value changes in proportion to the size.
    """
    if genome.size == size:
        return genome
    length = len(genome.cells)

    def value(old: int) -> int:
        offset = int(ins.signed(old % genome.size, genome.size))
        return (offset if abs(offset) < length else round(offset * size / genome.size)) % size

    cells = []
    for cell in genome.cells:
        operation, modifier, a_mode, a, b_mode, b = fields(cell)
        cells.append(int(ins.pack(operation, modifier, a_mode, value(a), b_mode, value(b))))
    return replace(genome, cells=tuple(cells), size=size)


def _tribe_files(path: Path) -> list[Path]:
    """Return the tribe files in a run's folder, in the order of the tribes, or the path itself if it is a file."""
    if path.suffix == ".red":
        return [path]
    return sorted(path.glob("tribe_*.red"), key=lambda path: (len(path.name), path.name))


# -- Fixed opponents, and parts of founders -----------------------------------------------------------

# Both are bundled warriors, or warriors in files that a configuration names. They are read when a run starts, and are
# part of its record from then on.


def read_opponents(where: str, config: TribesConfig) -> list[WarriorGenome]:
    """Return the warriors in a file or folder, in the order of the files' names.

    `where` may also be "own" for the bundled warriors, or "none". Bundled warriors that do not fit the rules are left
    out. Raises ValueError or OSError if a file cannot be read, or if there is no warrior.
    """
    if where == "none":
        return []
    opponents = []
    for path in _warrior_files(STARTER_FOLDER if where == "own" else Path(where)):
        try:
            opponents.append(_read_warrior(path, config))
        except ValueError:
            if where != "own":
                raise
    if not opponents:
        raise ValueError(f"{where} has no usable warrior in a file {', '.join(SUFFIXES)}")
    return opponents


def read_parts(where: str, config: TribesConfig) -> list[WarriorGenome]:
    """Return the parts that `where` lists with commas between, files or names of bundled warriors; or "none".

    Raises ValueError or OSError if a part cannot be read.
    """
    if where == "none":
        return []
    paths = []
    for name in map(str.strip, where.split(",")):
        own = STARTER_FOLDER / f"{name}.red"
        paths.append(own if name == Path(name).name and own.is_file() else Path(name))
    return [_read_warrior(path, config) for path in paths]


def _read_warrior(path: Path, config: TribesConfig) -> WarriorGenome:
    """Return the warrior in a file of Redcode. Raises ValueError, with the first fault, if there is no valid one."""
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
