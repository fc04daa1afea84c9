"""A mate solver that tries every move, by python-chess: the judge of the mates that the searches report."""

import chess


def moves_to_mate(board: chess.Board, most: int) -> int | None:
    """Return the moves to the mate that the side to move forces in at most `most` moves, or, negative, suffers.

    None if there is no such mate. Threefold repetitions and fifty moves are draws, whether claimed or not.
    """
    for moves in range(1, most + 1):
        if _mates(board, moves):
            return moves
        if _is_mated(board, moves):
            return -moves
    return None


def is_forced(board: chess.Board, mate: int) -> bool:
    """Return whether the side to move forces mate in at most `mate` moves, or is mated in at most -`mate`."""
    return _mates(board, mate) if mate > 0 else _is_mated(board, -mate)


def _mates(board: chess.Board, moves: int) -> bool:
    for move in sorted(board.legal_moves, key=board.gives_check, reverse=True):
        if moves == 1 and not board.gives_check(move):
            return False
        board.push(move)
        has_mated = board.is_checkmate() or (moves > 1 and _is_mated(board, moves - 1))
        board.pop()
        if has_mated:
            return True
    return False


def _is_mated(board: chess.Board, moves: int) -> bool:
    """Return whether every move lets the other side mate in at most `moves` moves."""
    if _is_drawn(board) or not any(board.legal_moves):
        return False
    for move in board.legal_moves:
        board.push(move)
        is_lost = not _is_drawn(board) and _mates(board, moves)
        board.pop()
        if not is_lost:
            return False
    return True


def _is_drawn(board: chess.Board) -> bool:
    return board.halfmove_clock >= 100 or board.is_repetition(3) or board.is_insufficient_material()
