"""An engine in the process of a user of python-chess: boards in, moves and scores out, as SimpleEngine has them."""

import asyncio
import sys
from collections.abc import AsyncGenerator

import chess
import chess.engine
import pytest

from core.game import State
from engines.chess.engine import ChessEngine
from engines.engine import Engine, Info, Limit
from protocols.adapters.python_chess import LocalEngine

MATE_IN_ONE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
LOST = "4k3/8/8/8/8/8/8/qq2K3 w - - 0 1"


class Waiting(Engine):
    """One that needs a loop."""

    name, author, options = "Waiting", "tests", ()

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        await asyncio.sleep(0.01)
        yield Info(action=state.legal_actions()[0])


def nodes(count: int) -> chess.engine.Limit:
    return chess.engine.Limit(nodes=count)


def test_a_game_by_one_who_knows_chess_engine() -> None:
    board = chess.Board()
    limits = (
        nodes(200),
        chess.engine.Limit(depth=2),
        chess.engine.Limit(time=0.02),
        chess.engine.Limit(white_clock=2, black_clock=2),
    )
    with LocalEngine(ChessEngine()) as engine:
        assert engine.id["name"].startswith("Galapagos ")
        engine.ping()
        while not board.is_game_over() and len(board.move_stack) < 60:
            result = engine.play(board, limits[board.ply() % 4], game="one", info=chess.engine.INFO_ALL)
            assert result.move and result.move in board.legal_moves and result.info["pv"][0] == result.move
            assert not result.resigned and not result.draw_offered
            board.push(result.move)
    assert len(board.move_stack) >= 20


def test_the_same_answer_as_over_uci() -> None:
    """Where nothing depends on the clock."""
    board = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(move)
    with (
        chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "tools.stdio"], timeout=20.0) as far,
        LocalEngine(ChessEngine()) as near,
    ):
        theirs = far.analyse(board, chess.engine.Limit(depth=5), game=1)
        ours = near.analyse(board, chess.engine.Limit(depth=5), game=1)
    for key in ("depth", "nodes", "score", "pv"):
        assert ours[key] == theirs[key], key


def test_scores_are_whose_move_it_is() -> None:
    engine = LocalEngine(ChessEngine())
    info = engine.analyse(chess.Board(MATE_IN_ONE), chess.engine.Limit(depth=8))
    assert info["score"].relative == chess.engine.Mate(1) and info["pv"] == [chess.Move.from_uci("h5f7")]
    assert info["score"].white() == chess.engine.Mate(1)
    board = chess.Board(LOST)
    assert engine.analyse(board, nodes(500))["score"].white() < chess.engine.Cp(-500)
    assert engine.analyse(board.mirror(), nodes(500))["score"].white() > chess.engine.Cp(500)


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", chess.engine.Mate(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", chess.engine.Cp(0)),
    ],
)
def test_a_game_that_is_over(fen: str, score: chess.engine.Score) -> None:
    engine = LocalEngine(ChessEngine())
    assert engine.play(chess.Board(fen), nodes(10)).move is None
    assert engine.analyse(chess.Board(fen), nodes(10))["score"].relative == score
    assert list(engine.analysis(chess.Board(fen))) == []


def test_repetitions_and_draws_nobody_has_claimed() -> None:
    board = chess.Board()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        board.push_uci(move)
    for _ in range(2):
        answer = LocalEngine(ChessEngine()).play(board, nodes(100)).move
        assert answer is not None and answer in board.legal_moves
        board.push(chess.Move.null())  # as GUIs do to show a threat


def test_an_analysis_that_is_stopped() -> None:
    engine = LocalEngine(ChessEngine())
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info["depth"] >= 3:
                analysis.stop()
        assert analysis.info["depth"] >= 3 and analysis.multipv == [analysis.info]
        assert analysis.wait().move == analysis.info["pv"][0]
        with pytest.raises(chess.engine.AnalysisComplete):
            analysis.get()
    with engine.analysis(chess.Board()) as analysis:
        analysis.stop()
        best = analysis.wait()
        assert best.move is not None and best.move in chess.Board().legal_moves
    with engine.analysis(chess.Board(), chess.engine.Limit(depth=2)) as analysis:
        assert analysis.get()["depth"] >= 0 and analysis.next() is not None


def test_root_moves() -> None:
    engine = LocalEngine(ChessEngine())
    quiet = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    assert engine.play(chess.Board(), nodes(300), root_moves=quiet).move in quiet
    with pytest.raises(ValueError, match="root_moves"):
        engine.play(chess.Board(), nodes(300), root_moves=[chess.Move.from_uci("e2e5")])


def test_options() -> None:
    engine = LocalEngine(ChessEngine())
    engine.configure({"hash": 2, "Genome": "unevolved", "OwnBook": True})
    options = engine.options
    assert (options["Hash"].default, options["Genome"].default, options["OwnBook"].default) == (
        2,
        "unevolved",
        True,
    )
    assert options["Hash"].max == 4096 and "handset" in (options["Genome"].var or ())
    for wrong in ({"Hash": 0}, {"Contempt": 3}, {"GenomeFile": "/nowhere/at/all"}):
        with pytest.raises(chess.engine.EngineError):
            engine.configure(wrong)
    weak = engine.analyse(chess.Board(), chess.engine.Limit(time=5.0), options={"Strength": 1})
    assert weak["nodes"] < 20 and engine.options["Strength"].default == 100


def test_draws_and_resigning() -> None:
    engine = LocalEngine(ChessEngine())
    board = chess.Board(LOST)
    assert engine.play(board, nodes(300), draw_offered=True).draw_offered
    assert not engine.play(board, nodes(300)).draw_offered
    engine.configure({"Resign": 500})
    assert [engine.play(board, nodes(300)).resigned for _ in range(3)] == [False, False, True]


def test_what_is_no_chess() -> None:
    engine = LocalEngine(ChessEngine())
    with pytest.raises(chess.engine.EngineError, match="chess960"):
        engine.play(chess.Board(chess960=True), nodes(10))
    with pytest.raises(ValueError, match="king"):
        engine.play(chess.Board(None), nodes(10))
    with pytest.raises(chess.engine.EngineError, match="one line"):
        engine.analyse(chess.Board(), nodes(10), multipv=3)


def test_nothing_goes_on_for_ever() -> None:
    engine = LocalEngine(ChessEngine())
    for ask in (engine.play, engine.analyse):
        with pytest.raises(chess.engine.EngineError, match="never end"):
            ask(chess.Board(), chess.engine.Limit())
    assert engine.play(chess.Board(), nodes(10)).move is not None


async def test_a_loop_that_runs_already_is_not_in_the_way() -> None:
    """But it is not used: who needs one is told so."""
    assert LocalEngine(ChessEngine()).play(chess.Board(), nodes(100)).move is not None
    with pytest.raises(chess.engine.EngineError, match="popen_uci"):
        LocalEngine(Waiting()).play(chess.Board(), nodes(10))
