"""Which move to try first: the table's, winning captures, killers, quiet moves by history, losing captures.

The better the first move, the sooner alpha and beta meet. Methods: chessprogramming.org/Move_Ordering.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.moves import CAPTURE_EN_PASSANT, EMPTY, MAILBOX, MAX_MOVES, PROMOTION, TURN
from core.chess.search.exchange import exchange
from core.chess.search.lines import MAX_PLY

# Orders: 2 * GOOD the table's move, GOOD and more a capture that does not lose, KILLER, history, then below
# -KILLER a capture that loses.
GOOD: Final = 1_099_511_627_776
KILLER: Final = 549_755_813_888
HISTORY_LIMIT: Final = 65_536


@final
class Ordering:
    """The moves of all frames on one stack, each with its order, and what earlier frames have taught."""

    def __init__(self, values: vec[i64]) -> None:
        """`values` of the pieces by type, for exchanges."""
        self.values = values
        self.moves = vec[i64]([0] * (MAX_MOVES * 66))
        self.orders = vec[i64]([0] * (MAX_MOVES * 66))
        self.killers = vec[i64]([0] * int(2 * MAX_PLY + 4))  # two a ply
        self.history = vec[i64]([0] * 8192)  # [side * 4096 + to * 64 + from]
        self.gains = vec[i64]([0] * 32)

    def arrange(self, board: vec[i64], first: i64, end: i64, hash_move: i64, ply: i64) -> None:
        """Give moves[first:end] their orders."""
        moves, orders, history = self.moves, self.orders, self.history
        values, gains = self.values, self.gains
        side = board[TURN] * 4096
        killer = self.killers[ply * 2]
        second_killer = self.killers[ply * 2 + 1]
        for index in range(first, end):
            move = moves[index]
            victim = board[MAILBOX + ((move >> 6) & 63)]
            kind = move >> 12
            if move == hash_move:
                orders[index] = 2 * GOOD
            elif victim != EMPTY or kind >= CAPTURE_EN_PASSANT:
                mover = board[MAILBOX + (move & 63)] % 6
                worth = (victim % 6 if victim != EMPTY else i64(0)) * 8 - mover
                if kind >= PROMOTION:
                    worth += kind * 16
                if victim != EMPTY and kind < PROMOTION and values[victim % 6] >= values[mover]:
                    orders[index] = GOOD + worth
                elif exchange(board, move, values, gains) >= 0:
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

    def refuted(self, board: vec[i64], first: i64, end: i64, move: i64, depth: i64, ply: i64) -> None:
        """A quiet move that was too good is likely to be so again; those of moves[first:end] tried before
        it were not."""
        if board[MAILBOX + ((move >> 6) & 63)] != EMPTY or move >> 12 >= CAPTURE_EN_PASSANT:
            return
        killers = self.killers
        if killers[ply * 2] != move:
            killers[ply * 2 + 1] = killers[ply * 2]
            killers[ply * 2] = move
        moves, history = self.moves, self.history
        side = board[TURN] * 4096
        bonus = depth * depth
        for index in range(first, end):
            other = moves[index]
            if board[MAILBOX + ((other >> 6) & 63)] == EMPTY:
                word = side + (other & 4095)
                change = bonus if other == move else -bonus
                history[word] += change - history[word] * bonus // HISTORY_LIMIT
