"""Perft: how many leaves the tree of legal moves has, the classic check of a move generator.

Reference: chessprogramming.org/Perft.
"""

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.moves import MAX_MOVES, count_moves, generate
from core.chess.position import Position
from core.chess.tables import ALL


def perft(position: Position, depth: i64) -> i64:
    """Leaves of the legal move tree, counted at the leaf's parent. Depth is at most 64 (ValueError)."""
    if depth < 1 or depth > 64:
        if depth == 0:
            return 1
        raise ValueError(f"perft depth must be 0..64, not {depth}")
    return _perft(position, depth, vec[i64]([0] * (MAX_MOVES * int(depth))), 0)


def _perft(position: Position, depth: i64, moves: vec[i64], at: i64) -> i64:
    if depth == 1:
        return count_moves(position.board)
    end = generate(position.board, moves, at, ALL)
    leaves: i64 = 0
    for index in range(at, end):
        position.make(moves[index])
        leaves += _perft(position, depth - 1, moves, end)
        position.undo()
    return leaves
