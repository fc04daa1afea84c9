"""The board of a CECP session: what the GUI says it is, move by move, as a FEN or piece by piece."""

import re
from typing import Final

from core.chess.movegen import EMPTY, MAILBOX
from core.chess.notation import PIECES, START, position_from_fen
from core.chess.position import Position
from protocols.session import ProtocolError

PLACEMENT: Final = re.compile(r"([PNBRQKx])([a-h])([1-8])")


class Board:
    """A position, and what was said of it that any change of it makes void."""

    def __init__(self) -> None:
        self.position = position_from_fen(START)
        self.is_legal = True  # False after a position that cannot be, until the next
        self.excluded: set[int] = set()  # moves that analysis is to leave out
        self.expected: int | None = None  # the move that we expect here

    def set_up(self, fen: str) -> None:
        """ProtocolError if there is no such position."""
        try:
            self.position = position_from_fen(fen)
        except ValueError as error:
            self.is_legal = False
            raise ProtocolError(f"tellusererror Illegal position: {error}") from error
        self.is_legal = True
        self._changed()

    def move_from(self, text: str, complaint: str) -> int:
        """The legal move that coordinates name; else a ProtocolError that begins with `complaint`."""
        try:
            return self.position.parse_uci(text.lower())
        except ValueError:
            raise ProtocolError(f"{complaint} {text[:20]}") from None

    def make(self, move: int) -> None:
        self.position.make(move)
        self._changed()

    def take_back(self, plies: int) -> bool:
        """False, and nothing done, if so many were not made."""
        if self.position.plies < plies:
            return False
        for _ in range(plies):
            self.position.undo()
        self._changed()
        return True

    def exclude(self, text: str) -> None:
        """Leave a move out of analysis, or `all`."""
        self.excluded |= self._named(text, "exclude")

    def include(self, text: str) -> None:
        self.excluded -= self._named(text, "include")

    def included(self) -> tuple[int, ...]:
        return tuple(move for move in self.position.legal_moves() if move not in self.excluded)

    def _named(self, text: str, command: str) -> set[int]:
        if text == "all":
            return set(self.position.legal_moves())
        return {self.move_from(text, f"Error (illegal move): {command}")}

    def _changed(self) -> None:
        self.excluded.clear()
        self.expected = None


class BoardEditor:
    """The edit mode, for GUIs without setboard.

    `#` clears the board, `c` changes the colour, `Pa4` puts a piece, `xa4` takes one away.
    """

    def __init__(self, position: Position) -> None:
        board = position.board
        self.squares = [
            "" if (piece := board[MAILBOX + square]) == EMPTY else PIECES[piece] for square in range(64)
        ]
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
            "".join(piece or "1" for piece in self.squares[rank * 8 : rank * 8 + 8])
            for rank in range(7, -1, -1)
        ]
        homes = (("K", 4, 7), ("Q", 4, 0), ("k", 60, 63), ("q", 60, 56))
        rights = "".join(
            right
            for right, king, rook in homes
            if self.squares[king] == ("K" if right.isupper() else "k")
            and self.squares[rook] == ("R" if right.isupper() else "r")
        )
        return f"{'/'.join(rows)} {self.turn} {rights or '-'} - 0 1"
