"""The rules of chess against python-chess, on random games, perft counts and other people's tests."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest
from librt.vecs import vec
from mypy_extensions import i64

from core.chess.bitboard import BIT
from core.chess.game import Chess
from core.chess.move_ordering import see_at_least
from core.chess.movegen import (
    EN_PASSANT,
    FLAGS,
    HASH,
    KINGS,
    PROMOTIONS,
    SIDE,
    attackers,
    checks_and_pins,
    gives_check,
    king_attackers,
)
from core.chess.notation import START, fen, position_from_fen
from core.chess.position import Position, fresh_hash, key_after, perft
from core.random import Random
from engines.chess.pgn import parse_move
from tests.conformance import check_game

# Starts from which random play reaches every rule soon: the usual one, promotions, castling, bare minor
# pieces, en passant with pins, a clock that has nearly run to fifty moves, and kings who only wander.
STARTS = (
    START,
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "2k5/5b2/8/8/8/3n4/8/3KB3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 40",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "4k3/8/8/3q4/8/8/8/4K2R b K - 90 70",
    "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1",
)


def random_moves(start: str, seed: int, plies: int = 160) -> Iterator[tuple[Position, chess.Board]]:
    """A random game on both sides' boards, before each move and at the end."""
    position, board, rng = position_from_fen(start), chess.Board(start), Random(seed)
    for _ in range(plies):
        yield position, board
        actions = position.legal_actions()
        if not actions:
            return
        move = actions[rng.below(len(actions))]
        board.push(chess.Move.from_uci(position.action_text(move)))
        position.apply(move)


games = pytest.mark.parametrize("start", STARTS)


# -- Random games ----------------------------------------------------------------------------------


@games
def test_legal_moves_match_python_chess(start: str) -> None:
    for seed in range(3):
        for position, board in random_moves(start, seed):
            own = sorted(position.action_text(move) for move in position.legal_moves())
            assert own == sorted(move.uci() for move in board.legal_moves), board.fen()


@games
def test_checks_match_python_chess(start: str) -> None:
    seen = 0
    for seed in range(5):
        for position, board in random_moves(start, seed):
            for move in board.legal_moves:
                if not board.is_castling(move) and not board.is_en_passant(move):
                    gives = gives_check(position.board, position.parse_uci(move.uci()))
                    assert gives == board.gives_check(move), (board.fen(), move)
                    seen += gives
    assert seen or start == STARTS[-1]  # where the kings only wander


@games
def test_check_mate_and_every_draw_match_python_chess(start: str) -> None:
    for seed in range(12):
        for position, board in random_moves(start, seed):
            assert position.in_check() == board.is_check()
            assert position.is_checkmate() == board.is_checkmate()
            assert position.is_stalemate() == board.is_stalemate()
            assert (position.repetitions(2) >= 2) == board.is_repetition(3)
            assert position.is_insufficient_material() == board.is_insufficient_material()
            assert position.can_win(0) != board.has_insufficient_material(chess.WHITE)
            assert position.can_win(1) != board.has_insufficient_material(chess.BLACK)
            drawn = board.is_repetition(3) or board.is_fifty_moves() or board.is_insufficient_material()
            assert position.is_draw() == drawn
            over = drawn or board.is_checkmate() or board.is_stalemate()
            assert position.is_terminal() == over == (not position.legal_actions())
            winner = board.is_checkmate() and not drawn
            returns = [-1.0, 1.0] if board.turn else [1.0, -1.0]
            assert position.returns() == (returns if winner else [0.0, 0.0])


def test_the_random_games_reach_every_ending() -> None:
    """Or the test above would prove little."""
    seen = set()
    for start in STARTS:
        for seed in range(12):
            *_, (position, board) = random_moves(start, seed)
            seen |= {
                name
                for name, happened in {
                    "mate": position.is_checkmate(),
                    "stalemate": position.is_stalemate(),
                    "threefold": board.is_repetition(3),
                    "fifty": board.is_fifty_moves(),
                    "dead": position.is_insufficient_material(),
                }.items()
                if happened
            }
    assert seen == {"mate", "stalemate", "threefold", "fifty", "dead"}


@games
def test_fens_match_python_chess(start: str) -> None:
    for position, board in random_moves(start, 5):
        text = fen(position)
        assert text == board.fen()
        assert fen(position_from_fen(text)) == text


@games
def test_san_of_python_chess_is_parsed(start: str) -> None:
    for position, board in random_moves(start, 6, plies=60):
        for move in position.legal_actions()[:6]:
            text = board.san(chess.Move.from_uci(position.action_text(move)))
            assert parse_move(position, text) == move


@games
def test_king_attackers_match_python_chess(start: str) -> None:
    for position, board in random_moves(start, 9):
        for side, color in enumerate(chess.COLORS):
            king = board.king(not color)
            assert king is not None
            near = chess.BB_KING_ATTACKS[king] | chess.BB_SQUARES[king]
            near |= chess.shift_up(near) if color == chess.BLACK else chess.shift_down(near)
            through = board.copy(stack=False)
            for square in through.pieces(chess.ROOK, color) | through.pieces(chess.QUEEN, color):
                through.remove_piece_at(square)
            expected = 0
            for square in chess.SquareSet(board.occupied_co[color] & ~board.kings & ~board.pawns):
                piece = board.piece_at(square)
                assert piece is not None
                through.set_piece_at(square, piece)
                expected += bool(through.attacks_mask(square) & near)
                if piece.piece_type in (chess.ROOK, chess.QUEEN):
                    through.remove_piece_at(square)
            assert king_attackers(position.board, side) == expected


@games
def test_static_exchange_decisions_match_python_chess(start: str) -> None:
    values = [1, 3, 3, 5, 9, 0]
    for position, board in random_moves(start, 7):
        for action in position.legal_actions():
            move = chess.Move.from_uci(position.action_text(action))
            worth = _exchange_gain(board, move, values)
            for least in (worth - 1, worth, worth + 1, 0):
                decided = see_at_least(position.board, action, least, vec[i64](values))
                assert decided == (worth >= least), f"{board.fen()} {move} {least}"


def _exchange_gain(board: chess.Board, move: chess.Move, values: list[int]) -> int:
    """What a move wins if both sides capture on, the least piece first, as long as it pays; pins are not seen."""
    if board.is_castling(move):
        return 0
    after = board.copy(stack=False)
    mover = after.remove_piece_at(move.from_square)
    assert mover is not None
    standing = values[(move.promotion or mover.piece_type) - 1]
    gain = standing - values[mover.piece_type - 1]
    if board.is_en_passant(move):
        after.remove_piece_at(
            chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        )
        gain += values[0]
    elif victim := board.piece_at(move.to_square):
        gain += values[victim.piece_type - 1]
    return gain - _recapture_gain(after, move.to_square, not board.turn, standing, values)


def _recapture_gain(board: chess.Board, square: int, color: bool, standing: int, values: list[int]) -> int:
    """What a side wins that may capture a piece, or not."""
    attackers = board.attackers(color, square)
    if not attackers:
        return 0
    kind, origin = min((board.piece_type_at(at) or 0, at) for at in attackers)
    if kind == chess.KING and board.attackers(not color, square):
        return 0
    board.remove_piece_at(origin)
    return max(0, standing - _recapture_gain(board, square, not color, values[kind - 1], values))


@games
def test_key_after_predicts_the_hash_of_a_move(start: str) -> None:
    foretold = 0
    for position, _ in random_moves(start, 8):
        before = list(position.board)
        for move in position.legal_moves():
            expected = key_after(position.board, move)
            position.make(move)
            # Of the others it is a guess: castling rights, en passant, promotion.
            is_plain = move >> 12 == 0 and not before[EN_PASSANT] and position.board[FLAGS] == before[FLAGS]
            assert not is_plain or position.board[HASH] == expected
            foretold += is_plain
            position.undo()
    assert foretold > 100


@games
def test_undo_is_the_inverse_of_make(start: str) -> None:
    for position, _ in random_moves(start, 7):
        before = list(position.board)
        for move in position.legal_moves():
            position.make(move)
            assert position.board[HASH] == fresh_hash(position.board)
            position.undo()
            assert list(position.board) == before
        if not position.in_check():
            position.make_null()
            assert position.board[HASH] == fresh_hash(position.board)
            position.undo_null()
            assert list(position.board) == before


def test_a_whole_game_is_undone() -> None:
    *_, (position, _) = random_moves(START, 8)
    moves = position.moves()
    assert len(moves) == position.plies > 64, "longer than the room for moves was at first"
    replayed = position_from_fen(START)
    for move in moves:
        replayed.make(move)
    assert list(replayed.board) == list(position.board)
    while position.plies:
        position.undo()
    assert fen(position) == START
    with pytest.raises(IndexError):
        position.undo()


def test_hashes_are_equal_only_for_equal_positions() -> None:
    """Equal: board, side, castling, en passant where it can be done, and promotions so far."""
    hashes: dict[tuple[object, ...], int] = {}
    for start in STARTS:
        for seed in range(6):
            for position, board in random_moves(start, seed):
                promotions = tuple(position.board[PROMOTIONS + side] for side in (0, 1))
                face = (*board.fen().split()[:4], promotions)
                assert hashes.setdefault(face, position.board[HASH]) == position.board[HASH]
    assert len(set(hashes.values())) == len(hashes) > 3_000


def test_transposed_move_orders_reach_the_same_hash() -> None:
    hashes = set()
    for line in ("g1f3 g8f6 b1c3 b8c6", "b1c3 b8c6 g1f3 g8f6", "g1f3 b8c6 b1c3 g8f6"):
        position = position_from_fen(START)
        for text in line.split():
            position.apply(position.action_from(text))
        hashes.add(int(position.board[HASH]))
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("start", "drawn"),
    [
        (START, True),  # no pawn can take on e3, so the position after 1. e4 has no right to lose
        ("rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False),
    ],
)
def test_an_en_passant_right_counts_only_where_it_can_be_used(start: str, drawn: bool) -> None:
    """The position after 1. e4 stands twice more, when both knights have gone out and back (FIDE 9.2.3)."""
    position = position_from_fen(start)
    position.apply(position.action_from("e2e4"))
    for text in ["g8f6", "g1f3", "f6g8", "f3g1"] * 2:
        assert not position.is_draw()
        position.apply(position.action_from(text))
    assert position.is_draw() == drawn


def test_mate_on_the_hundredth_half_move_is_mate() -> None:
    position = position_from_fen("7k/8/6K1/8/8/8/8/3Q4 w - - 99 80")
    position.apply(position.action_from("d1d8"))
    assert position.is_terminal() and position.returns() == [1.0, -1.0]


@pytest.mark.parametrize(
    ("start", "moves", "outcome"),
    [
        ("8/8/4k3/8/8/8/8/4K3 w - - 0 1", "", "insufficient material"),
        ("8/8/4k3/8/8/8/3r4/4K3 w - - 0 1", "e1d2", "insufficient material"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", "fifty moves"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 101 150", "", "fifty moves"),
        (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "threefold repetition"),
    ],
)
def test_a_draw_leaves_no_legal_actions_but_moves_can_be_made(start: str, moves: str, outcome: str) -> None:
    """State refuses to go on; a GUI that nobody has claimed the draw from may, by make()."""
    position = position_from_fen(start)
    for text in moves.split():
        position.apply(position.action_from(text))
    assert position.outcome() == outcome and position.is_terminal() and not position.legal_actions()
    for move in position.legal_moves():
        with pytest.raises(ValueError, match="illegal move"):
            position.apply(move)
        with pytest.raises(ValueError, match=f"the game is over: {outcome}"):
            position.action_from(position.action_text(move))
        assert position.parse_uci(position.action_text(move)) == move
    position.make(position.legal_moves()[0])


def test_chess_passes_the_game_conformance_checks() -> None:
    check_game(Chess(), games=1)


@pytest.mark.parametrize("action", [0, -1, 1, 2**40])
def test_invalid_actions_are_refused(action: int) -> None:
    position = position_from_fen(START)
    with pytest.raises(ValueError, match="illegal move"):
        position.apply(action)
    assert fen(position) == START


# -- FEN -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "8 ranks expected, 1 found"),
        ("8/8/8/8/8/8/8/8", "White must have one king"),
        ("8/8/8/8/8/8/8 w - - 0 1", "8 ranks expected, 7 found"),
        ("8/8/8/8/8/8/8/8/8 w - - 0 1", "8 ranks expected, 9 found"),
        ("k7/8/8/8/8/8/8/KP7 w - - 0 1", "rank 1 is not 8 squares"),
        ("k7/9/8/8/8/8/8/K7 w - - 0 1", "rank 7 is not 8 squares"),
        ("k7/8/8/8/3x4/8/8/K7 w - - 0 1", "rank 4 is not 8 squares"),
        ("k7/8/8/8/٨/8/8/K7 w - - 0 1", "rank 4 is not 8 squares"),
        ("k7/8/8/8/8/8/8/K7 z - - 0 1", "w or b, not 'z'"),
        ("k7/8/8/8/8/8/8/K7 KQkq - 0 1", "w or b, not 'KQkq'"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black must have one king, has 0"),
        ("k7/8/8/8/8/8/8/8 w - - 0 1", "White must have one king, has 0"),
        ("k6k/8/8/8/8/8/8/K7 w - - 0 1", "Black must have one king, has 2"),
        ("k7/8/8/8/8/8/8/KP6 w - - 0 1", "first or last rank"),
        ("kp6/8/8/8/8/8/8/K7 w - - 0 1", "first or last rank"),
        ("k7/8/8/8/8/PPPP4/PPPPP3/K7 w - - 0 1", "more than 16 pieces or 8 pawns"),
        ("k7/8/8/QQQQQQQQ/QQQQQQQQ/8/8/K7 w - - 0 1", "more than 16 pieces"),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "not to move is in check"),
        ("8/8/8/8/8/8/kK6/8 w - - 0 1", "not to move is in check"),
    ],
)
def test_invalid_fens_are_refused_with_an_explanation(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        position_from_fen(text)
    with pytest.raises(ValueError, match=complaint):
        Chess().state_from(text)


HOME = "r3k2r/8/8/8/8/8/8/R3K2R"
KINGS_ALONE = "k7/8/8/8/8/8/8/K6R"


@pytest.mark.parametrize(
    ("text", "read", "note"),
    [
        # Castling rights.
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "castling rights 'K' dropped"),
        ("r3k3/8/8/8/8/8/8/4K3 w kq - 0 1", "r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "rights 'k' dropped"),
        ("r6r/4k3/8/8/8/8/8/R3K2R w KQkq - 0 1", "r6r/4k3/8/8/8/8/8/R3K2R w KQ - 0 1", "'kq' dropped"),
        ("r3k1r1/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k1r1/8/8/8/8/8/8/R3K2R w KQq - 0 1", "'k' dropped"),
        ("3rk2r/8/8/8/8/8/8/3RK2R w KQkq - 0 1", "3rk2r/8/8/8/8/8/8/3RK2R w Kk - 0 1", "'Qq' dropped"),
        ("r4rk1/8/8/8/8/8/8/R4RK1 b KQkq - 0 1", "r4rk1/8/8/8/8/8/8/R4RK1 b - - 0 1", "'KkQq' dropped"),
        (f"{HOME} w KQix - 0 1", f"{HOME} w KQ - 0 1", "rights 'ix' dropped"),
        (f"{HOME} w HAkb - 0 1", f"{HOME} w KQk - 0 1", "rights 'b' dropped"),
        (f"{HOME} w xyz - 0 1", f"{HOME} w - - 0 1", "rights 'xyz' dropped"),
        (f"{HOME} w qkQK - 0 1", f"{HOME} w KQkq - 0 1", ""),
        (f"{HOME} w KQKQHAkq- - 0 1", f"{HOME} w KQkq - 0 1", ""),
        # En passant squares.
        ("8/8/4k3/8/P7/8/8/4K3 b - a4 0 1", "8/8/4k3/8/P7/8/8/4K3 b - - 0 1", "square 'a4' dropped"),
        ("8/8/4k3/8/1pP5/8/8/4K3 w - c3 0 1", "8/8/4k3/8/1pP5/8/8/4K3 w - - 0 1", "square 'c3' dropped"),
        ("8/8/4k3/8/1p6/8/8/4K3 b - c3 0 1", "8/8/4k3/8/1p6/8/8/4K3 b - - 0 1", "square 'c3' dropped"),
        ("8/8/4k3/8/1pP5/2N5/8/4K3 b - c3 0 1", "8/8/4k3/8/1pP5/2N5/8/4K3 b - - 0 1", "square 'c3' dropped"),
        ("8/8/4k3/8/1pP5/8/2N5/4K3 b - c3 0 1", "8/8/4k3/8/1pP5/8/2N5/4K3 b - - 0 1", "square 'c3' dropped"),
        ("8/8/4k3/8/1pP5/8/8/4K3 b - e 0 1", "8/8/4k3/8/1pP5/8/8/4K3 b - - 0 1", "square 'e' dropped"),
        ("8/8/4k3/8/1pP5/8/8/4K3 b - C3 0 1", "8/8/4k3/8/1pP5/8/8/4K3 b - c3 0 1", ""),
        ("8/8/4k3/8/2P5/8/8/4K3 b - c3 0 1", "8/8/4k3/8/2P5/8/8/4K3 b - - 0 1", ""),
        # Counters.
        (f"{KINGS_ALONE} w - - 113 150", f"{KINGS_ALONE} w - - 113 150", ""),
        (f"{KINGS_ALONE} w - - 197 150", f"{KINGS_ALONE} w - - 150 150", "half-move clock 197 set to 150"),
        (f"{KINGS_ALONE} w - - {'9' * 5000} 1", f"{KINGS_ALONE} w - - 150 1", "clock 9{20} set to 150"),
        (f"{KINGS_ALONE} w - - -1 1", f"{KINGS_ALONE} w - - 0 1", "half-move clock -1 set to 0"),
        (f"{KINGS_ALONE} w - - ² 1", f"{KINGS_ALONE} w - - 0 1", "the text after it is ignored: '² 1;'"),
        (f"{KINGS_ALONE} w - - 7 x", f"{KINGS_ALONE} w - - 7 1", "the text after it is ignored: 'x;'"),
        (f"{KINGS_ALONE} w - - 7 0", f"{KINGS_ALONE} w - - 7 1", ""),
        (
            f"{KINGS_ALONE} w - - 7 1000000",
            f"{KINGS_ALONE} w - - 7 99999",
            "move number 1000000 set to 99999",
        ),
        (f"{KINGS_ALONE} w - - - -", f"{KINGS_ALONE} w - - 0 1", ""),
        # Fields left out, white space, dashes, case.
        (KINGS_ALONE, f"{KINGS_ALONE} w - - 0 1", "the side to move is missing"),
        (f"{KINGS_ALONE} w", f"{KINGS_ALONE} w - - 0 1", ""),
        (f"{KINGS_ALONE} w 3 9", f"{KINGS_ALONE} w - - 3 9", ""),
        (f"{HOME} w KQkq 3 9", f"{HOME} w KQkq - 3 9", ""),
        ("8/8/4k3/8/1pP5/8/8/4K3 b c3 0 1", "8/8/4k3/8/1pP5/8/8/4K3 b - c3 0 1", ""),
        (f"\t {HOME}  W\tKQkq \u2013  3\r\n", f"{HOME} w KQkq - 3 1", ""),
        (f"{HOME} White KQkq - 0 1", f"{HOME} w KQkq - 0 1", ""),
        (f"{KINGS_ALONE} B _ \u2014 0 1", f"{KINGS_ALONE} b - - 0 1", ""),
        ("k7/8/8/8/8/8/8/K5Q~1 w - - 0 1", "k7/8/8/8/8/8/8/K5Q1 w - - 0 1", ""),
        # EPD behind the FEN.
        (f"{HOME} w KQkq - 0 1 x", f"{HOME} w KQkq - 0 1", "the text after it is ignored: 'x;'"),
        (f'{HOME} w KQkq - bm O-O; id "a; b";', f"{HOME} w KQkq - 0 1", "is ignored: 'bm O-O;id \"a; b\";'"),
        (f"{HOME} w KQkq - 3 9 bm O-O;", f"{HOME} w KQkq - 3 9", "the text after it is ignored: 'bm O-O;'"),
        (f"{HOME} w bm Kd2;", f"{HOME} w - - 0 1", "the text after it is ignored: 'bm Kd2;'"),
        (f"{HOME} w KQkq - hmvc 3; fmvn 9;", f"{HOME} w KQkq - 3 9", ""),
        (
            f"{HOME} w KQkq - fmvn 9; ce 4; hmvc 3",
            f"{HOME} w KQkq - 3 9",
            "the text after it is ignored: 'ce 4;'",
        ),
        (f"{HOME} w KQkq - 3 9 hmvc 4;", f"{HOME} w KQkq - 3 9", "the text after it is ignored: 'hmvc 4;'"),
        (f"{HOME} w KQkq - hmvc x;", f"{HOME} w KQkq - 0 1", "the text after it is ignored: 'hmvc x;'"),
    ],
)
def test_impossible_fen_fields_are_dropped_with_a_note(text: str, read: str, note: str) -> None:
    position = position_from_fen(text)
    assert fen(position) == position.start == read
    assert len(position.notes) == bool(note) and re.search(note, "".join(position.notes))
    assert not position.is_chess960()
    assert position_from_fen(read).notes == []


def _mutated(board: chess.Board, rng: Random) -> str:
    """The FEN of a board with a piece moved or taken away, and any of its fields replaced, doubled or left out."""
    board = board.copy(stack=False)
    for _ in range(rng.below(3)):
        square = int(rng.below(64))
        piece = board.remove_piece_at(square)
        if piece and piece.piece_type != chess.KING and rng.below(2):
            board.set_piece_at(int(rng.below(64)), piece)
        elif piece and piece.piece_type == chess.KING:
            board.set_piece_at(square, piece)
    fields = board.fen().split()
    others = (
        ("w", "b"),
        ("KQkq", "Kk", "Qq", "-", "HAha", "KQ", "kq", "Gc"),
        ("-", *(file + rank for file in "abcdefgh" for rank in "36")),
        ("0", "3", "99", "113", "150"),
        ("0", "1", "60", "500"),
    )
    for index, choices in enumerate(others, 1):
        if not rng.below(3):
            fields[index] = choices[int(rng.below(len(choices)))]
    del fields[6 - int(rng.below(6)) if not rng.below(4) else 6 :]
    return (" ", "  ", " \t")[int(rng.below(3))].join(fields)


HARMLESS = (
    chess.STATUS_BAD_CASTLING_RIGHTS | chess.STATUS_INVALID_EP_SQUARE | chess.STATUS_TOO_MANY_CHECKERS
    | chess.STATUS_IMPOSSIBLE_CHECK
)  # fmt: skip


def test_mutated_fens_have_the_legal_moves_that_python_chess_finds() -> None:
    read = refused = noted = 0
    for number, start in enumerate((*STARTS, START, START, START)):
        for _, board in random_moves(start, number):
            rng = Random(1000 * number + board.ply())
            for _ in range(4):
                text = _mutated(board, rng)
                theirs = chess.Board(text)
                if theirs.status() & ~HARMLESS:
                    with pytest.raises(ValueError, match="FEN: "):
                        position_from_fen(text, False)
                    refused += 1
                    continue
                if theirs.status() & chess.STATUS_INVALID_EP_SQUARE:
                    theirs.ep_square = None
                ours = position_from_fen(text, False)
                moves = sorted(map(ours.action_text, ours.legal_moves()))
                assert moves == sorted(move.uci() for move in theirs.legal_moves), text
                assert fen(ours).split()[:4] == theirs.fen(en_passant="legal").split()[:4], text
                read += 1
                noted += bool(ours.notes)
    assert read > 4_000 and refused > 100 and noted > 1_000


@pytest.mark.parametrize("halfmoves", [100, 101, 150])
def test_positions_with_an_unclaimed_draw_can_be_set_up(halfmoves: int) -> None:
    """GUIs and python-chess go on to 75 moves, where the game ends without a claim (FIDE 9.6.2)."""
    text = f"4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 150"
    position = position_from_fen(text)
    assert fen(position) == chess.Board(text).fen() == text
    assert position.is_draw() and position.legal_moves()
    mated = position_from_fen(f"R3k3/8/4K3/8/8/8/8/8 b - - {halfmoves} 150")
    assert mated.outcome() == "checkmate" and mated.returns() == [1.0, -1.0]


def test_promotions_are_counted_and_not_in_the_fen() -> None:
    position = position_from_fen("7k/P7/8/8/8/8/8/7K w - - 0 1")
    position.apply(position.action_from("a7a8r"))
    assert [position.board[PROMOTIONS + side] for side in (0, 1)] == [1, 0]
    set_up = position_from_fen(fen(position))
    assert [set_up.board[PROMOTIONS + side] for side in (0, 1)] == [0, 0]
    assert set_up.board[HASH] != position.board[HASH]


# -- Counting moves --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "counts"),
    [
        (START, [20, 400, 8_902, 197_281, 4_865_609]),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            [48, 2_039, 97_862, 4_085_603],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2_812, 43_238, 674_624, 11_030_083]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            [6, 264, 9_467, 422_333, 15_833_292],
        ),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1_486, 62_379, 2_103_487]),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            [46, 2_079, 89_890, 3_894_594],
        ),
    ],
)
def test_perft(start: str, counts: list[int]) -> None:
    """The positions and counts of chessprogramming.org, "Perft Results"."""
    position = position_from_fen(start)
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts
    assert fen(position) == start


def test_perft_refuses_depths_out_of_range() -> None:
    position = position_from_fen(START)
    assert perft(position, 0) == 1
    for depth in (-1, 65):
        with pytest.raises(ValueError, match="depth"):
            perft(position, depth)


def _suite(folder: Path, least: int, most: int) -> Iterator[tuple[str, int, int]]:
    """(FEN, depth, leaves) of the 126 positions whose counts are in least..most."""
    for line in (folder / "chess" / "perftsuite.epd").read_text().splitlines():
        start, *counts = line.split(" ;")
        for depth, leaves in (count.removeprefix("D").split() for count in counts):
            if least <= int(leaves) <= most:
                yield start, int(depth), int(leaves)


def test_perft_matches_the_suite_for_small_counts(shared_data: Path) -> None:
    for start, depth, leaves in _suite(shared_data, 0, 500_000):
        assert perft(position_from_fen(start), depth) == leaves, f"{start} to depth {depth}"


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_perft_matches_the_suite_up_to_100_million(shared_data: Path) -> None:
    for start, depth, leaves in _suite(shared_data, 500_001, 100_000_000):
        assert perft(position_from_fen(start), depth) == leaves, f"{start} to depth {depth}"


# -- Other people's tests --------------------------------------------------------------------------


# A GUI goes on where nobody claims the draw, and sends en passant squares that cannot be: that program refuses such
# positions, ours reads them.
READ = (" - - 101 150", " KQkq a4 0 1")


def test_the_board_tests_of_genetic_chess_pass(shared_data: Path) -> None:
    """Rows `kind | FEN | moves | answer`; `quiescent` tests a rule of that program alone."""
    run = 0
    for number, line in enumerate((shared_data / "chess" / "board_tests.txt").read_text().splitlines(), 1):
        row = line.partition("#")[0]
        if not row.strip() or row.startswith("quiescent") or row.strip().endswith(READ):
            continue
        kind, start, *rest = (field.strip() for field in row.split("|"))
        assert _passes(kind, START if start == "start" else start, rest), f"line {number}: {line}"
        run += 1
    assert run == 81


def _passes(kind: str, start: str, rest: list[str]) -> bool:
    if kind == "illegal position":
        return _is_refused(lambda: position_from_fen(start))
    position = position_from_fen(start)
    answer = rest[-1] if rest else ""
    moves = rest[0].split() if rest else []
    match kind:
        case "all moves legal":
            _make(position, moves)
            return True
        case "last move illegal":
            _make(position, moves[:-1])
            return _is_refused(lambda: parse_move(position, moves[-1]))
        case "move count":
            _make(position, moves)
            return len(position.legal_moves()) == int(answer)
        case "last move checks" | "king in check":
            _make(position, moves)
            return position.in_check() == (answer == "true")
        case "checkmate material":
            return position.is_insufficient_material() == (answer == "false")
        case "pinned piece":
            square, answer = answer.split()
            _, pinned = checks_and_pins(position.board, position.player())
            return bool(pinned >> chess.parse_square(square) & 1) == (answer == "true")
        case "discovered check":
            text, answer = answer.split()
            move = parse_move(position, text)
            position.make(move)
            others = _checkers(position) & ~BIT[(move >> 6) & 63]
            return (others != 0) == (answer == "true")
    raise AssertionError(f"no such kind of test: {kind}")


def _make(position: Position, moves: list[str]) -> None:
    for text in moves:
        position.make(parse_move(position, text))


def _is_refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except ValueError:
        return True
    return False


def _checkers(position: Position) -> int:
    """The pieces that attack the king of the side to move."""
    board, side = position.board, position.player()
    king = chess.lsb(int(board[side * 6 + KINGS]) % 2**64)
    return int(attackers(board, king, 1 - side, board[SIDE] | board[SIDE + 1]))
