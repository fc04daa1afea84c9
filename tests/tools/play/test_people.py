"""Games of people: moves, commands, undo, records."""

from pathlib import Path

import pytest

from core.chess.notation import START
from tests.tools.play.sittings import Played, moves, read_games


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


def test_errors_are_told_and_the_game_goes_on(played: Played) -> None:
    said, status = played("e5 blah Ne2 e4 e4 --", "human", "human")
    assert status == 0
    assert "illegal move: 'e5' (`help` for help)" in said
    assert "not a move: 'blah'; write e4, Nf3, O-O or e2e4 (`help` for help)" in said
    assert said.count("Black> ") == 3, "e4 is not legal twice, and nobody may pass"


def test_commands_leave_the_game_as_it_is(played: Played, tmp_path: Path) -> None:
    said, _ = played("HELP ? e4 fen moves board flip undo fen quit", "human", "human")
    assert said.count("take back the last move") == 2
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
    assert said.count("there is no move of yours to take back") == 2
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


def test_resigning(played: Played, tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    said, status = played("e4 resign", "human", "human", "--pgn", str(pgn))
    assert status == 0 and said.endswith("Black resigns: White wins.\n")
    assert read_games(pgn)[0].headers["Result"] == "1-0"


@pytest.mark.parametrize("typed", ["e4 e5 quit", "e4 e5"])
def test_leaving_keeps_the_game(typed: str, played: Played, tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 11"
    said, status = played(typed.replace("e5", "Kd7"), "human", "human", "--fen", start, "--pgn", str(pgn))
    assert status == 0 and said.endswith("\nThe game is left unfinished.\n")
    (game,) = read_games(pgn)
    assert (game.headers["Result"], game.headers["FEN"]) == ("*", start)
    assert moves(game) == ["e2e4", "e8d7"]
    assert "11. e4 Kd7 *" in pgn.read_text()


def test_no_game_no_record(played: Played, tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    said, status = played("", "human", "human", "--pgn", str(pgn))
    assert status == 0 and said.endswith("White> \nThe game is left unfinished.\n")
    assert pgn.read_text() == ""
