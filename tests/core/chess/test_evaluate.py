"""The eight scoring genes against a second reading of the manual, written with python-chess."""

from itertools import pairwise

import chess
import pytest

from core.chess.evaluate import GENES, Evaluator, gene_scores
from core.chess.fen import START, position_from_fen
from core.chess.moves import HASH, PROMOTIONS
from core.chess.position import Position
from core.chess.weights import Weights
from core.random import Random

STRENGTHS = (1 / 39, 3.2 / 39, 3.3 / 39, 5 / 39, 8.8 / 39)
PRIORITIES = {
    "total_force": 39.0,
    "freedom_to_move": 1.5,
    "pawn_advancement": 2.5,
    "opponent_pieces_targeted": 0.8,
    "sphere_of_influence": 2.0,
    "king_confinement": -1.0,
    "king_protection": 1.25,
    "castling_possible": 0.6,
}
FACTORS = {"legal_bonus": 1.25, "king_target_factor": 0.5, "kingside_preference": 0.7}


def weights(**priorities: float) -> Weights:
    return Weights(strengths=STRENGTHS, guards=True, **(FACTORS | priorities))


# -- The second reading ------------------------------------------------------------------------------


class Reading:
    """One side of a board, as if it were its turn; a slow and literal account of sections 4.2.1 to 4.2.8."""

    def __init__(self, position: Position, side: int) -> None:
        self.board = chess.Board(position.start)
        for move in position.moves():
            self.board.push(chess.Move.from_uci(position.action_text(move)))
        self.castled = any(
            before.is_castling(move) and before.turn == (side == 0) for before, move in _history(self.board)
        )
        self.promoted = sum(
            1 for before, move in _history(self.board) if move.promotion and before.turn == (side == 0)
        )
        self.color = side == 0
        self.own_turn = self.board.turn == self.color
        self.turned = self.board.copy(stack=False)
        if not self.own_turn:
            self.turned.turn = self.color
            self.turned.ep_square = None
        self.moves = list(self.turned.legal_moves)
        king, other_king = self.board.king(self.color), self.board.king(not self.color)
        assert king is not None and other_king is not None
        self.king, self.other_king = king, other_king

    def scores(self) -> list[float]:
        return [
            self.total_force(),
            len(self.moves) / 20,
            self.pawn_advancement(),
            self.targeted(),
            self.sphere(),
            self.confinement(),
            self.protection(),
            self.castling(),
        ]

    def total_force(self) -> float:
        pieces = self.board.piece_map().values()
        return sum(
            STRENGTHS[p.piece_type - 1]
            for p in pieces
            if p.color == self.color and p.piece_type != chess.KING
        )

    def pawn_advancement(self) -> float:
        ranks = [chess.square_rank(square) for square in self.board.pieces(chess.PAWN, self.color)]
        return sum(rank - 1 if self.color else 6 - rank for rank in ranks) / 48 + 6 * self.promoted / 48

    def targeted(self) -> float:
        squares = set()
        for move in self.moves:
            if self.turned.is_en_passant(move):
                squares.add(move.to_square + (-8 if self.color else 8))
            elif self.turned.is_capture(move):
                squares.add(move.to_square)
        kinds = [self.board.piece_type_at(square) for square in squares]
        return sum(STRENGTHS[kind - 1] for kind in kinds if kind and kind != chess.KING)

    def sphere(self) -> float:
        bare = chess.Board(None)
        reached: set[int] = set()
        for square, piece in self.board.piece_map().items():
            if piece.color == self.color:  # alone on the board nothing is in the way
                bare.clear()
                bare.set_piece_at(square, piece)
                reached |= set(bare.attacks(square))
        legal = {move.to_square for move in self.moves if self.can_capture(move)}
        return (
            sum(
                (FACTORS["legal_bonus"] if square in legal else 1.0)
                + FACTORS["king_target_factor"] / (1 + chess.square_distance(square, self.other_king))
                for square in reached
            )
            / 64
        )

    def can_capture(self, move: chess.Move) -> bool:
        if self.board.piece_type_at(move.from_square) == chess.PAWN:
            return chess.square_file(move.from_square) != chess.square_file(move.to_square)
        return not self.turned.is_castling(move)

    def confinement(self) -> float:
        free = [
            square
            for square in chess.SQUARES
            if self.board.color_at(square) != self.color
            and not self.board.is_attacked_by(not self.color, square)
        ]
        in_check = self.board.is_attacked_by(not self.color, self.king)
        score = 0.0 if in_check else 1.0
        reached, edge, distance = {self.king}, {self.king}, 0
        while edge:
            distance += 1
            near = {other for square in edge for other in free if chess.square_distance(square, other) == 1}
            edge = near - reached
            reached |= edge
            score += len(edge) / (distance + 1)
        return score / (1 + 8 / 2 + 16 / 3 + 24 / 4 + 15 / 5)

    def protection(self) -> float:
        guarded = {
            target
            for square, piece in self.board.piece_map().items()
            if piece.color == self.color and piece.piece_type != chess.KING
            for target in self.board.attacks(square)
        }
        views = self.board.copy(stack=False)
        exposed: set[int] = set()
        for kind in (chess.QUEEN, chess.KNIGHT):
            views.set_piece_at(self.king, chess.Piece(kind, self.color))
            exposed |= set(views.attacks(self.king))
        return (35 - len([s for s in exposed if self.board.piece_at(s) is None and s not in guarded])) / 35

    def castling(self) -> float:
        if self.castled:
            return 1.0
        home = 0 if self.color else 56
        score = 0.0
        if self.board.has_kingside_castling_rights(self.color):
            empty = sum(self.board.piece_at(home + file) is None for file in (5, 6))
            score += FACTORS["kingside_preference"] * empty / 3
        if self.board.has_queenside_castling_rights(self.color):
            empty = sum(self.board.piece_at(home + file) is None for file in (1, 2, 3))
            score += (1 - FACTORS["kingside_preference"]) * empty / 4
        return score


def _history(board: chess.Board) -> list[tuple[chess.Board, chess.Move]]:
    replay = board.root()
    history = []
    for move in board.move_stack:
        history.append((replay.copy(stack=False), move))
        replay.push(move)
    return history


# -- Tests -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "start",
    [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/8/8/3q4/8/8/4r3/R3K2R w KQ - 0 1",
    ],
)
def test_genes_agree_with_the_manual_on_random_games(start: str) -> None:
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


def test_score_is_the_weighed_difference_and_turns_its_sign_with_the_side() -> None:
    all_weights = weights(**PRIORITIES)
    position, rng = position_from_fen(START), Random(7)
    total = sum(abs(priority) for priority in PRIORITIES.values())
    for _ in range(80):
        evaluator = Evaluator(all_weights)
        own = gene_scores(position.board, position.player(), all_weights)
        other = gene_scores(position.board, 1 - position.player(), all_weights)
        expected = sum(
            priority * (ours - theirs)
            for priority, ours, theirs in zip(PRIORITIES.values(), own, other, strict=True)
        )
        cents = evaluator.cents(evaluator.score(position.board))
        assert cents == pytest.approx(100 * expected * 39 / PRIORITIES["total_force"], abs=2.0), total
        actions = position.legal_actions()
        position.apply(actions[rng.below(len(actions))])


@pytest.mark.parametrize("gene", range(len(GENES)))
def test_a_gene_that_is_off_does_not_count(gene: int) -> None:
    """With one priority only, the score is that gene's; with none it is zero."""
    name = list(PRIORITIES)[gene]
    position = position_from_fen("r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4")
    ours, theirs = (gene_scores(position.board, side, weights())[gene] for side in (1, 0))
    score = Evaluator(weights(**{name: 2.0})).score(position.board)
    assert score / 2**24 == pytest.approx(ours - theirs, abs=1e-4)
    assert Evaluator(weights()).score(position.board) == 0


def test_the_start_position_has_its_textbook_scores() -> None:
    scores = dict(zip(GENES, gene_scores(position_from_fen(START).board, 0, weights()), strict=True))
    assert scores["Freedom to Move"] == pytest.approx(1.0)
    assert scores["Pawn Advancement"] == 0
    assert scores["Opponent Pieces Targeted"] == 0
    assert scores["King Protection"] == 1.0
    assert scores["Castling Possible"] == 0
    assert scores["Total Force"] == pytest.approx((8 + 6.4 + 6.6 + 10 + 8.8) / 39, abs=1e-5)


def test_a_king_alone_on_e4_measures_confinement() -> None:
    position = position_from_fen("7k/8/8/8/4K3/8/8/8 w - - 0 1")
    confined = gene_scores(position.board, 0, weights())[GENES.index("King Confinement")]
    assert 0.9 < confined < 1.0  # the other king takes a corner away


def test_guards_may_be_ignored_as_in_2017() -> None:
    position = position_from_fen(START)
    for move in ("e2e4", "e7e5", "g1f3"):
        position.apply(position.action_from(move))
    at = GENES.index("King Protection")
    with_guards = gene_scores(position.board, 0, weights())[at]
    unguarded = gene_scores(position.board, 0, Weights(strengths=STRENGTHS, guards=False))[at]
    assert unguarded < with_guards


def test_the_cache_tells_positions_with_different_promotions_apart() -> None:
    """Equal boards after different histories: the promotion counter is part of the hash."""
    fresh = position_from_fen("Q7/7k/8/8/8/8/8/K7 b - - 0 1")
    promoted = position_from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    promoted.apply(promoted.action_from("a7a8q"))
    assert promoted.board[PROMOTIONS] == 1
    assert promoted.board[HASH] != fresh.board[HASH]
    evaluator = Evaluator(weights(pawn_advancement=1.0))
    assert evaluator.score(fresh.board) != evaluator.score(promoted.board)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_scores_depend_on_the_ratios_of_priorities_only(scale: float) -> None:
    position = position_from_fen("r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12")
    scaled = {name: priority * scale for name, priority in PRIORITIES.items()}
    plain = Evaluator(weights(**PRIORITIES)).score(position.board)
    assert Evaluator(weights(**scaled)).score(position.board) == pytest.approx(plain, abs=100)


def test_all_prefixes_of_a_game_evaluate_alike_with_a_used_cache() -> None:
    """A cache that was filled elsewhere changes nothing."""
    used, position, rng = Evaluator(weights(**PRIORITIES)), position_from_fen(START), Random(3)
    scores = []
    for _ in range(60):
        scores.append(used.score(position.board))
        assert Evaluator(weights(**PRIORITIES)).score(position.board) == scores[-1]
        actions = position.legal_actions()
        if not actions:
            break
        position.apply(actions[rng.below(len(actions))])
    assert any(a != b for a, b in pairwise(scores))
