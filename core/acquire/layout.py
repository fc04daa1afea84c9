"""The indices of numbers in the fields of a position: private to core.acquire.

All numbers that change in a game are in one vec, in which rows of seats and of chains are eight words apart. One vec
is copied at once and read faster than attributes. Money is in dollars, a set of chains is a mask
(core.acquire.board). Other packages use the accessors of core.acquire.position.
"""

from typing import Final

CASH: Final = 0  # [seat]
NET_WORTH: Final = 8  # [seat], once the game is over
BANK: Final = 16  # [chain]: shares left
SIZE: Final = 24  # [chain]: tiles
PRICE: Final = 32  # [chain]: price of a share
OLD_SIZE: Final = 40  # [chain]: size of a defunct chain before the merger
OLD_PRICE: Final = 48  # [chain]: its price before the merger
SHARES: Final = 56  # [seat * 8 + chain]
HANDS: Final = 104  # [seat * 8 + slot]: a tile, 0 for none, or HIDDEN
PHASE: Final = 152
SEAT: Final = 153  # the seat that decides
TURN: Final = 154  # the seat whose turn it is
TURNS_WITHOUT_TILE: Final = 155  # turns in a row without a playable tile, the present one included
DRAWN: Final = 156  # tiles drawn from the bag
ON_BOARD: Final = 157  # a mask of chains, as are SAFE, ENDS_GAME, OPTIONS and PENDING
SAFE: Final = 158
ENDS_GAME: Final = 159  # large enough to end the game
OPTIONS: Final = 160  # chains to choose from in FOUND, SURVIVOR and ORDER
PENDING: Final = 161  # defunct chains whose holders have not been asked yet
TILE: Final = 162  # played this turn, or 0
SURVIVOR_OF: Final = 163  # the chain that stays in the merger
DEFUNCT: Final = 164  # the chain whose holders are asked
ANNOUNCED: Final = 165  # 1: the game ends with this turn
REASON: Final = 166  # the reason for the end of the game (core.acquire.actions)
PURCHASE: Final = 167  # [seat]: the purchase of its last turn (core.acquire.actions)
FIELD_COUNT: Final = 175

STRIDE: Final = 8  # fields from one seat to the next

CELL_SHIFT: Final = 8  # an entry of the undo log is (old value of a cell << 8) | number of the cell
