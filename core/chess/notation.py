"""Standard algebraic notation: a move as people write it (PGN standard, section 8.2.3).

Compiled, since evolution writes down every game with its expected lines: that takes python-chess 10 ms
a game, here less than one. What people type is read by engines.chess.pgn.
"""

from typing import Final

from mypy_extensions import i64

from core.chess.moves import CASTLING, EMPTY, MAILBOX, PAWNS, PROMOTION, count_moves, generate
from core.chess.position import Position
from core.chess.tables import ALL, BIT, FILE_A, RANK_1

LETTERS: Final = ["", "N", "B", "R", "Q", "K"]  # by kind of piece
PROMOTED: Final = ["=N", "=B", "=R", "=Q"]
FILES: Final = ["a", "b", "c", "d", "e", "f", "g", "h"]
RANKS: Final = ["1", "2", "3", "4", "5", "6", "7", "8"]
SQUARES: Final = [file + rank for rank in RANKS for file in FILES]


def san(position: Position, move: i64) -> str:
    """A legal move: e4, Nbd7, exd8=Q+, O-O-O. ValueError if it is not legal here."""
    text = _unchecked(position, move)
    position.make(move)
    if position.in_check():
        text += "+" if count_moves(position.board) else "#"
    position.undo()
    return text


def _unchecked(position: Position, move: i64) -> str:
    """The move without the sign of check or mate."""
    board = position.board
    moves = position.scratch
    origin, target, kind = move & 63, (move >> 6) & 63, move >> 12
    piece = board[MAILBOX + origin]
    end = generate(board, moves, 0, i64(ALL) if kind == CASTLING else BIT[target])
    legal = False
    others: i64 = 0  # other pieces of its kind that may go there
    for index in range(end):
        other = moves[index]
        if other == move:
            legal = True
        elif ((other >> 6) & 63) == target and board[MAILBOX + (other & 63)] == piece:
            others |= BIT[other & 63]
    if not legal:
        raise ValueError(f"illegal move: {move}")
    if kind == CASTLING:
        return "O-O" if target > origin else "O-O-O"
    if piece % 6 == PAWNS:
        text = FILES[origin & 7] + "x" if (origin ^ target) & 7 else ""
        text += SQUARES[target]
        return text + PROMOTED[kind - PROMOTION] if kind >= PROMOTION else text
    text = LETTERS[piece % 6]
    if others:
        text += _distinction(origin, others)
    if board[MAILBOX + target] != EMPTY:
        text += "x"
    return text + SQUARES[target]


def _distinction(origin: i64, others: i64) -> str:
    """The file of `origin` if that sets it apart from the others, else the rank, else both."""
    if not (others >> (origin & 7)) & FILE_A:
        return FILES[origin & 7]
    if not (others >> (origin & 56)) & RANK_1:
        return RANKS[origin >> 3]
    return SQUARES[origin]
