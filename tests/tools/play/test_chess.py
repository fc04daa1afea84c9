"""`galapagos play chess`: people, engines and clocks, the views of the board, and the program."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest

from core.chess.notation import START, position_from_fen
from engines.engine import Info
from engines.match.referee import Turn
from engines.time_control import TimeControl
from tests.tools.play.casual_games import FAST, QUEEN_UP, Played, moves, read_games, standard_input
from tests.waiting import PATIENCE_SECONDS
from tools.__main__ import main
from tools.play.casual_game import CasualGame
from tools.play.chess import ChessView

# -- People ----------------------------------------------------------------------------------------


def test_two_people_play_to_mate(played: Played, tmp_path: Path) -> None:
    """In SAN and in coordinates."""
    pgn = tmp_path / "game.pgn"
    said, status = played("f3 e7e5 g4 Qh4#", "human", "human", "--pgn", str(pgn))
    assert status == 0
    assert said.startswith("White: Human, Black: Human\n")
    assert "\nWhite> f3\n" in said and "\nBlack> e7e5\n" in said, "what nobody typed is shown"
    assert said.endswith(" 1  R  N  B  Q  K  B  N  R\n    a  b  c  d  e  f  g  h\n\nCheckmate: Black wins.\n")
    (game,) = read_games(pgn)
    assert moves(game) == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert game.headers["Result"] == "0-1"
    assert (game.headers["White"], game.headers["Black"]) == ("Human", "Human")


def test_illegal_moves_are_reported_and_the_game_continues(played: Played) -> None:
    said, status = played("e5 blah Ne2 e4 e4 --", "human", "human")
    assert status == 0
    assert "illegal move: 'e5' (`help` for help)" in said
    assert "not a move: 'blah'; write e4, Nf3, O-O or e2e4 (`help` for help)" in said
    assert said.count("Black> ") == 3, "e4 is not legal twice, and nobody may pass"


def test_an_illegal_move_in_check_is_reported_with_the_check(played: Played) -> None:
    said, _ = played("e4 f6 Qh5 a6 g6", "human", "human")
    assert "illegal move: 'a6'; your king is in check (`help` for help)" in said


def test_commands_leave_the_game_as_it_is(played: Played) -> None:
    said, _ = played("HELP ? e4 fen moves board flip undo fen quit", "human", "human")
    assert said.count("take back your last move") == 2
    assert "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n" in said
    assert "Na6 Nc6 Nf6 Nh6 a5 a6 b5 b6 c5 c6 d5 d6 e5 e6 f5 f6 g5 g6 h5 h6\n" in said
    assert said.count("    a  b  c  d  e  f  g  h\n") == 3, "at the start, for Black, and as asked"
    assert said.count("    h  g  f  e  d  c  b  a\n") == 2, "turned around, and so it stays"
    assert said.index(START) > said.index("Black> undo")
    assert said.endswith("White> quit\nThe game is left unfinished.\n")


def test_the_last_move_is_marked_and_pieces_may_be_figures(played: Played) -> None:
    said, _ = played("e4", "human", "human")
    assert " 4  .  .  .  . [P] .  .  .\n" in said and " 2  P  P  P  P [.] P  P  P\n" in said
    said, _ = played("e4", "human", "human", "--unicode")
    assert " 4  .  .  .  . [♙] .  .  .\n" in said and " 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜\n" in said


def test_undo_takes_back_the_reply_too(played: Played, tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    said, _ = played("undo e4 d4 undo fen undo fen undo c4", "human", "random", "--pgn", str(pgn))
    assert said.count("you have no move to take back") == 2
    assert said.count("Black plays ") == 3
    fens = [line for line in said.splitlines() if line.count("/") == 7]
    assert [line.split()[-1] for line in fens] == ["2", "1"] and fens[1] == START
    (game,) = read_games(pgn)
    assert moves(game)[0] == "c2c4" and len(moves(game)) == 2


def test_save_appends_the_game_so_far(played: Played, tmp_path: Path) -> None:
    file = tmp_path / "saved.pgn"
    said, _ = played(f"e4 save\t{file} c5 save\t{file} save save\t{tmp_path}", "human", "human")
    assert said.count(f"saved to {file}") == 2
    assert "save needs the name of a file" in said and f"cannot write {tmp_path}: Is a directory" in said
    games = read_games(file)
    assert [moves(game) for game in games] == [["e2e4"], ["e2e4", "c7c5"]]
    assert [game.headers["Result"] for game in games] == ["*", "*"]


def test_resigning_loses_and_is_written_to_the_pgn(played: Played, tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    said, status = played("e4 resign", "human", "human", "--pgn", str(pgn))
    assert status == 0 and said.endswith("Black resigns: White wins.\n")
    assert read_games(pgn)[0].headers["Result"] == "1-0"


@pytest.mark.parametrize("typed", ["e4 e5 quit", "e4 e5"])
def test_leaving_writes_the_unfinished_game_to_the_pgn(typed: str, played: Played, tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 11"
    said, status = played(typed.replace("e5", "Kd7"), "human", "human", "--fen", start, "--pgn", str(pgn))
    assert status == 0 and said.endswith("\nThe game is left unfinished.\n")
    (game,) = read_games(pgn)
    assert (game.headers["Result"], game.headers["FEN"]) == ("*", start)
    assert moves(game) == ["e2e4", "e8d7"]
    assert "11. e4 Kd7 *" in pgn.read_text()


def test_dropped_castling_rights_of_a_fen_are_printed(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    said, status = played("fen quit", "human", "human", "--fen", "4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 11")
    assert status == 0 and "castling rights 'KQ' dropped" in said + capsys.readouterr().err


def test_a_game_without_moves_is_not_written_to_the_pgn(played: Played, tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    said, status = played("", "human", "human", "--pgn", str(pgn))
    assert status == 0 and said.endswith("White> \nThe game is left unfinished.\n")
    assert pgn.read_text() == ""


# -- Engines ---------------------------------------------------------------------------------------


def test_engines_alone_repeat_their_game_with_the_same_seed(played: Played, tmp_path: Path) -> None:
    files = [tmp_path / "1.pgn", tmp_path / "2.pgn"]
    for file in files:
        said, status = played("", "random", "random", "--seed", "3", "--pgn", str(file))
        assert status == 0 and said.splitlines()[-1].split()[-1] in ("wins.", "draw.")
    (first,), (second,) = map(read_games, files)
    assert moves(first) == moves(second)
    assert said.count("    a  b  c  d  e  f  g  h\n") == len(moves(first)) + 1, "each position is shown"
    assert moves(first)[::2] != moves(first)[1::2], "two random players are not one"


def test_an_evolved_player_shows_its_depth_score_line_and_hint(played: Played) -> None:
    said, status = played("hint resign", "chess:handset,hash=1", "human", "--tc", "depth=4")
    assert status == 0
    assert said.startswith("White: chess:handset,hash=1, Black: Human\n")
    thought = next(line for line in said.splitlines() if line.startswith("White plays "))
    assert " for White, depth 4, " in thought and len(thought.split(": ")[1].split()) > 1, (
        "a score and a line"
    )
    assert "    h  g  f  e  d  c  b  a\n" in said, "the board from the view of the person"
    assert "\nHint: " in said


def test_white_is_a_person_and_black_the_evolved_genome_by_default(played: Played) -> None:
    said, _ = played("", "--tc", "nodes=1")
    assert said.startswith("White: Human, Black: chess:evolved\n")


@pytest.mark.parametrize(
    ("words", "complaint", "status"),
    [
        (["human", "foo"], "'foo' names no engine; there are human, random, chess:evolved,", 2),
        (["human", "chess:nothere"], "cannot read the genome file 'nothere'", 2),
        (["human", "uci:/nonexistent"], "/nonexistent", 1),
        (["a", "b", "c"], "chess has 2 players, not 3", 2),
        (["--tc", "soon"], "'soon' is not like 10+0.1", 2),
        (["--tc", "3,nps=100"], "can only be used with galapagos match", 2),
        (["--fen", "8/8 w"], "8 ranks expected, 2 found", 2),
        (["--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"], "the game has ended in this position", 2),
        (["--pgn", "/nonexistent/game.pgn"], "cannot write /nonexistent/game.pgn: No such file", 2),
    ],
)
def test_errors_are_one_line(words: list[str], complaint: str, status: int, played: Played) -> None:
    said, returned = played("", *words)
    assert returned == status
    assert said.startswith("galapagos play: ") and complaint in said and said.count("\n") == 1


# -- Clocks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "outcome"),
    [
        (START, "White has run out of time: Black wins."),
        (QUEEN_UP.format("w"), "White has run out of time: a draw."),
    ],
)
def test_the_flag_falls_while_a_person_thinks(
    start: str, outcome: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    with standard_input(reading):
        assert main(["play", "chess", "human", "random", "--tc", "0.2", "--fen", start]) == 0
    os.close(reading)
    os.close(writing)
    said = capsys.readouterr().out
    assert "White [0 s]> " in said and said.endswith(f"{outcome}\n")


def test_clocks_are_charged_and_refilled() -> None:
    control = TimeControl(seconds=60, increment=2, actions=2)
    game = CasualGame(position_from_fen(START), [None, None], control)
    left = []
    for text in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5"):
        left.append(game.left_seconds())
        thought = Info(action=game.state.action_from(text))
        game.play(Turn(player=game.state.player(), info=thought, seconds=10))
    assert left == [60, 60, 52, 52, 104], "52 - 10 + 2, and 60 more after the second move"


# -- What the view says ----------------------------------------------------------------------------


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
def test_each_kind_of_game_end_has_its_verdict(start: str, line: str, verdict: str) -> None:
    position = position_from_fen(start)
    for text in line.split():
        assert not position.is_terminal()
        position.apply(position.action_from(text))
    assert position.is_terminal()
    assert ChessView().verdict(position) == verdict


def test_the_record_of_an_unfinished_game_may_start_with_black() -> None:
    position = position_from_fen(QUEEN_UP.format("b"))
    position.apply(position.action_from("h8g8"))
    text = ChessView().record(position, None, ('"A"', "B"), FAST)
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors
    assert moves(game) == ["h8g8"] and game.headers["White"] == "'A'"
    assert "1... Kg8 *" in text


# -- The program -----------------------------------------------------------------------------------


def test_play_chess_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "tools", "play", "chess", "human", "random"]
    done = subprocess.run(
        command, input="e4\nresign\n", check=False, capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("White resigns: Black wins.\n")


def test_ctrl_c_ends_the_program_and_writes_the_game(tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    command = [sys.executable, "-m", "tools", "play", "chess", "human", "random", "--pgn", str(pgn)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"e4\n")
        said = b""
        while said.count(b"White> ") < 2:
            said += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 130
        assert process.stdout.read() == b"\nThe game is left unfinished.\n"
        assert process.stderr.read() == b""
    (game,) = read_games(pgn)
    assert moves(game)[0] == "e2e4" and game.headers["Result"] == "*"
