"""The decisions of a game of Acquire: its phases, the actions in each phase, and the reasons for its end.

An action is an int whose meaning depends on the phase:

    PLACE                    the tile
    FOUND, SURVIVOR, ORDER   the chain
    DISPOSE                  disposal(): the number of shares traded, which is even, and of shares sold
    BUY                      a purchase: four bits for each chain, the number of its shares

A tile or a purchase that announces the end of the game has DECLARE_END added.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

PLACE: Final = 0
FOUND: Final = 1
SURVIVOR: Final = 2  # which chain survives a merger
ORDER: Final = 3  # which defunct chain is next
DISPOSE: Final = 4
BUY: Final = 5
OVER: Final = 6
PHASES: Final = ("place", "found", "survivor", "order", "dispose", "buy", "over")

DECLARED: Final = 1
ALL_TILES_PLAYED: Final = 2
STUCK_ROUND: Final = 3
REASONS: Final = ("", "declared", "all_tiles_played", "stuck_round")  # for the end of a game

DECLARE_END: Final = 1 << 30
TILE_BITS: Final = 0xFF
MAX_PURCHASES: Final = 120  # sets of up to three shares of seven chains
UNIT: Final = vec[i64]([1 << (4 * chain) for chain in range(7)])  # [chain]: the purchase of one share


def shares_in(purchase: i64, chain: i64) -> i64:
    """Return how many shares of the chain a purchase has."""
    return (purchase >> (4 * chain)) & 15


def disposal(trade: i64, sell: i64) -> i64:
    """Return the action that trades `trade` shares of the defunct chain, sells `sell`, and holds the rest."""
    return (trade << 8) | sell


def traded(action: i64) -> i64:
    """Return how many shares a disposal trades."""
    return action >> 8


def sold(action: i64) -> i64:
    """Return how many shares a disposal sells."""
    return action & 0xFF
