"""The view of chess."""

import io

import chess.pgn
import pytest

from core.chess.notation import START, position_from_fen
from tests.tools.play.sittings import FAST, QUEEN_UP, moves
from tools.play.chess import ChessView


@pytest.mark.parametrize(
    ("start", "line", "verdict"),
    [
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", "b1b8", "Checkmate"),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "Stalemate"),
        ("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2", "Neither side can mate"),
        (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "Threefold repetition"),
        ("7k/8/8/8/8/8/8/KQ6 w - - 99 70", "b1b2", "Fifty moves without progress"),
    ],
)
def test_verdicts(start: str, line: str, verdict: str) -> None:
    position = position_from_fen(start)
    for text in line.split():
        assert not position.is_terminal()
        position.apply(position.action_from(text))
    assert position.is_terminal()
    assert ChessView().verdict(position) == verdict


def test_an_unfinished_game_may_begin_with_black() -> None:
    position = position_from_fen(QUEEN_UP.format("b"))
    position.apply(position.action_from("h8g8"))
    text = ChessView().record(position, None, ('"A"', "B"), FAST)
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors
    assert moves(game) == ["h8g8"] and game.headers["White"] == "'A'"
    assert "1... Kg8 *" in text
