"""python-chess as a GUI of galapagos-chess: whole games, analysis, options, without a warning."""

import logging
import re
import sys
from collections.abc import Iterator

import chess
import chess.engine
import pytest

from tests.waiting import PATIENCE_SECONDS, patient_python_chess

# It wants no sigterm=0, and sends `.` without knowing the answer.
ITS_OWN_WARNINGS = r"Rejecting feature sigterm=0|Unexpected engine output: 'stat01: "
COMMAND = [sys.executable, "-m", "tools.chess_engine"]


@pytest.fixture(scope="module", params=["uci", "xboard"])
def process(request: pytest.FixtureRequest) -> Iterator[chess.engine.SimpleEngine]:
    opened = {"uci": chess.engine.SimpleEngine.popen_uci, "xboard": chess.engine.SimpleEngine.popen_xboard}
    with patient_python_chess():
        engine = opened[request.param](COMMAND, timeout=PATIENCE_SECONDS)
    with engine:
        yield engine


@pytest.fixture
def engine(
    process: chess.engine.SimpleEngine, caplog: pytest.LogCaptureFixture
) -> Iterator[chess.engine.SimpleEngine]:
    """The engine as python-chess runs it, which must have no reason to warn."""
    yield process
    records = caplog.get_records("setup") + caplog.get_records("call")
    warnings = [record.getMessage() for record in records if record.levelno >= logging.WARNING]
    assert not [text for text in warnings if not re.search(ITS_OWN_WARNINGS, text)]


LIMITS = (
    chess.engine.Limit(nodes=500),
    chess.engine.Limit(depth=3),
    chess.engine.Limit(time=0.02),
    chess.engine.Limit(time=0.1 + 0.2 - 0.28),
    chess.engine.Limit(white_clock=3.0, black_clock=3.0, white_inc=0.1 + 0.2, black_inc=0.05),
    chess.engine.Limit(white_clock=0.5, black_clock=0.01, remaining_moves=5),
    chess.engine.Limit(time=0.05, depth=2),
)


def test_the_engine_plays_a_game_under_any_limit(engine: chess.engine.SimpleEngine) -> None:
    assert str(engine.id["name"]).startswith("Galapagos ")
    board = chess.Board()
    for number in range(40):
        if board.is_game_over():
            break
        limit = LIMITS[number % len(LIMITS)]
        result = engine.play(board, limit, game="one", info=chess.engine.INFO_ALL, ponder=number % 5 == 0)
        assert result.move is not None and result.move in board.legal_moves and not result.resigned
        board.push(result.move)
    assert len(board.move_stack) >= 20


def test_the_engine_plays_on_after_a_threefold_repetition(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        board.push_uci(move)
    assert board.can_claim_threefold_repetition()
    answer = engine.play(board, chess.engine.Limit(depth=2)).move
    assert answer is not None and answer in board.legal_moves


def test_the_engine_jumps_between_positions(engine: chess.engine.SimpleEngine) -> None:
    limit = chess.engine.Limit(depth=2)
    first = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        first.push_uci(move)
    second = first.copy()
    second.pop()
    second.pop()
    second.push_uci("f1c4")
    third = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 5 4")
    for board in (first, second, third, first):
        answer = engine.play(board, limit, game="same").move
        assert answer is not None and answer in board.legal_moves


def test_the_engine_analyses_and_respects_root_moves(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                analysis.stop()
    assert engine.analyse(board, chess.engine.Limit(time=0.1))["depth"] >= 1
    quiet = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    with engine.analysis(board, chess.engine.Limit(depth=3), root_moves=quiet) as analysis:
        assert all(info["pv"][0] in quiet for info in analysis if "pv" in info)
    assert engine.analyse(board, chess.engine.Limit(depth=3))["pv"][0] not in quiet


def test_a_score_comes_with_every_move(engine: chess.engine.SimpleEngine) -> None:
    for board in (chess.Board(), chess.Board("7k/8/8/8/8/6r1/8/7K w - - 0 1")):  # of one legal move too
        info = engine.analyse(board, chess.engine.Limit(nodes=1))
        assert info["score"] is not None and info["pv"][0] in board.legal_moves


def test_the_engine_waits_for_no_depth_beyond_a_mate(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    info = engine.analyse(board, chess.engine.Limit(depth=12))
    assert info["score"].relative == chess.engine.Mate(1)
    assert info["pv"] == [chess.Move.from_uci("h5f7")] and info["depth"] >= 12


def test_the_engine_plays_after_changes_of_its_options(engine: chess.engine.SimpleEngine) -> None:
    memory = "Hash" if "Hash" in engine.options else "memory"
    engine.configure({memory: 2, "Genome": "unevolved", "Strength": 50})
    assert engine.play(chess.Board(), chess.engine.Limit(time=0.05)).move is not None
    engine.configure({"Genome": "handset", "Search": "seed"})
    assert engine.play(chess.Board(), chess.engine.Limit(time=0.05)).move is not None
    engine.ping()
