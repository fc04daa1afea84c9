"""The decisions of a game of Acquire: its phases, the actions in each phase, and the reasons for its end.

The phase is the kind of decision that a seat must make now. An action is an int whose meaning depends on the phase:

    PLACE      the tile to place: the number of its cell (core.acquire.board)
    FOUND      the index of the chain to found
    SURVIVOR   the index of the chain that survives, if the largest chains of a merger are equal in size
    ORDER      the index of the defunct chain whose holders decide next, if several are equal in size
    DISPOSE    disposal(): how many shares of the defunct chain to trade, an even number, and how many to sell
    BUY        a purchase: four bits for each chain, which are the number of its shares to buy

In PLACE and BUY, DECLARE_END is added to an action that also announces the end of the game. In the phase OVER the
game has ended, and there are no actions.
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

# The reasons for the end of a game.
DECLARED: Final = 1  # a seat announced it
ALL_TILES_PLAYED: Final = 2  # the bag and all hands are empty
STUCK_ROUND: Final = 3  # for a whole round no seat had a tile that it could place
REASONS: Final = ("", "declared", "all_tiles_played", "stuck_round")  # "": the game has not ended

DECLARE_END: Final = 1 << 30
TILE_BITS: Final = 0xFF  # the bits of a PLACE action that are the tile
MAX_PURCHASES: Final = 120  # the number of sets of up to three shares of seven chains
UNIT: Final = vec[i64]([1 << (4 * chain) for chain in range(7)])  # [chain]: the purchase of one share


def shares_in(purchase: i64, chain: i64) -> i64:
    """Return how many shares of the chain a purchase contains."""
    return (purchase >> (4 * chain)) & 15


def disposal(trade: i64, sell: i64) -> i64:
    """Return the action that trades `trade` shares of the defunct chain, sells `sell` shares, and keeps the rest."""
    return (trade << 8) | sell


def traded(action: i64) -> i64:
    """Return how many shares a disposal trades."""
    return action >> 8


def sold(action: i64) -> i64:
    """Return how many shares a disposal sells."""
    return action & 0xFF
