"""The strong search: what it must find, and that slicing, tables and recall change nothing they should not."""

import pytest

from core.chess import movegen as mg
from core.chess.evaluation import Evaluator, moves_to_mate
from core.chess.notation import START, position_from_fen
from core.chess.position import Position, move_text
from core.chess.search import AlphaBetaSearch
from core.chess.search_params import SearchParams
from core.chess.search_task import MAX_DEPTH, SearchTask
from core.chess.transposition import (
    EXACT,
    LOWER_BOUND,
    TranspositionTable,
    bound_of,
    depth_of,
    move_of,
    score_of,
)
from core.random import Random
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled

MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"


def handset() -> Evaluator:
    return Evaluator(load_bundled("handset").express().weights)


def searched(fen: str, *, depth: int = 100, nodes: int = 10**9, slice_nodes: int = 50_000) -> AlphaBetaSearch:
    search = AlphaBetaSearch(position_from_fen(fen), handset(), TranspositionTable(4), SearchTask(depth))
    while search.nodes < nodes and not search.run(min(slice_nodes, nodes - search.nodes)):
        pass
    return search


@pytest.mark.parametrize(
    ("fen", "move", "mate"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 3),
        ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "d6d1", 3),
        ("8/8/8/8/8/6k1/6p1/6K1 b - - 0 1", "g3f3", 5),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", 1),
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", 1),
    ],
)
def test_the_search_finds_the_mate(fen: str, move: str | None, mate: int) -> None:
    search = searched(fen, depth=12, nodes=2_000_000)
    assert moves_to_mate(search.score) == mate
    if move is not None:
        assert move_text(search.line[0]) == move


def test_singular_moves_are_searched_deeper() -> None:
    mates = []
    for singular_depth in (SearchParams().singular_depth, MAX_DEPTH):
        params = SearchParams()
        params.singular_depth = singular_depth
        position = position_from_fen("8/8/8/8/8/6k1/6p1/6K1 b - - 0 1")
        search = AlphaBetaSearch(position, handset(), TranspositionTable(4), SearchTask(10), params=params)
        while not search.run(50_000):
            pass
        mates.append(moves_to_mate(search.score))
    assert mates == [5, 0]


def test_the_search_reports_being_mated() -> None:
    search = searched("k7/2K5/8/8/8/8/8/1R6 b - - 0 1", depth=6)
    assert moves_to_mate(search.score) == -1


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", {"g3g6"}),  # WAC 1
        ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", {"h6h7"}),  # WAC 4
        ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", {"e3g3"}),  # WAC 3
    ],
)
def test_the_search_finds_the_combination(fen: str, moves: set[str]) -> None:
    assert move_text(searched(fen, nodes=400_000).line[0]) in moves


def test_stalemate_and_repetition_are_draws() -> None:
    stalemate = searched("k7/P7/1K6/8/8/8/8/8 w - - 0 1", depth=4)
    assert stalemate.score == 0, "a pawn more, but the king is stalemated or takes it"
    perpetual = searched("6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1", depth=10, nodes=1_000_000)
    assert perpetual.score == 0, "Qe8+ and Qh5+ for ever"


def played(fen: str, moves: str) -> Position:
    position = position_from_fen(fen)
    for move in moves.split():
        position.make(position.parse_uci(move))
    return position


def score_of_search(position: Position, depth: int) -> int:
    search = AlphaBetaSearch(position, handset(), TranspositionTable(1), SearchTask(depth))
    while not search.run(10_000):
        pass
    return int(search.score)


ROOK_MATES = "8/8/8/8/8/6k1/1r6/7K w - - 0 1"  # after h1g1 b2b1
SHUFFLED = "h1g1 b2c2 g1h1 c2b2"


def test_a_position_that_stood_once_before_the_root_is_no_draw() -> None:
    """The king's only move leads to a position of the game, and to mate."""
    position = played(ROOK_MATES, SHUFFLED)
    assert len(position.legal_moves()) == 1
    assert moves_to_mate(score_of_search(position, 4)) == -1


def test_a_threefold_repetition_below_a_repeated_root_is_a_draw() -> None:
    position = played(ROOK_MATES, f"{SHUFFLED} {SHUFFLED}")
    assert score_of_search(position, 4) == 0


def test_a_mate_is_found_although_the_root_is_a_threefold_repetition() -> None:
    position = played("8/8/8/8/8/6k1/1r6/6K1 b - - 0 1", "b2c2 g1h1 c2b2 h1g1 " * 2)
    assert position.is_draw() and moves_to_mate(score_of_search(position, 4)) == 1


def test_a_mate_is_found_although_the_root_is_a_fifty_move_draw() -> None:
    position = position_from_fen("8/8/8/8/8/6k1/1r6/6K1 b - - 100 90")
    assert position.is_draw() and moves_to_mate(score_of_search(position, 4)) == 1


def test_a_repetition_within_the_search_is_a_draw() -> None:
    """After one check for the first time, with a table that is filled already."""
    position = played("6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1", "h5e8 g8h7")
    assert score_of_search(position, 6) == 0


@pytest.mark.parametrize("slice_nodes", [1, 7, 1000])
def test_slicing_does_not_change_the_search_result(slice_nodes: int) -> None:
    whole = searched(MIDDLEGAME, nodes=30_000)
    sliced = searched(MIDDLEGAME, nodes=30_000, slice_nodes=slice_nodes)
    assert (whole.line, whole.score, whole.depth, whole.nodes) == (
        sliced.line,
        sliced.score,
        sliced.depth,
        sliced.nodes,
    )


def test_run_searches_exactly_the_given_number_of_nodes() -> None:
    search = AlphaBetaSearch(position_from_fen(START), handset(), TranspositionTable(1))
    for nodes in (1, 10, 100, 1000):
        before = search.nodes
        search.run(nodes)
        assert search.nodes == before + nodes


@pytest.mark.parametrize("megabytes", [1, 2, 5, 16])
def test_a_new_table_is_empty_and_other_memory_is_left_alone(megabytes: int) -> None:
    """Pages of it are given back to the system; whole ones, and of nothing else."""
    before = [bytes([number]) * (3 << 20) for number in range(1, 4)]
    table = TranspositionTable(megabytes)
    after = [bytes([number]) * (3 << 20) for number in range(1, 4)]
    assert not any(table.words) and before == after == [bytes([number]) * (3 << 20) for number in range(1, 4)]
    table.store(1234, 5, 6, EXACT, 7)
    assert score_of(table.find(1234)) == 7 and not any(TranspositionTable(megabytes).words)


def test_a_search_leaves_the_position_unchanged() -> None:
    position = position_from_fen(MIDDLEGAME)
    before = list(position.board)
    search = AlphaBetaSearch(position, handset(), TranspositionTable(1))
    search.run(12_345)
    assert list(position.board) == before


def test_only_the_given_moves_are_searched() -> None:
    position = position_from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    allowed = tuple(move for move in position.legal_moves() if move_text(move) in ("h2h3", "g2g3"))
    search = AlphaBetaSearch(
        position, handset(), TranspositionTable(1), SearchTask(6, actions=tuple(allowed))
    )
    while not search.run(10_000):
        pass
    assert move_text(search.line[0]) in ("h2h3", "g2g3")
    with pytest.raises(ValueError, match="no legal move"):
        AlphaBetaSearch(position, handset(), TranspositionTable(1), SearchTask(6, actions=(1,)))


def test_searching_a_finished_game_is_refused() -> None:
    with pytest.raises(ValueError, match="no legal move"):
        AlphaBetaSearch(position_from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), handset(), TranspositionTable(1))


def test_ranked_lines_have_distinct_moves_and_descending_scores() -> None:
    """All that the search publishes; before the first iteration is complete that is the best line alone."""
    rng, blocks = Random(7), 0
    for game in range(24):
        position = _random_position(rng, 2 * game)
        if position.is_terminal():
            continue
        count = len(position.legal_moves())
        for lines in (2, 3, 5, count):
            search = AlphaBetaSearch(position, handset(), TranspositionTable(1), SearchTask(lines=lines))
            improved = 0
            while search.nodes < 6_000 and not search.run(1 + rng.below(60)):
                if search.improved == improved:
                    continue
                improved = search.improved
                ranked = [(search.score, search.line), *search.alternatives]
                moves, scores = [line[0] for _, line in ranked], [score for score, _ in ranked]
                assert len(set(moves)) == len(moves) and scores == sorted(scores, reverse=True)
                assert len(moves) == (min(lines, count) if search.depth else 1)
                blocks += search.depth > 1
    assert blocks > 200


def test_line_scores_equal_those_of_searching_each_move_alone() -> None:
    """At one ply, where no pruning and no table makes a difference."""
    position = position_from_fen(MIDDLEGAME)
    ranking = AlphaBetaSearch(position, handset(), TranspositionTable(1), SearchTask(1, lines=100))
    while not ranking.run(1_000):
        pass
    for score, line in [(ranking.score, ranking.line), *ranking.alternatives]:
        alone = AlphaBetaSearch(position, handset(), TranspositionTable(1), SearchTask(1, actions=(line[0],)))
        while not alone.run(1_000):
            pass
        assert alone.score == score, move_text(line[0])


def test_a_restricted_search_stores_no_root_score_in_the_table() -> None:
    table = TranspositionTable(1)
    position = position_from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    bad = position.parse_uci("d1d7")
    search = AlphaBetaSearch(position, handset(), table, SearchTask(4, actions=(bad,)))
    while not search.run(1_000):
        pass
    assert table.find(position.board[mg.HASH]) == 0


def test_every_line_is_legal() -> None:
    rng = Random(5)
    for game in range(20):
        position = _random_position(rng, game)
        if position.is_terminal():
            continue
        search = AlphaBetaSearch(position, handset(), TranspositionTable(1))
        while search.nodes < 3_000 and not search.run(500):
            after = position.clone()
            for move in search.line:
                assert move in after.legal_moves()
                after.make(move)


def test_random_genomes_can_be_searched() -> None:
    """Negative strengths, nothing active, random: the search ends and stays within its scores."""
    for seed in range(12):
        evaluator = Evaluator(Genome.random(Random(seed)).express().weights)
        search = AlphaBetaSearch(
            position_from_fen(MIDDLEGAME), evaluator, TranspositionTable(1), SearchTask(5)
        )
        while search.nodes < 200_000 and not search.run(10_000):
            pass
        assert search.line


def test_a_recalled_line_is_tried_first() -> None:
    """At the root; whatever the move is worth."""
    position = position_from_fen(MIDDLEGAME)
    for move in position.legal_moves():
        search = AlphaBetaSearch(position, handset(), TranspositionTable(1), SearchTask(3, recalled=(move,)))
        search.run(2)
        assert search.current_move() == (move, 1)


def test_illegal_moves_of_a_recalled_line_are_dropped() -> None:
    def result(*recalled: int) -> tuple[object, ...]:
        search = AlphaBetaSearch(
            position_from_fen(MIDDLEGAME), handset(), TranspositionTable(1), SearchTask(3, recalled=recalled)
        )
        while not search.run(10_000):
            pass
        return search.line, search.score, search.nodes

    moves = position_from_fen(MIDDLEGAME).legal_moves()
    assert result(moves[-1], 1, moves[0]) == result(moves[-1])
    assert result(1, moves[-1]) == result()


def test_crowded_boards_do_not_overflow() -> None:
    """Sixteen queens' worth of captures, and checks without end."""
    for fen in (
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ):
        search = searched(fen, nodes=60_000)
        assert search.nodes <= 60_000 and search.line


def test_the_table_returns_stored_entries() -> None:
    table = TranspositionTable(1)
    table.store(42, 1234, 7, LOWER_BOUND, -5_000_000)
    known = table.find(42)
    assert (move_of(known), depth_of(known), bound_of(known), score_of(known)) == (
        1234,
        7,
        LOWER_BOUND,
        -5_000_000,
    )
    assert table.find(43) == 0
    table.store(42, 0, 8, EXACT, 17)
    assert move_of(table.find(42)) == 1234, "a result without a move keeps the move known before"


def test_the_table_evicts_the_oldest_and_shallowest_entries() -> None:
    table = TranspositionTable(1)
    step = int(table.mask) + 1  # hashes that share a bucket
    for index in range(4):
        table.store(1 + index * step, 1, 10 + index, EXACT, 0)
    table.store(1 + 4 * step, 1, 9, EXACT, 0)
    assert table.find(1) == 0 and table.find(1 + step)
    for _ in range(3):
        table.new_search()
    table.store(1 + 5 * step, 1, 1, EXACT, 0)
    table.store(1 + 6 * step, 1, 1, EXACT, 0)
    assert table.find(1 + 5 * step) and table.find(1 + 6 * step)


def _random_position(rng: Random, plies: int) -> Position:
    position = position_from_fen(START)
    for _ in range(plies):
        actions = position.legal_actions()
        if not actions:
            break
        position.apply(actions[rng.below(len(actions))])
    return position
