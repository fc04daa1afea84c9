"""The board: cells with an edge around them, each a set of one bit, so that neighbours add up by `|`.

Cells are numbered column by column, the order in which tiles are listed: 1A 1B ... 2A. One cell of edge
between two columns serves both.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.rules.rules import Rules

EMPTY: Final = 0
CHAIN: Final = 0x7F  # the bits of the chains
LONE: Final = 0x80  # a tile that belongs to no chain
OUT: Final = 0x100  # beyond the edge, or a dead tile's square

BIT: Final = vec[i64]([1, 2, 4, 8, 16, 32, 64, 128])  # [chain]


def _low_bits() -> vec[i64]:
    """[mask of chains]: the index of its lowest one, 7 for none."""
    lowest = vec[i64]([7] * 128)
    for mask in range(i64(1), i64(128)):
        chain: i64 = 0
        while not mask & BIT[chain]:
            chain += 1
        lowest[mask] = chain
    return lowest


LOWEST: Final = _low_bits()


def stride(rules: Rules) -> int:
    """Cells from a tile to its neighbour in the next column."""
    return rules.rows + 1


def empty_board(rules: Rules) -> vec[i64]:
    step = stride(rules)
    cells = vec[i64]([OUT] * ((rules.columns + 2) * step))
    for tile in tiles(rules):
        cells[tile] = EMPTY
    return cells


def tiles(rules: Rules) -> list[int]:
    """Every tile, column by column."""
    step = stride(rules)
    return [step * column + row for column in range(1, rules.columns + 1) for row in range(rules.rows)]


def tile_name(rules: Rules, tile: int) -> str:
    """Such as 12D."""
    column, row = divmod(tile, stride(rules))
    return f"{column}{chr(ord('A') + row)}"


def tile_from(rules: Rules, text: str) -> int:
    """The tile of that name. ValueError if the board has none."""
    number, letter = text[:-1], text[-1:]
    row = ord(letter) - ord("A") if letter else -1
    if number.isascii() and number.isdigit() and len(number) < 3 and number[0] != "0":
        if 0 <= row < rules.rows and 1 <= int(number) <= rules.columns:
            return int(number) * stride(rules) + row
    raise ValueError(f"no tile of a board of {rules.columns} x {rules.rows}: {text[:20]!r}")


def row_first(rules: Rules, tile: int) -> int:
    """How far a tile is from 1A when the letter counts before the number."""
    column, row = divmod(tile, stride(rules))
    return row * rules.columns + column
