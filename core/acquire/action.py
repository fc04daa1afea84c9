"""Actions as ints: a tile, a chain, a disposal or a purchase; what an int means depends on the phase.

PLACE: the tile. FOUND, SURVIVOR, ORDER: the chain. DISPOSE: shares traded (even), shares sold. BUY: four
bits a chain, how many of its shares. ENDING is added to a tile or a purchase that announces the end.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

ENDING: Final = 1 << 30
TILE_BITS: Final = 0xFF
MOST_PURCHASES: Final = 120  # sets of up to three shares of seven chains
UNIT: Final = vec[i64]([1 << (4 * chain) for chain in range(7)])  # one share of [chain], as a purchase


def shares_in(purchase: i64, chain: i64) -> i64:
    return (purchase >> (4 * chain)) & 15


def disposal(trade: i64, sell: i64) -> i64:
    """`trade` shares of the defunct chain are traded, two for one, `sell` sold; the rest is held."""
    return (trade << 8) | sell


def traded(action: i64) -> i64:
    return action >> 8


def sold(action: i64) -> i64:
    return action & 0xFF
