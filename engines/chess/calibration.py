"""Calibration by games: the chances that belong to a score, and the nodes a move that belong to a strength in Elo.

Both are fits to games of an earlier `evolved`, and only estimates for other genomes; engines/chess/RESULTS.md names
the games.
"""

from itertools import pairwise
from math import exp, log
from typing import Final

MAX_CENTS: Final = 1500  # larger scores do not change the chances

# A score wins with the probability 1 / (1 + exp((distance - cents) / width)), and loses with that of -cents. Both
# numbers are hundredths of a pawn, in the endgame and in the opening.
DISTANCE: Final = (505.0, 140.0)
WIDTH: Final = (223.0, 269.0)

# Elo on Stockfish's scale, and the nodes a move for that strength: 16 to 40 games each except for the first pair,
# which lies on the line from 60 nodes to 10.
NODES: Final = ((800, 17), (1160, 60), (1580, 300), (1940, 3_000), (2080, 30_000), (2410, 300_000))


def chances(cents: int, mate: int | None, opening: float) -> tuple[int, int, int]:
    """Return the chances to win, to draw and to lose, in thousandths.

    `cents` and `mate` are the score of the side to move; `opening` is the share of the game's pieces left, from 0 to
    1.
    """
    if mate:
        return (1000, 0, 0) if mate > 0 else (0, 0, 1000)
    distance, width = (end + (begin - end) * opening for end, begin in (DISTANCE, WIDTH))
    bounded = max(-MAX_CENTS, min(cents, MAX_CENTS))
    won, lost = (round(1000 / (1 + exp((distance - score) / width))) for score in (bounded, -bounded))
    return won, 1000 - won - lost, lost


def nodes_for(elo: int) -> int:
    """Return the nodes a move for a strength, interpolated between two measured strengths by the logarithm."""
    (low, few), (high, many) = next(
        (pair for pair in pairwise(NODES) if elo <= pair[1][0]), (NODES[-2], NODES[-1])
    )
    share = (elo - low) / (high - low)
    return max(1, round(exp(log(few) + share * (log(many) - log(few)))))
