"""The board of Acquire: its squares, and what a tile would do on them.

A board is a vec of cells with a border, column by column (core.acquire.rules). A cell is 0 or one bit: a chain, a
tile in no chain, or a square out of play. So `|` collects the neighbours of a tile in one mask, and a set of chains
is a mask of the same bits. Code names a chain by its index and a tile by the number of its cell.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

EMPTY: Final = 0
ANY_CHAIN: Final = 0x7F  # the bits of the chains
UNINCORPORATED: Final = 0x80  # a tile that belongs to no chain
OFF_BOARD: Final = 0x100  # beyond the edge, or a dead tile's square

HIDDEN: Final = -1  # stands for a tile that a seat may not see

# What a tile would do on the present board.
LONE: Final = 0
FOUNDS: Final = 1
GROWS: Final = 2
MERGES: Final = 3
BLOCKED: Final = 4  # it would found a chain, and all are on the board
DEAD: Final = 5  # it would merge two safe chains
TILE_KINDS: Final = ("lone", "found", "grow", "merge", "blocked", "dead")

BIT: Final = vec[i64]([1, 2, 4, 8, 16, 32, 64, 128])  # [chain]


def _lowest_bits() -> vec[i64]:
    """Return, for each mask of chains, the index of its lowest bit; 7 for the empty mask."""
    lowest = vec[i64]([7] * 128)
    for mask in range(i64(1), i64(128)):
        chain: i64 = 0
        while not mask & BIT[chain]:
            chain += 1
        lowest[mask] = chain
    return lowest


LOWEST: Final = _lowest_bits()


def bit_count(mask: i64) -> i64:
    count: i64 = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def nth_bit(mask: i64, n: i64) -> i64:
    """Return the index of the set bit of the mask that has `n` set bits below it; the mask has more than `n`."""
    for _ in range(n):
        mask &= mask - 1
    index: i64 = 0
    while not mask & 1:
        mask >>= 1
        index += 1
    return index
