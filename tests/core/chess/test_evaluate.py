"""The scoring genes against a second reading of their definitions, written with python-chess."""

from itertools import pairwise

import chess
import pytest

from core.chess.evaluate import Evaluator, gene_scores
from core.chess.fen import START, fen, position_from_fen
from core.chess.moves import HASH, PROMOTIONS
from core.chess.position import Position
from core.chess.scales import phase
from core.chess.score import UNITS
from core.chess.weights import GENES, Stage, Weights
from core.random import Random

STRENGTHS = (1 / 39, 3.2 / 39, 3.3 / 39, 5 / 39, 8.8 / 39)
PRIORITIES = {
    "Total Force": 39.0,
    "Freedom to Move": 1.5,
    "Pawn Advancement": 2.5,
    "Opponent Pieces Targeted": 0.8,
    "Sphere of Influence": 2.0,
    "King Confinement": -1.0,
    "King Protection": 1.25,
    "Castling Possible": 0.6,
}
FURTHER = PRIORITIES | {
    "Placement": 1.5,
    "Passed Pawn": 3.0,
    "Pawn Structure": 0.7,
    "Stacked Pawns": -1.4,
    "Pawn Islands": -0.9,
    "Bishop Pair": 0.4,
}
ENDGAME = {
    name: priority * factor for (name, priority), factor in zip(FURTHER.items(), [1.1, 0.6] * 7, strict=True)
}
FACTORS = {"legal_bonus": 1.25, "king_target_factor": 0.5, "kingside_preference": 0.7}
# For P, N, B, R, Q and K.
CENTRE, ADVANCE = (0.2, 0.5, 0.3, 0.1, -0.1, -0.7), (0.4, 0.1, -0.2, 0.3, 0.6, -0.5)
LATE_CENTRE, LATE_ADVANCE = (-0.1, 0.4, 0.2, 0.0, 0.3, 0.8), (0.9, -0.3, 0.1, 0.2, 0.5, 0.7)


def stage(
    priorities: dict[str, float],
    centre: tuple[float, ...] = CENTRE,
    advance: tuple[float, ...] = ADVANCE,
) -> Stage:
    return Stage(tuple(priorities.get(gene, 0.0) for gene in GENES), centre, advance)


def weighing(opening: Stage, endgame: Stage | None = None) -> Weights:
    return Weights(
        strengths=STRENGTHS,
        opening=opening,
        endgame=endgame,
        legal_bonus=FACTORS["legal_bonus"],
        king_target_factor=FACTORS["king_target_factor"],
        kingside_preference=FACTORS["kingside_preference"],
    )


def weights(priorities: dict[str, float] | None = None) -> Weights:
    return weighing(stage(priorities or {}))


LATE = stage(ENDGAME, LATE_CENTRE, LATE_ADVANCE)
PHASED = weighing(stage(FURTHER), LATE)


# -- The second reading ------------------------------------------------------------------------------


class Reading:
    """One side of a board, as if it were its turn: a slow and literal account.

    The first eight genes are those of sections 4.2.1 to 4.2.8.
    """

    def __init__(self, position: Position, side: int, opening: float = 1.0) -> None:
        """`opening`: how much of the opening is left, from 1 to 0."""
        self.opening = opening
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
            self.placement(),
            *self.pawns(),
            1.0 if len(self.board.pieces(chess.BISHOP, self.color)) > 1 else 0.0,
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

    def placement(self) -> float:
        score = 0.0
        for square, piece in self.board.piece_map().items():
            if piece.color == self.color:
                file, rank = chess.square_file(square), chess.square_rank(square)
                centrality = min(file, 7 - file, rank, 7 - rank) / 3
                advanced = (rank if self.color else 7 - rank) / 7
                kind = piece.piece_type - 1
                early = CENTRE[kind] * centrality + ADVANCE[kind] * advanced
                late = LATE_CENTRE[kind] * centrality + LATE_ADVANCE[kind] * advanced
                score += self.opening * early + (1 - self.opening) * late
        return score

    def pawns(self) -> list[float]:
        """Passed Pawn, Pawn Structure, Stacked Pawns, Pawn Islands."""
        own = [divmod(square, 8) for square in self.board.pieces(chess.PAWN, self.color)]
        others = [divmod(square, 8) for square in self.board.pieces(chess.PAWN, not self.color)]
        forward = 1 if self.color else -1
        passed = 0.0
        for rank, file in own:
            if not any(abs(f - file) < 2 and (r - rank) * forward > 0 for r, f in others):
                advanced = rank - 1 if self.color else 6 - rank
                passed += ((advanced + 1) / 6) ** 2
        guarded = [1 for r, f in own if (r - forward, f - 1) in own or (r - forward, f + 1) in own]
        stacked = [1 for r, f in own if any(g == f and (r - q) * forward > 0 for q, g in own)]
        files = "".join("x" if any(f == file for _, f in own) else " " for file in range(8))
        return [passed / 8, len(guarded) / 8, len(stacked) / 8, len(files.split()) / 4]


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


def test_score_is_the_weighed_difference_and_turns_its_sign_with_the_side() -> None:
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
        cents = evaluator.cents(evaluator.score(position.board))
        assert cents == pytest.approx(100 * expected * 39 / PRIORITIES["Total Force"], abs=2.0), total
        actions = position.legal_actions()
        position.apply(actions[rng.below(len(actions))])


@pytest.mark.parametrize("gene", GENES)
def test_a_gene_that_is_off_does_not_count(gene: str) -> None:
    """With one priority only, the score is that gene's; with none it is zero."""
    position = position_from_fen("r1bqk1nr/1pp5/p1np4/4p3/B3P2P/2P2N2/PPP2P2/RNBQK2R b KQkq - 1 4")
    scores = [dict(zip(GENES, gene_scores(position.board, side, weights()), strict=True)) for side in (1, 0)]
    ours, theirs = (score[gene] for score in scores)
    assert ours != theirs
    score = Evaluator(weights({gene: 2.0})).score(position.board)
    largest = max(map(abs, CENTRE + ADVANCE)) if gene == "Placement" else 1.0
    assert int(score) / UNITS * largest == pytest.approx(ours - theirs, abs=1e-4)
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
    exposed = Weights(strengths=STRENGTHS, opening=stage({}), guards=False)
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


def test_all_prefixes_of_a_game_evaluate_alike_with_a_used_cache() -> None:
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


# -- Phases and the genes that 2017 had not ------------------------------------------------------------


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
