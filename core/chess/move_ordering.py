"""Move ordering: the order in which the search tries moves, and static exchange evaluation.

The order is: the transposition table's move, captures that do not lose, killers, the countermove, quiet moves by
history, losing captures. The better the first move, the earlier alpha and beta meet. Methods:
chessprogramming.org/Move_Ordering, and Static_Exchange_Evaluation for the value of a series of captures on one
square.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess.history import FOLLOW_UPS, PLACES, QUIETS, REPLIES, ROWS, History, capture_index, place_of
from core.chess.search_params import SearchParams

# The order of a move is a number: HASH_MOVE for the table's move, about GOOD for a capture that does not lose, KILLER
# or slightly more for killers and the countermove, about 0 for a quiet move, about -GOOD for a capture that loses.
HASH_MOVE: Final = 2_199_023_255_552
GOOD: Final = 1_099_511_627_776
KILLER: Final = 549_755_813_888

MOVES: Final = 16_896  # the size of the stack of moves: 66 * MAX_MOVES
INDEX_BITS: Final = 15  # of an index of the stack
INDEX: Final = 0x7FFF
LEAST: Final = -0x100000000000000  # below all orders, shifted by INDEX_BITS


@final
class MoveOrdering:
    """The moves of all frames on one stack, each with its order."""

    def __init__(self, values: vec[i64], history: History, params: SearchParams, pawn: i64) -> None:
        """Create an empty stack; `values` are those of the pieces by kind, `pawn` that of a pawn, all in units."""
        self.values: Final = values
        self.history: Final = history
        self.placement: Final = params.placement
        self.placement_scale: Final[i64] = (params.placement << 16) // pawn
        self.moves: Final = vec[i64]([0] * int(MOVES))
        self.orders: Final = vec[i64]([0] * int(MOVES))

    def score_moves(
        self,
        board: vec[i64],
        first: i64,
        end: i64,
        hash_move: i64,
        ply: i64,
        last: i64,
        own_last: i64,
        places: vec[i64],
    ) -> None:
        """Compute the orders of moves[first:end], and bring the best move to the front.

        `last` and `own_last` are the places (see core.chess.history) of the opponent's and the side's own last move;
        `places` are the bonuses of the pieces by square.
        """
        assert len(board) == mg.WORDS and len(places) == 384 and first >= 0 and end <= MOVES
        side = mg.turn_of(board)
        moves, orders = self.moves, self.orders
        assert len(moves) == MOVES
        assert len(orders) == MOVES
        history = self.history
        killer = history.killers[ply * 2]
        second_killer = history.killers[ply * 2 + 1]
        counter = history.counters[side * ROWS + last]
        entries = history.entries
        from_to = QUIETS + side * 4096
        reply = REPLIES + (side * ROWS + last) * PLACES
        follow_up = FOLLOW_UPS + (side * ROWS + own_last) * PLACES
        placement = self.placement
        scale = self.placement_scale
        base = side * 6
        mirror = side * 56
        highest = LEAST - first
        for index in range(first, end):
            move = moves[index]
            target, kind = (move >> 6) & 63, move >> 12
            if move == hash_move:
                order = i64(HASH_MOVE)
            elif kind >= mg.CAPTURE_EN_PASSANT or (  # as is_quiet(), whose call costs more
                mg.piece_at(board, target) != mg.EMPTY and kind != mg.CASTLING
            ):
                order = self._capture_order(board, move)
            elif move == killer:
                order = KILLER + 2
            elif move == second_killer:
                order = KILLER + 1
            elif move == counter:
                order = KILLER
            else:
                origin = move & 63
                kind = (mg.piece_at(board, origin) - base) * 64
                gain = places[kind + (target ^ mirror)] - places[kind + (origin ^ mirror)]
                order = min(max((gain * scale) >> 16, -placement), placement)
                order += i64(entries[from_to + (move & 4095)]) + i64(entries[reply + kind + target])
                order += i64(entries[follow_up + kind + target])
            orders[index] = order
            highest = max(highest, (order << INDEX_BITS) - index)
        best = -highest & INDEX
        if best > first:
            _exchange(moves, orders, best, first)

    def _capture_order(self, board: vec[i64], move: i64) -> i64:
        """Return the order of a capture or promotion: by captured piece, then capturing piece, then history."""
        values = self.values
        assert len(board) == mg.WORDS and len(values) == 6
        kind = move >> 12
        victim = mg.piece_at(board, (move >> 6) & 63)
        mover = mg.kind_of(mg.piece_at(board, move & 63))
        won = mg.kind_of(victim) if victim != mg.EMPTY else i64(0)
        worth = won * 8 - mover
        if kind >= mg.PROMOTION:
            worth += kind * 16
        worth = worth * 1024 + i64(self.history.entries[capture_index(board, move)])
        if victim != mg.EMPTY and kind < mg.PROMOTION and values[won] >= values[mover]:
            return GOOD + worth
        return GOOD + worth if see_at_least(board, move, 0, values) else worth - GOOD

    def pick(self, next: i64, end: i64) -> None:
        """Bring the best of moves[next:end] to the front; the range must not be empty."""
        assert next >= 0 and end <= MOVES
        orders = self.orders
        assert len(orders) == MOVES
        # The maximum of orders, and of those that are equal the first: without a branch that nobody can predict.
        highest = (orders[next] << INDEX_BITS) - next
        for other in range(next + 1, end):
            highest = max(highest, (orders[other] << INDEX_BITS) - other)
        best = -highest & INDEX
        if best > next:
            _exchange(self.moves, orders, best, next)

    def drop_quiet(self, next: i64, end: i64) -> i64:
        """Remove the quiet moves from moves[next:end], where the only others lose material; return the new end."""
        orders = self.orders
        moves = self.moves
        kept = next
        for index in range(next, end):
            if orders[index] <= -KILLER:
                moves[kept] = moves[index]
                orders[kept] = orders[index]
                kept += 1
        return kept

    def learn(
        self, board: vec[i64], first: i64, end: i64, best: i64, bonus: i64, ply: i64, last: i64, own_last: i64
    ) -> None:
        """Update the statistics after a cutoff by `best`: raise its entries, lower those of the moves tried before.

        The moves searched so far are moves[first:end], where 0 stands for a move that was skipped. If `best` is a
        capture or promotion, quiet moves keep their entries.
        """
        moves, history = self.moves, self.history
        side = board[mg.TURN]
        quiet = is_quiet(board, best)
        if quiet:
            history.keep_killer(ply, best)
            history.counters[side * ROWS + last] = best
        for index in range(first, end):
            move = moves[index]
            if move:
                change = bonus if move == best else -bonus
                if not is_quiet(board, move):
                    history.reward_capture(capture_index(board, move), change)
                elif quiet:
                    history.reward(side, move, place_of(board, move), last, own_last, change)


def _exchange(moves: vec[i64], orders: vec[i64], one: i64, other: i64) -> None:
    """Exchange two moves on the stack, with their orders."""
    moves[one], moves[other] = moves[other], moves[one]
    orders[one], orders[other] = orders[other], orders[one]


def is_quiet(board: vec[i64], move: i64) -> bool:
    """Return whether a move is neither a capture nor a promotion."""
    return mg.victim_of(board, move) == mg.EMPTY and move >> 12 < mg.CAPTURE_EN_PASSANT


def see_at_least(board: vec[i64], move: i64, least: i64, values: vec[i64]) -> bool:
    """Return whether the mover gains at least `least` if both sides keep capturing on the square while it pays.

    Gains are sums of `values`, by kind of piece. Pins are ignored. The exchange is followed only until it is decided:
    a side wins it when it stays ahead even after losing the piece that it has just captured with.
    """
    assert len(board) == mg.WORDS and len(values) == 6
    origin, target, kind = move & 63, (move >> 6) & 63, move >> 12
    if kind == mg.CASTLING:
        return least <= 0
    piece = mg.piece_at(board, origin)
    side = i64(piece >= 6)
    victim = mg.piece_at(board, target)
    standing = values[mg.kind_of(piece)]
    ahead = -least
    if victim != mg.EMPTY:
        ahead += values[mg.kind_of(victim)]
    elif kind == mg.CAPTURE_EN_PASSANT:
        ahead += values[mg.PAWNS]
    if kind >= mg.PROMOTION:
        standing = values[kind - 3]
        ahead += standing - values[mg.PAWNS]
    if ahead < 0:
        return False
    ahead -= max(standing, 0)  # no side has to capture a piece with a negative value
    if ahead >= 0:
        return True
    occupied = (board[mg.SIDE] | board[mg.SIDE + 1]) ^ bb.BIT[origin]
    if kind == mg.CAPTURE_EN_PASSANT:
        occupied ^= bb.BIT[target - 8] if side == 0 else bb.BIT[target + 8]
    queens = board[mg.QUEENS] | board[6 + mg.QUEENS]
    diagonal = board[mg.BISHOPS] | board[6 + mg.BISHOPS] | queens
    straight = board[mg.ROOKS] | board[6 + mg.ROOKS] | queens
    fighters = mg.attackers_of_both(board, target, occupied)
    mover = side
    while True:
        side = 1 - side
        fighters &= occupied
        ours = fighters & board[mg.SIDE + side]
        if not ours:
            break
        kind = mg.PAWNS
        while not ours & board[side * 6 + kind]:
            kind += 1
        if kind == mg.KINGS and fighters & board[mg.SIDE + 1 - side]:
            break  # a king may not capture what is protected
        ahead = -1 - ahead - max(values[kind], 0)
        if ahead >= 0:
            side = 1 - side
            break
        capturer = ours & board[side * 6 + kind]
        occupied ^= capturer & -capturer  # the capturing piece may have hidden other attackers
        if kind != mg.KNIGHTS and kind != mg.ROOKS:
            fighters |= bb.bishop_attacks(target, occupied) & diagonal
        if kind >= mg.ROOKS:
            fighters |= bb.rook_attacks(target, occupied) & straight
    return side != mover
