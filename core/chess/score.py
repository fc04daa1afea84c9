"""Scores as the searches count them: units of a genome's priorities, and mates beyond all of them.

Winning is infinite (Genetic Chess, section 3.1); an earlier mate is worth a unit more for each ply.
"""

from typing import Final

from mypy_extensions import i64

UNITS: Final = 16_777_216.0  # all priorities of a genome together
LIMIT: Final = 134_217_728  # no evaluation is larger, every mate is
MATE: Final = 268_435_456  # mate on the board; one less for each ply before it
INFINITE: Final = 536_870_912


def is_mate(score: i64) -> bool:
    return score > LIMIT or score < -LIMIT


def moves_to_mate(score: i64) -> int:
    """Moves to the mate that a score tells of: positive if its owner mates, 0 if it tells of none."""
    if score > LIMIT:
        return int(MATE - score + 1) // 2
    if score < -LIMIT:
        return -(int(MATE + score + 1) // 2)
    return 0
