"""Chess960: castling from any array, as python-chess has it; and what 960 arrays have for moves."""

import chess
import pytest

from core.chess.evaluation import Evaluator
from core.chess.notation import START, fen, position_from_fen, san
from core.chess.position import fresh_hash, perft
from core.random import Random
from engines.chess.genome_file import load_bundled


def leaves(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize("number", [0, 1, 518, 959, *(Random(960).below(960) for _ in range(1))])
def test_perft_of_sampled_arrays_matches_python_chess(number: int) -> None:
    board = chess.Board.from_chess960_pos(number)
    assert perft(position_from_fen(board.fen()), 3) == leaves(board, 3)


@pytest.mark.slow  # minutes, for python-chess
def test_perft_of_all_960_arrays_matches_python_chess() -> None:
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        assert perft(position_from_fen(board.fen()), 3) == leaves(board, 3), number


@pytest.mark.parametrize(
    "text",
    [
        # Of the test suites for Chess960: kings and rooks that castle onto each other's squares, through and out of
        # attacks, with a rook that shields the king, and with rooks inside of others.
        "2r1kr2/8/8/8/8/8/8/1R2K1R1 w GBfc - 0 1",
        "rkr5/8/8/8/8/8/8/5RKR w HFca - 0 1",
        "2r3kr/8/8/8/8/8/8/1RK4R w HBhc - 0 1",
        "5rkr/8/8/8/8/8/8/RKR5 w CAhf - 0 1",
        "3rkr2/8/8/8/8/8/8/R3K2R w HAfd - 0 1",
        "4k3/8/8/8/8/8/8/qRK4R w HB - 0 1",
        "4k3/8/8/8/8/8/8/1RK2R1q w FB - 0 1",
        "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
        "r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w KQkq - 0 1",
        "rr2k1r1/8/8/8/8/8/8/RR2K1R1 w GBgb - 0 1",
        "8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1",
        "2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1",
        "4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1",
    ],
)
def test_difficult_castling_positions_match_python_chess(text: str) -> None:
    board = chess.Board(text, chess960=True)
    position = position_from_fen(text, True)
    assert position.notes == []
    assert chess.Board(fen(position), chess960=True) == board
    assert fen(position_from_fen(fen(position))) == fen(position)
    for depth in (1, 2, 3):
        assert perft(position, depth) == leaves(board, depth)


@pytest.mark.parametrize("seed", range(12))
def test_random_games_match_python_chess(seed: int) -> None:
    """Moves in coordinates and in SAN, FEN, hash, and all of it undone; they castle as soon as they may."""
    rng = Random(seed)
    board = chess.Board.from_chess960_pos(int(rng.below(960)))
    position = position_from_fen(board.fen())
    position.as_chess960()
    evaluator = Evaluator(load_bundled("evolved").express().weights)
    fens = []
    castled = 0
    for _ in range(100):
        fens.append(fen(position))
        ours = {position.action_text(move): move for move in position.legal_moves()}
        theirs = {board.uci(move, chess960=True): move for move in board.legal_moves}
        assert ours.keys() == theirs.keys()
        if not ours:
            break
        texts = sorted(text for text, move in theirs.items() if board.is_castling(move)) or sorted(ours)
        text = texts[int(rng.below(len(texts)))]
        castled += board.is_castling(theirs[text])
        assert san(position, ours[text]) == board.san(theirs[text])
        assert position.parse_uci(text) == ours[text]
        position.make(ours[text])
        board.push(theirs[text])
        assert chess.Board(fen(position), chess960=True).fen() == board.fen()
        assert fen(position_from_fen(fen(position), True)) == fen(position)
        assert position.board[19] == fresh_hash(position.board)
        evaluator.score(position.board)
    assert castled or seed % 4
    for expected in reversed(fens):
        if fen(position) != expected:
            position.undo()
        assert fen(position) == expected


def test_castling_notation_follows_the_variant() -> None:
    position = position_from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    castling = position.parse_uci("e1g1")
    assert position.parse_uci("e1h1") == castling  # some programs always write it so
    assert position.action_text(castling) == "e1g1"
    position.as_chess960()
    assert position.action_text(castling) == "e1h1"
    with pytest.raises(ValueError, match="illegal move: 'e1g1'"):
        position.parse_uci("e1g1")
    assert position.clone().is_chess960()


ARRAY = "nrbkbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRBKBRQN"
KING_ON_E = "rnbnkqrb/pppppppp/8/8/8/8/PPPPPPPP/RNBNKQRB"


@pytest.mark.parametrize(
    ("text", "rights"),
    [
        (f"{ARRAY} w KQkq - 0 1", "KQkq"),
        (f"{ARRAY} w FBfb - 0 1", "KQkq"),
        (f"{KING_ON_E} w KQkq - 0 1", "KQkq"),
        ("1r1k1r2/8/8/8/8/8/8/1R1K1R2 w Kq - 0 1", "Kq"),
        ("rr2k1r1/8/8/8/8/8/8/RR2K1R1 w GBgb - 0 1", "GBgb"),  # KQkq would be rights that were left behind
        ("4k3/8/8/8/8/8/8/R3K1R1 w QG - 0 1", "GQ"),
        ("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", "B"),
    ],
)
def test_castling_rights_of_other_arrays_mark_a_fen_as_chess960(text: str, rights: str) -> None:
    position = position_from_fen(text)
    assert position.is_chess960()
    assert len(position.notes) == 1 and "read as Chess960" in position.notes[0]
    assert fen(position).split()[2] == rights
    again = position_from_fen(fen(position))
    assert again.is_chess960() and fen(again) == fen(position)
    standard = position_from_fen(text, False)
    assert not standard.is_chess960() and len(standard.notes) == 1
    assert "(Chess960 is off)" in standard.notes[0]


@pytest.mark.parametrize(
    "text",
    [
        START,
        "r3k1r1/8/8/8/8/8/8/R3K2R w KQkq - 0 1",  # the rooks fit no array
        "3rk2r/8/8/8/8/8/8/3RK2R w KQkq - 0 1",
        "7k/8/8/8/8/8/8/R3K1R1 w KQ - 0 1",
        "4k3/8/8/8/8/8/8/1R1K4 w Q - 0 1",
        "r2k3r/8/8/8/8/8/8/R2K2R1 w KQkq - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
    ],
)
def test_stale_castling_rights_do_not_mark_a_fen_as_chess960(text: str) -> None:
    position = position_from_fen(text)
    assert not position.is_chess960()
    assert fen(position) == fen(position_from_fen(text, False))


def test_the_fen_of_every_array_survives_a_round_trip() -> None:
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        position = position_from_fen(board.fen())
        assert fen(position) == board.fen(), number
        corners = (
            board.fen()[4] == "k" and board.fen()[0] == board.fen()[7] == "r"
        )  # which castle as in chess
        assert position.is_chess960() is not corners, number
