"""The worth of a position to a genome: its board-scoring genes, weighed in whole numbers.

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
from core.chess.pawns import guarded_pawns, passed_pawns, pawn_islands, stacked_pawns
from core.chess.placement import placed
from core.chess.scales import OPENING, Scales, phase
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
from core.chess.weights import GENES, Weights

# Ranks advanced (0 to 5) in binary: the ranks of White's, then Black's pawns that hold 1, 2 and 4.
ADVANCED: Final = vec[i64]([
    0x00FF00FF00FF0000, 0x000000FFFF000000, 0x00FFFF0000000000,
    0x0000FF00FF00FF00, 0x000000FFFF000000, 0x0000000000FFFF00,
])  # fmt: skip
CACHE_BITS: Final = 0x7FFF
NOTHING: Final = 1e-200  # priorities that small are none, so that the unit stays finite


@final
class Evaluator:
    """A genome's eye: weights made ready for counting, and a cache of recent scores."""

    def __init__(self, weights: Weights) -> None:
        total = weights.total()  # one unit for all phases: a search compares their scores
        self.unit = UNITS / total if total > NOTHING else 0.0
        force = (abs(weights.opening.priorities[0]) + abs(weights.endgame.priorities[0])) / 2
        self.pawn = max(1, round((force or total) * self.unit / 39.0))  # 1/39 of an army
        self.has_phases = weights.has_phases
        shares = [left / int(OPENING) for left in range(int(OPENING) + 1)] if self.has_phases else [1.0]
        self.phases = [Scales(weights, weights.stage(share), self.unit) for share in shares]
        self.force = self.phases[len(shares) // 2].force  # of the pieces, halfway through the game
        self.cache = vec[i64]([0] * (2 * (int(CACHE_BITS) + 1)))

    def score(self, board: vec[i64]) -> i64:
        """Score(side to move) - Score(opponent), in units, within LIMIT."""
        cache = self.cache
        key = board[HASH]
        at = (key & CACHE_BITS) * 2
        if cache[at] == key:
            return cache[at + 1]
        scales = self.scales(board)
        side = board[TURN]
        other = 1 - side
        score = _material(board, side, scales) - _material(board, other, scales)
        if scales.looks_further:
            score += _structure(board, side, scales) - _structure(board, other, scales)
        if scales.looks_at_moves or scales.looks_at_king:
            ours = _survey(board, side)
            theirs = _survey(board, other)
            score += _activity(board, side, scales, ours, theirs)
            score -= _activity(board, other, scales, theirs, ours)
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

    def scales(self, board: vec[i64]) -> Scales:
        """What weighs in the board's phase of the game."""
        return self.phases[phase(board)] if self.has_phases else self.phases[0]


def gene_scores(board: vec[i64], side: i64, weights: Weights) -> list[float]:
    """The score of each of GENES for one side; sections 4.2.1 to 4.2.8 define the first eight.

    What the search uses, taken apart: each gene is weighed alone, against an evaluator of its own.
    """
    scores: list[float] = []
    for index in range(len(GENES)):
        alone = Evaluator(weights.alone(index))
        scales = alone.scales(board)
        ours, theirs = _survey(board, side), _survey(board, 1 - side)
        units = _material(board, side, scales) + _structure(board, side, scales)
        units += _activity(board, side, scales, ours, theirs)
        scores.append(float(units) / alone.unit if alone.unit else 0.0)
    return scores


def _material(board: vec[i64], side: i64, scales: Scales) -> i64:
    """What needs no attacks: Total Force, Pawn Advancement, Castling Possible."""
    base = side * 6
    force = scales.force
    pawns = board[base]
    score = count(pawns) * force[0]
    for kind in range(i64(KNIGHTS), i64(KINGS)):
        if board[base + kind]:
            score += count(board[base + kind]) * force[kind]
    if scales.advance:
        rank = side * 3
        ones = count(pawns & ADVANCED[rank])
        twos = count(pawns & ADVANCED[rank + 1])
        fours = count(pawns & ADVANCED[rank + 2])
        score += (ones + 2 * twos + 4 * fours + 6 * board[PROMOTIONS + side]) * scales.advance
    if scales.castled:
        flags = board[FLAGS]
        if flags & BIT[4 + side]:
            score += scales.castled
        else:
            empty = ~(board[SIDE] | board[SIDE + 1]) >> (side * 56)
            if flags & BIT[side * 2]:
                score += scales.castling[count(empty & 0x60)]
            if flags & BIT[side * 2 + 1]:
                score += scales.castling[4 + count(empty & 0xE)]
    return score


def _structure(board: vec[i64], side: i64, scales: Scales) -> i64:
    """The genes that 2017 had not: Placement, Bishop Pair and those of pawns."""
    base = side * 6
    score: i64 = 0
    if scales.looks_at_places:
        score += placed(board, side, scales.places)
    bishops = board[base + BISHOPS]
    if bishops & (bishops - 1):
        score += scales.pair
    pawns = board[base]
    if scales.looks_at_pawns and pawns:
        score += count(guarded_pawns(pawns, side)) * scales.guarded
        score += count(stacked_pawns(pawns, side)) * scales.stacked
        score += pawn_islands(pawns) * scales.island
        passed = passed_pawns(pawns, board[6 - base], side)
        while passed:
            score += scales.passed[((lowest(passed) ^ side * 56) >> 3) - 1]
            passed &= passed - 1
    return score


def _survey(board: vec[i64], side: i64) -> tuple[i64, i64, i64, i64, i64]:
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
    board: vec[i64],
    side: i64,
    scales: Scales,
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
    if scales.looks_at_moves:
        steps = KING[king] & ~own & ~danger
        if checkers:  # a slider sees through the king that leaves its line
            steps &= ~attacked(board, other, occupied ^ BIT[king])
        else:
            wings = safe_wings(open_wings(board, side), side, danger)
            moves += (wings & 1) + (wings >> 1)
        legal |= steps
        score += (moves + count(steps)) * scales.freedom
        if scales.looks_at_targets:
            targeted = scales.targeted
            targets = legal & board[SIDE + other]
            while targets:
                score += targeted[board[MAILBOX + lowest(targets)] - other * 6]
                targets &= targets - 1
            if board[EN_PASSANT] and board[TURN] == side:
                score += targeted[PAWNS]
        if scales.looks_at_sphere:
            reach |= KING[king]
            sphere = scales.sphere
            ring = other_king * 8
            for away in range(i64(8)):
                squares = RING[ring + away] & reach
                if squares:
                    score += count(squares) * sphere[away]
            score += count(reach & legal) * scales.legal_bonus
    if scales.looks_at_king:
        room = scales.room
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
        if scales.guards:
            views &= ~guarded
        score += scales.protection - count(views) * scales.exposed
    return score
