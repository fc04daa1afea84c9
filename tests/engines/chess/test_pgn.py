"""What people write: moves as they are typed, openings from files."""

from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.notation import START, fen, position_from_fen
from engines.chess.pgn import parse_move, read_openings


@pytest.mark.parametrize(
    ("position", "text", "coordinates"),
    [
        (START, "e4", "e2e4"),
        (START, "e2e4", "e2e4"),
        (START, " Nf3 ", "g1f3"),
        (START, "Ng1f3", "g1f3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0-0-0", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1g1"),
        ("2R5/5P2/8/7p/3k4/8/1P6/5K2 w - - 0 1", "f7f8b", "f7f8b"),
        ("2R5/5P2/8/7p/3k4/8/1P6/5K2 w - - 0 1", "f8=Q", "f7f8q"),
        ("k7/8/8/3pP3/2K5/8/8/8 w - d6 0 1", "exd6", "e5d6"),
        ("2k1K3/8/8/8/8/8/QQ6/Q7 w - - 0 1", "Qa2b1", "a2b1"),
    ],
)
def test_moves_are_read(position: str, text: str, coordinates: str) -> None:
    state = position_from_fen(position)
    assert state.action_text(parse_move(state, text)) == coordinates


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not a move"),
        ("hello", "not a move: 'hello'"),
        ("e4 e5", "not a move"),
        ("x" * 10_000, "not a move: 'x{20}'"),
        ("e5", "illegal move: 'e5'"),
        ("e1g1", "illegal move"),
        ("O-O", "illegal move"),
        ("--", "may not pass"),
        ("0000", "may not pass"),
        ("Nd2", "illegal move"),
    ],
)
def test_wrong_moves_are_explained(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_move(position_from_fen(START), text)


def test_an_ambiguous_move_is_explained() -> None:
    position = position_from_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    with pytest.raises(ValueError, match="ambiguous move: 'Nd2'; say which piece"):
        parse_move(position, "Nd2")
    assert position.action_text(parse_move(position, "Nbd2")) == "b1d2"


@given(st.text(max_size=12))
def test_no_text_breaks_the_reader(text: str) -> None:
    position = position_from_fen(START)
    try:
        assert parse_move(position, text) in position.legal_actions()
    except ValueError:
        assert fen(position) == START


def test_openings_of_fen_and_epd_lines(tmp_path: Path) -> None:
    file = tmp_path / "openings.epd"
    file.write_text(
        "# openings\n\n"
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"
        'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "spanish";\n'
        "8/8/8/8/4k3/8/4p3/4K3 w - -\n"
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9 ; a remark\n"
    )
    assert [fen(position) for position in read_openings(file)[:2]] == [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1",
    ]
    assert fen(read_openings(file)[3]).endswith("- 3 9")


def test_openings_of_a_pgn_file(tmp_path: Path) -> None:
    file = tmp_path / "openings.pgn"
    file.write_text(
        '[Event "?"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 {the Spanish} 3. Bb5 *\n\n'
        '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 Kd7 *\n'
    )
    spanish, ending = read_openings(file)
    assert fen(spanish) == "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    assert spanish.plies == 5 and spanish.start == START
    assert ending.start == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" and ending.plies == 2


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("a.epd", f"{START}\n\nnonsense w - -\n", r"a.epd, line 3: FEN: 8 ranks expected"),
        ("a.epd", "8/8/8/8/8/8/8/K7 w - -\n", "line 1: FEN: Black must have one king"),
        ("a.epd", "# nothing\n", "a.epd: no openings"),
        ("a.epd", "k7/8/8/8/8/8/8/K7 w - -\n", "line 1: the game is over"),
        ("a.pgn", "", "a.pgn: no openings"),
        ("a.pgn", '1. e4 e5 *\n\n[Event "?"]\n\n1. e5 *\n', "a.pgn, game 2: illegal san"),
        ("a.pgn", '[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 *\n', "a.pgn, game 1: "),
        ("a.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n", "game 1: the game is over"),
    ],
)
def test_wrong_openings_are_explained(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=complaint):
        read_openings(tmp_path / name)


def test_the_openings_for_matches(shared_data: Path) -> None:
    openings = read_openings(shared_data / "chess" / "openings.epd")
    lines = (shared_data / "chess" / "openings.epd").read_text().splitlines()
    assert len(openings) == len(lines) > 90
    assert all(fen(opening) == chess.Board(line).fen() for opening, line in zip(openings, lines, strict=True))
