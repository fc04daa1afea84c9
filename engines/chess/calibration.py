"""Calibration by games: scores as other engines give them, the chances that belong to a score, and Elo in nodes.

A genome's own pawn is a 39th of its army, whatever else it counts; with the pawns of `evolved-1` a lost rook would read -10
to -27. Today's engines normalise their scores: 100 is the advantage with which half the games are won. Users, and
programs that end games by score, expect that. An advantage of as many pawns wins less often in the endgame, so the
factor depends on the pieces that are left.

All are fits to games of `evolved`, and only estimates for other genomes;
engines/chess/RESULTS.md names the games.
"""

from dataclasses import replace
from itertools import pairwise
from math import exp, log
from typing import Final

from engines.engine import Info

# The factor that turns hundredths of a genome's pawn into hundredths as other engines give them, in the endgame and
# in the opening; between them it is interpolated by the share of the pieces that are left.
FACTOR: Final = (0.28, 0.95)
# With the score `cents` a side wins with the probability 1 / (1 + exp((100 - cents) / width)), and loses with that of
# -cents: `width` in the endgame and in the opening.
WIDTH: Final = (15.0, 130.0)
MAX_EXPONENT: Final = 30.0

# Elo on Stockfish's scale, and the nodes a move for that strength: 60 games each, the last 26; the first pair lies on
# the line from 60 nodes to the 10 of an earlier player.
NODES: Final = ((800, 16), (1240, 60), (1660, 300), (1910, 3_000), (2080, 30_000), (2340, 300_000))


def factor(opening: float) -> float:
    """Return the factor from hundredths of a genome's pawn to the scores of other engines.

    `opening` is the share of the game's pieces left, from 0 to 1.
    """
    return FACTOR[0] + (FACTOR[1] - FACTOR[0]) * opening


def normalised(cents: int, opening: float) -> int:
    """Return a score in hundredths of a genome's pawn as other engines give it: 100 wins half the games."""
    size = int(abs(cents) * factor(opening) + 0.5)
    return size if cents >= 0 else -size


def normalised_info(info: Info, opening: float) -> Info:
    """Return a player's info with normalised scores, those of its alternatives included. Mates stay as they are."""
    if info.cents is None:
        return info
    lines = tuple(
        line if line.mate else replace(line, cents=normalised(line.cents, opening))
        for line in info.alternatives
    )
    cents = info.cents if info.mate else normalised(info.cents, opening)
    return replace(info, cents=cents, alternatives=lines)


def chances(cents: int, mate: int | None, opening: float) -> tuple[int, int, int]:
    """Return the chances to win, to draw and to lose, in thousandths.

    `cents` and `mate` are the normalised score of the side to move.
    """
    if mate:
        return (1000, 0, 0) if mate > 0 else (0, 0, 1000)
    width = WIDTH[0] + (WIDTH[1] - WIDTH[0]) * opening
    exponents = (max(-MAX_EXPONENT, min((100 - score) / width, MAX_EXPONENT)) for score in (cents, -cents))
    won, lost = (round(1000 / (1 + exp(exponent))) for exponent in exponents)
    return won, 1000 - won - lost, lost


def nodes_for(elo: int) -> int:
    """Return the nodes a move for a strength, interpolated between two measured strengths by the logarithm."""
    (low, few), (high, many) = next(
        (pair for pair in pairwise(NODES) if elo <= pair[1][0]), (NODES[-2], NODES[-1])
    )
    share = (elo - low) / (high - low)
    return max(1, round(exp(log(few) + share * (log(many) - log(few)))))
