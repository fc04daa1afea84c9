"""What happens in a game, one tuple of six ints an event, for those who watch.

(kind, seat, and what the kind needs.) A chain is its index, a set of chains a mask, money is in dollars.
"""

from typing import Final

from mypy_extensions import i64

Event = tuple[i64, i64, i64, i64, i64, i64]

TURN_BEGINS: Final = 0  # seat
NO_TILE: Final = 1  # seat: no tile of its hand can be placed
PLACED: Final = 2  # seat, tile, kind of tile
GREW: Final = 3  # seat, chain, size
FOUNDED: Final = 4  # seat, chain, size, free shares (0 or 1)
MERGER: Final = 5  # seat, mask of all chains that meet
MERGED: Final = 6  # seat, survivor, mask of the defunct, size of the survivor now
BONUS: Final = 7  # seat, chain, rank, amount
DISPOSED: Final = 8  # seat, chain, held, traded, sold
BOUGHT: Final = 9  # seat, purchase (see core.acquire.action), cost
CANNOT_BUY: Final = 10  # seat: the bank has shares of chains on the board, all too dear
END_ANNOUNCED: Final = 11  # seat
DREW: Final = 12  # seat, tile
LAST_TILE: Final = 13  # seat: the bag is empty now
DEAD_TILE: Final = 14  # seat, tile
FINAL_BONUS: Final = 15  # seat, chain, rank, amount
FINAL_SALE: Final = 16  # seat, chain, shares, amount
NEW_HAND: Final = 17  # seat, tile: one of the hand that is set aside for another
PHANTOM_DRAWN: Final = 18  # seat, tile, shares that the bank counts as holding

# Ranks of a bonus
FIRST: Final = 0
SECOND: Final = 1
BOTH: Final = 2
TIE: Final = 3
TIE_SECOND: Final = 4
RANKS: Final = ("first", "second", "both", "tie", "tie_second")
