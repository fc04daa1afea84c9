"""What people write: moves as they are typed, openings from files."""

from pathlib import Path
from tempfile import TemporaryDirectory

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
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o-o", "e1c1"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "0-o+", "e1g1"),
        ("4k3/8/8/8/8/8/8/1R1K1R2 w FB - 0 1", "O-O", "d1f1"),  # Chess960
        ("4k3/8/8/8/8/8/8/1R1K1R2 w FB - 0 1", "o-o-o", "d1b1"),
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
        ("--", "passing is not allowed"),
        ("0000", "passing is not allowed"),
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
def test_any_move_text_is_read_or_refused(text: str) -> None:
    position = position_from_fen(START)
    try:
        assert parse_move(position, text) in position.legal_actions()
    except ValueError:
        assert fen(position) == START


def test_openings_are_read_from_fen_and_epd_lines(tmp_path: Path) -> None:
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


def test_openings_are_read_from_a_pgn_file(tmp_path: Path) -> None:
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
        ("a.epd", "# nothing\n", "a.epd has no openings"),
        ("a.epd", "k7/8/8/8/8/8/8/K7 w - -\n", "line 1: the game has ended in"),
        ("a.pgn", "", "a.pgn has no openings"),
        (
            "a.pgn",
            '1. e4 e5 *\n\n[Event "?"]\n\n1. e5 *\n',
            "a.pgn, game 2, line 5, move 1. 'e5': illegal move",
        ),
        ("a.pgn", '[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 *\n', "a.pgn, game 1, line 1: FEN: 8 ranks"),
        ("a.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n", "game 1: the game has ended"),
    ],
)
def test_wrong_openings_are_explained(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=complaint):
        read_openings(tmp_path / name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_opening_files_may_have_any_encoding_and_line_ends(encoding: str, end: str, tmp_path: Path) -> None:
    lines = ["# caf\xe9", "", "; remark", f'{START[:-4]} c0 "caf\xe9";', "\t", f" {QUEENLESS} "]
    (tmp_path / "a.epd").write_bytes(end.join(lines).encode(encoding))
    assert [fen(position) for position in read_openings(tmp_path / "a.epd")] == [START, QUEENLESS]
    game = ['[White "Caf\xe9"]', "", "1. e4 *"]
    (tmp_path / "games.txt").write_bytes(end.join(game).encode(encoding))
    assert [position.plies for position in read_openings(tmp_path / "games.txt")] == [1]


def test_counters_of_epd_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.epd").write_text(
        f'{QUEENLESS[:-4]} hmvc 3; fmvn 17; id "x; y";\n{QUEENLESS[:-4]} fmvn 4;\n'
    )
    ends = [fen(position).split()[4:] for position in read_openings(tmp_path / "a.epd")]
    assert ends == [["3", "17"], ["0", "4"]]


def test_impossible_facts_in_an_opening_are_dropped_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a.epd").write_text(
        "# rights\nr3k1r1/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n8/8/4k3/8/8/8/8/R3K3 w - - 113 90\n"
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n"
    )
    rights, clock, chess960 = read_openings(tmp_path / "a.epd")
    assert fen(rights) == "r3k1r1/8/8/8/8/8/8/R3K2R w KQq - 0 1" and not rights.is_chess960()
    assert fen(clock) == clock.start == "8/8/4k3/8/8/8/8/R3K3 w - - 0 90"
    assert chess960.is_chess960()
    assert [record.getMessage()[:45] for record in caplog.records] == [
        "a.epd, line 2: FEN: castling rights 'k' dropp", "a.epd, line 3: half-move clock 113 set to 0, ",
        "a.epd, line 4: FEN: read as Chess960 because ",
    ]  # fmt: skip
    (tmp_path / "a.pgn").write_text('\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1"]\n\n1. e4 *\n')
    read_openings(tmp_path / "a.pgn")
    assert caplog.records[-1].getMessage().startswith("a.pgn, game 1, line 2: FEN: castling rights 'KQ'")


QUEENLESS = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"
SCOTCH = "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3"


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 Nc6 3. d4 *",
        "1. e4 e5 2. \u2658f3 \u265ec6 3. \u2659d4",
        "1.e4 e5 2.Nf3 2...Nc6 3.d4 1-0",
        "1 e2-e4 e7e5 2 Ng1-f3 Nb8c6 3 d2d4 1/2",
        "1. e4! e5?! ; the open game\n% escaped nonsense\n2. Nf3 $14 $146 Nc6!? {a\nlong\n} 3. d4 += *",
        "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. Sf3) e5 2. Nf3 Nc6 (2... P-Q3) 3. d4 *",
        '[Event "The "big" one"] \n[Site "x"] [Round "1"]\n1. e4 e5 2. Nf3 Nc6 3. d4 *',
    ],
)
def test_opening_pgn_may_write_moves_in_many_forms(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(text, encoding="utf-8")
    assert [fen(position) for position in read_openings(tmp_path / "a.pgn")] == [SCOTCH]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1. e4 e5 2. Sf3 Sc6 *", r"line 1, move 2. 'Sf3': no move in English notation"),
        ("1. e4 e5\n2. Cf3 Cc6 *", r"line 2, move 2. 'Cf3': no move in English"),
        ("1. e4 e5 2. Pf3 Pc6 *", r"move 2. 'Pf3': no move in English"),
        ("1. e4 e5 2. \u041af3 *", r"move 2. '\u041af3': no move in English"),
        ("1. e4 e5 2. nf3 nc6 *", r"move 2. 'nf3': no move in English"),
        ("1. e4 e5 2. Nf3 Nc6 3. bb5 *", r"move 3. 'bb5': illegal move"),
        ("1. e3 d5 2. b3 c4 *", r"move 2... 'c4': illegal move"),
        ("1. e3 d5 2. b3 a6 3. a3 dxe4 *", r"move 3... 'dxe4': illegal move"),
        ("1. b3 c5 2. e3 c4 3. bc4 *", "move 3. 'bc4': ambiguous move; write B for a bishop"),
        ("1. P-K4 P-K4 *", "move 1. 'P-K4': no move"),
        ("1. e4 P-K4 *", "move 1... 'P-K4': no move"),
        ("1. e4 e5 2. Nf3 wow Nc6 *", "move 2... 'wow': no move"),
        ("1. e4 -- 2. d4 *", "move 1... '--': no move"),
        ("1. e4 e5 2. Ne2 d6 3. Nc3 *", "move 3. 'Nc3': ambiguous move; say which piece"),
        ("1. e4 2. d4 *", "'2.': the next move is number 1"),
        ("3. e4 e5 *", "'3.': the next move is number 1"),
        (
            "1. e4 e5\n\n1. d4 d5\n",
            "game 1, line 3, '1.': the next move is number 2; is a move or a result miss",
        ),
        ("1. e4 {no end\n\n1. d4 *", "game 1: the comment of line 1 does not end"),
        ("1. e4 (1. d4 *", "game 1: a variation does not end"),
        ("1. e4 ) e5 *", "line 1: a variation ends that has not started"),
        ("1. e4 } e5 *", "line 1: a comment ends that has not started"),
        (
            '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]\n\n1. e4 *',
            r'line 1: a tag must be written \[Name "value"\]',
        ),
        ('FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"\n\n1. e4 *', "line 1, move 1. 'FEN': no move"),
        (f'[FEN "{QUEENLESS}"]\n\n[FEN "{START}"]\n\n1. e4 *', "line 3: the tag fen is there twice"),
        ('[Variant "Atomic"]\n\n1. e4 *', "line 1: 'Atomic' is not a variant that is supported"),
        ('1. e4 e5 *\n[FEN "x"]\n', "game 2, line 2: FEN: 8 ranks expected"),
    ],
)
def test_opening_pgn_that_is_not_understood_is_refused_with_its_place(
    text: str, complaint: str, tmp_path: Path
) -> None:
    (tmp_path / "a.pgn").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=complaint) as refusal:
        read_openings(tmp_path / "a.pgn")
    assert str(refusal.value).startswith(("a.pgn, game 1", "a.pgn, game 2"))


def test_games_need_no_empty_line_between_them(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text(
        '[Event "a"]\n1. e4 e5 1-0 {a good game}\n[Event "b"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 7"]\n'
        '1. e4 Kd7 *\n1. d4 d5 * 1. c4 0-1\n[Event "c"]\n\n1. f4\n[Event "d"]\n\n1. g4 *\n'
    )
    openings = read_openings(tmp_path / "a.pgn")
    assert [(position.plies, position.start == START) for position in openings] == [
        (2, True), (2, False), (2, True), (1, True), (1, True), (1, True),
    ]  # fmt: skip
    assert fen(openings[1]) == "8/3k4/8/8/4P3/8/8/4K3 w - - 1 8"


def test_chess960_games_are_openings(tmp_path: Path) -> None:
    array = "nrbkbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRBKBRQN w KQkq - 0 1"
    text = "1. d3 d6 2. Be3 Be6 3. O-O-O"
    (tmp_path / "a.pgn").write_text(f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{array}"]\n\n{text} *\n')
    (opening,) = read_openings(tmp_path / "a.pgn")
    board = chess.Board(array, chess960=True)
    for word in text.split():
        if not word[0].isdigit():
            board.push_san(word)
    assert opening.is_chess960() and chess.Board(fen(opening), chess960=True) == board


@given(st.text(alphabet='1.e4 Nf3d5O-*(){};$[]"\n%!+', max_size=60))
def test_any_text_is_openings_or_an_error_with_its_file(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "a.pgn"
        file.write_text(text)
        try:
            assert read_openings(file)
        except ValueError as error:
            assert str(error).startswith("a.pgn")


def test_the_match_openings_agree_with_python_chess(shared_data: Path) -> None:
    openings = read_openings(shared_data / "chess" / "openings.epd")
    lines = (shared_data / "chess" / "openings.epd").read_text().splitlines()
    assert len(openings) == len(lines) > 90
    assert all(fen(opening) == chess.Board(line).fen() for opening, line in zip(openings, lines, strict=True))
