"""Pawn formations as sets of squares: passed, guarded and stacked pawns, and islands of files.

Optional genes; the names are those that Genetic Chess gave to later genes of its own.
"""

from mypy_extensions import i64

from core.chess.moves import pawn_attacks
from core.chess.tables import FILE_A, FILE_H, UNDER_8, count


def passed_pawns(pawns: i64, enemies: i64, side: i64) -> i64:
    """Those with no enemy pawn in front of them, on their own file or one beside it."""
    fronts = _in_front(enemies, 1 - side)
    return pawns & ~(fronts | ((fronts << 1) & ~FILE_A) | ((fronts >> 1) & ~FILE_H))


def guarded_pawns(pawns: i64, side: i64) -> i64:
    """Those that another pawn of the side guards."""
    return pawns & pawn_attacks(pawns, side)


def stacked_pawns(pawns: i64, side: i64) -> i64:
    """Those in front of another pawn of the side."""
    return pawns & _in_front(pawns, side)


def pawn_islands(pawns: i64) -> i64:
    """How many groups of neighbouring files hold pawns."""
    files = pawns | (pawns >> 32)  # no pawn stands on the eighth rank, so the sign is never set
    files |= files >> 16
    files = (files | (files >> 8)) & 0xFF
    return count(files & ~(files << 1))


def _in_front(pawns: i64, side: i64) -> i64:
    """All squares ahead of the pawns on their files, as the side moves."""
    if side == 0:
        squares = pawns << 8
        squares |= squares << 8
        squares |= squares << 16
        return squares | (squares << 32)
    squares = (pawns >> 8) & UNDER_8
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | (squares >> 32)
