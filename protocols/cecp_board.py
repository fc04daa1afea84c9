"""The edit mode of CECP: a board put together piece by piece, for GUIs without setboard."""

import re
from typing import Final

from core.chess.fen import PIECES
from core.chess.moves import EMPTY, MAILBOX
from core.chess.position import Position
from protocols.session import ProtocolError

PLACEMENT: Final = re.compile(r"([PNBRQKx])([a-h])([1-8])")


class BoardEditor:
    """`#` clears the board, `c` changes the colour, `Pa4` puts a piece, `xa4` takes one away."""

    def __init__(self, position: Position) -> None:
        board = position.board
        self.squares = ["" if (piece := board[MAILBOX + square]) == EMPTY else PIECES[piece] for square in range(64)]
        self.turn = "b" if position.player() else "w"
        self.black = False

    def edit(self, line: str) -> None:
        """Obey one line. ProtocolError if it is none of edit's."""
        match = PLACEMENT.fullmatch(line)
        if match is not None:
            square = "abcdefgh".index(match[2]) + 8 * (int(match[3]) - 1)
            piece = match[1].lower() if self.black else match[1]
            self.squares[square] = "" if match[1] == "x" else piece
        elif line == "#":
            self.squares = [""] * 64
        elif line == "c":
            self.black = not self.black
        elif line:
            raise ProtocolError(f"Error (unknown command in edit mode): {line[:40]}")

    def fen(self) -> str:
        """The board so far; kings and rooks at home may castle."""
        rows = [
            "".join(piece or "1" for piece in self.squares[rank * 8 : rank * 8 + 8]) for rank in range(7, -1, -1)
        ]
        homes = (("K", 4, 7), ("Q", 4, 0), ("k", 60, 63), ("q", 60, 56))
        rights = "".join(
            right
            for right, king, rook in homes
            if self.squares[king].lower() == "k"
            and self.squares[rook].lower() == "r"
            and self.squares[king].isupper() == self.squares[rook].isupper() == right.isupper()
        )
        return f"{'/'.join(rows)} {self.turn} {rights or '-'} - 0 1"
