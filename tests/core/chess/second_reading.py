"""The definitions of the scoring genes read a second time, slowly and literally, with python-chess."""

import chess

from core.chess.evaluation import GENES, EvalParams, PhaseParams
from core.chess.position import Position

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
) -> PhaseParams:
    return PhaseParams(tuple(priorities.get(gene, 0.0) for gene in GENES), centre, advance)


def weighing(opening: PhaseParams, endgame: PhaseParams | None = None) -> EvalParams:
    return EvalParams(
        strengths=STRENGTHS,
        opening=opening,
        endgame=endgame,
        legal_bonus=FACTORS["legal_bonus"],
        king_target_factor=FACTORS["king_target_factor"],
        kingside_preference=FACTORS["kingside_preference"],
    )


def weights(priorities: dict[str, float] | None = None) -> EvalParams:
    return weighing(stage(priorities or {}))


LATE = stage(ENDGAME, LATE_CENTRE, LATE_ADVANCE)
PHASED = weighing(stage(FURTHER), LATE)


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
