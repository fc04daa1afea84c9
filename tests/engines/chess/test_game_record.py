"""A game's record as bytes and back, and as PGN that others can read."""

import re
import zlib
from collections import Counter
from dataclasses import replace
from io import StringIO

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.notation import START, position_from_fen
from core.chess.position import move_text
from core.random import Random
from engines.chess.game_record import ENDINGS, LONGEST_LINE, MOST_CENTS, Clocks, GameRecord, RecordedMove, pgn
from tests.core.chess.test_position import STARTS

moves = st.integers(1, 2**15 - 1)
plies = st.builds(
    RecordedMove,
    move=moves,
    cents=st.integers(-MOST_CENTS, MOST_CENTS),
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


def test_a_ply_takes_few_bytes() -> None:
    record = played(START, 1)
    assert len(record.pack()) < 25 * len(record.plies)


@given(st.binary(max_size=200))
def test_what_is_no_record_is_refused(data: bytes) -> None:
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


# -- PGN -------------------------------------------------------------------------------------------


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
        assert value == (ply.mate if is_mate else ply.cents / 100) and bool(is_mate) == (ply.mate != 0)
        assert (int(depth), int(count)) == (ply.depth, ply.nodes)
        board = node.parent.board()
        assert [board.push_san(word).uci() for word in line.split()] == [move_text(move) for move in ply.line]


def test_the_comment_of_the_example() -> None:
    position = position_from_fen(START)
    knight = position.action_from("g1f3")
    thought = RecordedMove(move=knight, cents=25, depth=9, nodes=1234, line=(knight,))
    record = GameRecord(plies=(thought,), returns=(0.0, 0.0), ending="adjudication")
    assert pgn(record, white=1, black=2, round_text="1").splitlines()[-2:] == [
        "1. Nf3 {+0.25/9 1234n Nf3} 1/2-1/2",
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


def test_black_may_begin() -> None:
    text = pgn(played(STARTS[7], 1), white=1, black=2, round_text="1")
    assert "\n\n70... " in text and " 71. " in " ".join(text.split())


def test_an_illegal_move_is_refused() -> None:
    record = GameRecord(plies=(RecordedMove(move=1),), returns=(0.0, 0.0), ending="time")
    with pytest.raises(ValueError, match="illegal move"):
        pgn(record, white=1, black=2, round_text="1")


# -- Statistics ------------------------------------------------------------------------------------


def test_promotions_and_openings_are_python_chess_s() -> None:
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
