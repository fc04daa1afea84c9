"""The positional genes against a second reading of their definitions, and what scores make of them."""

from functools import cache
from itertools import product

import chess
import pytest

from core.chess.evaluation import (
    GENES,
    EvalParams,
    Evaluator,
    PhaseParams,
    drawish_ending,
    phase,
    positional_scores,
)
from core.chess.notation import START, fen, position_from_fen
from core.chess.positional import Counter
from core.chess.positional_weights import OFFSETS, ROWS, WEIGHTS
from core.random import Random
from tests.core.chess.positional_reading import Weight, counts
from tests.core.chess.second_reading import STRENGTHS

STARTS = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/1p3pp1/1P2p3/p1P1P2P/P4P2/2p3p1/2P1p1P1/4K3 w - - 0 1",
    "qqrr2nk/bb1nbPp1/8/1P4pp/p6P/1N6/BB2QQ1p/K1NRRN2 w - - 0 1",  # promoted pieces, kings in corners
    "r2r2k1/1P3R2/4p3/1b1pP3/3N4/1p6/1PR2p1P/5K2 w - - 0 1",
]
# What random games hardly show: few squares for a piece, or very many; a free path for a pawn at home.
RARE = [
    "6k1/8/8/8/B7/8/PP6/RK6 w - - 0 1",
    "6k1/8/8/8/3Q4/8/8/K7 b - - 0 1",
    "k7/8/8/8/3Q4/8/8/7K b - - 0 1",
    "7k/8/8/8/8/8/PP6/QK6 w - - 0 1",
    "7k/7p/8/8/3B4/8/P7/K7 b - - 0 1",
]
NAMES: list[Weight] = [
    (gene, row, label) for gene, rows in ROWS for row, labels in rows for label in labels.split() or [""]
]


@cache
def games(start: str) -> tuple[str, ...]:
    """The positions of some random games, every third."""
    texts = []
    for seed in range(5):
        position, rng = position_from_fen(start), Random(seed)
        for ply in range(90):
            if ply % 3 == 0:
                texts.append(fen(position))
            actions = position.legal_actions()
            if not actions:
                break
            position.apply(actions[rng.below(len(actions))])
    return tuple(texts)


def found(text: str) -> list[int]:
    return Counter().counts(position_from_fen(text).board)


@pytest.mark.parametrize("start", [*STARTS, *RARE])
def test_counts_agree_with_their_definitions_on_random_games(start: str) -> None:
    counter = Counter()
    for text in games(start) if start in STARTS else (start,):
        board = chess.Board(text)
        pieces, weights = chess.PIECE_TYPES[:5], counts(board)
        assert set(weights) <= set(NAMES)
        told = counter.counts(position_from_fen(text).board)
        assert told[:5] == [len(board.pieces(k, True)) - len(board.pieces(k, False)) for k in pieces], text
        differing = {n: (t, weights[n]) for n, t in zip(NAMES, told[5:], strict=True) if t != weights[n]}
        assert not differing, text


def test_counts_do_not_depend_on_earlier_king_positions() -> None:
    counter = Counter()
    for white, black in product((chess.A1, chess.B1, chess.C1), chess.SQUARES):
        board = chess.Board(None)
        board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
        if board.is_valid():
            weights = counts(board)
            told = counter.counts(position_from_fen(board.fen()).board)[5:]
            assert told == [weights[name] for name in NAMES], board.fen()


def test_every_weight_occurs_in_the_test_positions() -> None:
    counter, seen = Counter(), set()
    for text in [*RARE, *(text for start in STARTS for text in games(start))]:
        told = counter.counts(position_from_fen(text).board)[5:]
        seen |= {name for name, number in zip(NAMES, told, strict=True) if number}
    assert seen == set(NAMES)


@pytest.mark.parametrize("start", STARTS)
def test_mirror_images_have_the_same_counts(start: str) -> None:
    """Black's for White's where the colours are swapped, the turn's too; the wings are alike."""
    for text in games(start)[::4]:
        board, told = chess.Board(text), found(text)
        assert found(board.mirror().fen()) == [-number for number in told], text
        board.castling_rights, board.ep_square = 0, None
        assert found(board.transform(chess.flip_horizontal).fen()) == found(board.fen()), text


# Scores, by random weights.


def numbers(seed: int) -> tuple[float, ...]:
    rng = Random(seed)
    return tuple(rng.uniform() - 0.5 for _ in range(WEIGHTS))


FORCE = tuple(39.0 if gene == "Total Force" else 0.0 for gene in GENES)
PARAMS = EvalParams(
    strengths=STRENGTHS,
    opening=PhaseParams(FORCE, positional=numbers(1)),
    endgame=PhaseParams(FORCE, positional=numbers(2)),
)


@pytest.mark.parametrize("start", STARTS)
def test_a_score_is_the_sum_of_counts_times_weights(start: str) -> None:
    """For both sides to move, with tables that hold other positions."""
    evaluator, scores = Evaluator(PARAMS), set()
    for text in games(start)[::2]:
        board = chess.Board(text)
        for turn in (board.turn, not board.turn):
            board.turn = turn
            if board.was_into_check():
                continue
            position = position_from_fen(board.fen())
            weights = evaluator.phase_weights(position.board)
            worth = [weights.material[kind] for kind in range(5)]
            worth += [weights.positional[index] for index in range(WEIGHTS)]
            expected = sum(n * w for n, w in zip(found(board.fen()), worth, strict=True))
            score = evaluator.score(position.board)
            assert score == (expected if turn else -expected), board.fen()
            scores.add(score)
    assert len(scores) > 20


@pytest.mark.parametrize("start", STARTS)
def test_positional_scores_of_both_sides_differ_by_weighted_counts(start: str) -> None:
    """Gene by gene, with the numbers blended by the phase."""
    for text in games(start)[::80]:
        board = position_from_fen(text).board
        left = phase(board) / 24
        blend = [a * left + b * (1 - left) for a, b in zip(numbers(1), numbers(2), strict=True)]
        expected = dict.fromkeys((gene for gene, _ in ROWS), 0.0)
        for (gene, _, _), number, count in zip(NAMES, blend, found(text)[5:], strict=True):
            expected[gene] += number * count
        white, black = (positional_scores(board, side, PARAMS) for side in (0, 1))
        differences = [ours - theirs for ours, theirs in zip(white, black, strict=True)]
        assert differences == pytest.approx(list(expected.values()), abs=1e-5), text


# Endings that are often not won, White's the better side.

SCALING = (0.1, 0.3, 0.7)
ENDINGS = [
    ("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", 0),
    ("8/8/4k3/3b4/8/3RK3/8/8 b - - 0 1", 0),
    ("8/5p2/4k3/3b4/8/3RK3/8/8 b - - 0 1", 0),
    ("8/8/2n1k1n1/8/8/3QK3/8/8 w - - 0 1", 0),
    ("8/8/4k1n1/8/8/2BBK3/8/8 b - - 0 1", 0),
    ("8/8/4k3/8/8/3RK3/8/8 w - - 0 1", -1),
    ("8/8/4kr2/8/8/3QK3/8/8 w - - 0 1", -1),
    ("8/8/4k3/3b4/8/3RK1P1/8/8 b - - 0 1", -1),
    ("8/4kp2/8/3b4/8/3BKPP1/8/8 w - - 0 1", -1),
    ("8/4kp2/8/4b3/8/3BKPP1/8/8 w - - 0 1", 1),
    ("8/r3kp2/8/4b3/8/3BKPP1/8/R7 w - - 0 1", 2),
    ("8/4kp2/8/4b3/8/3BKPP1/8/N7 b - - 0 1", 2),
    ("8/4kp2/8/4b3/8/2BBKPP1/8/8 b - - 0 1", -1),
    ("8/4kpn1/8/8/8/3BKPP1/8/8 b - - 0 1", -1),
]


@pytest.mark.parametrize(("text", "ending"), ENDINGS)
def test_drawish_endings_are_scaled_for_both_colours(text: str, ending: int) -> None:
    stage = PhaseParams(FORCE, positional=tuple(number / 50 for number in numbers(3)))
    plain, scaled = (
        Evaluator(EvalParams(strengths=STRENGTHS, opening=stage, scaling=scaling))
        for scaling in ((1.0, 1.0, 1.0), SCALING)
    )
    board = chess.Board(text)
    advantages = []
    for side, turned in enumerate((board, board.mirror())):
        position = position_from_fen(turned.fen())
        assert drawish_ending(position.board, side) == ending
        sign = 1 if turned.turn else -1
        advantages.append([sign * int(evaluator.score(position.board)) for evaluator in (plain, scaled)])
    (whole, left), mirrored = advantages
    assert mirrored == [-whole, -left]
    assert whole > 1000
    share = round(64 * SCALING[ending]) if ending >= 0 else 64
    assert left == whole * share // 64


def test_an_ending_is_not_drawish_for_the_side_with_pawns() -> None:
    """Too few pieces to win are not the other side's, whose pawns may."""
    board = position_from_fen("8/2ppp3/4k3/3b4/8/3RK3/8/8 w - - 0 1").board
    assert [drawish_ending(board, stronger) for stronger in (0, 1)] == [0, -1]


# Genes that are missing.


@pytest.mark.parametrize("start", STARTS[:3])
def test_genes_without_weights_change_nothing(start: str) -> None:
    """A genome without the later genes has the scores of the eleven first ones."""
    first = OFFSETS["Own Wing"]
    weights = numbers(4)[:first] + (0.0,) * (WEIGHTS - first)
    stage = PhaseParams(FORCE, positional=weights)
    evaluator = Evaluator(EvalParams(strengths=STRENGTHS, opening=stage))
    (phase_weights,) = evaluator.phases
    tables = [[phase_weights.places[wings][index] for index in range(384)] for wings in range(4)]
    assert tables[0] == tables[1] == tables[2] == tables[3]
    for text in games(start)[::10]:
        board = position_from_fen(text).board
        counted = zip(found(text)[5:], phase_weights.positional, strict=True)
        expected = sum(n * w for number, (n, w) in enumerate(counted) if number < first)
        expected += sum(n * w for n, w in zip(found(text)[:5], phase_weights.material, strict=False))
        assert evaluator.score(board) == (expected if board[14] == 0 else -expected)
