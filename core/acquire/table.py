"""The layout of a game's words: money, shares, chains, hands and whose turn it is, in one vec.

One vec is copied in one go, and read faster than attributes. Rows of seats and chains are eight words
apart. Money is in dollars. A tile is its cell on the bordered board (see core.acquire.board.board).
"""

from typing import Final

CASH: Final = 0  # [seat]
WORTH: Final = 8  # [seat]: final worth, once the game is over
BANK: Final = 16  # [chain]: shares left
SIZE: Final = 24  # [chain]: tiles
PRICE: Final = 32  # [chain]: of a share
OLD_SIZE: Final = 40  # [chain]: of a chain that is being merged away
OLD_PRICE: Final = 48  # [chain]
SHARES: Final = 56  # [seat * 8 + chain]
HANDS: Final = 104  # [seat * 8 + slot]: a tile, or 0
PHASE: Final = 152
SEAT: Final = 153  # who decides
TURN: Final = 154  # whose turn it is
IDLE: Final = 155  # turns in a row without a playable tile, the present one included
SILENT: Final = 156  # turns in a row without any decision
DRAWN: Final = 157  # tiles of the bag that are out
ON_BOARD: Final = 158  # chains, one bit each; so are the next three
SAFE: Final = 159
LARGE: Final = 160  # large enough to end the game
OPTIONS: Final = 161  # to choose from in FOUND, SURVIVOR and ORDER
OWED: Final = 162  # merged away, their holders not yet asked
TILE: Final = 163  # played this turn, or 0
SURVIVOR_OF: Final = 164  # the chain that stays in the merger
DEFUNCT: Final = 165  # the chain whose holders are asked
ANNOUNCED: Final = 166  # 1: the game ends with this turn
REASON: Final = 167  # why the game is over
PURCHASE: Final = 168  # [seat]: what it bought in its last turn, as an action
PHANTOM: Final = 176  # shares that count as the bank's in the bonuses that are being paid
WORDS: Final = 177

ROW: Final = 8  # words from one seat to the next

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
