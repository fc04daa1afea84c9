"""What the pieces left on the board can still achieve: dead positions and bare material."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.moves import BISHOPS, KINGS, KNIGHTS, PAWNS, QUEENS, ROOKS, SIDE
from core.chess.tables import count

DARK: Final = i64(-0x55AA55AA55AA55AB)  # the squares coloured like a1


def is_dead(board: vec[i64]) -> bool:
    """Neither side can mate by any series of moves (FIDE Laws, 5.2.2), as far as material tells."""
    if board[PAWNS] | board[6 + PAWNS] | board[ROOKS] | board[6 + ROOKS] | board[QUEENS] | board[6 + QUEENS]:
        return False
    knights = board[KNIGHTS] | board[6 + KNIGHTS]
    bishops = board[BISHOPS] | board[6 + BISHOPS]
    if knights:
        return not bishops and not knights & (knights - 1)
    return not bishops & DARK or not bishops & ~DARK


def can_mate(board: vec[i64], side: i64) -> bool:
    """Whether `side` could mate at all: a loss on time against bare material is a draw (FIDE Laws, 6.9)."""
    own = board[SIDE + side]
    base = side * 6
    other = 6 - base
    if own & ~(board[base + KNIGHTS] | board[base + BISHOPS] | board[base + KINGS]):
        return True
    knights = board[base + KNIGHTS]
    bishops = board[base + BISHOPS]
    if knights:
        helpers = board[SIDE + 1 - side] & ~board[other + KINGS] & ~board[other + QUEENS]
        return count(own) > 2 or helpers != 0
    if not bishops:
        return False
    both = bishops | board[other + BISHOPS]
    if both & DARK != 0 and both & ~DARK != 0:
        return True
    return board[other + PAWNS] | board[other + KNIGHTS] != 0
