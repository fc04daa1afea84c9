"""A chess position that makes and undoes moves, with the history of its game: repetitions, fifty moves, promotions.

Rules: FIDE Laws of Chess. A game ends with mate, stalemate, insufficient material, threefold repetition and after
fifty moves; draws need no claim ("Genetic Chess", section 2).

The board is a vector of numbers and a move is an int; core.chess.movegen describes both. make() changes the board and
puts what undo() needs on the undo stack. The stack is also the history of the game: each entry has the hash of the
position before its move. A position can only repeat one that came after the last capture or pawn move, so repetitions
are found by comparing hashes as far back as the half-move clock reaches.

make() and undo() also keep the hash up to date. It covers the pieces, the side to move, the flags (castling rights,
and whether each side has castled), a square on which a pawn may now capture en passant, and the number of promotions
of each side. By the rules the castled flags and the promotions are no part of a position, but the evaluation uses them.
"""

from typing import Final, final

from librt.vecs import extend, vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.game import State

CHECKMATE: Final = "checkmate"
STALEMATE: Final = "stalemate"
THREEFOLD_REPETITION: Final = "threefold repetition"
FIFTY_MOVES: Final = "fifty moves"
INSUFFICIENT_MATERIAL: Final = "insufficient material"
OUTCOMES: Final = (CHECKMATE, STALEMATE, THREEFOLD_REPETITION, FIFTY_MOVES, INSUFFICIENT_MATERIAL)


# The undo stack has an entry for each ply: the move, the captured piece, and four state words from before the move
# (flags, en passant square, half-move clock, hash).
UNDO_WORDS: Final = 6


@final
class Position(State):
    """A position with the moves that led to it; a move is an int (core.chess.movegen)."""

    def __init__(self) -> None:
        """Create an empty board with White to move; core.chess.notation sets up the pieces."""
        self.board: Final = vec[i64]([0] * mg.WORDS)
        board = self.board
        for square in range(i64(64)):
            board[mg.MAILBOX + square] = mg.EMPTY
            board[mg.KEPT_FLAGS + square] = 63
        board[mg.FULLMOVES] = 1
        self.undo_stack = vec[i64]([0] * (UNDO_WORDS * 64))
        self.plies: i64 = 0  # moves made since the position was set up
        self.start = ""  # the FEN of the position as it was set up
        self.notes: Final[list[str]] = []  # the fields of the FEN that were missing, dropped or changed
        self.passed: i64 = 0  # the passed_square() of the position as it was set up
        self.scratch: Final = vec[i64]([0] * mg.MAX_MOVES)  # moves that are generated and used at once

    # -- State -------------------------------------------------------------------------------------

    def player(self) -> int:
        """Return the side to move: 0 for White, 1 for Black."""
        return int(self.board[mg.TURN])

    def legal_actions(self) -> list[int]:
        if self.is_draw():
            return []
        return self.legal_moves()

    def apply(self, action: int) -> None:
        """Make a move. Raises ValueError if the move is illegal or the game has ended; make() does not check that."""
        if action not in self.legal_actions():
            raise ValueError(f"illegal move: {action}")
        self.make(action)

    def is_terminal(self) -> bool:
        return self.outcome() != ""

    def returns(self) -> list[float]:
        """Return [1, -1] if White has won, [-1, 1] if Black has won, else zeros."""
        if self.outcome() != CHECKMATE:
            return [0.0, 0.0]
        return [-1.0, 1.0] if self.board[mg.TURN] == 0 else [1.0, -1.0]

    def can_win(self, player: int) -> bool:
        return can_mate(self.board, player)

    def clone(self) -> "Position":
        copy = Position()
        for index in range(i64(mg.WORDS)):
            copy.board[index] = self.board[index]
        copy.undo_stack = self.undo_stack[:]
        copy.plies = self.plies
        copy.start = self.start
        copy.passed = self.passed
        return copy

    def __reduce__(self) -> tuple[object, tuple[list[int], list[int], str, int]]:
        """Pickle the words of the board and of the undo stack, so that the moves made are kept."""
        undo = [int(self.undo_stack[index]) for index in range(self.plies * UNDO_WORDS)]
        return restored, ([int(word) for word in self.board], undo, self.start, int(self.passed))

    def action_text(self, action: int) -> str:
        return move_text(action, self.is_chess960())

    def is_chess960(self) -> bool:
        """Return whether castling is written as the king's capture of its rook."""
        return self.board[mg.CHESS960] != 0

    def as_chess960(self) -> None:
        """Write castling as the king's capture of its rook from now on."""
        self.board[mg.CHESS960] = 1

    def action_from(self, text: str) -> int:
        if self.is_draw():
            raise ValueError(f"the game is over: {self.outcome()}")
        return self.parse_uci(text)

    # -- The game ----------------------------------------------------------------------------------

    def parse_uci(self, text: str) -> int:
        """Return the legal move that coordinates such as e2e4 or e7e8q name. Raises ValueError if there is none.

        Draws by rule are ignored, since a GUI may continue a game that a draw has ended.
        """
        if len(text) == 4 or len(text) == 5:
            end = mg.generate(self.board, self.scratch, 0, bb.ALL)
            for index in range(end):
                move = self.scratch[index]
                if (move & 63) == _square(text, 0):
                    if self.action_text(int(move)) == text or move_text(move, True) == text:
                        return int(move)
        raise ValueError(f"illegal move: {text[:20]!r}")

    def legal_moves(self) -> list[int]:
        """Return the legal moves on the board, even if a draw by rule has ended the game."""
        end = mg.generate(self.board, self.scratch, 0, bb.ALL)
        return [int(self.scratch[index]) for index in range(end)]

    def moves(self) -> list[int]:
        """Return the moves made since the position was set up, oldest first."""
        return [int(self.undo_stack[ply * UNDO_WORDS]) for ply in range(self.plies)]

    def passed_square(self) -> int:
        """Return the square that a pawn has just passed by a double step, or 0 if there is none.

        Unlike board[EN_PASSANT], the square is also returned if no pawn can capture there.
        """
        if not self.plies:
            return int(self.passed)
        move = self.undo_stack[(self.plies - 1) * UNDO_WORDS]
        return int(((move & 63) + ((move >> 6) & 63)) >> 1) if move >> 12 == mg.DOUBLE else 0

    def outcome(self) -> str:
        """Return how the game has ended by the rules, one of OUTCOMES, or an empty string while it continues."""
        if self.is_insufficient_material():
            return INSUFFICIENT_MATERIAL
        if self.repetitions(2) >= 2:
            return THREEFOLD_REPETITION
        if mg.count_moves(self.board):
            return FIFTY_MOVES if self.board[mg.HALFMOVES] >= 100 else ""
        return CHECKMATE if self.in_check() else STALEMATE

    def in_check(self) -> bool:
        board = self.board
        side = board[mg.TURN]
        king = bb.lowest(board[side * 6 + mg.KINGS])
        return mg.attackers(board, king, 1 - side, board[mg.SIDE] | board[mg.SIDE + 1]) != 0

    def is_checkmate(self) -> bool:
        return self.in_check() and not mg.count_moves(self.board)

    def is_stalemate(self) -> bool:
        return not self.in_check() and not mg.count_moves(self.board)

    def is_draw(self) -> bool:
        """Return whether the game is drawn by a rule other than stalemate.

        A mate on the hundredth half-move without progress counts as mate.
        """
        if self.repetitions(2) >= 2 or self.is_insufficient_material():
            return True
        return self.board[mg.HALFMOVES] >= 100 and mg.count_moves(self.board) != 0

    def repetitions(self, enough: i64) -> i64:
        """Return how often this position occurred before in the game, counting no further than `enough`."""
        board = self.board
        undo = self.undo_stack
        ply = self.plies - 4
        last = self.plies - board[mg.HALFMOVES]
        if last < 0:
            last = 0
        found: i64 = 0
        while ply >= last and found < enough:
            if undo[ply * UNDO_WORDS + 5] == board[mg.HASH]:
                found += 1
            ply -= 2
        return found

    def is_repeated(self, root: i64) -> bool:
        """Return whether this position occurred before, once since ply `root` of the game or twice in the whole game.

        For a search that starts at ply `root`, both count as a draw.
        """
        board = self.board
        undo = self.undo_stack
        ply = self.plies - 4
        last = self.plies - board[mg.HALFMOVES]
        if last < 0:
            last = 0
        found = False
        while ply >= last:
            if undo[ply * UNDO_WORDS + 5] == board[mg.HASH]:
                if found or ply >= root:
                    return True
                found = True
            ply -= 2
        return False

    def repeated_keys(self) -> i64:
        """Return the XOR of the hashes of the earlier positions that occurred twice and may occur again, or 0.

        The search combines it with its own hashes, because a move to such a position is a draw: entries of the
        transposition table from a game without these repetitions are not valid here.
        """
        undo = self.undo_stack
        first = self.plies - self.board[mg.HALFMOVES]
        if first < 0:
            first = 0
        keys: i64 = 0
        for ply in range(first, self.plies):
            key = undo[ply * UNDO_WORDS + 5]
            found = 0
            for other in range(first, ply):
                if undo[other * UNDO_WORDS + 5] == key:
                    found += 1
            if found == 1:
                keys ^= key
        return keys

    def is_insufficient_material(self) -> bool:
        """Return whether the material rules out a mate by either side."""
        return insufficient_material(self.board)

    # -- Making moves ------------------------------------------------------------------------------

    def make(self, move: i64) -> None:
        """Make a move, which must be legal; this is not checked."""
        board = self.board
        ply = self.plies
        if ply * UNDO_WORDS + UNDO_WORDS > len(self.undo_stack):
            self.undo_stack = extend(self.undo_stack, self.undo_stack)
        undo = self.undo_stack
        origin = move & 63
        target = (move >> 6) & 63
        kind = move >> 12
        assert len(board) == mg.WORDS
        side = mg.turn_of(board)
        other = 1 - side
        piece = mg.piece_at(board, origin)
        captured = mg.piece_at(board, target)
        flags = board[mg.FLAGS]
        key = board[mg.HASH]
        at = ply * UNDO_WORDS
        undo[at] = move
        undo[at + 1] = captured
        undo[at + 2] = flags
        undo[at + 3] = board[mg.EN_PASSANT]
        undo[at + 4] = board[mg.HALFMOVES]
        undo[at + 5] = key
        self.plies = ply + 1

        if board[mg.EN_PASSANT]:
            key ^= bb.KEYS[bb.KEY_EN_PASSANT + (board[mg.EN_PASSANT] & 7)]
            board[mg.EN_PASSANT] = 0
        board[mg.HALFMOVES] += 1
        kept = flags & board[mg.KEPT_FLAGS + origin] & board[mg.KEPT_FLAGS + target]
        if kind == mg.CASTLING:
            kept |= bb.BIT[4 + side]
            king_target, rook_target = mg.castling_targets(origin, target)
            key ^= self._castle(side, origin, target, king_target, rook_target)
            board[mg.FLAGS] = kept
            board[mg.TURN] = other
            board[mg.FULLMOVES] += side
            key ^= bb.KEYS[bb.KEY_FLAGS + flags] ^ bb.KEYS[bb.KEY_FLAGS + kept]
            board[mg.HASH] = key ^ bb.KEYS[bb.KEY_BLACK]
            return
        if captured != mg.EMPTY:
            bit = bb.BIT[target]
            board[captured] ^= bit
            board[mg.SIDE + other] ^= bit
            key ^= bb.KEYS[captured * 64 + target]
            board[mg.HALFMOVES] = 0
        change = bb.BIT[origin] | bb.BIT[target]
        board[piece] ^= change
        board[mg.SIDE + side] ^= change
        board[mg.MAILBOX + origin] = mg.EMPTY
        board[mg.MAILBOX + target] = piece
        key ^= bb.KEYS[piece * 64 + origin] ^ bb.KEYS[piece * 64 + target]
        if piece == side * 6 + mg.PAWNS:
            board[mg.HALFMOVES] = 0
        if kind > mg.DOUBLE:
            if kind == mg.CAPTURE_EN_PASSANT:
                victim = target - 8 if side == 0 else target + 8
                board[other * 6 + mg.PAWNS] ^= bb.BIT[victim]
                board[mg.SIDE + other] ^= bb.BIT[victim]
                board[mg.MAILBOX + victim] = mg.EMPTY
                key ^= bb.KEYS[(other * 6 + mg.PAWNS) * 64 + victim]
            else:
                promoted = side * 6 + kind - mg.PROMOTION + mg.KNIGHTS
                board[piece] ^= bb.BIT[target]
                board[promoted] ^= bb.BIT[target]
                board[mg.MAILBOX + target] = promoted
                made = board[mg.PROMOTIONS + side]
                board[mg.PROMOTIONS + side] = made + 1
                key ^= bb.KEYS[piece * 64 + target] ^ bb.KEYS[promoted * 64 + target]
                key ^= bb.KEYS[bb.KEY_PROMOTIONS + side * 16 + (made & 15)]
        if kept != flags:
            board[mg.FLAGS] = kept
            key ^= bb.KEYS[bb.KEY_FLAGS + flags] ^ bb.KEYS[bb.KEY_FLAGS + kept]
        board[mg.TURN] = other
        board[mg.FULLMOVES] += side
        if kind == mg.DOUBLE:
            passed = (origin + target) >> 1
            if bb.PAWN[side * 64 + passed] & board[other * 6 + mg.PAWNS] and mg.en_passant_captors(
                board, other, passed
            ):
                board[mg.EN_PASSANT] = passed
                key ^= bb.KEYS[bb.KEY_EN_PASSANT + (passed & 7)]
        board[mg.HASH] = key ^ bb.KEYS[bb.KEY_BLACK]

    def undo(self) -> None:
        """Take back the last move. Raises IndexError if no move was made."""
        if not self.plies:
            raise IndexError("no move to undo")
        ply = self.plies - 1
        self.plies = ply
        board = self.board
        undo = self.undo_stack
        at = ply * UNDO_WORDS
        move = undo[at]
        captured = undo[at + 1] & 15
        origin = move & 63
        target = (move >> 6) & 63
        kind = move >> 12
        assert len(board) == mg.WORDS
        other = mg.turn_of(board)
        side = 1 - other
        board[mg.FLAGS] = undo[at + 2]
        board[mg.EN_PASSANT] = undo[at + 3]
        board[mg.HALFMOVES] = undo[at + 4]
        board[mg.HASH] = undo[at + 5]
        board[mg.TURN] = side
        board[mg.FULLMOVES] -= side
        if kind == mg.CASTLING:
            king_target, rook_target = mg.castling_targets(origin, target)
            self._castle(side, king_target, rook_target, origin, target)
            return
        piece = mg.piece_at(board, target)
        if kind > mg.DOUBLE:
            if kind == mg.CAPTURE_EN_PASSANT:
                victim = target - 8 if side == 0 else target + 8
                board[other * 6 + mg.PAWNS] ^= bb.BIT[victim]
                board[mg.SIDE + other] ^= bb.BIT[victim]
                board[mg.MAILBOX + victim] = other * 6 + mg.PAWNS
            else:
                board[piece] ^= bb.BIT[target]
                piece = side * 6 + mg.PAWNS
                board[piece] ^= bb.BIT[target]
                board[mg.PROMOTIONS + side] -= 1
        change = bb.BIT[origin] | bb.BIT[target]
        board[piece] ^= change
        board[mg.SIDE + side] ^= change
        board[mg.MAILBOX + origin] = piece
        board[mg.MAILBOX + target] = captured
        if captured != mg.EMPTY:
            board[captured] ^= bb.BIT[target]
            board[mg.SIDE + other] ^= bb.BIT[target]

    def _castle(self, side: i64, king: i64, rook: i64, king_target: i64, rook_target: i64) -> i64:
        """Move king and rook, possibly onto each other's squares, and return the change of the hash."""
        board = self.board
        king_piece, rook_piece = side * 6 + mg.KINGS, side * 6 + mg.ROOKS
        kings, rooks = bb.BIT[king] ^ bb.BIT[king_target], bb.BIT[rook] ^ bb.BIT[rook_target]
        board[king_piece] ^= kings
        board[rook_piece] ^= rooks
        board[mg.SIDE + side] ^= kings ^ rooks
        board[mg.MAILBOX + king] = mg.EMPTY
        board[mg.MAILBOX + rook] = mg.EMPTY
        board[mg.MAILBOX + king_target] = king_piece
        board[mg.MAILBOX + rook_target] = rook_piece
        change = bb.KEYS[king_piece * 64 + king] ^ bb.KEYS[king_piece * 64 + king_target]
        return change ^ bb.KEYS[rook_piece * 64 + rook] ^ bb.KEYS[rook_piece * 64 + rook_target]

    def make_null(self) -> None:
        """Let the other side move, as if this side had passed (a null move of the search); undo_null() undoes this."""
        board = self.board
        if self.plies * UNDO_WORDS + UNDO_WORDS > len(self.undo_stack):
            self.undo_stack = extend(self.undo_stack, self.undo_stack)
        at = self.plies * UNDO_WORDS
        self.undo_stack[at] = 0
        self.undo_stack[at + 3] = board[mg.EN_PASSANT]
        self.undo_stack[at + 4] = board[mg.HALFMOVES]
        self.undo_stack[at + 5] = board[mg.HASH]
        self.plies += 1
        if board[mg.EN_PASSANT]:
            board[mg.HASH] ^= bb.KEYS[bb.KEY_EN_PASSANT + (board[mg.EN_PASSANT] & 7)]
            board[mg.EN_PASSANT] = 0
        board[mg.HALFMOVES] = 0  # so that positions before the null move do not count as repeated
        board[mg.HASH] ^= bb.KEYS[bb.KEY_BLACK]
        board[mg.TURN] = 1 - board[mg.TURN]

    def undo_null(self) -> None:
        """Take back a null move."""
        self.plies -= 1
        board = self.board
        at = self.plies * UNDO_WORDS
        board[mg.EN_PASSANT] = self.undo_stack[at + 3]
        board[mg.HALFMOVES] = self.undo_stack[at + 4]
        board[mg.HASH] = self.undo_stack[at + 5]
        board[mg.TURN] = 1 - board[mg.TURN]


def fresh_hash(board: vec[i64]) -> i64:
    """Return the hash of a board, computed from scratch; make() and undo() keep board[HASH] equal to it."""
    key = bb.KEYS[bb.KEY_FLAGS + board[mg.FLAGS]]
    for square in range(i64(64)):
        piece = board[mg.MAILBOX + square]
        if piece != mg.EMPTY:
            key ^= bb.KEYS[piece * 64 + square]
    for side in range(i64(2)):
        for made in range(board[mg.PROMOTIONS + side]):
            key ^= bb.KEYS[bb.KEY_PROMOTIONS + side * 16 + (made & 15)]
    if board[mg.EN_PASSANT]:
        key ^= bb.KEYS[bb.KEY_EN_PASSANT + (board[mg.EN_PASSANT] & 7)]
    return key ^ bb.KEYS[bb.KEY_BLACK] if board[mg.TURN] else key


def key_after(board: vec[i64], move: i64) -> i64:
    """Return the hash of the position after a legal move, without making the move.

    The result is wrong if the move changes castling rights or the en passant square, castles, captures en passant or
    promotes. The search only prefetches an entry of its table by it, so a wrong result costs time, but does no harm.
    """
    assert len(board) == mg.WORDS
    origin, target = move & 63, (move >> 6) & 63
    piece, captured = mg.piece_at(board, origin), mg.piece_at(board, target)
    key = board[mg.HASH] ^ bb.KEYS[bb.KEY_BLACK] ^ bb.KEYS[piece * 64 + origin] ^ bb.KEYS[piece * 64 + target]
    return key if captured == mg.EMPTY else key ^ bb.KEYS[captured * 64 + target]


def restored(board: list[int], undo: list[int], start: str, passed: int) -> Position:
    """Return the Position that __reduce__() pickled as these values."""
    position = Position()
    for index, word in enumerate(board):
        position.board[index] = word
    position.undo_stack = vec[i64](undo + [0] * int(UNDO_WORDS * 64))
    position.plies = len(undo) // UNDO_WORDS
    position.start = start
    position.passed = passed
    return position


def _square(text: str, at: int) -> i64:
    """Return the square named by text[at:at + 2], or a meaningless number if the text names no square."""
    return (ord(text[at]) - 97) + 8 * (ord(text[at + 1]) - 49)


def move_text(move: i64, is_chess960: bool = False) -> str:
    """Return a move in coordinates: e2e4, e7e8q, e1g1 for castling; 0000 for the move 0, which is no move.

    With `is_chess960` castling is written as the squares of the king and of the rook, such as e1h1.
    """
    if not move:
        return "0000"
    origin, target, kind = move & 63, (move >> 6) & 63, move >> 12
    if kind == mg.CASTLING and not is_chess960:
        target, _ = mg.castling_targets(origin, target)
    text = "abcdefgh"[origin & 7] + str((origin >> 3) + 1) + "abcdefgh"[target & 7] + str((target >> 3) + 1)
    return text + "nbrq"[kind - mg.PROMOTION] if kind >= mg.PROMOTION else text


# -- Material --------------------------------------------------------------------------------------


def insufficient_material(board: vec[i64]) -> bool:
    """Return whether the material rules out a mate by either side, by any series of moves (FIDE Laws, 5.2.2)."""
    assert len(board) == mg.WORDS
    if (
        board[mg.PAWNS]
        | board[6 + mg.PAWNS]
        | board[mg.ROOKS]
        | board[6 + mg.ROOKS]
        | board[mg.QUEENS]
        | board[6 + mg.QUEENS]
    ):
        return False
    knights = board[mg.KNIGHTS] | board[6 + mg.KNIGHTS]
    bishops = board[mg.BISHOPS] | board[6 + mg.BISHOPS]
    if knights:
        return not bishops and not knights & (knights - 1)
    return not bishops & bb.DARK or not bishops & ~bb.DARK


def can_mate(board: vec[i64], side: i64) -> bool:
    """Return whether the material lets `side` mate by some series of moves.

    If it does not, the other side's loss on time is a draw (FIDE Laws, 6.9).
    """
    own = board[mg.SIDE + side]
    base = side * 6
    other = 6 - base
    if own & ~(board[base + mg.KNIGHTS] | board[base + mg.BISHOPS] | board[base + mg.KINGS]):
        return True
    knights = board[base + mg.KNIGHTS]
    bishops = board[base + mg.BISHOPS]
    if knights:
        helpers = board[mg.SIDE + 1 - side] & ~board[other + mg.KINGS] & ~board[other + mg.QUEENS]
        return bb.count(own) > 2 or helpers != 0
    if not bishops:
        return False
    both = bishops | board[other + mg.BISHOPS]
    if both & bb.DARK != 0 and both & ~bb.DARK != 0:
        return True
    return board[other + mg.PAWNS] | board[other + mg.KNIGHTS] != 0


# -- Perft -----------------------------------------------------------------------------------------


def perft(position: Position, depth: i64) -> i64:
    """Return the number of leaves of the tree of legal moves: positions that are `depth` moves away.

    The last moves are counted, not made. Raises ValueError if `depth` is not in 0..64. Reference:
    chessprogramming.org/Perft.
    """
    if depth < 1 or depth > 64:
        if depth == 0:
            return 1
        raise ValueError(f"perft depth must be 0..64, not {depth}")
    return _perft(position, depth, vec[i64]([0] * (mg.MAX_MOVES * int(depth))), 0)


def _perft(position: Position, depth: i64, moves: vec[i64], at: i64) -> i64:
    if depth == 1:
        return mg.count_moves(position.board)
    end = mg.generate(position.board, moves, at, bb.ALL)
    leaves: i64 = 0
    for index in range(at, end):
        position.make(moves[index])
        leaves += _perft(position, depth - 1, moves, end)
        position.undo()
    return leaves
