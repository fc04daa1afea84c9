"""What programs can know of a state: features, each with its place among an expression's values.

Chains are ranked by size, ties by their index; where no chain has a rank, its features are 0. Money is in dollars
or in hundreds of them. Reference: "Evolving Board Evaluation Functions", section 3.2 and Appendix A.
"""

from typing import Final

MONEY: Final = 0  # of the seat
OPPONENTS: Final = 1
OF_CHAINS: Final = 2  # from here on, KINDS for each rank: of the largest chain, the second, the third
RANKS: Final = 3

# The kinds.
DISTANCE: Final = 0  # steps to the nearest tile of another chain; 0 if there is no other
BONUS: Final = 1  # of the majority
PAYOFF: Final = 2  # what the seat would get if the chain were taken over now and it sold
PERIMETER: Final = 3  # empty squares beside it
PRICE: Final = 4
TILES: Final = 5
HELD: Final = 6  # shares of the seat
LEFT: Final = 7  # shares of the bank
LEADS: Final = 8  # 1: the seat has more shares than anybody else
ENDS: Final = 9  # 1: the chain is large enough to end the game
SAFE: Final = 10  # 1
KINDS: Final = 11
FEATURES: Final = OF_CHAINS + KINDS * RANKS


def ranked(kind: int, rank: int) -> int:
    """The feature of this kind of the chain of this rank, from 0."""
    return OF_CHAINS + rank * KINDS + kind


def every_rank(kind: int) -> int:
    """The bits of all features of this kind."""
    bits = 0
    for rank in range(RANKS):
        bits |= 2 ** ranked(kind, rank)
    return bits


DEAR: Final = every_rank(DISTANCE) | every_rank(PERIMETER)  # the bits of those that are found by a search
