"""Where the pieces stand: a bonus by square for each kind, of two patterns that a genome weighs.

An optional gene, which the Genetic Chess of 2017 had not.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.tables import lowest


def _centrality(square: int) -> float:
    """From 0 on the rim of the board to 1 on its four central squares."""
    file, rank = square % 8, square // 8
    return min([file, 7 - file, rank, 7 - rank]) / 3


CENTRE: Final = [_centrality(square) for square in range(64)]


def places(centre: tuple[float, ...], advance: tuple[float, ...]) -> list[float]:
    """[kind * 64 + square]: the bonus of a piece of White's, from the two bonuses of its kind."""
    bonuses: list[float] = []
    for middle, last in zip(centre, advance, strict=True):
        ranks = [last * rank / 7 for rank in range(8)]
        bonuses += [middle * CENTRE[square] + ranks[square >> 3] for square in range(64)]
    return bonuses


def placed(board: vec[i64], side: i64, table: vec[i64]) -> i64:
    """The sum of a side's bonuses; Black sees the board from its own end."""
    mirror = side * 56
    score: i64 = 0
    for kind in range(i64(6)):
        pieces = board[side * 6 + kind]
        while pieces:
            score += table[kind * 64 + (lowest(pieces) ^ mirror)]
            pieces &= pieces - 1
    return score
