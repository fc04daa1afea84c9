"""Ancestors: the warriors of an earlier run, who found the tribes of this one, in their core or in a larger one.

The end of their lineage is in the record of that run; a founder has the name that its file gave it there.
"""

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final

from core.corewar.instruction import a_mode_of, a_of, b_mode_of, b_of, modifier_of, operation_of, pack, signed
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.genome import WarriorGenome

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
