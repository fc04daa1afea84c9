"""Games with engines, as `galapagos play` names them."""

from pathlib import Path

import pytest

from tests.tools.play.sittings import Played, moves, read_games


def test_engines_alone_play_the_same_game_again(played: Played, tmp_path: Path) -> None:
    files = [tmp_path / "1.pgn", tmp_path / "2.pgn"]
    for file in files:
        said, status = played("", "random", "random", "--seed", "3", "--pgn", str(file))
        assert status == 0 and said.splitlines()[-1].split()[-1] in ("wins.", "draw.")
    (first,), (second,) = map(read_games, files)
    assert moves(first) == moves(second)
    assert said.count("    a  b  c  d  e  f  g  h\n") == len(moves(first)) + 1, "each position is shown"
    assert moves(first)[::2] != moves(first)[1::2], "two random players are not one"


def test_an_evolved_player_tells_what_it_thinks(played: Played) -> None:
    said, status = played("hint resign", "chess:handset,hash=1", "human", "--tc", "depth=4")
    assert status == 0
    assert said.startswith("White: chess:handset,hash=1, Black: Human\n")
    thought = next(line for line in said.splitlines() if line.startswith("White plays "))
    assert ", depth 4, " in thought and len(thought.split(": ")[1].split()) > 1, "a score and a line"
    assert "    h  g  f  e  d  c  b  a\n" in said, "the board from the view of the person"
    assert "\nHint: " in said


def test_white_is_a_person_and_black_the_evolved_genome_unless_said(played: Played) -> None:
    said, _ = played("", "--tc", "nodes=1")
    assert said.startswith("White: Human, Black: chess:evolved\n")


@pytest.mark.parametrize(
    ("words", "complaint", "status"),
    [
        (["human", "foo"], "'foo' names no engine", 2),
        (["human", "chess:nothere"], "cannot read the genome file 'nothere'", 2),
        (["human", "uci:/nonexistent"], "/nonexistent", 1),
        (["a", "b", "c"], "chess has 2 players, not 3", 2),
        (["--tc", "soon"], "'soon' is not like 10+0.1", 2),
        (["--tc", "3,nps=100"], "is for galapagos match", 2),
        (["--fen", "8/8 w"], "8 ranks expected, 2 found", 2),
        (["--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"], "the game is over in this position", 2),
        (["--pgn", "/nonexistent/game.pgn"], "cannot write /nonexistent/game.pgn: No such file", 2),
    ],
)
def test_errors_are_one_line(words: list[str], complaint: str, status: int, played: Played) -> None:
    said, returned = played("", *words)
    assert returned == status
    assert said.startswith("galapagos play: ") and complaint in said and said.count("\n") == 1
