"""What typed programs can know: facts of the table, chains by name of their part in the move, and kinds of every chain.

A chain is a number among the others: its index, or NOBODY where there is none, whose every kind is 0. Each kind
has eight slots in a row, one a chain; the first slots of all are those of core.acquire.ranked.slots.
"""

from typing import Final

from core.acquire.ranked.slots import FEATURES as RANKED

CHAINS: Final = 8  # slots of a kind
NOBODY: Final = 7

# Facts, beside MONEY and OPPONENTS of core.acquire.ranked.slots.
BAG_LEFT: Final = RANKED  # tiles that nobody has drawn
ON_THE_BOARD: Final = RANKED + 1  # chains
MY_WORTH: Final = RANKED + 2  # what the seat would have if the game were over now
BEST_OTHER_WORTH: Final = RANKED + 3
BEST_OTHER_CASH: Final = RANKED + 4
FOUND_TILES: Final = RANKED + 5  # of the seat: tiles that would found a chain
CAN_END: Final = RANKED + 6  # 1: the end may be announced
I_LEAD: Final = RANKED + 7  # 1: the seat's worth is above that of everybody else

# Chains of the move considered.
FOUNDED: Final = RANKED + 8
GROWN: Final = RANKED + 9  # by the tile alone
SURVIVOR: Final = RANKED + 10
DEFUNCT: Final = RANKED + 11  # the largest of them
BOUGHT: Final = RANKED + 12

# Chains by size.
SMALLEST: Final = RANKED + 13
KTH: Final = RANKED + 14  # [rank from 1, the largest]: eight slots, the first is NOBODY

# Kinds.
FIRST_KIND: Final = KTH + CHAINS
SIZE: Final = 0  # tiles; of a chain that the move merges away, before it; so is the price
PRICE: Final = 1
START_PRICE: Final = 2  # of a chain of two tiles
HELD: Final = 3  # shares of the seat
LEFT: Final = 4  # shares of the bank
LEAD: Final = 5  # the seat's shares less those of the best of the others
BEST_OTHER: Final = 6  # shares of the best of the others
BONUS: Final = 7  # of the majority
PAYOFF: Final = 8  # what the seat would get if the chain were taken over now and it sold
GAIN: Final = 9  # the seat's bonus, if the chain were taken over now, less the best bonus of the others
MAJORITY: Final = 10  # 1: the seat has more shares than anybody else
SECOND: Final = 11  # 1: the seat would get a bonus, but not of the first
SAFE: Final = 12  # 1
MAX_SIZE: Final = 13  # 1
ON_BOARD: Final = 14  # 1
MERGE_TILES: Final = 15  # of the seat: tiles that would merge the chain with another
GROW_TILES: Final = 16  # of the seat: tiles that would make the chain grow
PERIMETER: Final = 17  # empty squares beside it
MERGE_SQUARES: Final = 18  # those of them that are beside another chain, too
DISTANCE: Final = 19  # steps to the nearest tile of another chain; 0 if there is no other
OTHERS_BOUGHT: Final = 20  # shares that the others have bought, each in its last turn
KINDS: Final = 21

# What the player remembers.
MEMORY: Final = FIRST_KIND + KINDS * CHAINS  # a number for each register
REGISTERS: Final = 4
FEATURES: Final = MEMORY + REGISTERS


def of_chains(kind: int) -> int:
    """The slot of this kind of chain 0."""
    return FIRST_KIND + CHAINS * kind
