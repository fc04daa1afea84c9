"""Algebraic notation against python-chess, on random games in which every form of move occurs."""

import re

import chess
import pytest

from core.chess.notation import START, position_from_fen, san
from core.chess.position import move_text
from core.random import Random
from tests.core.chess.test_position import STARTS, random_moves

CROWDED = "3k4/8/1N3N2/Q7/3N4/8/R3B1R1/R3K2R w KQ - 0 1"  # several pieces for most squares
QUEENS = "8/8/8/8/4Q2Q/2k5/8/1K5Q w - - 0 1"
FORMS = {
    "pawn": "[a-h][2-7]",
    "capture by a pawn": "[a-h]x[a-h][2-7]",
    "promotion": "[a-h][18]=[NBRQ]",
    "capture and promotion": "[a-h]x[a-h][18]=[NBRQ]",
    "piece": "[NBRQK][a-h][1-8]",
    "capture": "[NBRQK]x[a-h][1-8]",
    "file": "[NBRQ][a-h]x?[a-h][1-8]",
    "rank": "[NBRQ][1-8]x?[a-h][1-8]",
    "file and rank": "[NBRQ][a-h][1-8]x?[a-h][1-8]",
    "short castling": "O-O",
    "long castling": "O-O-O",
    "check": ".*[+]",
    "mate": ".*#",
}


def test_san_of_every_form_of_move_matches_python_chess() -> None:
    seen: set[str] = set()
    moves = passing = 0
    for start in (*STARTS, CROWDED, QUEENS):
        for seed in range(3):
            for position, board in random_moves(start, seed):
                for move in position.legal_moves():
                    text = san(position, move)
                    other = chess.Move.from_uci(move_text(move))
                    assert text == board.san(other), board.fen()
                    seen.update(name for name, form in FORMS.items() if re.fullmatch(form, text))
                    moves += 1
                    passing += board.is_en_passant(other)
    assert seen == set(FORMS)
    assert moves > 50_000 and passing > 0


@pytest.mark.parametrize(
    ("fen", "coordinates", "text"),
    [
        ("4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1", "e1e2", "Kxe2"),
        ("1k6/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        (QUEENS, "h4e1", "Qh4e1+"),
        ("7Q/8/8/8/8/1k6/8/1K5Q w - - 0 1", "h8h4", "Q8h4"),
        ("4k3/8/8/8/1b6/2N5/8/K1N3N1 w - - 0 1", "g1e2", "Nge2"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),  # the other knight is pinned
        ("8/8/8/8/3pP3/7k/8/7K b - e3 0 1", "d4e3", "dxe3"),
    ],
)
def test_san_matches_the_examples(fen: str, coordinates: str, text: str) -> None:
    position = position_from_fen(fen)
    assert san(position, position.action_from(coordinates)) == text


def test_san_leaves_the_position_unchanged() -> None:
    position = position_from_fen(CROWDED)
    before = position.clone()
    for move in position.legal_moves():
        san(position, move)
    assert [*position.board] == [*before.board] and position.plies == 0


def test_an_illegal_move_is_refused() -> None:
    position = position_from_fen(START)
    legal = set(position.legal_moves())
    rng = Random(1)
    for _ in range(2000):
        move = int(rng.below(1 << 20))
        if move not in legal:
            with pytest.raises(ValueError, match="illegal move"):
                san(position, move)
