"""Mates that the searches report, judged by a solver that tries every move."""

from collections.abc import Iterator

import chess
import pytest

from core.chess.evaluation import Evaluator, moves_to_mate
from core.chess.genetic_search import GeneticSearch, LookAhead
from core.chess.notation import position_from_fen
from core.chess.position import Position, move_text
from core.chess.search import AlphaBetaSearch
from core.chess.search_task import ENDLESS, MATE_PROVED, SearchTask
from core.chess.transposition import TranspositionTable
from core.random import Random
from engines.chess.genome_file import load_bundled
from tests.core.chess import mates

THREE = "8/3p4/2pP4/2k1P3/8/3RN2p/2PP3K/1R6 w - - 0 1"
CENTRE = chess.BB_ALL & ~(chess.BB_RANK_1 | chess.BB_RANK_8 | chess.BB_FILE_A | chess.BB_FILE_H)
ALMOST_DRAWN = "r7/8/8/8/4k3/5r2/5K2/1n6 w - - 95 1"
# It finds the mates of these tests with fewer nodes than `evolved`.
EVALUATOR = Evaluator(load_bundled("evolved-2").express().weights)
MATING = ("QR", "QQ", "RR", "QN", "QB", "RRN", "QRB", "QP", "RP")  # pieces of one side


def endings(seed: int, count: int) -> Iterator[chess.Board]:
    """Yield legal positions with much material against a king at the rim, and any half-move clock."""
    rng = Random(seed)
    found = 0
    while found < count:
        board = chess.Board(None)
        squares = list(range(64))
        for index in range(8):
            other = index + rng.below(64 - index)
            squares[index], squares[other] = squares[other], squares[index]
        rim = [square for square in squares[1:] if not chess.BB_SQUARES[square] & CENTRE]
        squares = [squares[0], rim[0], *(square for square in squares[1:] if square != rim[0])]
        pieces = "Kk" + MATING[rng.below(len(MATING))] + ("p", "n", "r", "")[rng.below(4)]
        for square, piece in zip(squares, pieces, strict=False):
            if piece not in "Pp" or 0 < chess.square_rank(square) < 7:
                board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = rng.below(2) == 0
        board.halfmove_clock = (0, 0, 90 + rng.below(10))[rng.below(3)]
        if board.is_valid() and any(board.legal_moves) and not board.is_insufficient_material():
            found += 1
            yield board


def searched(
    position: Position, nodes: int, table: TranspositionTable | None = None, **options: int
) -> AlphaBetaSearch:
    task = SearchTask(**options)  # type: ignore[arg-type]
    search = AlphaBetaSearch(position, EVALUATOR, table or TranspositionTable(1), task)
    search.run(nodes)
    return search


def test_reported_mates_are_forced_wherever_the_search_is_cut() -> None:
    """One table serves all positions, with their clocks."""
    table, checked = TranspositionTable(1), 0
    for board in endings(1, 60):
        position = position_from_fen(board.fen())
        for nodes in (15, 25, 40, 60, 100, 160, 250, 400, 640, 1_000):
            mate = moves_to_mate(searched(position, nodes, table).score)
            if mate and abs(mate) <= 2:
                checked += 1
                assert mates.is_forced(board, mate), (board.fen(), nodes, mate)
    assert checked > 25


def test_a_search_ended_by_a_mate_has_proved_the_shortest_mate() -> None:
    checked = 0
    for board in endings(2, 60):
        board.halfmove_clock = 0
        truth = mates.moves_to_mate(board, 2)
        if truth is None:
            continue
        search = searched(position_from_fen(board.fen()), 3_000_000, depth=30, ending=MATE_PROVED)
        assert search.finished and moves_to_mate(search.score) == truth, board.fen()
        checked += 1
    assert checked > 8


def test_the_line_of_a_mate_ends_in_checkmate() -> None:
    checked = 0
    for board in endings(3, 30):
        board.halfmove_clock = 0
        search = searched(position_from_fen(board.fen()), 30_000, ending=MATE_PROVED)
        if search.finished and 0 < moves_to_mate(search.score) <= 3:
            for move in search.line:
                board.push_uci(move_text(move))
            assert board.is_checkmate(), board.fen()
            checked += 1
    assert checked > 5


@pytest.mark.parametrize("limit", [{"mate": 3}, {"depth": 20}, {}])
def test_the_shorter_mate_is_found_although_a_longer_one_is_seen_first(limit: dict[str, int]) -> None:
    search = searched(position_from_fen(THREE), 1_000_000, None, ending=MATE_PROVED, **limit)
    assert search.finished and moves_to_mate(search.score) == 3


def test_an_endless_search_finds_the_shorter_mate_and_continues() -> None:
    search = searched(position_from_fen(THREE), 100_000, ending=ENDLESS)
    assert moves_to_mate(search.score) == 3 and not search.finished


def test_a_mate_longer_than_asked_for_does_not_end_the_search() -> None:
    search = searched(position_from_fen(THREE), 60_000, ending=MATE_PROVED, mate=2)
    assert moves_to_mate(search.score) == 3 and not search.finished


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_the_mate_asked_for_is_found(moves: int) -> None:
    """Also where all of its moves but the last are quiet."""
    fens = {
        1: "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        2: "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
        3: THREE,
    }
    search = searched(position_from_fen(fens[moves]), 1_000_000, ending=MATE_PROVED, mate=moves)
    assert search.finished and moves_to_mate(search.score) == moves


def test_a_mate_search_without_result_still_searches_normally() -> None:
    """A middlegame in which no mate in ten moves can be excluded: the search goes deeper all the same."""
    fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"
    position = position_from_fen(fen)
    search = searched(position, 1_000_000, ending=MATE_PROVED, mate=10)
    assert search.depth >= 8 and search.line[0] in position.legal_moves() and not search.finished


@pytest.mark.parametrize("nodes", [200, 800, 3_000])
def test_no_mate_is_reported_while_a_move_may_save_the_game(nodes: int) -> None:
    """The first move is mated in two, which says nothing as long as f2e2 is not searched."""
    mate = moves_to_mate(searched(position_from_fen(ALMOST_DRAWN), nodes).score)
    assert not mate or mates.is_forced(chess.Board(ALMOST_DRAWN), mate)


def test_mates_beyond_the_fifty_move_rule_are_not_reported() -> None:
    """What the table knows of the same position with a young clock is not believed."""
    table = TranspositionTable(1)
    fen = "8/8/8/8/8/2k5/8/K6Q w - - {} 60"
    assert moves_to_mate(searched(position_from_fen(fen.format(0)), 300_000, table).score) > 3
    for clock in range(80, 100):
        search = searched(position_from_fen(fen.format(clock)), 50_000, table, depth=20)
        assert clock + 2 * moves_to_mate(search.score) - 1 <= 100


def test_table_draws_of_a_high_half_move_clock_do_not_hide_mates() -> None:
    table = TranspositionTable(1)
    fen = "8/8/8/8/8/2k5/8/K6Q w - - {} 60"
    assert searched(position_from_fen(fen.format(96)), 50_000, table).score == 0
    assert moves_to_mate(searched(position_from_fen(fen.format(0)), 300_000, table).score) > 3


def test_the_genetic_search_reports_only_proved_mates() -> None:
    """Wherever its clock ends it."""
    checked = 0
    for index, board in enumerate(endings(4, 60)):
        for nodes in range(10, 1_000, 33):
            search = GeneticSearch(
                position_from_fen(board.fen()),
                EVALUATOR,
                LookAhead(50.0, 0.0, 1e6, 0.5),
                Random(index),
                SearchTask(4),
                seconds=1e3,
                clock=float(nodes),
                rate=1.0,
            )
            search.run(1_000_000)
            mate = moves_to_mate(search.score)
            if mate and abs(mate) <= 2:
                checked += 1
                assert mates.is_forced(board, mate), (board.fen(), nodes, mate)
    assert checked > 25
