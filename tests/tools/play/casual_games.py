"""What the games at a terminal share."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import chess.pgn

from engines.time_control import TimeControl

FAST = TimeControl(depth=1)
QUEEN_UP = "7k/8/8/8/8/8/8/KQ6 {} - - 0 1"
Played = Callable[..., tuple[str, int]]


@contextmanager
def standard_input(file: int) -> Iterator[None]:
    kept = os.dup(0)
    os.dup2(file, 0)
    try:
        yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)


def moves(game: chess.pgn.Game) -> list[str]:
    return [move.uci() for move in game.mainline_moves()]


def read_games(path: Path) -> list[chess.pgn.Game]:
    stream = io.StringIO(path.read_text())
    return list(iter(lambda: chess.pgn.read_game(stream), None))
