"""The scoring genes against a second reading of their definitions."""

from itertools import pairwise

import chess
import pytest

from core.chess.evaluation import (
    GENES,
    PRIORITY_UNITS,
    EvalParams,
    Evaluator,
    PhaseParams,
    gene_scores,
    phase,
)
from core.chess.movegen import HASH, PROMOTIONS
from core.chess.notation import START, fen, position_from_fen
from core.random import Random
from tests.core.chess.second_reading import (
    ADVANCE,
    CENTRE,
    ENDGAME,
    FURTHER,
    LATE_ADVANCE,
    LATE_CENTRE,
    PHASED,
    PRIORITIES,
    STRENGTHS,
    Reading,
    stage,
    weighing,
    weights,
)


@pytest.mark.parametrize(
    "start",
    [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/8/8/3q4/8/8/4r3/R3K2R w KQ - 0 1",
        "4k3/1p3pp1/1P2p3/p1P1P2P/P4P2/2p3p1/2P1p1P1/4K3 w - - 0 1",
    ],
)
def test_genes_agree_with_their_definitions_on_random_games(start: str) -> None:
    for seed in range(3):
        position, rng = position_from_fen(start), Random(seed)
        for ply in range(60):
            if ply % 3 == 0:
                for side in (0, 1):
                    expected = Reading(position, side).scores()
                    found = gene_scores(position.board, side, weights())
                    assert found == pytest.approx(expected, abs=2e-5), (position.moves(), side)
            actions = position.legal_actions()
            if not actions:
                break
            position.apply(actions[rng.below(len(actions))])


def test_the_score_is_the_weighted_difference_seen_by_the_side_to_move() -> None:
    all_weights = weights(PRIORITIES)
    position, rng = position_from_fen(START), Random(7)
    total = sum(abs(priority) for priority in PRIORITIES.values())
    for _ in range(80):
        evaluator = Evaluator(all_weights)
        own = gene_scores(position.board, position.player(), all_weights)
        other = gene_scores(position.board, 1 - position.player(), all_weights)
        expected = sum(
            PRIORITIES.get(gene, 0.0) * (ours - theirs)
            for gene, ours, theirs in zip(GENES, own, other, strict=True)
        )
        cents = evaluator.centipawns(evaluator.score(position.board))
        assert cents == pytest.approx(100 * expected * 39 / PRIORITIES["Total Force"], abs=2.0), total
        actions = position.legal_actions()
        position.apply(actions[rng.below(len(actions))])


@pytest.mark.parametrize("gene", GENES)
def test_genes_without_a_priority_do_not_affect_the_score(gene: str) -> None:
    """With one priority only, the score is that gene's; with none it is zero."""
    position = position_from_fen("r1bqk1nr/1pp5/p1np4/4p3/B3P2P/2P2N2/PPP2P2/RNBQK2R b KQkq - 1 4")
    scores = [dict(zip(GENES, gene_scores(position.board, side, weights()), strict=True)) for side in (1, 0)]
    ours, theirs = (score[gene] for score in scores)
    assert ours != theirs
    score = Evaluator(weights({gene: 2.0})).score(position.board)
    largest = max(map(abs, CENTRE + ADVANCE)) if gene == "Placement" else 1.0
    assert int(score) / PRIORITY_UNITS * largest == pytest.approx(ours - theirs, abs=1e-4)
    assert Evaluator(weights()).score(position.board) == 0


def test_the_start_position_has_its_textbook_scores() -> None:
    scores = dict(zip(GENES, gene_scores(position_from_fen(START).board, 0, weights()), strict=True))
    assert scores["Freedom to Move"] == pytest.approx(1.0)
    assert scores["Pawn Advancement"] == 0
    assert scores["Opponent Pieces Targeted"] == 0
    assert scores["King Protection"] == 1.0
    assert scores["Castling Possible"] == 0
    assert scores["Total Force"] == pytest.approx((8 + 6.4 + 6.6 + 10 + 8.8) / 39, abs=1e-5)


def test_a_lone_king_on_e4_reaches_almost_the_whole_board() -> None:
    position = position_from_fen("7k/8/8/8/4K3/8/8/8 w - - 0 1")
    confined = gene_scores(position.board, 0, weights())[GENES.index("King Confinement")]
    assert 0.9 < confined < 1.0  # the other king takes a corner away


def test_king_protection_is_lower_when_guards_are_ignored() -> None:
    position = position_from_fen(START)
    for move in ("e2e4", "e7e5", "g1f3"):
        position.apply(position.action_from(move))
    at = GENES.index("King Protection")
    with_guards = gene_scores(position.board, 0, weights())[at]
    exposed = EvalParams(strengths=STRENGTHS, opening=stage({}), guards=False)
    unguarded = gene_scores(position.board, 0, exposed)[at]
    assert unguarded < with_guards


def test_the_cache_tells_positions_with_different_promotions_apart() -> None:
    """Equal boards after different histories: the promotion counter is part of the hash."""
    fresh = position_from_fen("Q7/7k/8/8/8/8/8/K7 b - - 0 1")
    promoted = position_from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    promoted.apply(promoted.action_from("a7a8q"))
    assert promoted.board[PROMOTIONS] == 1
    assert promoted.board[HASH] != fresh.board[HASH]
    evaluator = Evaluator(weights({"Pawn Advancement": 1.0}))
    assert evaluator.score(fresh.board) != evaluator.score(promoted.board)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_scores_depend_on_the_ratios_of_priorities_only(scale: float) -> None:
    position = position_from_fen("r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12")
    scaled = {name: priority * scale for name, priority in PRIORITIES.items()}
    plain = Evaluator(weights(PRIORITIES)).score(position.board)
    assert Evaluator(weights(scaled)).score(position.board) == pytest.approx(plain, abs=100)


def test_a_used_cache_does_not_change_scores() -> None:
    """A cache that was filled elsewhere changes nothing."""
    used, position, rng = Evaluator(weights(PRIORITIES)), position_from_fen(START), Random(3)
    scores = []
    for _ in range(60):
        scores.append(used.score(position.board))
        assert Evaluator(weights(PRIORITIES)).score(position.board) == scores[-1]
        actions = position.legal_actions()
        if not actions:
            break
        position.apply(actions[rng.below(len(actions))])
    assert any(a != b for a, b in pairwise(scores))


# Phases, and the genes that 2017 had not, against the second reading.


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (START, 24),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", 20),
        ("r3k3/8/8/8/8/8/8/2B1KN2 w q - 0 1", 4),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 0),
        ("k7/pp6/8/8/8/8/8/KQQQQQQQ w - - 0 1", 24),
    ],
)
def test_the_phase_measures_the_remaining_pieces(text: str, left: int) -> None:
    assert phase(position_from_fen(text).board) == left


@pytest.mark.parametrize(
    "start",
    [
        START,
        "r2q2k1/1p3pp1/2n5/p1PP2P1/8/3b3P/PP3B2/2RQ2K1 w - - 0 1",
        "8/1p1k1pp1/8/p1P3P1/4n3/7P/PP3B2/6K1 w - - 0 1",
    ],
)
def test_priorities_and_placement_blend_from_opening_to_endgame(start: str) -> None:
    """In one unit for all phases: half of all priorities of both."""
    position, rng = position_from_fen(start), Random(5)
    largest = [max(map(abs, bonuses)) for bonuses in (CENTRE + ADVANCE, LATE_CENTRE + LATE_ADVANCE)]
    totals = [
        sum(abs(priority) * (size if gene == "Placement" else 1.0) for gene, priority in priorities.items())
        for priorities, size in zip((FURTHER, ENDGAME), largest, strict=True)
    ]
    evaluator = Evaluator(PHASED)
    for _ in range(40):
        left = int(phase(position.board)) / 24
        ours, theirs = (
            Reading(position, side, left).scores() for side in (position.player(), 1 - position.player())
        )
        expected = sum(
            (FURTHER[gene] * left + ENDGAME[gene] * (1 - left)) * (own - other)
            for gene, own, other in zip(GENES, ours, theirs, strict=True)
        )
        found = int(evaluator.score(position.board)) / PRIORITY_UNITS * sum(totals) / 2
        assert found == pytest.approx(expected, abs=2e-4)
        actions = position.legal_actions()
        if not actions:
            break
        position.apply(actions[rng.below(len(actions))])


def test_gene_scores_include_placement_in_each_phase() -> None:
    for text in (START, "4k3/pp6/8/3N4/8/8/1P2Q3/4K3 b - - 0 1"):
        position = position_from_fen(text)
        for side in (0, 1):
            reading = Reading(position, side, int(phase(position.board)) / 24)
            assert gene_scores(position.board, side, PHASED) == pytest.approx(reading.scores(), abs=2e-5)


def test_two_equal_phases_score_like_a_single_phase() -> None:
    position, rng = position_from_fen(START), Random(8)
    plain, both = Evaluator(weights(FURTHER)), Evaluator(weighing(stage(FURTHER), stage(FURTHER)))
    for _ in range(60):
        assert plain.score(position.board) == both.score(position.board)
        actions = position.legal_actions()
        position.apply(actions[rng.below(len(actions))])
    assert plain.centipawns(1 << 20) == both.centipawns(1 << 20)


def test_placement_without_bonuses_changes_nothing() -> None:
    position = position_from_fen("r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12")
    still = PhaseParams(tuple((PRIORITIES | {"Placement": 9.0}).get(gene, 0.0) for gene in GENES))
    placed = Evaluator(weighing(still))
    assert placed.score(position.board) == Evaluator(weights(PRIORITIES)).score(position.board)


def test_colour_swapped_positions_have_the_same_score() -> None:
    """Turned upside down with the colours swapped, a position is worth the same to the side to move."""
    position, rng = position_from_fen(START), Random(6)
    evaluator = Evaluator(PHASED)
    for _ in range(60):
        fresh = position_from_fen(fen(position))  # a FEN tells neither of promotions nor of castling
        turned = position_from_fen(chess.Board(fen(position)).mirror().fen())
        assert evaluator.score(fresh.board) == evaluator.score(turned.board)
        actions = position.legal_actions()
        position.apply(actions[rng.below(len(actions))])
