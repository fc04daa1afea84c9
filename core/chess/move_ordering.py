"""Which move to try first: the table's, winning captures, killers, quiet moves by history, losing captures.

The better the first move, the sooner alpha and beta meet. Methods: chessprogramming.org/Move_Ordering, and
Static_Exchange_Evaluation for what a series of captures on one square is worth.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess.transposition import MAX_PLY

# Orders: 2 * GOOD the table's move, GOOD and more a capture that does not lose, KILLER, history, then below
# -KILLER a capture that loses.
GOOD: Final = 1_099_511_627_776
KILLER: Final = 549_755_813_888
HISTORY_LIMIT: Final = 65_536


@final
class MoveOrdering:
    """The moves of all frames on one stack, each with its order, and what earlier frames have taught."""

    def __init__(self, values: vec[i64]) -> None:
        """`values` of the pieces by type, for exchanges."""
        self.values = values
        self.moves = vec[i64]([0] * (mg.MAX_MOVES * 66))
        self.orders = vec[i64]([0] * (mg.MAX_MOVES * 66))
        self.killers = vec[i64]([0] * int(2 * MAX_PLY + 4))  # two a ply
        self.history = vec[i64]([0] * 8192)  # [side * 4096 + to * 64 + from]
        self.gains = vec[i64]([0] * 32)

    def score_moves(self, board: vec[i64], first: i64, end: i64, hash_move: i64, ply: i64) -> None:
        """Give moves[first:end] their orders."""
        moves, orders, history = self.moves, self.orders, self.history
        values, gains = self.values, self.gains
        side = board[mg.TURN] * 4096
        killer = self.killers[ply * 2]
        second_killer = self.killers[ply * 2 + 1]
        for index in range(first, end):
            move = moves[index]
            victim = board[mg.MAILBOX + ((move >> 6) & 63)]
            kind = move >> 12
            if move == hash_move:
                orders[index] = 2 * GOOD
            elif victim != mg.EMPTY or kind >= mg.CAPTURE_EN_PASSANT:
                mover = board[mg.MAILBOX + (move & 63)] % 6
                worth = (victim % 6 if victim != mg.EMPTY else i64(0)) * 8 - mover
                if kind >= mg.PROMOTION:
                    worth += kind * 16
                if victim != mg.EMPTY and kind < mg.PROMOTION and values[victim % 6] >= values[mover]:
                    orders[index] = GOOD + worth
                elif see(board, move, values, gains) >= 0:
                    orders[index] = GOOD + worth
                else:
                    orders[index] = worth - GOOD
            elif move == killer:
                orders[index] = KILLER + 1
            elif move == second_killer:
                orders[index] = KILLER
            else:
                orders[index] = history[side + (move & 4095)]

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

    def update_history(self, board: vec[i64], first: i64, end: i64, move: i64, depth: i64, ply: i64) -> None:
        """A quiet move that was too good is likely to be so again; those of moves[first:end] tried before
        it were not."""
        if board[mg.MAILBOX + ((move >> 6) & 63)] != mg.EMPTY or move >> 12 >= mg.CAPTURE_EN_PASSANT:
            return
        killers = self.killers
        if killers[ply * 2] != move:
            killers[ply * 2 + 1] = killers[ply * 2]
            killers[ply * 2] = move
        moves, history = self.moves, self.history
        side = board[mg.TURN] * 4096
        bonus = depth * depth
        for index in range(first, end):
            other = moves[index]
            if board[mg.MAILBOX + ((other >> 6) & 63)] == mg.EMPTY:
                word = side + (other & 4095)
                change = bonus if other == move else -bonus
                history[word] += change - history[word] * bonus // HISTORY_LIMIT


def see(board: vec[i64], move: i64, values: vec[i64], gains: vec[i64]) -> i64:
    """The mover's gain in `values` (by piece type) if both sides capture on as long as it pays.

    Pins are not seen. `gains` is scratch space for 32 numbers.
    """
    origin, target, kind = move & 63, (move >> 6) & 63, move >> 12
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
