"""A chess position that can make and undo moves, and knows its game: repetitions, fifty moves, promotions.

Rules: FIDE Laws of Chess. A game is over at mate, stalemate, dead material, threefold repetition
and after fifty moves, whether anybody claims it or not (Genetic Chess, section 2).
"""

from typing import Final, final

from librt.vecs import extend, vec
from mypy_extensions import i64

from core.chess.material import can_mate, is_dead
from core.chess.moves import (
    CAPTURE_EN_PASSANT,
    CASTLING,
    DOUBLE,
    EMPTY,
    EN_PASSANT,
    FLAGS,
    FULLMOVES,
    HALFMOVES,
    HASH,
    KINGS,
    KNIGHTS,
    MAILBOX,
    MAX_MOVES,
    PAWNS,
    PROMOTION,
    PROMOTIONS,
    ROOKS,
    SIDE,
    TURN,
    WORDS,
    attackers,
    count_moves,
    en_passant_captors,
    generate,
)  # fmt: skip
from core.chess.tables import (
    ALL,
    BIT,
    KEY_BLACK,
    KEY_EN_PASSANT,
    KEY_FLAGS,
    KEY_PROMOTIONS,
    KEYS,
    PAWN,
    lowest,
)  # fmt: skip
from core.game import State

# What a move destroys, one row a ply: the move, the captured piece and four state words.
PAST: Final = 6
DARK: Final = i64(-0x55AA55AA55AA55AB)  # the squares coloured like a1


def _kept_rights() -> vec[i64]:
    """[square]: the castling rights that survive a move from or to it."""
    kept = vec[i64]([63] * 64)
    kept[0], kept[4], kept[7] = 63 - 2, 63 - 3, 63 - 1
    kept[56], kept[60], kept[63] = 63 - 8, 63 - 12, 63 - 4
    return kept


KEPT: Final = _kept_rights()


@final
class Position(State):
    """A position with the moves that led to it. Moves are ints and outlive it."""

    def __init__(self) -> None:
        """An empty board, White to move; core.chess.fen sets it up."""
        self.board = vec[i64]([0] * WORDS)
        board = self.board
        for square in range(i64(64)):
            board[MAILBOX + square] = EMPTY
        board[FULLMOVES] = 1
        self.past = vec[i64]([0] * (PAST * 64))
        self.plies: i64 = 0  # moves made since the position was set up
        self.start = ""  # its FEN then
        self.scratch = vec[i64]([0] * MAX_MOVES)

    # -- State -------------------------------------------------------------------------------------

    def player(self) -> int:
        """0 for White, 1 for Black."""
        return int(self.board[TURN])

    def legal_actions(self) -> list[int]:
        if self.is_draw():
            return []
        return self.legal_moves()

    def apply(self, action: int) -> None:
        if action not in self.legal_moves():
            raise ValueError(f"illegal move: {action}")
        self.make(action)

    def is_terminal(self) -> bool:
        return self.is_draw() or not count_moves(self.board)

    def returns(self) -> list[float]:
        """[1, -1] when White has won, [-1, 1] when Black has, else zeros."""
        if self.is_draw() or not self.in_check() or count_moves(self.board):
            return [0.0, 0.0]
        return [-1.0, 1.0] if self.board[TURN] == 0 else [1.0, -1.0]

    def can_win(self, player: int) -> bool:
        return can_mate(self.board, player)

    def clone(self) -> "Position":
        copy = Position()
        copy.board = self.board[:]
        copy.past = self.past[:]
        copy.plies = self.plies
        copy.start = self.start
        return copy

    def __reduce__(self) -> tuple[object, tuple[list[int], list[int], str]]:
        """Pickled word by word, with the past."""
        past = [int(self.past[index]) for index in range(self.plies * PAST)]
        return restored, ([int(word) for word in self.board], past, self.start)

    def action_text(self, action: int) -> str:
        return move_text(action)

    def action_from(self, text: str) -> int:
        """The legal move that coordinates such as e2e4 or e7e8q name."""
        if len(text) == 4 or len(text) == 5:
            end = generate(self.board, self.scratch, 0, ALL)
            for index in range(end):
                move = self.scratch[index]
                if (move & 63) == _square(text, 0) and ((move >> 6) & 63) == _square(text, 2):
                    if move_text(move) == text:
                        return int(move)
        raise ValueError(f"illegal move: {text[:20]!r}")

    # -- The game ----------------------------------------------------------------------------------

    def legal_moves(self) -> list[int]:
        """The moves by the board alone, also when a draw has ended the game."""
        end = generate(self.board, self.scratch, 0, ALL)
        return [int(self.scratch[index]) for index in range(end)]

    def moves(self) -> list[int]:
        """The moves made since the position was set up, oldest first."""
        return [int(self.past[ply * PAST]) for ply in range(self.plies)]

    def in_check(self) -> bool:
        board = self.board
        side = board[TURN]
        king = lowest(board[side * 6 + KINGS])
        return attackers(board, king, 1 - side, board[SIDE] | board[SIDE + 1]) != 0

    def is_checkmate(self) -> bool:
        return self.in_check() and not count_moves(self.board)

    def is_stalemate(self) -> bool:
        return not self.in_check() and not count_moves(self.board)

    def is_draw(self) -> bool:
        """A draw by rule; stalemate aside. A mate on the hundredth half-move counts as mate."""
        if self.repetitions(2) >= 2 or self.is_dead():
            return True
        return self.board[HALFMOVES] >= 100 and count_moves(self.board) != 0

    def repetitions(self, enough: i64) -> i64:
        """How often this position stood before, up to `enough`."""
        board = self.board
        past = self.past
        ply = self.plies - 4
        last = self.plies - board[HALFMOVES]
        if last < 0:
            last = 0
        found: i64 = 0
        while ply >= last and found < enough:
            if past[ply * PAST + 5] == board[HASH]:
                found += 1
            ply -= 2
        return found

    def is_dead(self) -> bool:
        """Neither side can mate by any series of moves, as far as material tells."""
        return is_dead(self.board)

    # -- Making moves ------------------------------------------------------------------------------

    def make(self, move: i64) -> None:
        """Play a legal move; unchecked, for the searches."""
        board = self.board
        ply = self.plies
        if ply * PAST + PAST > len(self.past):
            self.past = extend(self.past, self.past)
        past = self.past
        origin = move & 63
        target = (move >> 6) & 63
        kind = move >> 12
        side = board[TURN]
        other = 1 - side
        piece = board[MAILBOX + origin]
        captured = board[MAILBOX + target]
        flags = board[FLAGS]
        key = board[HASH]
        at = ply * PAST
        past[at] = move
        past[at + 1] = captured
        past[at + 2] = flags
        past[at + 3] = board[EN_PASSANT]
        past[at + 4] = board[HALFMOVES]
        past[at + 5] = key
        self.plies = ply + 1

        if board[EN_PASSANT]:
            key ^= KEYS[KEY_EN_PASSANT + (board[EN_PASSANT] & 7)]
            board[EN_PASSANT] = 0
        board[HALFMOVES] += 1
        if captured != EMPTY:
            bit = BIT[target]
            board[captured] ^= bit
            board[SIDE + other] ^= bit
            key ^= KEYS[captured * 64 + target]
            board[HALFMOVES] = 0
        change = BIT[origin] | BIT[target]
        board[piece] ^= change
        board[SIDE + side] ^= change
        board[MAILBOX + origin] = EMPTY
        board[MAILBOX + target] = piece
        key ^= KEYS[piece * 64 + origin] ^ KEYS[piece * 64 + target]
        if piece == side * 6 + PAWNS:
            board[HALFMOVES] = 0
        kept = flags & KEPT[origin] & KEPT[target]
        if kind > DOUBLE:
            if kind == CASTLING:
                kept |= BIT[4 + side]
                key ^= self._move_rook(target, side)
            elif kind == CAPTURE_EN_PASSANT:
                victim = target - 8 if side == 0 else target + 8
                board[other * 6 + PAWNS] ^= BIT[victim]
                board[SIDE + other] ^= BIT[victim]
                board[MAILBOX + victim] = EMPTY
                key ^= KEYS[(other * 6 + PAWNS) * 64 + victim]
            else:
                promoted = side * 6 + kind - PROMOTION + KNIGHTS
                board[piece] ^= BIT[target]
                board[promoted] ^= BIT[target]
                board[MAILBOX + target] = promoted
                made = board[PROMOTIONS + side]
                board[PROMOTIONS + side] = made + 1
                key ^= KEYS[piece * 64 + target] ^ KEYS[promoted * 64 + target]
                key ^= KEYS[KEY_PROMOTIONS + side * 16 + (made & 15)]
        if kept != flags:
            board[FLAGS] = kept
            key ^= KEYS[KEY_FLAGS + flags] ^ KEYS[KEY_FLAGS + kept]
        board[TURN] = other
        board[FULLMOVES] += side
        if kind == DOUBLE:
            passed = (origin + target) >> 1
            if PAWN[side * 64 + passed] & board[other * 6 + PAWNS] and en_passant_captors(
                board, other, passed
            ):
                board[EN_PASSANT] = passed
                key ^= KEYS[KEY_EN_PASSANT + (passed & 7)]
        board[HASH] = key ^ KEYS[KEY_BLACK]

    def undo(self) -> None:
        """Take the last move back. IndexError if none was made."""
        if not self.plies:
            raise IndexError("no move to undo")
        ply = self.plies - 1
        self.plies = ply
        board = self.board
        past = self.past
        at = ply * PAST
        move = past[at]
        captured = past[at + 1]
        origin = move & 63
        target = (move >> 6) & 63
        kind = move >> 12
        other = board[TURN]
        side = 1 - other
        board[FLAGS] = past[at + 2]
        board[EN_PASSANT] = past[at + 3]
        board[HALFMOVES] = past[at + 4]
        board[HASH] = past[at + 5]
        board[TURN] = side
        board[FULLMOVES] -= side
        piece = board[MAILBOX + target]
        if kind > DOUBLE:
            if kind == CASTLING:
                self._move_rook(target, side)
            elif kind == CAPTURE_EN_PASSANT:
                victim = target - 8 if side == 0 else target + 8
                board[other * 6 + PAWNS] ^= BIT[victim]
                board[SIDE + other] ^= BIT[victim]
                board[MAILBOX + victim] = other * 6 + PAWNS
            else:
                board[piece] ^= BIT[target]
                piece = side * 6 + PAWNS
                board[piece] ^= BIT[target]
                board[PROMOTIONS + side] -= 1
        change = BIT[origin] | BIT[target]
        board[piece] ^= change
        board[SIDE + side] ^= change
        board[MAILBOX + origin] = piece
        board[MAILBOX + target] = captured
        if captured != EMPTY:
            board[captured] ^= BIT[target]
            board[SIDE + other] ^= BIT[target]

    def _move_rook(self, king_target: i64, side: i64) -> i64:
        """Swap the castling rook between its two squares; the change of the hash."""
        board = self.board
        corner = king_target + 1 if king_target & 4 else king_target - 2
        beside = king_target - 1 if king_target & 4 else king_target + 1
        rook = side * 6 + ROOKS
        board[rook] ^= BIT[corner] | BIT[beside]
        board[SIDE + side] ^= BIT[corner] | BIT[beside]
        swapped = board[MAILBOX + corner]
        board[MAILBOX + corner] = board[MAILBOX + beside]
        board[MAILBOX + beside] = swapped
        return KEYS[rook * 64 + corner] ^ KEYS[rook * 64 + beside]

    def pass_turn(self) -> None:
        """Let the other side move (a null move of the search); undo with take_turn()."""
        board = self.board
        if self.plies * PAST + PAST > len(self.past):
            self.past = extend(self.past, self.past)
        at = self.plies * PAST
        self.past[at] = 0
        self.past[at + 3] = board[EN_PASSANT]
        self.past[at + 4] = board[HALFMOVES]
        self.past[at + 5] = board[HASH]
        self.plies += 1
        if board[EN_PASSANT]:
            board[HASH] ^= KEYS[KEY_EN_PASSANT + (board[EN_PASSANT] & 7)]
            board[EN_PASSANT] = 0
        board[HALFMOVES] = 0  # no repetition reaches back over a null move
        board[HASH] ^= KEYS[KEY_BLACK]
        board[TURN] = 1 - board[TURN]

    def take_turn(self) -> None:
        """Undo pass_turn()."""
        self.plies -= 1
        board = self.board
        at = self.plies * PAST
        board[EN_PASSANT] = self.past[at + 3]
        board[HALFMOVES] = self.past[at + 4]
        board[HASH] = self.past[at + 5]
        board[TURN] = 1 - board[TURN]


def fresh_hash(board: vec[i64]) -> i64:
    """The hash computed from nothing; make() and undo() keep board[HASH] equal to it."""
    key = KEYS[KEY_FLAGS + board[FLAGS]]
    for square in range(i64(64)):
        piece = board[MAILBOX + square]
        if piece != EMPTY:
            key ^= KEYS[piece * 64 + square]
    for side in range(i64(2)):
        for made in range(board[PROMOTIONS + side]):
            key ^= KEYS[KEY_PROMOTIONS + side * 16 + (made & 15)]
    if board[EN_PASSANT]:
        key ^= KEYS[KEY_EN_PASSANT + (board[EN_PASSANT] & 7)]
    return key ^ KEYS[KEY_BLACK] if board[TURN] else key


def restored(board: list[int], past: list[int], start: str) -> Position:
    """The Position that was pickled."""
    position = Position()
    for index, word in enumerate(board):
        position.board[index] = word
    position.past = vec[i64](past + [0] * int(PAST * 64))
    position.plies = len(past) // PAST
    position.start = start
    return position


def _square(text: str, at: int) -> i64:
    """The square named at text[at:at + 2], or something that is none."""
    return (ord(text[at]) - 97) + 8 * (ord(text[at + 1]) - 49)


def move_text(move: i64) -> str:
    """Coordinates: e2e4, e1g1 for castling, e7e8q; 0000 for no move."""
    if not move:
        return "0000"
    origin, target, kind = move & 63, (move >> 6) & 63, move >> 12
    text = "abcdefgh"[origin & 7] + str((origin >> 3) + 1) + "abcdefgh"[target & 7] + str((target >> 3) + 1)
    return text + "nbrq"[kind - PROMOTION] if kind >= PROMOTION else text
