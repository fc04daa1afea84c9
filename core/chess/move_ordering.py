"""Which move to try first: the table's, winning captures, killers, the countermove, quiet moves by history, losing captures.

The better the first move, the sooner alpha and beta meet. Methods: chessprogramming.org/Move_Ordering, and
Static_Exchange_Evaluation for what a series of captures on one square is worth.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess.history import PLACES, ROWS, History, capture_index, place_of
from core.chess.search_params import SearchParams

# Orders: 2 * GOOD the table's move, about GOOD a capture that does not lose, KILLER and little more the killers and the
# countermove, about 0 history, about -GOOD a capture that loses.
GOOD: Final = 1_099_511_627_776
KILLER: Final = 549_755_813_888


@final
class MoveOrdering:
    """The moves of all frames on one stack, each with its order."""

    def __init__(self, values: vec[i64], history: History, params: SearchParams, pawn: i64) -> None:
        """`values` of the pieces by type, for exchanges; `pawn` is one in units of the evaluation."""
        self.values = values
        self.history = history
        self.placement = params.placement
        self.placement_scale: i64 = (params.placement << 16) // pawn
        self.moves = vec[i64]([0] * (mg.MAX_MOVES * 66))
        self.orders = vec[i64]([0] * (mg.MAX_MOVES * 66))
        self.gains = vec[i64]([0] * 32)

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
        """Give moves[first:end] their orders.

        `last` and `own_last` are what the opponent's and the side's own last move brought where, `places` the bonuses
        of Placement.
        """
        moves, orders = self.moves, self.orders
        values, gains = self.values, self.gains
        history = self.history
        side = board[mg.TURN]
        killer = history.killers[ply * 2]
        second_killer = history.killers[ply * 2 + 1]
        counter = history.counters[side * ROWS + last]
        quiets, captures = history.quiets, history.captures
        replies, follow_ups = history.replies, history.follow_ups
        reply = (side * ROWS + last) * PLACES
        follow_up = (side * ROWS + own_last) * PLACES
        from_to = side * 4096
        placement = self.placement
        scale = self.placement_scale
        mirror = side * 56
        for index in range(first, end):
            move = moves[index]
            target = (move >> 6) & 63
            victim = mg.victim_of(board, move)
            kind = move >> 12
            if move == hash_move:
                orders[index] = 2 * GOOD
            elif victim != mg.EMPTY or kind >= mg.CAPTURE_EN_PASSANT:
                mover = board[mg.MAILBOX + (move & 63)] % 6
                won = victim % 6 if victim != mg.EMPTY else i64(0)
                worth = won * 8 - mover
                if kind >= mg.PROMOTION:
                    worth += kind * 16
                worth = worth * 1024 + i64(captures[capture_index(board, move)])
                if victim != mg.EMPTY and kind < mg.PROMOTION and values[won] >= values[mover]:
                    orders[index] = GOOD + worth
                elif see(board, move, values, gains) >= 0:
                    orders[index] = GOOD + worth
                else:
                    orders[index] = worth - GOOD
            elif move == killer:
                orders[index] = KILLER + 2
            elif move == second_killer:
                orders[index] = KILLER + 1
            elif move == counter:
                orders[index] = KILLER
            else:
                kind = board[mg.MAILBOX + (move & 63)] % 6 * 64
                worth = i64(quiets[from_to + (move & 4095)])
                worth += i64(replies[reply + kind + target]) + i64(follow_ups[follow_up + kind + target])
                gain = places[kind + (target ^ mirror)] - places[kind + ((move & 63) ^ mirror)]
                orders[index] = worth + min(max((gain * scale) >> 16, -placement), placement)

    def pick(self, next: i64, end: i64) -> i64:
        """Bring the best of moves[next:end], which is not empty, to the front; the move."""
        orders = self.orders
        moves = self.moves
        best = next
        highest = orders[next]
        for other in range(next + 1, end):
            if orders[other] > highest:
                highest = orders[other]
                best = other
        move = moves[best]
        moves[best] = moves[next]
        orders[best] = orders[next]
        moves[next] = move
        orders[next] = highest
        return move

    def drop_quiet(self, next: i64, end: i64) -> i64:
        """Leave only captures that lose of moves[next:end], of which none is better than quiet; the new end."""
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
        """`best` was too good; those of moves[first:end] tried before it were not (0: not tried)."""
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


def is_quiet(board: vec[i64], move: i64) -> bool:
    """Neither a capture nor a promotion."""
    return mg.victim_of(board, move) == mg.EMPTY and move >> 12 < mg.CAPTURE_EN_PASSANT


def see(board: vec[i64], move: i64, values: vec[i64], gains: vec[i64]) -> i64:
    """The mover's gain in `values` (by piece type) if both sides capture on as long as it pays.

    Pins are not seen. `gains` is scratch space for 32 numbers.
    """
    origin, target, kind = move & 63, (move >> 6) & 63, move >> 12
    if kind == mg.CASTLING:
        return 0
    piece = board[mg.MAILBOX + origin]
    side = piece // 6
    victim = board[mg.MAILBOX + target]
    occupied = (board[mg.SIDE] | board[mg.SIDE + 1]) ^ bb.BIT[origin]
    if kind == mg.CAPTURE_EN_PASSANT:
        gains[0] = values[mg.PAWNS]
        occupied ^= bb.BIT[target - 8] if side == 0 else bb.BIT[target + 8]
    else:
        gains[0] = values[victim % 6] if victim != mg.EMPTY else i64(0)
    standing = values[piece % 6]
    if kind >= mg.PROMOTION:
        standing = values[kind - 3]
        gains[0] += standing - values[mg.PAWNS]
    diagonal = board[mg.BISHOPS] | board[6 + mg.BISHOPS] | board[mg.QUEENS] | board[6 + mg.QUEENS]
    straight = board[mg.ROOKS] | board[6 + mg.ROOKS] | board[mg.QUEENS] | board[6 + mg.QUEENS]
    fighters = mg.attackers(board, target, 0, occupied) | mg.attackers(board, target, 1, occupied)
    depth: i64 = 0
    while depth < 30:
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
        depth += 1
        gains[depth] = standing - gains[depth - 1]
        standing = values[kind]
        capturer = ours & board[side * 6 + kind]
        occupied ^= capturer & -capturer
        fighters |= bb.bishop_attacks(target, occupied) & diagonal
        fighters |= bb.rook_attacks(target, occupied) & straight
    while depth:
        if -gains[depth] < gains[depth - 1]:
            gains[depth - 1] = -gains[depth]
        depth -= 1
    return gains[0]
