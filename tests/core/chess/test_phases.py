"""Phases, and the genes that 2017 had not, against the second reading."""

import chess
import pytest

from core.chess.evaluate import Evaluator, gene_scores
from core.chess.fen import START, fen, position_from_fen
from core.chess.scales import phase
from core.chess.score import UNITS
from core.chess.weights import GENES, Stage
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
    Reading,
    stage,
    weighing,
    weights,
)


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
def test_the_phase_is_what_is_left_of_the_pieces(text: str, left: int) -> None:
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
        found = int(evaluator.score(position.board)) / UNITS * sum(totals) / 2
        assert found == pytest.approx(expected, abs=2e-4)
        actions = position.legal_actions()
        if not actions:
            break
        position.apply(actions[rng.below(len(actions))])


def test_gene_scores_know_placement_in_each_phase() -> None:
    for text in (START, "4k3/pp6/8/3N4/8/8/1P2Q3/4K3 b - - 0 1"):
        position = position_from_fen(text)
        for side in (0, 1):
            reading = Reading(position, side, int(phase(position.board)) / 24)
            assert gene_scores(position.board, side, PHASED) == pytest.approx(reading.scores(), abs=2e-5)


def test_equal_phases_are_no_phases() -> None:
    position, rng = position_from_fen(START), Random(8)
    plain, both = Evaluator(weights(FURTHER)), Evaluator(weighing(stage(FURTHER), stage(FURTHER)))
    for _ in range(60):
        assert plain.score(position.board) == both.score(position.board)
        actions = position.legal_actions()
        position.apply(actions[rng.below(len(actions))])
    assert plain.cents(1 << 20) == both.cents(1 << 20)


def test_placement_without_bonuses_changes_nothing() -> None:
    position = position_from_fen("r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12")
    still = Stage(tuple((PRIORITIES | {"Placement": 9.0}).get(gene, 0.0) for gene in GENES))
    placed = Evaluator(weighing(still))
    assert placed.score(position.board) == Evaluator(weights(PRIORITIES)).score(position.board)


def test_both_sides_see_the_board_alike() -> None:
    """Turned upside down with the colours swapped, a position is worth the same to the side to move."""
    position, rng = position_from_fen(START), Random(6)
    evaluator = Evaluator(PHASED)
    for _ in range(60):
        fresh = position_from_fen(fen(position))  # a FEN tells neither of promotions nor of castling
        turned = position_from_fen(chess.Board(fen(position)).mirror().fen())
        assert evaluator.score(fresh.board) == evaluator.score(turned.board)
        actions = position.legal_actions()
        position.apply(actions[rng.below(len(actions))])
