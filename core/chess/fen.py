"""Forsyth-Edwards Notation, read strictly and written as python-chess writes it.

Reference: PGN standard, section 16.1. The en passant field is written only where the capture is legal.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.moves import (
    EMPTY,
    EN_PASSANT,
    FLAGS,
    FULLMOVES,
    HALFMOVES,
    HASH,
    KINGS,
    MAILBOX,
    PAWNS,
    ROOKS,
    SIDE,
    TURN,
    attackers,
    en_passant_captors,
)  # fmt: skip
from core.chess.position import Position, fresh_hash
from core.chess.tables import BIT, RANK_1, RANK_8, count, lowest

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PIECES: Final = "PNBRQKpnbrqk"
FILES: Final = "abcdefgh"


def position_from_fen(text: str) -> Position:
    """The position that a FEN describes; the two counters may be left out.

    ValueError says what is wrong: the form, or a position that cannot be.
    """
    fields = text.split()
    if len(fields) < 2 or len(fields) > 6:
        raise ValueError(f"a FEN has 6 fields, this one {len(fields)}: {text[:100]!r}")
    fields += ["-", "-", "0", "1"][len(fields) - 2 :]
    position = Position()
    board = position.board
    _read_pieces(board, fields[0])
    if fields[1] not in ("w", "b"):
        raise ValueError(f"FEN: side to move must be w or b, not {fields[1][:20]!r}")
    board[TURN] = 1 if fields[1] == "b" else 0
    board[FLAGS] = _castling_rights(board, fields[2])
    board[EN_PASSANT] = _en_passant_square(board, fields[3])
    board[HALFMOVES] = _number(fields[4], "half-move clock", 0, 100)
    board[FULLMOVES] = _number(fields[5], "move number", 0, 99_999)
    if not board[FULLMOVES]:
        board[FULLMOVES] = 1
    _check(board)
    if board[EN_PASSANT] and not en_passant_captors(board, board[TURN], board[EN_PASSANT]):
        board[EN_PASSANT] = 0
    board[HASH] = fresh_hash(board)
    position.start = fen(position)
    return position


def fen(position: Position) -> str:
    """The position in six fields."""
    board = position.board
    ranks: list[str] = []
    for rank in range(7, -1, -1):
        row = ""
        empty = 0
        for file in range(8):
            piece = board[MAILBOX + rank * 8 + file]
            if piece == EMPTY:
                empty += 1
                continue
            row += (str(empty) if empty else "") + PIECES[piece]
            empty = 0
        ranks.append(row + (str(empty) if empty else ""))
    flags = int(board[FLAGS])
    castling = "".join([right for index, right in enumerate("KQkq") if flags >> index & 1])
    passed = int(board[EN_PASSANT])
    return " ".join([
        "/".join(ranks),
        "b" if board[TURN] else "w",
        castling or "-",
        FILES[passed & 7] + str((passed >> 3) + 1) if passed else "-",
        str(board[HALFMOVES]),
        str(board[FULLMOVES]),
    ])  # fmt: skip


def _put(board: vec[i64], square: i64, piece: i64) -> None:
    """Put a piece on an empty square; the hash is left behind."""
    board[piece] |= BIT[square]
    board[SIDE + piece // 6] |= BIT[square]
    board[MAILBOX + square] = piece


def _read_pieces(board: vec[i64], text: str) -> None:
    rows = text.split("/")
    if len(rows) != 8:
        raise ValueError(f"FEN: 8 ranks expected, {len(rows)} found: {text[:80]!r}")
    for index, row in enumerate(rows):
        file = 0
        for letter in row:
            if letter in "12345678":
                file += int(letter)
            elif letter in PIECES and file < 8:
                _put(board, (7 - index) * 8 + file, PIECES.index(letter))
                file += 1
            else:
                file = 99
                break
        if file != 8:
            raise ValueError(f"FEN: rank {8 - index} is not 8 squares of pieces and digits: {row[:20]!r}")


def _castling_rights(board: vec[i64], text: str) -> i64:
    rights: i64 = 0
    if text == "-":
        return rights
    for letter in text:
        index = "KQkq".find(letter)
        if index < 0 or rights & BIT[index]:
            raise ValueError(f"FEN: castling must be letters of KQkq, not {text[:20]!r}")
        side: i64 = index // 2
        home = side * 56
        corner = home if index & 1 else home + 7
        if board[MAILBOX + home + 4] != side * 6 + KINGS or board[MAILBOX + corner] != side * 6 + ROOKS:
            raise ValueError(f"FEN: castling right {letter} without king and rook at home")
        rights |= BIT[index]
    return rights


def _en_passant_square(board: vec[i64], text: str) -> i64:
    if text == "-":
        return 0
    side = board[TURN]
    wanted = "3" if side else "6"
    if len(text) != 2 or text[0] not in FILES or text[1] != wanted:
        raise ValueError(f"FEN: en passant must be - or a square on rank {wanted}, not {text[:20]!r}")
    square: i64 = FILES.index(text[0]) + (16 if side else 40)
    origin, pawn = (square - 8, square + 8) if side else (square + 8, square - 8)
    if board[MAILBOX + pawn] != (1 - side) * 6 + PAWNS or not (
        board[MAILBOX + square] == EMPTY and board[MAILBOX + origin] == EMPTY
    ):
        raise ValueError(f"FEN: no pawn has just passed {text}")
    return square


def _number(text: str, name: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8 and least <= int(text) <= most):
        raise ValueError(f"FEN: {name} must be {least}..{most}, not {text[:20]!r}")
    return int(text)


def _check(board: vec[i64]) -> None:
    """ValueError for positions that no game reaches and the move generator need not bear."""
    for side in range(i64(2)):
        name = "Black" if side else "White"
        if count(board[side * 6 + KINGS]) != 1:
            raise ValueError(f"FEN: {name} must have one king, has {count(board[side * 6 + KINGS])}")
        if count(board[SIDE + side]) > 16 or count(board[side * 6 + PAWNS]) > 8:
            raise ValueError(f"FEN: {name} has more than 16 pieces or 8 pawns")
    if (board[PAWNS] | board[6 + PAWNS]) & (RANK_1 | RANK_8):
        raise ValueError("FEN: a pawn stands on the first or last rank")
    side = board[TURN]
    king = lowest(board[(1 - side) * 6 + KINGS])
    if attackers(board, king, side, board[SIDE] | board[SIDE + 1]):
        raise ValueError("FEN: the side that is not to move is in check")
