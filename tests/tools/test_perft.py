"""`galapagos perft`: known counts, however the position is given, and clear errors."""

import json
import subprocess
import sys

import chess
import pytest

from core.chess.notation import START, position_from_fen
from core.chess.position import perft
from tests.waiting import PATIENCE_SECONDS
from tools.__main__ import main

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
PAWN_ENDING = "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1"


@pytest.mark.parametrize(
    ("words", "leaves"),
    [
        (["startpos", "0"], 1),
        (["startpos", "1"], 20),
        (["startpos", "5"], 4_865_609),
        ([START, "3"], 8_902),
        ([*START.split(), "3"], 8_902),
        ([CASTLING, "3"], 13_744),
        ([*CASTLING.split(), "4"], 314_346),
        (["k7/8/8/7p/8/8/6P1/K7 b - - 0 1", "4"], 842),
    ],
)
def test_perft_prints_the_known_leaf_counts(
    words: list[str], leaves: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["perft", *words]) == 0
    assert capsys.readouterr().out.startswith(
        f"{leaves} {'leaf' if leaves == 1 else 'leaves'} at depth {words[-1]} in "
    )


def test_divide_lists_each_first_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "startpos", "3", "--divide"]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    counts = {move: int(count) for move, count in (line.split(": ") for line in lines)}
    assert len(counts) == 20 and list(counts) == sorted(counts)
    assert counts["e2e4"] == 600 and counts["a2a3"] == 380
    assert total.startswith(f"{sum(counts.values())} leaves") and sum(counts.values()) == 8_902


def test_json_reports_the_counts_and_the_speed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--json", "--divide", "startpos", "2"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert (outcome["fen"], outcome["depth"], outcome["leaves"]) == (START, 2, 400)
    assert len(outcome["moves"]) == 20 and set(outcome["moves"].values()) == {20}
    assert outcome["leaves_per_second"] == pytest.approx(400 / outcome["seconds"])


def test_deep_counts_equal_those_of_the_compiled_core(capsys: pytest.CaptureFixture[str]) -> None:
    """The upper plies are counted outside of the compiled core, for the sake of Ctrl-C."""
    assert main(["perft", PAWN_ENDING, "8", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["leaves"] == perft(position_from_fen(PAWN_ENDING), 8)


def test_a_mated_side_has_no_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "3", "--divide"]) == 0
    assert capsys.readouterr().out.startswith("0 leaves at depth 3")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["startpos"], "a position and a depth are needed"),
        (["startpos", "x"], "must be a depth of 0 to 64, not 'x'"),
        (["startpos", "65"], "must be a depth of 0 to 64, not '65'"),
        (["startpos", "w", "3"], "8 ranks expected"),
        (["8/8/8/8/8/8/8/8 w - -", "3"], "White must have one king"),
        (["4k3/8/8/8/8/8/4R3/4K3 w - -", "3"], "not to move is in check"),
    ],
)
def test_errors_are_one_line(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", *words]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.startswith("galapagos perft: ") and complaint in said.err
    assert said.err.count("\n") == 1


def test_dropped_castling_rights_are_reported_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "r3k1r1/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "2"]) == 0
    said = capsys.readouterr()
    board = chess.Board("r3k1r1/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += board.legal_moves.count()
        board.pop()
    assert said.out.startswith(f"{leaves} leaves")
    assert (
        said.err.startswith("galapagos perft: FEN: castling rights 'k' dropped") and said.err.count("\n") == 1
    )


def test_perft_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "tools", "perft", "startpos", "4"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("197281 leaves")
