"""Protection of sequences that recur in a tribe: their instructions mutate less.

Reference: Evolving Warriors, section Future genetic work, after J. R. Koza's automatically defined
functions. Two instructions are the same here if only their values differ.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from core.corewar.instruction import CODE
from engines.corewar.tribes.breeding.soup import Cells

Sequences = frozenset[Cells]


def recurring(tribe: Sequence[Cells], length: int) -> Sequences:
    """The sequences of so many instructions that more than half of the tribe has."""
    owners = Counter(sequence for cells in tribe for sequence in set(_sequences(cells, length)))
    return frozenset(sequence for sequence, count in owners.items() if 2 * count > len(tribe))


def protected(cells: Cells, sequences: Sequences, length: int) -> list[bool]:
    """Which instructions belong to one of the sequences."""
    safe = [False] * len(cells)
    for at, sequence in enumerate(_sequences(cells, length)):
        if sequence in sequences:
            safe[at : at + length] = [True] * length
    return safe


def _sequences(cells: Cells, length: int) -> Iterator[Cells]:
    codes = tuple(cell & CODE for cell in cells)
    for at in range(len(codes) - length + 1):
        yield codes[at : at + length]
