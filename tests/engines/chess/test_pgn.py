"""Chess as text: moves both ways, openings from files, games as PGN that python-chess reads back."""

import io
import subprocess
import sys
from pathlib import Path

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.game import Chess
from core.chess.notation import START, fen, position_from_fen
from core.random import Random
from engines.chess.pgn import game_text, parse_move, read_openings, san
from engines.engine import Info
from engines.match import Ending, Result, Turn, play
from engines.random_engine import RandomEngine
from engines.time_control import TimeControl

CONTROL = TimeControl(seconds=10, increment=0.1)


# -- Moves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "text", "coordinates", "normal"),
    [
        (START, "e4", "e2e4", "e4"),
        (START, "e2e4", "e2e4", "e4"),
        (START, " Nf3 ", "g1f3", "Nf3"),
        (START, "Ng1f3", "g1f3", "Nf3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0-0-0", "e8c8", "O-O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1g1", "O-O"),
        ("2R5/5P2/8/7p/3k4/8/1P6/5K2 w - - 0 1", "f7f8b", "f7f8b", "f8=B"),
        ("2R5/5P2/8/7p/3k4/8/1P6/5K2 w - - 0 1", "f8=Q", "f7f8q", "f8=Q"),
        ("k7/8/8/3pP3/2K5/8/8/8 w - d6 0 1", "exd6", "e5d6", "exd6"),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a8=R", "a7a8r", "a8=R+"),
        ("2k1K3/8/8/8/8/8/QQ6/Q7 w - - 0 1", "Qa2b1", "a2b1", "Qa2b1"),
        ("7k/8/6K1/8/8/8/8/3Q4 w - - 0 1", "Qd8", "d1d8", "Qd8#"),
    ],
)
def test_moves_are_read_and_written(position: str, text: str, coordinates: str, normal: str) -> None:
    state = position_from_fen(position)
    move = parse_move(state, text)
    assert state.action_text(move) == coordinates
    assert san(state, move) == normal
    assert parse_move(state, normal) == move


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


def test_an_illegal_move_has_no_san() -> None:
    with pytest.raises(ValueError, match="illegal"):
        san(position_from_fen(START), 0)


@given(st.text(max_size=12))
def test_no_text_breaks_the_reader(text: str) -> None:
    position = position_from_fen(START)
    try:
        assert parse_move(position, text) in position.legal_actions()
    except ValueError:
        assert fen(position) == START


# -- Openings --------------------------------------------------------------------------------------


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


# -- Games -----------------------------------------------------------------------------------------


def _turns(texts: str, start: str = START) -> tuple[Turn, ...]:
    """The moves, each with a thought of its own."""
    position = position_from_fen(start)
    turns = []
    for number, text in enumerate(texts.split()):
        move = parse_move(position, text)
        thought = Info(action=move, cents=25 - 10 * number, depth=9 + number)
        turns.append(Turn(player=position.player(), thought=thought, seconds=0.31))
        position.make(move)
    return tuple(turns)


def test_a_game_as_pgn() -> None:
    result = Result(returns=(-1.0, 1.0), ending=Ending.NORMAL, history=_turns("f3 e5 g4 Qh4"))
    text = game_text(
        result,
        position_from_fen(START),
        "Genetic Chess #1",
        'The "Rook"',
        CONTROL,
        event="test",
        date="2026.01.31",
        round_text="1.2",
    )
    tags, _, moves = text.partition("\n\n")
    assert set(tags.splitlines()) == {  # python-chess has changed their order
        '[Event "test"]',
        '[Site "?"]',
        '[Date "2026.01.31"]',
        '[Round "1.2"]',
        '[White "Genetic Chess #1"]',
        "[Black \"The 'Rook'\"]",
        '[Result "0-1"]',
        '[PlyCount "4"]',
        '[TimeControl "10+0.1"]',
    }
    assert moves == (
        "1. f3 {+0.25/9 0.31s} 1... e5 {+0.15/10 0.31s} 2. g4 {+0.05/11 0.31s} 2... Qh4#\n"
        "{-0.05/12 0.31s, Black mates} 0-1\n"
        "\n"
    )


def test_mate_scores_and_no_scores() -> None:
    first, second, third = _turns("e4 e5 Nf3")
    turns = (
        Turn(player=0, thought=Info(action=first.action, mate=5, depth=7), seconds=1.0),
        Turn(player=1, thought=Info(action=second.action, mate=-4, depth=8), seconds=0.5),
        Turn(player=0, thought=Info(action=third.action), seconds=0.004),
    )
    result = Result(returns=(0.0, 0.0), ending=Ending.ADJUDICATION, history=turns)
    text = game_text(result, position_from_fen(START), "a", "b", TimeControl(nodes=100))
    assert "{+M5/7 1.00s}" in text and "{-M4/8 0.50s}" in text
    assert "{0.00s, Draw by adjudication: maximum game length} 1/2-1/2" in " ".join(text.split())
    assert '[Termination "adjudication"]' in text and '[TimeControl "-"]' in text


@pytest.mark.parametrize(
    ("ending", "culprit", "reason", "returns", "tag", "words"),
    [
        (Ending.TIME, 0, "", (-1.0, 1.0), "time forfeit", "White loses on time} 0-1"),
        (Ending.TIME, 1, "", (0.0, 0.0), "time forfeit", "Draw by timeout and bare material: Black"),
        (
            Ending.ILLEGAL_ACTION,
            1,
            "e2e5",
            (1.0, -1.0),
            "rules infraction",
            "Black makes an illegal move: e2e5",
        ),
        (Ending.CRASH, 0, "exit {-11}", (-1.0, 1.0), "abandoned", "White disconnects: exit (-11)}"),
        (Ending.STALL, 0, "", (-1.0, 1.0), "abandoned", "White's connection stalls"),
        (Ending.RESIGNATION, 1, "", (1.0, -1.0), None, "Black resigns} 1-0"),
    ],
)
def test_endings_in_words(
    ending: Ending, culprit: int, reason: str, returns: tuple[float, float], tag: str | None, words: str
) -> None:
    result = Result(returns=returns, ending=ending, culprit=culprit, reason=reason, history=_turns("e4"))
    text = game_text(result, position_from_fen(START), "a", "b", CONTROL)
    assert words in " ".join(text.split())
    assert (f'[Termination "{tag}"]' in text) if tag else ("Termination" not in text)


@pytest.mark.parametrize(
    ("start", "moves", "words"),
    [
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6", "Draw by stalemate"),
        ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "Kxb2", "Draw by insufficient mating material"),
        ("7k/8/8/8/8/8/1R6/K7 w - - 99 80", "Rb3", "Draw by fifty moves rule"),
        (START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "Draw by 3-fold repetition"),
    ],
)
def test_draws_in_words(start: str, moves: str, words: str) -> None:
    result = Result(returns=(0.0, 0.0), ending=Ending.NORMAL, history=_turns(moves, start))
    text = game_text(result, position_from_fen(start), "a", "b", CONTROL)
    assert f"{words}}} 1/2-1/2" in " ".join(text.split())


def test_the_openings_moves_stand_without_comments() -> None:
    start = position_from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7")
    for move in ("e8d7", "e2e4"):
        start.apply(start.action_from(move))
    position = start.clone()
    thought = Info(action=position.action_from("d7e6"), cents=0, depth=1)
    turn = Turn(player=1, thought=thought, seconds=0.0)
    result = Result(returns=(1.0, -1.0), ending=Ending.RESIGNATION, culprit=1, history=(turn,))
    text = game_text(result, start, "a", "b", TimeControl(seconds_per_action=2))
    assert "7... Kd7 8. e4 Ke6 {+0.00/1 0.00s, Black resigns} 1-0" in text
    assert '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"]' in text and '[SetUp "1"]' in text
    assert '[TimeControl "1/2"]' in text and '[PlyCount "3"]' in text


async def test_played_games_read_back() -> None:
    for seed in range(3):
        engines = [RandomEngine(seed), RandomEngine(seed + 10)]
        result = await play(Chess(), engines, TimeControl(nodes=1), Random(0), max_actions=120)
        text = game_text(result, position_from_fen(START), "one", "two", CONTROL)
        assert all(len(line) <= 110 for line in text.splitlines())
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None and not game.errors
        assert [move.uci() for move in game.mainline_moves()] == [
            position_from_fen(START).action_text(turn.action) for turn in result.history
        ]
        outcome = game.end().board().outcome(claim_draw=True)
        if result.ending is Ending.NORMAL:
            assert outcome is not None and outcome.result() == game.headers["Result"]


def test_only_this_module_imports_python_chess() -> None:
    """Light start: python-chess costs 80 ms."""
    code = (
        "import sys, core.chess.game, engines.match, engines.tournament, engines.random_engine\n"
        "assert 'chess' not in sys.modules\n"
        "import engines.chess.pgn\n"
        "assert 'chess' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])
