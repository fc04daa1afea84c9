"""A Polyglot book: python-chess's keys and moves, choose by weight, from a file that must be one."""

import struct
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import chess
import chess.polyglot
import pytest

from core.chess.notation import START, position_from_fen
from core.chess.position import move_text
from core.random import Random
from engines.chess.engine import ChessEngine
from engines.chess.opening_book import OpeningBook, choose
from engines.engine import Info, Limit

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PASSED = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
PROMOTING = "8/P6k/8/8/8/8/8/K7 w - - 0 1"


def raw(move: str) -> int:
    """A move as the format has it: castling takes the rook, a promotion counts from the knight."""
    squares = {"e1g1": "e1h1", "e1c1": "e1a1"}.get(move, move)
    origin, target = chess.parse_square(squares[:2]), chess.parse_square(squares[2:4])
    return target | origin << 6 | " nbrq".index(squares[4:] or " ") << 12


def written(path: Path, *entries: tuple[str, str, int]) -> Path:
    """A book of (FEN, move, weight)."""
    keys = sorted(
        (chess.polyglot.zobrist_hash(chess.Board(fen)), raw(move), weight, 0) for fen, move, weight in entries
    )
    path.write_bytes(b"".join(struct.pack(">QHHI", *entry) for entry in keys))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(
        tmp_path / "my book.bin",
        (START, "e2e4", 3),
        (START, "d2d4", 1),
        (START, "a2a4", 0),
        (START, "e2e5", 9),
        (CASTLING, "e1g1", 1),
        (PASSED, "e5f6", 1),
        (PROMOTING, "a7a8n", 1),
    )


async def engine(path: Path, seed: int = 0, **settings: str) -> ChessEngine:
    engine = ChessEngine(seed=seed)
    await engine.configure("BookFile", str(path))
    for name, value in {"OwnBook": "true", **settings}.items():
        await engine.configure(name, value)
    return engine


async def last(engine: ChessEngine, fen: str = START, limit: Limit | None = None) -> Info:
    limit = limit or Limit(nodes=50)
    return [thought async for thought in engine.think(position_from_fen(fen), limit)][-1]


def moves(path: Path, fen: str) -> list[tuple[str, int]]:
    position = position_from_fen(fen)
    book = OpeningBook(path)
    try:
        return [(move_text(move), weight) for move, weight in book.moves(position)]
    finally:
        book.close()


def test_the_book_yields_legal_moves_with_positive_weights(path: Path) -> None:
    """Without those of weight 0, and those that are not legal."""
    assert moves(path, START) == [("e2e4", 3), ("d2d4", 1)]
    assert moves(path, CASTLING) == [("e1g1", 1)]
    assert moves(path, PASSED) == [("e5f6", 1)]
    assert moves(path, PROMOTING) == [("a7a8n", 1)]
    assert moves(path, "4k3/8/8/8/8/8/8/4K2R w - - 0 1") == []


def test_en_passant_counts_in_the_key_even_if_the_capturer_is_pinned(tmp_path: Path) -> None:
    """Whether the double step was a move or comes with the FEN; Polyglot asks for the pawn alone."""
    before = "4r1k1/8/8/8/3p4/8/4P3/4K3 w - - 0 1"
    pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1"  # after e2e4, d4e3 would leave the king in check
    for start, legal in ((before, True), (pinned, False)):
        board = chess.Board(start)
        board.push_uci("e2e4")
        assert board.has_legal_en_passant() is legal and board.ep_square == chess.E3
        path = written(tmp_path / "passed.bin", (board.fen(en_passant="fen"), "d4d3", 1))
        moved = position_from_fen(start)
        moved.make(moved.parse_uci("e2e4"))
        book = OpeningBook(path)
        for position in (moved, moved.clone(), position_from_fen(board.fen(en_passant="fen"))):
            assert [move_text(move) for move, _ in book.moves(position)] == ["d4d3"]
        book.close()


async def test_book_castling_is_converted_in_chess960_mode(path: Path) -> None:
    position = position_from_fen(CASTLING)
    position.as_chess960()
    player = await engine(path)
    thought = [thought async for thought in player.think(position, Limit(nodes=50))][-1]
    assert thought.text == "book" and position.action_text(thought.action) == "e1h1"


def test_the_book_finds_moves_of_a_chess960_position(tmp_path: Path) -> None:
    """Its rooks give castling rights to the key, and castling takes the rook."""
    start = "1rk3r1/6p1/8/8/8/8/8/1RK3R1 w GBgb - 0 1"
    key = chess.polyglot.zobrist_hash(chess.Board(start, chess960=True))
    entries = [struct.pack(">QHHI", key, raw(move), 1, 0) for move in ("c1g1", "c1b1", "g1g7")]
    path = tmp_path / "960.bin"
    path.write_bytes(b"".join(entries))
    position = position_from_fen(start)
    book = OpeningBook(path)
    assert [position.action_text(move) for move, _ in book.moves(position)] == ["c1g1", "c1b1", "g1g7"]
    book.close()


def test_moves_are_chosen_by_their_weights() -> None:
    rng, weights = Random(1), [(10, 60), (20, 30), (30, 10)]
    counts = Counter(choose(weights, rng) for _ in range(4000))
    for move, weight in weights:
        assert abs(counts[move] - 40 * weight) < 4 * (40 * weight) ** 0.5
    assert choose(weights, None) == 10


async def test_a_book_move_is_played_at_once(path: Path) -> None:
    thought = await last(await engine(path), limit=Limit(seconds=60.0))
    assert (thought.nodes, thought.text, thought.cents, thought.depth) == (0, "book", 0, 1)
    assert move_text(thought.action) in ("e2e4", "d2d4") and thought.line == (thought.action,)
    assert (await last(await engine(path), fen="4k3/8/8/8/8/8/8/4K2R w - - 0 1")).nodes > 0


async def test_the_seed_decides_between_book_moves(path: Path) -> None:
    async def choices(seed: int) -> list[int]:
        player = await engine(path, seed)
        return [(await last(player)).action for _ in range(20)]

    assert await choices(1) == await choices(1)
    assert len({tuple(await choices(seed)) for seed in range(4)}) == 4
    best = await engine(path, 1, BestBookMove="true")
    assert {move_text((await last(best)).action) for _ in range(20)} == {"e2e4"}


async def test_the_book_is_not_used_when_disabled_or_analysing(path: Path) -> None:
    assert (await last(await engine(path, OwnBook="false"))).nodes > 0
    analysing = await engine(path)
    stream = analysing.think(position_from_fen(START), Limit())
    assert (await anext(stream)).text != "book"
    await stream.aclose()
    position = position_from_fen(START)
    only = Limit(nodes=50, actions=(position.action_from("d2d4"), position.action_from("b2b3")))
    assert move_text((await last(analysing, limit=only)).action) == "d2d4"
    without = Limit(nodes=50, actions=(position.action_from("b2b3"),))
    assert (await last(analysing, limit=without)).nodes > 0


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "0 bytes"),
        (b"x" * 17, "17 bytes"),
        (b"ab" + bytes(14) + b"aa" + bytes(14), "sorted by key"),
        (b"A text is no book, although its length may be that of one. " * 16, "sorted by key"),
    ],
)
async def test_invalid_book_files_are_refused_and_the_old_book_stays(
    path: Path, tmp_path: Path, content: bytes, problem: str
) -> None:
    """The book that was there stays."""
    player = await engine(path)
    bad = tmp_path / "bad.bin"
    bad.write_bytes(content)
    with pytest.raises(ValueError, match=f"not a Polyglot book.*{problem}"):
        await player.configure("BookFile", str(bad))
    for missing in (tmp_path / "none.bin", tmp_path):
        with pytest.raises(ValueError, match="cannot read the book"):
            await player.configure("BookFile", str(missing))
    assert (await last(player)).text == "book"
    await player.configure("BookFile", "")
    assert (await last(player)).text == ""


def test_the_order_of_a_large_book_is_checked(tmp_path: Path) -> None:
    def large(keys: Sequence[int]) -> Path:
        path = tmp_path / "large.bin"
        path.write_bytes(b"".join(struct.pack(">QHHI", key, raw("e2e4"), 1, 0) for key in keys))
        return path

    OpeningBook(large(range(5000))).close()
    with pytest.raises(ValueError, match="sorted by key"):
        OpeningBook(large(range(5000, 0, -1)))
