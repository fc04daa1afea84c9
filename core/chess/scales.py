"""The weights of one phase of the game as whole numbers, ready to be multiplied with counts."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.moves import BISHOPS, KNIGHTS, QUEENS, ROOKS
from core.chess.placement import places
from core.chess.tables import count
from core.chess.weights import Stage, Weights

OPENING: Final = 24  # the phase at the start of the game; 0 is the endgame
FREEDOM_SCALE: Final = 20.0  # legal moves at the start
PAWN_SCALE: Final = 48.0  # eight pawns about to promote
SPHERE_SCALE: Final = 64.0
CONFINEMENT_SCALE: Final = 58.0 / 3.0  # a king on e4 of an empty board: 1 + 8/2 + 16/3 + 24/4 + 15/5
PROTECTION_SCALE: Final = 35.0  # 8 knight leaps, 14 rook and 13 bishop squares from d4 or e4
ISLANDS_SCALE: Final = 4.0  # the most that eight files have room for


def phase(board: vec[i64]) -> i64:
    """How much of the opening is left: what both sides have besides pawns, N = B = 1, R = 2, Q = 4."""
    minor = board[KNIGHTS] | board[BISHOPS] | board[6 + KNIGHTS] | board[6 + BISHOPS]
    rooks = board[ROOKS] | board[6 + ROOKS]
    queens = board[QUEENS] | board[6 + QUEENS]
    left = count(minor) + 2 * count(rooks) + 4 * count(queens)
    return left if left < OPENING else OPENING


@final
class Scales:
    """What each count is worth in one phase, in units; `unit` is the worth of priority 1."""

    def __init__(self, weights: Weights, stage: Stage, unit: float) -> None:
        (
            force, freedom, advancement, targeted, sphere, confinement, protection, castling,
            placement, passed, structure, stacked, islands, pair,
        ) = stage.priorities  # fmt: skip
        strengths = weights.strengths
        self.force = rounded([unit * force * strength for strength in strengths] + [0.0, 0.0])
        self.freedom: i64 = round(unit * freedom / FREEDOM_SCALE)
        self.advance: i64 = round(unit * advancement / PAWN_SCALE)
        self.targeted = rounded([unit * targeted * strength for strength in strengths] + [0.0, 0.0])
        square = unit * sphere / SPHERE_SCALE
        self.legal_bonus: i64 = round(square * (weights.legal_bonus - 1.0))
        self.sphere = rounded([square * (1.0 + weights.king_target_factor / (1 + d)) for d in range(8)])
        step = unit * confinement / CONFINEMENT_SCALE
        self.room = rounded([step / (1 + d) for d in range(64)])
        self.protection: i64 = round(unit * protection)
        self.exposed: i64 = round(unit * protection / PROTECTION_SCALE)
        self.guards = weights.guards
        self.castled: i64 = round(unit * castling)
        kingside = unit * castling * weights.kingside_preference
        queenside = unit * castling * (1.0 - weights.kingside_preference)
        # [empty squares between king and rook] on the king's, then the queen's wing
        self.castling = rounded([kingside * n / 3 for n in range(4)] + [queenside * n / 4 for n in range(4)])
        self.places = rounded([unit * placement * bonus for bonus in places(stage.centre, stage.advance)])
        self.passed = rounded([unit * passed * ((1 + n) / 6) ** 2 / 8 for n in range(6)])  # ranks advanced
        self.guarded: i64 = round(unit * structure / 8)
        self.stacked: i64 = round(unit * stacked / 8)
        self.island: i64 = round(unit * islands / ISLANDS_SCALE)
        self.pair: i64 = round(unit * pair)
        self.looks_at_moves = any([self.freedom, self.legal_bonus, targeted, sphere])
        self.looks_at_targets = targeted != 0.0
        self.looks_at_sphere = sphere != 0.0
        self.looks_at_king = any([confinement, protection])
        self.looks_at_places = placement != 0.0
        self.looks_at_pawns = any([passed, structure, stacked, islands])
        self.looks_further = any([self.looks_at_places, self.looks_at_pawns, self.pair])


def rounded(numbers: list[float]) -> vec[i64]:
    return vec[i64]([round(number) for number in numbers])
