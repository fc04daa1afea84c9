"""A game's record as bytes and back, and both kinds of games as PGN that others can read."""

import re
import zlib
from collections import Counter
from dataclasses import replace
from io import StringIO

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.game import Chess
from core.chess.notation import START, position_from_fen
from core.chess.position import move_text
from core.random import Random
from engines.chess.calibration import normalised
from engines.chess.game_record import (
    ENDINGS,
    LONGEST_LINE,
    MAX_CENTS,
    Clocks,
    GameRecord,
    RecordedMove,
    match_pgn,
    pgn,
)
from engines.engine import Info
from engines.match.referee import Ending, Result, Turn, play
from engines.random_engine import RandomEngine
from engines.time_control import TimeControl
from tests.core.chess.test_position import STARTS

CONTROL = TimeControl(seconds=10, increment=0.1)
DRAW = (0.0, 0.0)
moves = st.integers(1, 2**15 - 1)
plies = st.builds(
    RecordedMove,
    move=moves,
    cents=st.integers(-MAX_CENTS, MAX_CENTS),
    mate=st.integers(-64, 64),
    depth=st.integers(0, 126),
    nodes=st.integers(0, 2**32 - 1),
    line=st.lists(moves, max_size=LONGEST_LINE).map(tuple),
)
seconds = st.floats(-1e6, 1e6)
records = st.builds(
    GameRecord,
    start=st.sampled_from(STARTS),
    plies=st.lists(plies, max_size=40).map(tuple),
    returns=st.sampled_from([(0.0, 0.0), (1.0, -1.0), (-1.0, 1.0)]),
    ending=st.sampled_from(ENDINGS),
    clocks=st.none()
    | st.builds(Clocks, seconds=seconds, increment=seconds, left=st.tuples(seconds, seconds)),
)


def played(start: str, seed: int, most: int = 120) -> GameRecord:
    """A game of random moves, thoughts and legal lines."""
    position, rng = position_from_fen(start), Random(seed)
    made: list[RecordedMove] = []
    while len(made) < most and (legal := position.legal_actions()):
        move = legal[rng.below(len(legal))]
        ahead, line = position.clone(), [move]
        ahead.make(move)
        while len(line) < int(rng.below(LONGEST_LINE + 1)) and (legal := ahead.legal_actions()):
            line.append(legal[rng.below(len(legal))])
            ahead.make(line[-1])
        made.append(
            RecordedMove(
                move=move,
                cents=int(rng.below(2001)) - 1000,
                mate=int(rng.below(5)) - 2 if rng.chance(0.2) else 0,
                depth=len(line),
                nodes=int(rng.below(3000)),
                line=tuple(line) if rng.chance(0.9) else (),
            )
        )
        position.make(move)
    white, black = position.returns()
    return GameRecord(start=start, plies=tuple(made), returns=(white, black), ending="adjudication")


def read_back(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(StringIO(text))
    assert game is not None and not game.errors
    return game


# -- Bytes -----------------------------------------------------------------------------------------


@given(records)
def test_unpack_is_the_inverse_of_pack(record: GameRecord) -> None:
    assert GameRecord.unpack(record.pack()) == record


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="damaged record"):
        GameRecord.unpack(data)


def test_a_damaged_record_is_refused() -> None:
    data = played(START, 2).pack()
    rng = Random(1)
    damaged = [data[:cut] for cut in range(len(data))] + [data + b"x", data + data]
    for at in range(len(data)):
        damaged.append(data[:at] + bytes([data[at] ^ (1 + int(rng.below(255)))]) + data[at + 1 :])
    for piece in damaged:
        with pytest.raises(ValueError, match="damaged record"):
            GameRecord.unpack(piece)


def test_a_false_record_raises_nothing_but_value_errors() -> None:
    """Even where the checksum is right."""
    plain, rng = played(STARTS[1], 3).pack()[:-4], Random(2)
    refused = 0
    for at in range(len(plain)):
        forged = bytearray(plain)
        forged[at] = int(rng.below(256))
        try:
            pgn(
                GameRecord.unpack(bytes(forged) + zlib.crc32(forged).to_bytes(4, "little")),
                white=1,
                black=2,
                round_text="1",
            )
        except ValueError:
            refused += 1
    assert refused > 100


# -- Self-play as PGN -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", STARTS)
def test_pgn_is_read_back_without_errors(start: str) -> None:
    for seed in range(5):
        record = played(start, seed)
        text = pgn(record, white=123, black=456, round_text="7.3", event='The "best" \\ pool')
        assert max(map(len, text.splitlines())) <= 80
        game = read_back(text)
        assert [move.uci() for move in game.mainline_moves()] == [move_text(move) for move in record.moves]
        assert game.board().fen() == start
        assert game.headers["White"].split()[-1] == "123" and game.headers["Black"] == "Genetic AI 456"
        assert game.headers["Round"] == "7.3" and game.headers["PlyCount"] == str(len(record.plies))
        assert text.endswith("\n\n")


def test_comments_hold_score_and_line_of_every_move() -> None:
    record = played(STARTS[1], 4)
    nodes = list(read_back(pgn(record, white=1, black=2, round_text="1")).mainline())
    for node, ply in zip(nodes, record.plies, strict=True):
        found = re.fullmatch(r"([+-])(M?)([\d.]+)/(\d+) (\d+)n((?: \S+)*)", " ".join(node.comment.split()))
        assert found, node.comment
        sign, is_mate, size, depth, count, line = found.groups()
        value = float(sign + size)
        board = node.parent.board()
        cents = normalised(ply.cents, opening(board))
        assert value == (ply.mate if is_mate else cents / 100) and bool(is_mate) == (ply.mate != 0)
        assert (int(depth), int(count)) == (ply.depth, ply.nodes)
        assert [board.push_san(word).uci() for word in line.split()] == [move_text(move) for move in ply.line]


def opening(board: chess.Board) -> float:
    """Return the share of the pieces that are left, as calibration counts them."""
    weights = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
    return min(sum(weights.get(piece.piece_type, 0) for piece in board.piece_map().values()), 24) / 24


def test_a_comment_matches_the_documented_example() -> None:
    position = position_from_fen(START)
    knight = position.action_from("g1f3")
    thought = RecordedMove(move=knight, cents=25, depth=9, nodes=1234, line=(knight,))
    record = GameRecord(plies=(thought,), returns=(0.0, 0.0), ending="adjudication")
    assert pgn(record, white=1, black=2, round_text="1").splitlines()[-2:] == [
        "1. Nf3 {+0.24/9 1234n Nf3} 1/2-1/2",
        "",
    ]
    mating = replace(record, plies=(replace(thought, mate=3, depth=12, line=()),))
    assert "1. Nf3 {+M3/12 1234n} 1/2-1/2" in pgn(mating, white=1, black=2, round_text="1")


@pytest.mark.parametrize("ending", ENDINGS)
def test_tags_name_the_ending(ending: str) -> None:
    clocks = Clocks(seconds=30.0, increment=0.5, left=(12.3456, -0.001))
    record = replace(played(START, 5, 10), ending=ending, returns=(1.0, -1.0), clocks=clocks)
    tags = read_back(pgn(record, white=1, black=2, round_text="1")).headers
    assert tags["Ending"] == ending and tags["Result"] == "1-0"
    forfeits = {"time", "time against bare material"}
    expected = "time forfeit" if ending in forfeits else "adjudication" if ending == "adjudication" else ""
    assert tags.get("Termination", "") == expected
    assert (tags["TimeControl"], tags["WhiteTimeLeft"], tags["BlackTimeLeft"]) == (
        "30+0.5",
        "12.346",
        "0.000",
    )
    unclocked = read_back(pgn(replace(record, clocks=None), white=1, black=2, round_text="1")).headers
    assert unclocked["TimeControl"] == "-" and "WhiteTimeLeft" not in unclocked


def test_pgn_move_numbers_are_right_when_black_starts() -> None:
    text = pgn(played(STARTS[7], 1), white=1, black=2, round_text="1")
    assert "\n\n70... " in text and " 71. " in " ".join(text.split())


def test_an_illegal_move_is_refused() -> None:
    record = GameRecord(plies=(RecordedMove(move=1),), returns=(0.0, 0.0), ending="time")
    with pytest.raises(ValueError, match="illegal move"):
        pgn(record, white=1, black=2, round_text="1")


# -- Matches as PGN --------------------------------------------------------------------------------


class CutechessWriter(chess.pgn.StringExporter):
    """python-chess's PGN with comments as cutechess writes them."""

    def visit_comment(self, comment: str | list[str]) -> None:
        self.write_token(f"{{{comment}}} ")
        self.force_movenumber = True


def turns(texts: str, start: str = START) -> tuple[Turn, ...]:
    """The moves, in coordinates, each with a thought of its own."""
    position = position_from_fen(start)
    made = []
    for number, text in enumerate(texts.split()):
        info = Info(action=position.parse_uci(text), cents=25 - 10 * number, depth=9 + number)
        made.append(Turn(player=position.player(), info=info, seconds=0.31))
        position.make(info.action)
    return tuple(made)


def comments(text: str) -> list[str]:
    return re.findall(r"{([^}]*)}", text)


def test_a_match_game_is_written_as_pgn() -> None:
    result = Result(returns=(-1.0, 1.0), ending=Ending.NORMAL, history=turns("f2f3 e7e5 g2g4 d8h4"))
    start, white = position_from_fen(START), "Genetic Chess #1"
    text = match_pgn(
        result, start, white, 'The "Rook"', CONTROL, event="test", date="2026.01.31", round_text="1.2"
    )
    assert text == (
        '[Event "test"]\n[Site "?"]\n[Date "2026.01.31"]\n[Round "1.2"]\n'
        '[White "Genetic Chess #1"]\n[Black "The \'Rook\'"]\n[Result "0-1"]\n'
        '[PlyCount "4"]\n[TimeControl "10+0.1"]\n\n'
        "1. f3 {+0.25/9 0.31s} 1... e5 {+0.15/10 0.31s} 2. g4 {+0.05/11 0.31s} 2... Qh4#\n"
        "{-0.05/12 0.31s, Black mates} 0-1\n\n"
    )


def test_unequal_time_controls_have_a_tag_each() -> None:
    result = Result(returns=(-1.0, 1.0), ending=Ending.NORMAL, history=turns("f2f3 e7e5 g2g4 d8h4"))
    start = position_from_fen(START)
    text = match_pgn(result, start, "a", "b", CONTROL, black_control=CONTROL.scaled(0.1))
    assert '[BlackTimeControl "1+0.01"]' in text and '[WhiteTimeControl "10+0.1"]' in text
    assert "[TimeControl" not in text
    assert '[TimeControl "10+0.1"]' in match_pgn(result, start, "a", "b", CONTROL, black_control=CONTROL)


async def test_match_games_are_written_as_python_chess_writes_them() -> None:
    opening = position_from_fen(STARTS[4])
    for move in ("e1g1", "e8e7"):
        opening.make(opening.parse_uci(move))
    for seed, start in enumerate([position_from_fen(START), opening, *map(position_from_fen, STARTS)]):
        engines = [RandomEngine(seed), RandomEngine(seed + 10)]
        result = await play(Chess(), engines, TimeControl(nodes=1), Random(0), start, max_actions=120)
        text = match_pgn(result, start, "one", "two", CONTROL)
        game = chess.pgn.read_game(StringIO(text))
        assert game is not None and not game.errors
        assert game.accept(CutechessWriter(columns=80)) + "\n\n" == text
        assert [move.uci() for move in game.mainline_moves()] == [
            *map(move_text, start.moves()), *(move_text(turn.action) for turn in result.history)
        ]  # fmt: skip
        outcome = game.end().board().outcome(claim_draw=True)
        if result.ending is Ending.NORMAL:
            assert outcome is not None and outcome.result() == game.headers["Result"]


def test_comments_show_mate_scores_and_omit_missing_scores() -> None:
    first, second, third = (turn.action for turn in turns("e2e4 e7e5 g1f3"))
    history = (
        Turn(player=0, info=Info(action=first, mate=5, depth=7), seconds=1.0),
        Turn(player=1, info=Info(action=second, mate=-4, depth=8), seconds=0.5),
        Turn(player=0, info=Info(action=third), seconds=0.004),
    )
    result = Result(returns=DRAW, ending=Ending.ADJUDICATION, history=history)
    text = match_pgn(result, position_from_fen(START), "a", "b", TimeControl(nodes=100))
    assert comments(text) == [
        "+M5/7 1.00s",
        "-M4/8 0.50s",
        "0.00s, Draw by adjudication: maximum game length",
    ]
    assert '[Termination "adjudication"]' in text and '[TimeControl "-"]' in text


@pytest.mark.parametrize(
    ("ending", "culprit", "reason", "returns", "tag", "words"),
    [
        (Ending.TIME, 0, "", (-1.0, 1.0), "time forfeit", "White loses on time"),
        (Ending.TIME, 1, "", DRAW, "time forfeit", "Draw by timeout and bare material: Black ran out of time"),
        (Ending.ILLEGAL_ACTION, 1, "e2e5", (1.0, -1.0), "rules infraction",
         "Black makes an illegal move: e2e5"),
        (Ending.CRASH, 0, "exit {-11}", (-1.0, 1.0), "abandoned", "White disconnects: exit (-11)"),
        (Ending.STALL, 0, "", (-1.0, 1.0), "abandoned", "White's connection stalls"),
        (Ending.RESIGNATION, 1, "", (1.0, -1.0), None, "Black resigns"),
    ],
)  # fmt: skip
def test_the_last_comment_describes_the_ending(
    ending: Ending, culprit: int, reason: str, returns: tuple[float, float], tag: str | None, words: str
) -> None:
    result = Result(returns=returns, ending=ending, culprit=culprit, reason=reason, history=turns("e2e4"))
    text = match_pgn(result, position_from_fen(START), "a", "b", CONTROL)
    assert comments(" ".join(text.split())) == [f"+0.25/9 0.31s, {words}"]
    assert (f'[Termination "{tag}"]' in text) if tag else ("Termination" not in text)
    unplayed = match_pgn(replace(result, history=()), position_from_fen(START), "a", "b", CONTROL)
    assert f"\n\n{{{words}}} " in unplayed


@pytest.mark.parametrize(
    ("start", "moves", "words"),
    [
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6", "Draw by stalemate"),
        ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2", "Draw by insufficient mating material"),
        ("7k/8/8/8/8/8/1R6/K7 w - - 99 80", "b2b3", "Draw by fifty moves rule"),
        (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "Draw by 3-fold repetition"),
    ],
)
def test_the_last_comment_describes_the_draw(start: str, moves: str, words: str) -> None:
    result = Result(returns=DRAW, ending=Ending.NORMAL, history=turns(moves, start))
    text = match_pgn(result, position_from_fen(start), "a", "b", CONTROL)
    assert f"{words}}} 1/2-1/2" in " ".join(text.split())


def test_the_openings_moves_stand_without_comments() -> None:
    start = position_from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7")
    for move in ("e8d7", "e2e4"):
        start.make(start.parse_uci(move))
    turn = Turn(player=1, info=Info(action=start.parse_uci("d7e6"), cents=0, depth=1), seconds=0.0)
    result = Result(returns=(1.0, -1.0), ending=Ending.RESIGNATION, culprit=1, history=(turn,))
    text = match_pgn(result, start, "a", "b", TimeControl(seconds_per_action=2))
    assert "7... Kd7 8. e4 Ke6 {+0.00/1 0.00s, Black resigns} 1-0" in text
    assert '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"]' in text and '[SetUp "1"]' in text
    assert '[TimeControl "1/2"]' in text and '[PlyCount "3"]' in text


# -- Statistics ------------------------------------------------------------------------------------


def test_promotions_and_openings_agree_with_python_chess() -> None:
    total: Counter[str] = Counter()
    for start in STARTS:
        record = played(start, 6)
        game = read_back(pgn(record, white=1, black=2, round_text="1"))
        expected: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for node in game.mainline():
            if node.move.promotion:
                side = 0 if node.parent.board().turn else 1
                expected[side][chess.piece_symbol(node.move.promotion).upper()] += 1
        assert (record.promotions(0), record.promotions(1)) == expected
        assert record.opening(6) == tuple(node.san() for node in list(game.mainline())[:6])
        total += record.promotions(0) + record.promotions(1)
    assert len(total) == 4
