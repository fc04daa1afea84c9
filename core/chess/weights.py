"""The eight board-scoring genes as numbers: what a genome expresses and the evaluation reads.

Reference: Genetic Chess, sections 4.1.1 and 4.2. score(side) = sum of priority x gene(side).
"""

from typing import final


@final
class Weights:
    """Priorities of the scoring genes (0 for one that is switched off) and their inner factors.

    `strengths` are of pawn, knight, bishop, rook and queen, scaled so that the army is worth 1.
    """

    def __init__(
        self,
        *,
        strengths: tuple[float, float, float, float, float],
        total_force: float = 0.0,
        freedom_to_move: float = 0.0,
        pawn_advancement: float = 0.0,
        opponent_pieces_targeted: float = 0.0,
        sphere_of_influence: float = 0.0,
        legal_bonus: float = 1.0,
        king_target_factor: float = 0.0,
        king_confinement: float = 0.0,
        king_protection: float = 0.0,
        guards: bool = True,
        castling_possible: float = 0.0,
        kingside_preference: float = 0.5,
    ) -> None:
        """`guards`: squares guarded by own pieces do not expose the king (section 4.2.7's text)."""
        self.strengths = strengths
        self.total_force = total_force
        self.freedom_to_move = freedom_to_move
        self.pawn_advancement = pawn_advancement
        self.opponent_pieces_targeted = opponent_pieces_targeted
        self.sphere_of_influence = sphere_of_influence
        self.legal_bonus = legal_bonus
        self.king_target_factor = king_target_factor
        self.king_confinement = king_confinement
        self.king_protection = king_protection
        self.guards = guards
        self.castling_possible = castling_possible
        self.kingside_preference = kingside_preference
