"""The numbers of a game of Acquire: the board's cells, the fields of a state, actions, and events.

All that changes in a game is in two vecs: `cells`, a bordered board, and `fields`, in which rows of seats and of
chains are eight words apart. One vec is copied in one go, and read faster than attributes. Money is in dollars, a
chain is its index, a set of chains a mask, a tile its cell.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

# -- Cells: each a set of one bit, so that neighbours add up by `|` ---------------------------------

EMPTY: Final = 0
CHAIN: Final = 0x7F  # the bits of the chains
UNINCORPORATED: Final = 0x80  # a tile that belongs to no chain
OFF_BOARD: Final = 0x100  # beyond the edge, or a dead tile's square

BIT: Final = vec[i64]([1, 2, 4, 8, 16, 32, 64, 128])  # [chain]


def _lowest_bits() -> vec[i64]:
    """[mask of chains]: the index of its lowest one, 7 for none."""
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
    """The index of a set bit of the mask, which has more than n: of the lowest for n = 0, and so on."""
    for _ in range(n):
        mask &= mask - 1
    index: i64 = 0
    while not mask & 1:
        mask >>= 1
        index += 1
    return index


# What a tile would do on the board as it is
LONE: Final = 0
FOUNDS: Final = 1
GROWS: Final = 2
MERGES: Final = 3
BLOCKED: Final = 4  # it would found a chain, and all are on the board
DEAD: Final = 5  # it would merge two safe chains
TILE_KINDS: Final = ("lone", "found", "grow", "merge", "blocked", "dead")

# -- Fields of a state --------------------------------------------------------------------------------

CASH: Final = 0  # [seat]
NET_WORTH: Final = 8  # [seat], once the game is over
BANK: Final = 16  # [chain]: shares left
SIZE: Final = 24  # [chain]: tiles
PRICE: Final = 32  # [chain]: of a share
OLD_SIZE: Final = 40  # [chain]: of a chain that is being merged away
OLD_PRICE: Final = 48  # [chain]
SHARES: Final = 56  # [seat * 8 + chain]
HANDS: Final = 104  # [seat * 8 + slot]: a tile, 0 for none, or HIDDEN
PHASE: Final = 152
SEAT: Final = 153  # who decides
TURN: Final = 154  # whose turn it is
TURNS_WITHOUT_TILE: Final = 155  # turns in a row without a playable tile, the present one included
DRAWN: Final = 156  # tiles of the bag that are out
ON_BOARD: Final = 157  # chains, one bit each; so are the next three
SAFE: Final = 158
ENDS_GAME: Final = 159  # large enough to end the game
OPTIONS: Final = 160  # to choose from in FOUND, SURVIVOR and ORDER
PENDING: Final = 161  # merged away, their holders not yet asked
TILE: Final = 162  # played this turn, or 0
SURVIVOR_OF: Final = 163  # the chain that stays in the merger
DEFUNCT: Final = 164  # the chain whose holders are asked
ANNOUNCED: Final = 165  # 1: the game ends with this turn
REASON: Final = 166  # why the game is over
PURCHASE: Final = 167  # [seat]: what it bought in its last turn, as an action
FIELD_COUNT: Final = 175

STRIDE: Final = 8  # fields from one seat to the next
HIDDEN: Final = -1  # in place of a tile that a seat may not see

# Phases
PLACE: Final = 0
FOUND: Final = 1
SURVIVOR: Final = 2
ORDER: Final = 3
DISPOSE: Final = 4
BUY: Final = 5
OVER: Final = 6
PHASES: Final = ("place", "found", "survivor", "order", "dispose", "buy", "over")

# Reasons
DECLARED: Final = 1
ALL_TILES_PLAYED: Final = 2
STUCK_ROUND: Final = 3
REASONS: Final = ("", "declared", "all_tiles_played", "stuck_round")

# -- Actions: what an int means depends on the phase --------------------------------------------------
#
# PLACE: the tile. FOUND, SURVIVOR, ORDER: the chain. DISPOSE: shares traded (even), shares sold. BUY: four
# bits a chain, how many of its shares. DECLARE_END is added to a tile or a purchase that announces the end.

DECLARE_END: Final = 1 << 30
TILE_BITS: Final = 0xFF
MAX_PURCHASES: Final = 120  # sets of up to three shares of seven chains
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


# -- Events: what happens in a game, for those who watch ----------------------------------------------

Event = tuple[i64, i64, i64, i64, i64, i64]  # kind, seat, and what the kind needs

TURN_BEGINS: Final = 0  # seat
NO_TILE: Final = 1  # seat: no tile of its hand can be placed
PLACED: Final = 2  # seat, tile, kind of tile
GREW: Final = 3  # seat, chain, size
FOUNDED: Final = 4  # seat, chain, size, free shares (0 or 1)
MERGER: Final = 5  # seat, mask of all chains that meet
MERGED: Final = 6  # seat, survivor, mask of the defunct, size of the survivor now
BONUS: Final = 7  # seat, chain, rank, amount
DISPOSED: Final = 8  # seat, chain, held, traded, sold
BOUGHT: Final = 9  # seat, purchase, cost
CANNOT_BUY: Final = 10  # seat: the bank has shares of chains on the board, all too dear
END_ANNOUNCED: Final = 11  # seat
DREW: Final = 12  # seat, tile
LAST_TILE: Final = 13  # seat: the bag is empty now
DEAD_TILE: Final = 14  # seat, tile
FINAL_BONUS: Final = 15  # seat, chain, rank, amount
FINAL_SALE: Final = 16  # seat, chain, shares, amount

# Ranks of a bonus
FIRST: Final = 0
SECOND: Final = 1
BOTH: Final = 2
TIE: Final = 3
TIE_SECOND: Final = 4
BONUS_RANKS: Final = ("first", "second", "both", "tie", "tie_second")
