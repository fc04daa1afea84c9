"""The view of chess at a terminal: the board in letters or figures, moves in SAN, games as PGN."""

import textwrap
from collections.abc import Sequence
from datetime import date
from typing import Final

from core.chess.movegen import EMPTY, FULLMOVES, MAILBOX
from core.chess.notation import FILES, PIECES, fen, position_from_fen, san
from core.chess.position import Position
from core.game import State
from engines.chess.game_record import SIDES, match_pgn, set_up_tags
from engines.chess.pgn import parse_move
from engines.match.referee import Result
from engines.time_control import TimeControl

FIGURES: Final = "♙♘♗♖♕♔♟♞♝♜♛♚"  # in the order of PIECES
EVENT: Final = "galapagos play"


class ChessView:
    """The view of chess; `figures` draws ♘ instead of N."""

    seats: tuple[str, ...] = SIDES
    notation = "fen"
    advice = "a move: e4, Nf3, exd5, O-O, e8=Q, or coordinates such as e2e4 and e7e8q"

    def __init__(self, figures: bool = False) -> None:
        self._letters = FIGURES if figures else PIECES

    def draw(self, state: State, seat: int) -> str:
        """Return the board with the side of `seat` at the bottom, and the squares of the last move in brackets."""
        position = _position(state)
        order = range(7, -1, -1) if seat else range(8)  # of files; ranks go the other way
        marked = {square for move in position.moves()[-1:] for square in (move & 63, move >> 6 & 63)}
        lines = []
        for rank in reversed(order):
            cells = [self._cell(position, rank * 8 + file, marked) for file in order]
            lines.append(f" {rank + 1} {''.join(cells)}".rstrip())
        return "\n".join([*lines, "   " + "".join(f" {FILES[file]} " for file in order).rstrip()])

    def describe(self, state: State) -> str:
        return fen(_position(state))

    def read(self, state: State, text: str) -> int:
        position = _position(state)
        try:
            return parse_move(position, text)
        except ValueError as error:
            if position.in_check() and str(error).startswith("illegal move"):
                raise ValueError(f"{error}; your king is in check") from None
            raise

    def write(self, state: State, action: int) -> str:
        return san(_position(state), action)

    def verdict(self, state: State) -> str:
        position = _position(state)
        if position.is_checkmate():
            return "Checkmate"
        if position.is_stalemate():
            return "Stalemate"
        if position.is_insufficient_material():
            return "Neither side can mate"
        return "Threefold repetition" if position.repetitions(2) >= 2 else "Fifty moves without progress"

    def record(self, state: State, result: Result | None, names: Sequence[str], control: TimeControl) -> str:
        """Return the game as PGN; times and the engines' scores are only in that of a finished game."""
        position = _position(state)
        white, black = names
        today = date.today().strftime("%Y.%m.%d")
        if result is None:
            return _unfinished(position, white, black, today)
        start = position_from_fen(position.start)
        return match_pgn(result, start, white, black, control, event=EVENT, date=today)

    def _cell(self, position: Position, square: int, marked: set[int]) -> str:
        piece = position.board[MAILBOX + square]
        letter = "." if piece == EMPTY else self._letters[piece]
        return f"[{letter}]" if square in marked else f" {letter} "


def _unfinished(position: Position, white: str, black: str, today: str) -> str:
    """Return the PGN of a game without a result (PGN standard, section 8.2): its value is *."""
    tags = {
        "Event": EVENT,
        "Site": "?",
        "Date": today,
        "Round": "-",
        "White": white.replace('"', "'"),
        "Black": black.replace('"', "'"),
        "Result": "*",
    }
    tags |= set_up_tags(position)
    words: list[str] = []
    replayed = position_from_fen(position.start)
    for move in position.moves():
        if replayed.player() == 0 or not words:
            words.append(f"{replayed.board[FULLMOVES]}{'...' if replayed.player() else '.'}")
        words.append(san(replayed, move))
        replayed.make(move)
    header = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{header}\n{textwrap.fill(' '.join([*words, '*']), 80)}\n\n"


def _position(state: State) -> Position:
    if not isinstance(state, Position):
        raise TypeError("this is the view of chess")
    return state
