"""Genes: what a warrior of the tribes inherits, its cells with two things that no core sees.

Where a run has wide values, a value may have 24 bits, as in the listing of the warrior E1 (Evolving Warriors,
section Appendix); a core takes it modulo its size. Where the beginning of a warrior evolves, the cell that is
executed first carries a mark, so that it is found again wherever a crossover puts it.
"""

from typing import Final

from core.corewar.warrior import Warrior
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
