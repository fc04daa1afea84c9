"""Similarity of warriors: how much of a warrior's code another one has, position by position and in order.

An evolved warrior that shares most of its code with a hand-written one was not evolved from nothing. The figures of
unrelated warriors show how much any two have in common at random.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import chain, groupby
from operator import eq
from typing import Final

from core.corewar.instruction import operation_of
from core.corewar.warrior import Warrior
from engines.corewar.battles import fields

FIELDS: Final = 6  # of an instruction
PADDING: Final = 8  # this many equal instructions in a row are padding or a decoy, not code


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarity:
    """The similarity of a warrior to another one, whose number in the searched list is `seat`."""

    seat: int
    length: int  # instructions of the longer one, without padding
    positions: int  # at which both have the same instruction
    operations: int  # positions with the same operation
    fields: int  # equal fields, of six an instruction, position by position
    operations_in_order: int  # the longest common subsequence of operations
    instructions_in_order: int  # the longest common subsequence of whole instructions

    @property
    def share(self) -> float:
        """The mean, from 0 to 1, of three shares: fields in place, operations in order, instructions in order."""
        in_order = self.operations_in_order + self.instructions_in_order
        return (self.fields / FIELDS + in_order) / (3 * self.length)


def nearest(warrior: Warrior, known: Sequence[Warrior], count: int) -> list[Similarity]:
    """Return the similarities to the `count` most similar known warriors, the most similar first.

    Raises ValueError if a warrior has no instructions.
    """
    code = _Code(warrior)
    similarities = (_similarity(code, _Code(other), seat) for seat, other in enumerate(known))
    return nlargest(count, similarities, key=lambda similarity: (similarity.share, -similarity.seat))


class _Code:
    """The code of a warrior, decoded once for all comparisons.

    Padding is None in `places` and `fields`, and left out of `cells` and `operations`.
    """

    def __init__(self, warrior: Warrior) -> None:
        if not warrior.cells:
            raise ValueError(f"{warrior.name!r} has no instruction to compare")
        self.places = _without_padding(warrior.cells)
        self.cells = [cell for cell in self.places if cell is not None]
        self.operations = [int(operation_of(cell)) for cell in self.cells]
        self.fields = [None if cell is None else fields(cell) for cell in self.places]


def _without_padding(cells: Sequence[int]) -> list[int | None]:
    """Return the cells with None for padding; if there is nothing but padding, all of it counts as code."""
    kept: list[int | None] = []
    for cell, run in groupby(cells):
        length = len(list(run))
        kept += [None if length >= PADDING else cell] * length
    return kept if any(cell is not None for cell in kept) else list(cells)


def _similarity(first: _Code, second: _Code, seat: int) -> Similarity:
    both = [
        (a, b) for a, b in zip(first.fields, second.fields, strict=False) if a is not None and b is not None
    ]
    return Similarity(
        seat=seat,
        length=max(len(first.cells), len(second.cells)),
        positions=sum(a == b for a, b in both),
        operations=sum(a[0] == b[0] for a, b in both),
        fields=sum(map(eq, chain.from_iterable(a for a, _ in both), chain.from_iterable(b for _, b in both))),
        operations_in_order=in_common(first.operations, second.operations),
        instructions_in_order=in_common(first.cells, second.cells),
    )


def in_common(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the length of the longest common subsequence.

    A row of the table is computed at once, as the bits of an integer (H. Hyyrö, "Bit-parallel LCS-length computation
    revisited", 2004): a hundred additions for two warriors of the full length.
    """
    places: dict[int, int] = {}
    for place, symbol in enumerate(first):
        places[symbol] = places.get(symbol, 0) | (1 << place)
    row = full = (1 << len(first)) - 1
    for symbol in second:
        matches = row & places.get(symbol, 0)
        row = ((row + matches) | (row - matches)) & full
    return len(first) - row.bit_count()
