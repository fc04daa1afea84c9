"""Chess as text: positions in Forsyth-Edwards Notation, moves in standard algebraic notation.

Reference: PGN standard, sections 16.1 and 8.2.3. FEN is read strictly and written as python-chess writes it: the
en passant field only where the capture is legal. SAN is compiled, since evolution writes down every game with its
expected lines: that takes python-chess 10 ms a game, here less than one. engines.chess.pgn reads what people type.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess.position import Position, fresh_hash

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PIECES: Final = "PNBRQKpnbrqk"
FILES: Final = "abcdefgh"
MOST_HALFMOVES: Final = 150  # then the game is over whether anybody claims it or not (FIDE Laws, 9.6.2)


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
    board[mg.TURN] = 1 if fields[1] == "b" else 0
    _set_castling(board, fields[2])
    board[mg.EN_PASSANT] = _en_passant_square(board, fields[3])
    board[mg.HALFMOVES] = _number(fields[4], "half-move clock", 0, MOST_HALFMOVES)
    board[mg.FULLMOVES] = _number(fields[5], "move number", 0, 99_999)
    if not board[mg.FULLMOVES]:
        board[mg.FULLMOVES] = 1
    _check(board)
    position.passed = board[mg.EN_PASSANT]
    if board[mg.EN_PASSANT] and not mg.en_passant_captors(board, board[mg.TURN], board[mg.EN_PASSANT]):
        board[mg.EN_PASSANT] = 0
    board[mg.HASH] = fresh_hash(board)
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
            piece = board[mg.MAILBOX + rank * 8 + file]
            if piece == mg.EMPTY:
                empty += 1
                continue
            row += (str(empty) if empty else "") + PIECES[piece]
            empty = 0
        ranks.append(row + (str(empty) if empty else ""))
    flags = int(board[mg.FLAGS])
    castling = "".join([_right(board, index) for index in range(4) if flags >> index & 1])
    passed = int(board[mg.EN_PASSANT])
    return " ".join([
        "/".join(ranks),
        "b" if board[mg.TURN] else "w",
        castling or "-",
        FILES[passed & 7] + str((passed >> 3) + 1) if passed else "-",
        str(board[mg.HALFMOVES]),
        str(board[mg.FULLMOVES]),
    ])  # fmt: skip


def _put(board: vec[i64], square: i64, piece: i64) -> None:
    """Put a piece on an empty square; the hash is left behind."""
    board[piece] |= bb.BIT[square]
    board[mg.SIDE + piece // 6] |= bb.BIT[square]
    board[mg.MAILBOX + square] = piece


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


def _right(board: vec[i64], index: i64) -> str:
    """KQkq where the rook is the outermost on its wing, else the letter of its file (X-FEN)."""
    rook = board[mg.CASTLING_ROOK + index]
    letter = (
        "KQkq"[index] if rook == _outermost_rook(board, index // 2, index & 1) else FILES[rook & 7].upper()
    )
    return letter if index < 2 else letter.lower()


def _outermost_rook(board: vec[i64], side: i64, wing: i64) -> i64:
    """The square of the side's rook that is farthest from its king, at home on that wing; -1: there is none."""
    king = bb.lowest(board[side * 6 + mg.KINGS])
    square = side * 56 + (0 if wing else 7)
    step = 1 if wing else -1
    while square != king:
        if board[mg.MAILBOX + square] == side * 6 + mg.ROOKS:
            return square
        square += step
    return -1


def _set_castling(board: vec[i64], text: str) -> None:
    """Rights as KQkq, or by the rooks' files as AHah (Shredder-FEN), or both (X-FEN)."""
    if text == "-":
        return
    for letter in text:
        side: i64 = 1 if letter.islower() else 0
        home = side * 56
        kings = board[side * 6 + mg.KINGS] & (bb.RANK_8 if side else bb.RANK_1)
        king = bb.lowest(kings) if kings else i64(-1)
        rook: i64 = -1
        if letter in "KQkq":
            if king >= 0:
                rook = _outermost_rook(board, side, 1 if letter in "Qq" else 0)
        elif letter in "ABCDEFGHabcdefgh":
            rook = home + "abcdefgh".index(letter.lower())
            if board[mg.MAILBOX + rook] != side * 6 + mg.ROOKS:
                rook = -1
        else:
            raise ValueError(f"FEN: castling must be letters of KQkq, or of files, not {text[:20]!r}")
        if king < 0 or rook < 0:
            raise ValueError(f"FEN: castling right {letter} without king and rook at home")
        wing: i64 = 0 if rook > king else 1
        if board[mg.FLAGS] & bb.BIT[side * 2 + wing]:
            raise ValueError(f"FEN: castling right {letter} is there twice: {text[:20]!r}")
        board[mg.FLAGS] |= bb.BIT[side * 2 + wing]
        mg.set_castling(board, side, wing, king, rook)
        if king & 7 != 4 or rook & 7 != (0 if wing else 7):
            board[mg.CHESS960] = 1


def _en_passant_square(board: vec[i64], text: str) -> i64:
    if text == "-":
        return 0
    side = board[mg.TURN]
    wanted = "3" if side else "6"
    if len(text) != 2 or text[0] not in FILES or text[1] != wanted:
        raise ValueError(f"FEN: en passant must be - or a square on rank {wanted}, not {text[:20]!r}")
    square: i64 = FILES.index(text[0]) + (16 if side else 40)
    origin, pawn = (square - 8, square + 8) if side else (square + 8, square - 8)
    if board[mg.MAILBOX + pawn] != (1 - side) * 6 + mg.PAWNS or not (
        board[mg.MAILBOX + square] == mg.EMPTY and board[mg.MAILBOX + origin] == mg.EMPTY
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
        if bb.count(board[side * 6 + mg.KINGS]) != 1:
            raise ValueError(f"FEN: {name} must have one king, has {bb.count(board[side * 6 + mg.KINGS])}")
        if bb.count(board[mg.SIDE + side]) > 16 or bb.count(board[side * 6 + mg.PAWNS]) > 8:
            raise ValueError(f"FEN: {name} has more than 16 pieces or 8 pawns")
    if (board[mg.PAWNS] | board[6 + mg.PAWNS]) & (bb.RANK_1 | bb.RANK_8):
        raise ValueError("FEN: a pawn stands on the first or last rank")
    side = board[mg.TURN]
    king = bb.lowest(board[(1 - side) * 6 + mg.KINGS])
    if mg.attackers(board, king, side, board[mg.SIDE] | board[mg.SIDE + 1]):
        raise ValueError("FEN: the side that is not to move is in check")


# -- Standard algebraic notation --------------------------------------------------------------------

LETTERS: Final = ["", "N", "B", "R", "Q", "K"]  # by kind of piece
PROMOTED: Final = ["=N", "=B", "=R", "=Q"]
RANKS: Final = ["1", "2", "3", "4", "5", "6", "7", "8"]
SQUARES: Final = [file + rank for rank in RANKS for file in FILES]


def san(position: Position, move: i64) -> str:
    """A legal move: e4, Nbd7, exd8=Q+, O-O-O. ValueError if it is not legal here."""
    text = _unchecked(position, move)
    position.make(move)
    if position.in_check():
        text += "+" if mg.count_moves(position.board) else "#"
    position.undo()
    return text


def _unchecked(position: Position, move: i64) -> str:
    """The move without the sign of check or mate."""
    board = position.board
    moves = position.scratch
    origin, target, kind = move & 63, (move >> 6) & 63, move >> 12
    piece = board[mg.MAILBOX + origin]
    end = mg.generate(board, moves, 0, i64(bb.ALL) if kind == mg.CASTLING else bb.BIT[target])
    legal = False
    others: i64 = 0  # other pieces of its kind that may go there
    for index in range(end):
        other = moves[index]
        if other == move:
            legal = True
        elif ((other >> 6) & 63) == target and board[mg.MAILBOX + (other & 63)] == piece:
            others |= bb.BIT[other & 63]
    if not legal:
        raise ValueError(f"illegal move: {move}")
    if kind == mg.CASTLING:
        return "O-O" if target > origin else "O-O-O"
    if piece % 6 == mg.PAWNS:
        text = FILES[origin & 7] + "x" if (origin ^ target) & 7 else ""
        text += SQUARES[target]
        return text + PROMOTED[kind - mg.PROMOTION] if kind >= mg.PROMOTION else text
    text = LETTERS[piece % 6]
    if others:
        text += _distinction(origin, others)
    if board[mg.MAILBOX + target] != mg.EMPTY:
        text += "x"
    return text + SQUARES[target]


def _distinction(origin: i64, others: i64) -> str:
    """The file of `origin` if that sets it apart from the others, else the rank, else both."""
    if not (others >> (origin & 7)) & bb.FILE_A:
        return FILES[origin & 7]
    if not (others >> (origin & 56)) & bb.RANK_1:
        return RANKS[origin >> 3]
    return SQUARES[origin]
