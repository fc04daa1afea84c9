"""Protection of sequences that recur in a tribe: their instructions mutate less.

Reference: Evolving Warriors, section Future genetic work, after J. R. Koza's automatically defined
functions. Two instructions are the same here if only their values differ.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from core.corewar.instruction import CODE
from engines.corewar.tribes.genes import Cells

Sequences = frozenset[Cells]


def occurring(parts: Iterable[Cells], length: int) -> Sequences:
    """The sequences of so many instructions that any of these has; one that is shorter is a sequence itself."""
    return frozenset(sequence for cells in parts for sequence in _sequences(cells, min(length, len(cells))))


def recurring(tribe: Sequence[Cells], length: int) -> Sequences:
    """The sequences of so many instructions that more than half of the tribe has."""
    owners = Counter(sequence for cells in tribe for sequence in set(_sequences(cells, length)))
    return frozenset(sequence for sequence, count in owners.items() if 2 * count > len(tribe))


def protected(cells: Cells, sequences: Sequences) -> list[bool]:
    """Which instructions belong to one of the sequences."""
    safe = [False] * len(cells)
    for length in {len(sequence) for sequence in sequences}:
        for at, sequence in enumerate(_sequences(cells, length)):
            if sequence in sequences:
                safe[at : at + length] = [True] * length
    return safe


def _sequences(cells: Cells, length: int) -> Iterator[Cells]:
    codes = tuple(cell & CODE for cell in cells)
    for at in range(len(codes) - length + 1):
        yield codes[at : at + length]
