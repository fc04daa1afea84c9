"""Chess as text: positions in Forsyth-Edwards Notation, moves in standard algebraic notation.

Reference: PGN standard, sections 16.1, 16.2 and 8.2.3. FEN is written as python-chess writes it: the en passant field
names a square only if the capture is legal. SAN is compiled, since evolution records every game with its expected
lines: this takes python-chess 10 ms a game, and this module less than 1 ms. engines.chess.pgn reads moves that people
type.

All parts of the program read positions here: UCI, CECP, JSON lines, MQTT, opening files, the command line. Programs
and databases write FENs whose fields contradict the board. Such fields are dropped, with an entry in
`Position.notes`: castling rights without king and rook at home, en passant squares that no pawn has passed, counters
out of range, text after the FEN. Only a FEN without a sensible reading raises ValueError: because of the board, the
side to move, the kings.

A castling right stands for a king on the e-file and a rook on the a- or h-file, unless the game is Chess960. A
protocol announces Chess960. Without an announcement (in a file, on the command line) a FEN is read as Chess960 if its
letters are the files of rooks on other files (Shredder-FEN, HFhf), or if KQkq fits one starting array for both sides,
with the kings off the e-file or every piece at home. In any other case KQkq is taken for a right that was not
removed, since a rook that has moved is far commoner than such an array. fen() therefore writes the files of the rooks
where KQkq would not be read back.
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
MAX_HALFMOVES: Final = 150  # then the game is drawn without a claim (FIDE Laws, 9.6.2)
MAX_FULLMOVES: Final = 99_999
MAX_RIGHTS: Final = 16  # letters of a castling field that are read
RIGHTS: Final = "KQkq"
DASHES: Final = "-\u2010\u2011\u2012\u2013\u2014\u2212_"  # each stands for an empty field
TURNS: Final = {"w": 0, "white": 0, "b": 1, "black": 1}


def position_from_fen(text: str, is_chess960: bool | None = None) -> Position:
    """Return the position that a FEN describes; its `notes` list the fields that were missing, dropped or changed.

    Fields after the first may be left out, and EPD operations may follow. `is_chess960` is whether Chess960 was
    announced; with None the FEN decides. Raises ValueError, with the reason, if the FEN describes no valid position.
    """
    line, operations = split_epd(text)
    fields = line.split(" ")
    position = Position()
    board, notes = position.board, position.notes
    _read_pieces(board, fields[0])
    if len(fields) == 1:
        fields.append("w")
        notes.append("FEN: the side to move is missing and becomes White")
    side = TURNS.get(fields[1].lower(), -1)
    if side < 0:
        raise ValueError(f"FEN: side to move must be w or b, not {fields[1][:20]!r}")
    board[mg.TURN] = side
    fields += ["-", "-", "0", "1"][len(fields) - 2 :]
    _check(board)
    _set_castling(board, fields[2], is_chess960, notes)
    board[mg.EN_PASSANT] = _en_passant_square(board, fields[3], notes)
    board[mg.HALFMOVES] = _number(fields[4], "half-move clock", MAX_HALFMOVES, notes)
    board[mg.FULLMOVES] = _number(fields[5], "move number", MAX_FULLMOVES, notes)
    if not board[mg.FULLMOVES]:
        board[mg.FULLMOVES] = 1
    position.passed = board[mg.EN_PASSANT]
    if operations:
        notes.append(f"FEN: the text after it is ignored: {operations[:40]!r}")
    if board[mg.EN_PASSANT] and not mg.en_passant_captors(board, board[mg.TURN], board[mg.EN_PASSANT]):
        board[mg.EN_PASSANT] = 0
    board[mg.HASH] = fresh_hash(board)
    position.start = fen(position)
    return position


def split_epd(text: str) -> tuple[str, str]:
    """Return the FEN at the start of a line, with one space between its fields, and the EPD operations after the FEN.

    EPD writes the counters of a FEN as the operations `hmvc` and `fmvn`, which become the FEN's last two fields.
    """
    fields, rest = _fields(text)
    counters = ["", ""]
    operations: list[str] = []
    for operation in _operations(rest):
        words = operation.split()
        if len(fields) < 5 and len(words) == 2 and words[0] in ("hmvc", "fmvn") and _is_number(words[1]):
            counters[0 if words[0] == "hmvc" else 1] = words[1]
        else:
            operations.append(operation)
    if counters[0] or counters[1]:
        fields += ["w", "-", "-"][len(fields) - 1 :]
        fields += [counters[0] or "0", counters[1] or "1"]
    return " ".join(fields), "".join([f"{operation};" for operation in operations])


def _fields(text: str) -> tuple[list[str], str]:
    """Return the fields of a FEN, at most six, and the text after them."""
    fields: list[str] = []
    words = text.split(None, 1)
    while words and len(fields) < 6:
        word = words[0]
        following = words[1].split(None, 1)[0] if len(words) > 1 else ""
        at = len(fields)
        if at == 2 and not _consists_of(word, "KQkqABCDEFGHabcdefgh"):
            if _is_square(word) or _is_number(word):
                fields.append("-")  # the field was left out
                continue
            if not (_consists_of(following, "") or _is_square(following)):
                break
        elif at == 3 and not (_consists_of(word, "") or _is_square(word)):
            if _is_number(word):
                fields.append("-")
                continue
            if not _is_number(following):
                break
        elif at >= 4 and not (_consists_of(word, "") or _is_number(word)):
            break
        fields.append(word)
        words = words[1].split(None, 1) if len(words) > 1 else []
    return fields or [""], " ".join(words)


def _consists_of(word: str, letters: str) -> bool:
    """Return whether a word is not empty and consists of these letters and of dashes only."""
    for letter in word:
        if letter not in letters and letter not in DASHES:
            return False
    return word != ""


def _is_square(word: str) -> bool:
    return len(word) == 2 and word[0].lower() in FILES and word[1] in "0123456789"


def _is_number(word: str) -> bool:
    digits = word[1:] if word[:1] in ("-", "+") else word
    return digits.isascii() and digits.isdigit()


def _operations(text: str) -> list[str]:
    """Return the operations of an EPD line; a semicolon in quotation marks ends no operation."""
    found: list[str] = []
    begun = 0
    is_quoted = False
    for index, letter in enumerate(text):
        if letter == '"':
            is_quoted = not is_quoted
        elif letter == ";" and not is_quoted:
            found.append(text[begun:index].strip())
            begun = index + 1
    found.append(text[begun:].strip())
    return [operation for operation in found if operation]


def fen(position: Position) -> str:
    """Return the FEN of a position, with all six fields."""
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
    castling = _castling_text(board)
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
    """Put a piece on an empty square, without updating the hash."""
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
            elif letter != "~":  # some variants write it after a promoted piece
                file = 99
                break
        if file != 8:
            raise ValueError(f"FEN: rank {8 - index} is not 8 squares of pieces and digits: {row[:20]!r}")


def _castling_text(board: vec[i64]) -> str:
    """Return the castling field: KQkq, with the rook's file for a right that its letter would not restore."""
    rooks = vec[i64]([-1] * 4)
    for index in range(i64(4)):
        if board[mg.FLAGS] >> index & 1:
            rooks[index] = board[mg.CASTLING_ROOK + index]
    is_told = board[mg.CHESS960] == 0 or _tells_chess960(board, rooks)
    text = ""
    for index in range(i64(4)):
        rook = rooks[index]
        if rook < 0:
            continue
        is_outermost = rook == _outermost_rook(board, index // 2, index & 1)
        if _is_standard(board, index, rook) or (is_told and is_outermost):
            text += RIGHTS[index]
        else:
            text += FILES[rook & 7].upper() if index < 2 else FILES[rook & 7]
    return text


def _outermost_rook(board: vec[i64], side: i64, wing: i64) -> i64:
    """Return the square of the outermost rook on the side's first rank on that wing, or -1 if there is none."""
    king = bb.lowest(board[side * 6 + mg.KINGS])
    square = side * 56 + (0 if wing else 7)
    step = 1 if wing else -1
    while square != king:
        if board[mg.MAILBOX + square] == side * 6 + mg.ROOKS:
            return square
        square += step
    return -1


def _set_castling(board: vec[i64], text: str, is_chess960: bool | None, notes: list[str]) -> None:
    """Set the rights that a FEN names as KQkq, by the rooks' files as AHah (Shredder-FEN), or both (X-FEN)."""
    rooks = vec[i64]([-1] * 4)
    letters = ["", "", "", ""]
    dropped = ""
    has_files = False
    for letter in text[:MAX_RIGHTS]:
        if letter in DASHES:
            continue
        side: i64 = 1 if letter.islower() else 0
        rook = _rook_named(board, side, letter)
        index = side * 2 + (0 if rook > bb.lowest(board[side * 6 + mg.KINGS]) else 1)
        if rook < 0 or (rooks[index] >= 0 and rooks[index] != rook):
            dropped += letter
            continue
        rooks[index], letters[index] = rook, letter
        if letter not in RIGHTS and not _is_standard(board, index, rook):
            has_files = True
    is_allowed = is_chess960 is True
    if is_chess960 is None:
        is_allowed = has_files or (not dropped and _tells_chess960(board, rooks))
    is_other = False
    for index in range(i64(4)):
        rook = rooks[index]
        if rook < 0:
            continue
        side = index // 2
        if not _is_standard(board, index, rook):
            is_other = True
            if not is_allowed:
                dropped += letters[index]
                continue
        board[mg.FLAGS] |= bb.BIT[index]
        mg.set_castling(board, side, index & 1, bb.lowest(board[side * 6 + mg.KINGS]), rook)
    if is_chess960 is True or (is_other and is_allowed):
        board[mg.CHESS960] = 1
    if is_chess960 is None and is_other and is_allowed:
        notes.append(f"FEN: read as Chess960 because of the castling rights {text[:MAX_RIGHTS]}")
    if dropped:
        why = "king or rook is not at home"
        if is_other and is_chess960 is None:
            why += " (in Chess960 write the files of the rooks, such as HFhf)"
        elif is_other and not is_allowed:
            why += " (Chess960 is off)"
        notes.append(f"FEN: castling rights {dropped!r} dropped: {why}")


def _rook_named(board: vec[i64], side: i64, letter: str) -> i64:
    """Return the square of the rook that a castling letter names, or -1 if king or rook is not on the first rank."""
    if not board[side * 6 + mg.KINGS] & (bb.RANK_8 if side else bb.RANK_1):
        return -1
    if letter in RIGHTS:
        return _outermost_rook(board, side, 1 if letter in "Qq" else 0)
    file = FILES.find(letter.lower())
    rook = side * 56 + file
    return rook if file >= 0 and board[mg.MAILBOX + rook] == side * 6 + mg.ROOKS else i64(-1)


def _is_standard(board: vec[i64], index: i64, rook: i64) -> bool:
    """Return whether the king of a right stands on the e-file and its rook in the corner."""
    king = bb.lowest(board[index // 2 * 6 + mg.KINGS])
    return king & 7 == 4 and rook & 7 == (0 if index & 1 else 7)


def _tells_chess960(board: vec[i64], rooks: vec[i64]) -> bool:
    """Return whether KQkq with these rooks (one for each right, -1 for none) can only be meant for Chess960.

    For this, both sides have rights that fit one array, and the kings stand off the e-file or every piece is at home.
    """
    king = bb.lowest(board[mg.KINGS])
    if king + 56 != bb.lowest(board[6 + mg.KINGS]):
        return False
    for wing in range(i64(2)):
        white, black = rooks[wing], rooks[2 + wing]
        if white >= 0 and black >= 0 and white + 56 != black:
            return False
    if (rooks[0] < 0 and rooks[1] < 0) or (rooks[2] < 0 and rooks[3] < 0):
        return False
    if king != 4:
        return True
    for square in range(i64(8)):
        piece = board[mg.MAILBOX + square]
        if piece == mg.EMPTY or board[mg.MAILBOX + 56 + square] != piece + 6:
            return False
    return True


def _en_passant_square(board: vec[i64], text: str, notes: list[str]) -> i64:
    """Return the square that a pawn has just passed, or 0 if there is none, with a note if the text names one."""
    if _consists_of(text, ""):
        return 0
    side = board[mg.TURN]
    if len(text) == 2 and text[0].lower() in FILES and text[1] == ("3" if side else "6"):
        square: i64 = FILES.index(text[0].lower()) + (16 if side else 40)
        origin, pawn = (square - 8, square + 8) if side else (square + 8, square - 8)
        if board[mg.MAILBOX + pawn] == (1 - side) * 6 + mg.PAWNS and (
            board[mg.MAILBOX + square] == mg.EMPTY and board[mg.MAILBOX + origin] == mg.EMPTY
        ):
            return square
    notes.append(f"FEN: en passant square {text[:20]!r} dropped: no pawn has just passed it")
    return 0


def _number(text: str, name: str, most: int, notes: list[str]) -> int:
    """Return a counter, clipped to 0..most with a note; a dash stands for 0."""
    if _consists_of(text, ""):
        return 0
    number = 0 if text[0] == "-" else int(text) if len(text) < 10 else most + 1
    if text[0] == "-" or number > most:
        number = min(number, most)
        notes.append(f"FEN: {name} {text[:20]} set to {number}: it must be 0..{most}")
    return number


def _check(board: vec[i64]) -> None:
    """Raise ValueError for a position that no game reaches and that the move generator need not handle."""
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
    """Return a move in algebraic notation: e4, Nbd7, exd8=Q+, O-O-O; raises ValueError for an illegal move."""
    text = _unchecked(position, move)
    position.make(move)
    if position.in_check():
        text += "+" if mg.count_moves(position.board) else "#"
    position.undo()
    return text


def _unchecked(position: Position, move: i64) -> str:
    """Return a move in standard algebraic notation without the sign of check or mate."""
    board = position.board
    moves = position.scratch
    origin, target, kind = move & 63, (move >> 6) & 63, move >> 12
    piece = board[mg.MAILBOX + origin]
    end = mg.generate(board, moves, 0, i64(bb.ALL) if kind == mg.CASTLING else bb.BIT[target])
    legal = False
    others: i64 = 0  # other pieces of the same kind that may move to the target
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
    """Return the file of `origin` if it distinguishes `origin` from the others, else the rank, else the square."""
    if not (others >> (origin & 7)) & bb.FILE_A:
        return FILES[origin & 7]
    if not (others >> (origin & 56)) & bb.RANK_1:
        return RANKS[origin >> 3]
    return SQUARES[origin]
