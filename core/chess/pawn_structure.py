"""Pawns and kings: pawn formations as sets of squares, and the scores of pawns, of kings and of their shelter.

The scores depend on pawns and kings alone, so that core.chess.positional can keep them in a hash table.
"""

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess import positional_weights as pw

# -- Pawn formations as sets of squares ------------------------------------------------------------


def passed_pawns(pawns: i64, enemies: i64, side: i64) -> i64:
    """Return the pawns with no enemy pawn in front of them, on their own or an adjacent file."""
    fronts = bb.in_front(enemies, 1 - side)
    return pawns & ~(fronts | bb.beside(fronts))


def guarded_pawns(pawns: i64, side: i64) -> i64:
    """Return the pawns that another pawn of the side guards."""
    return pawns & mg.pawn_attacks(pawns, side)


def stacked_pawns(pawns: i64, side: i64) -> i64:
    """Return the pawns in front of another pawn of the side on the same file."""
    return pawns & bb.in_front(pawns, side)


def pawn_islands(pawns: i64) -> i64:
    """Return the number of groups of adjacent files with pawns."""
    files = pawns | (pawns >> 32)  # no pawn stands on the eighth rank, so the sign bit is never set
    files |= files >> 16
    files = (files | (files >> 8)) & 0xFF
    return bb.count(files & ~(files << 1))


# -- Scores ------------------------------------------------------------------------------------------


def king_score(board: vec[i64], side: i64, weights: vec[i64], places: vec[i64], passed: i64) -> i64:
    """Return the score of a side's king and its shelter, and of the kings' distances to the side's passed pawns."""
    base = side * 6
    mirror = side * 56
    king = bb.lowest(board[base + mg.KINGS])
    enemy_king = bb.lowest(board[6 - base + mg.KINGS])
    score = places[320 + (king ^ mirror)] + _shelter(board[base], board[6 - base], king, side, weights)
    left = passed & board[base]
    while left:
        stop = (bb.lowest(left) ^ mirror) + 8
        left &= left - 1
        rank = (stop >> 3) - 2
        if rank > 1:
            own = _distance(king ^ mirror, stop)
            enemy = _distance(enemy_king ^ mirror, stop)
            score += (rank - 1) * (own * weights[pw.OWN_KING] + enemy * weights[pw.OWN_KING + 1])
    return score


def pawn_score(board: vec[i64], side: i64, weights: vec[i64], places: vec[i64]) -> i64:
    """Return the score that depends on pawns alone: their squares, formation and passed pawns."""
    base = side * 6
    other = 1 - side
    mirror = side * 56
    pawns, enemies = board[base], board[6 - base]
    score: i64 = 0
    guarded = pawns & mg.pawn_attacks(pawns, side)
    phalanx = pawns & bb.beside(pawns)
    passed = passed_pawns(pawns, enemies, side)
    by_enemies = mg.pawn_attacks(enemies, other)
    # The squares that pawns of the side may ever guard, and the squares with an enemy pawn in front of them.
    guardable = bb.in_front(pawns, side) | pawns
    guardable = bb.beside(guardable)
    opposed = bb.in_front(enemies, other)
    left = pawns
    while left:
        pawn = left & -left
        left &= left - 1
        square = bb.lowest(pawn)
        rank = ((square ^ mirror) >> 3) - 1
        score += places[square ^ mirror]
        if pawn & guarded:
            score += weights[pw.GUARDED + rank - 1]  # no pawn guards the second rank
        if pawn & phalanx:
            score += weights[pw.PHALANX + rank]
        elif not pawn & guarded:
            files = bb.FILES[square & 7]
            if not pawns & bb.beside(files):
                score += weights[pw.FORMATION] if pawn & opposed else weights[pw.FORMATION + 1]
            elif not pawn & guardable and bb.forward(pawn, side) & (by_enemies | enemies):
                score += weights[pw.FORMATION + 2] if pawn & opposed else weights[pw.FORMATION + 3]
        if pawn & passed:
            score += weights[pw.PASSED + rank]
    doubled = pawns & bb.in_front(pawns, side)
    return score + bb.count(doubled) * weights[pw.FORMATION + 4]


def _shelter(pawns: i64, enemies: i64, king: i64, side: i64, weights: vec[i64]) -> i64:
    """Return the score of a king's shelter: its pawns in front of it, and the enemy's pawns advancing on it."""
    mirror = side * 56
    middle = king & 7
    middle = i64(1) if middle == 0 else i64(6) if middle == 7 else middle
    here = bb.BIT[king] | bb.beside(bb.BIT[king]) | bb.beside(bb.beside(bb.BIT[king]))
    ahead = here | bb.in_front(here, side)
    score: i64 = 0
    for file in range(middle - 1, middle + 2):
        own = pawns & ahead & bb.FILES[file]
        rank = _nearest(own, mirror)
        score += weights[pw.SHELTER + rank] if file == (king & 7) else weights[pw.SHELTER + 6 + rank]
        storm = enemies & ahead & bb.FILES[file]
        near = _nearest(storm, mirror)
        if near and storm & bb.forward(own, side):
            score += weights[pw.BLOCKED_STORM + near - 1]
        else:
            score += weights[pw.STORM + near]
    return score


def _nearest(pawns: i64, mirror: i64) -> i64:
    """Return the rank of the pawn nearest to the king's side, as that side counts; 0 if there is no pawn.

    The second rank is 1, and the sixth and all later ranks are 5.
    """
    if not pawns:
        return 0
    if mirror == 0:
        rank = bb.lowest(pawns) >> 3
    else:
        rank = 7
        squares = pawns
        while squares:
            here = (bb.lowest(squares) ^ 56) >> 3
            if here < rank:
                rank = here
            squares &= squares - 1
    return rank if rank < 5 else i64(5)


def _distance(one: i64, other: i64) -> i64:
    """Return the number of king's moves between two squares, at most 5."""
    files = (one & 7) - (other & 7)
    ranks = (one >> 3) - (other >> 3)
    files = files if files > 0 else -files
    ranks = ranks if ranks > 0 else -ranks
    most = files if files > ranks else ranks
    return most if most < 5 else i64(5)
