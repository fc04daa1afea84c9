"""Setting up a board piece by piece, for CECP engines that do not know setboard."""

from collections.abc import Iterator


def edit_commands(fen: str) -> Iterator[str]:
    """The lines between `force` and the first move that lead from the start position to a FEN.

    CECP has no words here for castling rights, en passant and the counters: an engine takes kings and
    rooks at home for unmoved.
    """
    board, turn = fen.split()[:2]
    if turn == "b":
        yield "a2a3"  # as xboard does it: some move of White's, since edit leaves the turn alone
    yield "edit"
    yield "#"
    pieces = list(_pieces(board))
    yield from (f"{piece}{square}" for piece, square in pieces if piece.isupper())
    yield "c"
    yield from (f"{piece.upper()}{square}" for piece, square in pieces if piece.islower())
    yield "."


def _pieces(board: str) -> Iterator[tuple[str, str]]:
    """(FEN letter, square) of every piece."""
    for rank, row in zip("87654321", board.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                yield letter, f"{'abcdefgh'[file]}{rank}"
                file += 1
