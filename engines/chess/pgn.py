"""Chess as people write it: moves that they type, and openings from FEN, EPD or PGN files.

All is read by python-chess, whose import takes longer than an engine may take to start. The moves and games that
this program writes are core.chess.notation's and engines.chess.game_record's.
"""

from io import StringIO
from pathlib import Path
from typing import Final

import chess
import chess.pgn

from core.chess.notation import fen, position_from_fen
from core.chess.position import Position

OPENINGS: Final = Path(__file__).with_name("openings.epd")  # that come with the program


def parse_move(position: Position, text: str) -> int:
    """The legal move that a person means by `text`: e4, Nbd7, exd8=Q+, O-O, or coordinates e2e4, e7e8q.

    ValueError says whether it is no move at all, illegal, or ambiguous.
    """
    text = text.strip()
    try:
        move = chess.Board(fen(position)).parse_san(text)
    except chess.AmbiguousMoveError:
        raise ValueError(f"ambiguous move: {text[:20]!r}; say which piece") from None
    except chess.IllegalMoveError:
        raise ValueError(f"illegal move: {text[:20]!r}") from None
    except chess.InvalidMoveError:
        raise ValueError(f"not a move: {text[:20]!r}; write e4, Nf3, O-O or e2e4") from None
    if not move:
        raise ValueError(f"illegal move: {text[:20]!r}; one may not pass")
    return position.parse_uci(move.uci())


def read_openings(path: Path) -> list[Position]:
    """The positions that a file of FEN or EPD lines names, or those at the ends of a PGN file's games.

    Blank lines and lines that begin with # are skipped. ValueError names the file, the line or game,
    and what is wrong with it.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    is_pgn = path.suffix.lower() == ".pgn" or text.lstrip().startswith("[")
    openings = _openings_from_pgn(path.name, text) if is_pgn else _openings_from_lines(path.name, text)
    if not openings:
        raise ValueError(f"{path.name}: no openings in it")
    return openings


def _openings_from_lines(name: str, text: str) -> list[Position]:
    openings = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        fields = line.split()
        has_counters = len(fields) >= 6 and fields[4].isdecimal() and fields[5].isdecimal()
        try:
            position = position_from_fen(" ".join(fields[: 6 if has_counters else 4]))
            openings.append(_playable(position))
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
    return openings


def _openings_from_pgn(name: str, text: str) -> list[Position]:
    openings: list[Position] = []
    stream = StringIO(text)
    try:
        while game := chess.pgn.read_game(stream, Visitor=_StrictReader):
            position = position_from_fen(game.board().fen())
            for move in game.mainline_moves():
                position.make(position.parse_uci(move.uci()))
            openings.append(_playable(position))
    except ValueError as error:
        raise ValueError(f"{name}, game {len(openings) + 1}: {error}") from None
    return openings


def _playable(position: Position) -> Position:
    if position.is_terminal():
        raise ValueError("the game is over in this opening")
    return position


class _StrictReader(chess.pgn.GameBuilder[chess.pgn.Game]):
    """python-chess logs what it cannot read and goes on with less; an opening is whole or an error."""

    def handle_error(self, error: Exception) -> None:
        raise ValueError(str(error)) from None
