"""What a series of captures on one square is worth, weakest piece first: static exchange evaluation."""

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.moves import (
    BISHOPS,
    CAPTURE_EN_PASSANT,
    EMPTY,
    KINGS,
    MAILBOX,
    PAWNS,
    PROMOTION,
    QUEENS,
    ROOKS,
    SIDE,
    attackers,
)  # fmt: skip
from core.chess.tables import BIT, bishop_attacks, rook_attacks


def exchange(board: vec[i64], move: i64, values: vec[i64], gains: vec[i64]) -> i64:
    """The mover's gain in `values` (by piece type) if both sides capture on as long as it pays.

    Pins are not seen. `gains` is scratch space for 32 numbers.
    """
    origin, target, kind = move & 63, (move >> 6) & 63, move >> 12
    piece = board[MAILBOX + origin]
    side = piece // 6
    victim = board[MAILBOX + target]
    occupied = (board[SIDE] | board[SIDE + 1]) ^ BIT[origin]
    if kind == CAPTURE_EN_PASSANT:
        gains[0] = values[PAWNS]
        occupied ^= BIT[target - 8] if side == 0 else BIT[target + 8]
    else:
        gains[0] = values[victim % 6] if victim != EMPTY else i64(0)
    standing = values[piece % 6]
    if kind >= PROMOTION:
        standing = values[kind - 3]
        gains[0] += standing - values[PAWNS]
    diagonal = board[BISHOPS] | board[6 + BISHOPS] | board[QUEENS] | board[6 + QUEENS]
    straight = board[ROOKS] | board[6 + ROOKS] | board[QUEENS] | board[6 + QUEENS]
    fighters = attackers(board, target, 0, occupied) | attackers(board, target, 1, occupied)
    depth: i64 = 0
    while depth < 30:
        side = 1 - side
        fighters &= occupied
        ours = fighters & board[SIDE + side]
        if not ours:
            break
        kind = PAWNS
        while not ours & board[side * 6 + kind]:
            kind += 1
        if kind == KINGS and fighters & board[SIDE + 1 - side]:
            break  # a king may not capture what is protected
        depth += 1
        gains[depth] = standing - gains[depth - 1]
        standing = values[kind]
        capturer = ours & board[side * 6 + kind]
        occupied ^= capturer & -capturer
        fighters |= bishop_attacks(target, occupied) & diagonal
        fighters |= rook_attacks(target, occupied) & straight
    while depth:
        if -gains[depth] < gains[depth - 1]:
            gains[depth - 1] = -gains[depth]
        depth -= 1
    return gains[0]
