"""The worth of a position to a genome: the eight board-scoring genes, weighed in whole numbers.

Reference: Genetic Chess, section 4.2; its scales are the program's of 2017. Everything a gene looks
at is a count, so a score is a sum of counts times integer weights: exact, and the same everywhere.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.moves import (
    BISHOPS,
    EN_PASSANT,
    FLAGS,
    HASH,
    KINGS,
    KNIGHTS,
    MAILBOX,
    PAWNS,
    PROMOTIONS,
    QUEENS,
    ROOKS,
    SIDE,
    TURN,
    attacked,
    checks_and_pins,
    count_pawn_moves,
    en_passant_captors,
    open_wings,
    pawn_attacks,
    safe_wings,
)  # fmt: skip
from core.chess.score import LIMIT, UNITS
from core.chess.tables import (
    BETWEEN,
    BISHOP,
    BISHOP_SEES,
    BIT,
    KING,
    KNIGHT,
    LINE,
    RING,
    ROOK,
    ROOK_SEES,
    bishop_attacks,
    count,
    lowest,
    rook_attacks,
    spread,
)  # fmt: skip
from core.chess.weights import Weights

GENES: Final = (
    "Total Force",
    "Freedom to Move",
    "Pawn Advancement",
    "Opponent Pieces Targeted",
    "Sphere of Influence",
    "King Confinement",
    "King Protection",
    "Castling Possible",
)
FREEDOM_SCALE: Final = 20.0  # legal moves at the start
PAWN_SCALE: Final = 48.0  # eight pawns about to promote
SPHERE_SCALE: Final = 64.0
CONFINEMENT_SCALE: Final = 58.0 / 3.0  # a king on e4 of an empty board: 1 + 8/2 + 16/3 + 24/4 + 15/5
PROTECTION_SCALE: Final = 35.0  # 8 knight leaps, 14 rook and 13 bishop squares from d4 or e4

# Ranks advanced (0 to 5) in binary: the ranks of White's, then Black's pawns that hold 1, 2 and 4.
ADVANCED: Final = vec[i64]([
    0x00FF00FF00FF0000, 0x000000FFFF000000, 0x00FFFF0000000000,
    0x0000FF00FF00FF00, 0x000000FFFF000000, 0x0000000000FFFF00,
])  # fmt: skip
CACHE_BITS: Final = 0x7FFF


@final
class Evaluator:
    """A genome's eye: weights made ready for counting, and a cache of recent scores."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        priorities = [
            weights.total_force, weights.freedom_to_move, weights.pawn_advancement,
            weights.opponent_pieces_targeted, weights.sphere_of_influence, weights.king_confinement,
            weights.king_protection, weights.castling_possible,
        ]  # fmt: skip
        total = sum([abs(priority) for priority in priorities])
        unit = UNITS / total if total > 0.0 else 0.0
        self.pawn = max(1, round((abs(priorities[0]) or total) * unit / 39.0))  # 1/39 of an army
        strengths = weights.strengths
        self.force = _vec([unit * priorities[0] * strength for strength in strengths] + [0.0, 0.0])
        self.freedom: i64 = round(unit * priorities[1] / FREEDOM_SCALE)
        self.advance: i64 = round(unit * priorities[2] / PAWN_SCALE)
        self.targeted = _vec([unit * priorities[3] * strength for strength in strengths] + [0.0, 0.0])
        sphere = unit * priorities[4] / SPHERE_SCALE
        self.legal_bonus: i64 = round(sphere * (weights.legal_bonus - 1.0))
        self.sphere = _vec([sphere * (1.0 + weights.king_target_factor / (1 + d)) for d in range(8)])
        confinement = unit * priorities[5] / CONFINEMENT_SCALE
        self.room = _vec([confinement / (1 + d) for d in range(64)])
        self.protection: i64 = round(unit * priorities[6])
        self.exposed: i64 = round(unit * priorities[6] / PROTECTION_SCALE)
        self.castled: i64 = round(unit * priorities[7])
        kingside = unit * priorities[7] * weights.kingside_preference
        queenside = unit * priorities[7] * (1.0 - weights.kingside_preference)
        # [empty squares between king and rook] on the king's, then the queen's wing
        self.castling = _vec([kingside * n / 3 for n in range(4)] + [queenside * n / 4 for n in range(4)])
        self.looks_at_moves = any([self.freedom, self.legal_bonus, *priorities[3:5]])
        self.looks_at_targets = priorities[3] != 0.0
        self.looks_at_sphere = priorities[4] != 0.0
        self.looks_at_king = any(priorities[5:7])
        self.guards = weights.guards
        self.cache = vec[i64]([0] * (2 * (int(CACHE_BITS) + 1)))

    def score(self, board: vec[i64]) -> i64:
        """Score(side to move) - Score(opponent), in units, within LIMIT."""
        cache = self.cache
        key = board[HASH]
        at = (key & CACHE_BITS) * 2
        if cache[at] == key:
            return cache[at + 1]
        side = board[TURN]
        score = self._material(board, side) - self._material(board, 1 - side)
        if self.looks_at_moves or self.looks_at_king:
            ours = self._survey(board, side)
            theirs = self._survey(board, 1 - side)
            score += self._activity(board, side, ours, theirs) - self._activity(board, 1 - side, theirs, ours)
        if score > LIMIT:
            score = LIMIT
        elif score < -LIMIT:
            score = -LIMIT
        cache[at] = key
        cache[at + 1] = score
        return score

    def cents(self, score: i64) -> int:
        """Units as hundredths of a pawn, where a pawn is 1/39 of an army's Total Force."""
        pawn: i64 = self.pawn
        half = pawn // 2
        return int((score * 100 + half) // pawn) if score >= 0 else -int((half - score * 100) // pawn)

    def _material(self, board: vec[i64], side: i64) -> i64:
        """What needs no attacks: Total Force, Pawn Advancement, Castling Possible."""
        base = side * 6
        force = self.force
        pawns = board[base]
        score = count(pawns) * force[0]
        for kind in range(i64(KNIGHTS), i64(KINGS)):
            if board[base + kind]:
                score += count(board[base + kind]) * force[kind]
        if self.advance:
            rank = side * 3
            ones = count(pawns & ADVANCED[rank])
            twos = count(pawns & ADVANCED[rank + 1])
            fours = count(pawns & ADVANCED[rank + 2])
            score += (ones + 2 * twos + 4 * fours + 6 * board[PROMOTIONS + side]) * self.advance
        if self.castled:
            flags = board[FLAGS]
            if flags & BIT[4 + side]:
                score += self.castled
            else:
                empty = ~(board[SIDE] | board[SIDE + 1]) >> (side * 56)
                if flags & BIT[side * 2]:
                    score += self.castling[count(empty & 0x60)]
                if flags & BIT[side * 2 + 1]:
                    score += self.castling[4 + count(empty & 0xE)]
        return score

    def _survey(self, board: vec[i64], side: i64) -> tuple[i64, i64, i64, i64, i64]:
        """(guarded, reach, legal, moves, checkers) of a side as if it were its turn, its king's moves
        left out: squares its pieces attack, squares they would attack through others, squares some
        of them may legally attack, the number of legal moves, what gives check to it."""
        base = side * 6
        own = board[SIDE + side]
        enemies = board[SIDE + 1 - side]
        occupied = own | enemies
        king = lowest(board[base + KINGS])
        checkers, pinned = checks_and_pins(board, side)
        allowed = ~own
        if checkers:
            allowed = 0
            if not checkers & (checkers - 1):
                allowed = checkers | BETWEEN[king * 64 + lowest(checkers)]
        pawns = board[base]
        guarded = pawn_attacks(pawns, side)
        reach = guarded
        pawns &= ~pinned
        legal = pawn_attacks(pawns, side) & enemies & allowed
        moves = count_pawn_moves(side, pawns, enemies & allowed, ~occupied, allowed)
        pieces = board[base + KNIGHTS]
        while pieces:
            square = lowest(pieces)
            pieces &= pieces - 1
            seen = KNIGHT[square]
            guarded |= seen
            reach |= seen
            if not pinned & BIT[square]:
                seen &= allowed
                legal |= seen
                moves += count(seen)
        queens = board[base + QUEENS]
        rooks = board[base + ROOKS]
        pieces = board[base + BISHOPS] | rooks | queens
        while pieces:
            bit = pieces & -pieces
            square = lowest(pieces)
            pieces &= pieces - 1
            if bit & rooks:
                seen = rook_attacks(square, occupied)
                reach |= ROOK_SEES[ROOK[square * 4 + 3]]
            else:
                seen = bishop_attacks(square, occupied)
                reach |= BISHOP_SEES[BISHOP[square * 4 + 3]]
                if bit & queens:
                    seen |= rook_attacks(square, occupied)
                    reach |= ROOK_SEES[ROOK[square * 4 + 3]]
            guarded |= seen
            seen &= allowed
            if pinned & bit:
                seen &= LINE[king * 64 + square]
            legal |= seen
            moves += count(seen)
        pieces = board[base] & pinned
        while pieces:
            bit = pieces & -pieces
            line = LINE[king * 64 + lowest(pieces)] & allowed
            pieces &= pieces - 1
            legal |= pawn_attacks(bit, side) & enemies & line
            moves += count_pawn_moves(side, bit, enemies & line, ~occupied, line)
        if board[EN_PASSANT] and board[TURN] == side:
            legal |= BIT[board[EN_PASSANT]]
            moves += count(en_passant_captors(board, side, board[EN_PASSANT]))
        return guarded, reach, legal, moves, checkers

    def _activity(
        self,
        board: vec[i64],
        side: i64,
        ours: tuple[i64, i64, i64, i64, i64],
        theirs: tuple[i64, i64, i64, i64, i64],
    ) -> i64:
        """What needs both sides' attacks: Freedom, Targeted, Sphere, Confinement, Protection."""
        guarded, reach, legal, moves, checkers = ours
        other = 1 - side
        king = lowest(board[side * 6 + KINGS])
        other_king = lowest(board[other * 6 + KINGS])
        own = board[SIDE + side]
        occupied = own | board[SIDE + other]
        danger = theirs[0] | KING[other_king]
        score: i64 = 0
        if self.looks_at_moves:
            steps = KING[king] & ~own & ~danger
            if checkers:  # a slider sees through the king that leaves its line
                steps &= ~attacked(board, other, occupied ^ BIT[king])
            else:
                wings = safe_wings(open_wings(board, side), side, danger)
                moves += (wings & 1) + (wings >> 1)
            legal |= steps
            score += (moves + count(steps)) * self.freedom
            if self.looks_at_targets:
                targeted = self.targeted
                targets = legal & board[SIDE + other]
                while targets:
                    score += targeted[board[MAILBOX + lowest(targets)] - other * 6]
                    targets &= targets - 1
                if board[EN_PASSANT] and board[TURN] == side:
                    score += targeted[PAWNS]
            if self.looks_at_sphere:
                reach |= KING[king]
                sphere = self.sphere
                ring = other_king * 8
                for away in range(i64(8)):
                    squares = RING[ring + away] & reach
                    if squares:
                        score += count(squares) * sphere[away]
                score += count(reach & legal) * self.legal_bonus
        if self.looks_at_king:
            room = self.room
            if not checkers:
                score += room[0]
            free = ~own & ~danger
            reached = BIT[king]
            edge = KING[king] & free
            distance: i64 = 1
            while edge:
                score += count(edge) * room[distance]
                reached |= edge
                edge = spread(edge) & free & ~reached
                distance += 1
            views = rook_attacks(king, occupied) | bishop_attacks(king, occupied) | KNIGHT[king]
            views &= ~occupied
            if self.guards:
                views &= ~guarded
            score += self.protection - count(views) * self.exposed
        return score


def gene_scores(board: vec[i64], side: i64, weights: Weights) -> list[float]:
    """The score of each of GENES for one side, as sections 4.2.1 to 4.2.8 define them.

    What the search uses, taken apart: each gene is weighed alone, against an evaluator of its own.
    """
    scores: list[float] = []
    for index in range(len(GENES)):
        alone = Evaluator(_alone(weights, index))
        ours = alone._survey(board, side)
        theirs = alone._survey(board, 1 - side)
        units = alone._material(board, side) + alone._activity(board, side, ours, theirs)
        scores.append(float(units) / UNITS)
    return scores


def _alone(weights: Weights, index: int) -> Weights:
    """The same genes with priority 1 for one of them and 0 for the others."""
    on = [1.0 if gene == index else 0.0 for gene in range(len(GENES))]
    return Weights(
        strengths=weights.strengths,
        total_force=on[0],
        freedom_to_move=on[1],
        pawn_advancement=on[2],
        opponent_pieces_targeted=on[3],
        sphere_of_influence=on[4],
        legal_bonus=weights.legal_bonus,
        king_target_factor=weights.king_target_factor,
        king_confinement=on[5],
        king_protection=on[6],
        guards=weights.guards,
        castling_possible=on[7],
        kingside_preference=weights.kingside_preference,
    )


def _vec(numbers: list[float]) -> vec[i64]:
    return vec[i64]([round(number) for number in numbers])
