"""The positional genes: features that can be counted on the board, and their weighted sum.

Most of the features are those that strong engines evaluate, under the same names (chessprogramming.org,
"Evaluation"); their weights come from a genome, and so from evolution. A weight is multiplied with a count and with
nothing else, so a score is linear in the genome's numbers, and counts() can derive all counts from scores alone.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess import positional_weights as pw
from core.chess.pawn_structure import king_score, passed_pawns, pawn_score
from core.chess.transposition import prefetch

OUTPOST_RANKS: Final = vec[i64]([0x0000FFFFFF000000, 0x000000FFFFFF0000])  # from the fourth to the sixth
SEVENTH: Final = vec[i64]([0x00FF000000000000, 0x000000000000FF00])
THIRD: Final = vec[i64]([0x0000000000FF0000, 0x0000FF0000000000])
assert len(OUTPOST_RANKS) == len(SEVENTH) == len(THIRD) == 2

# -- The sum -----------------------------------------------------------------------------------------

# Indices in PositionalScorer.attacks, in addition to side * 8 + kind of piece: all squares that the side's pieces
# other than its king attack, and the squares that two or more pieces attack (all pawns count as one).
NON_KING_ATTACKS: Final = 6
DOUBLE_ATTACKS: Final = 7
PAWN_WORDS: Final = 4  # of an entry: key, score, passed pawns, and one unused
MATERIAL_WORDS: Final = 2  # of an entry: key, score
MATERIAL_MASK: Final = 0x3FF
PAWN_MASK: Final = 0x1FFF
FORMATION_MASK: Final = 0xFFF
MIX: Final = i64(-0x61C8864680B583EB)  # multipliers of splitmix64
MIX_2: Final = i64(-0x40A7B892E31B1A47)
MIX_3: Final = i64(-0x6B2FB644ECCEEE15)


@final
class PositionalScorer:
    """The sum of the positional genes; hash tables keep the parts that depend on pawns, on kings or on material only."""

    def __init__(self) -> None:
        self.attacks: Final = vec[i64]([0] * 16)
        self.attackers: Final = vec[i64]([0] * 2)  # by side: pieces that attack squares near the enemy's king
        self.pawns_left: i64 = 0  # pawns on the board
        # Scores by the squares of pawns and kings; by those of pawns, and the kings' wings; and by material.
        self.pawns: Final = _table(PAWN_WORDS * (PAWN_MASK + 1))
        self.formations: Final = _table(PAWN_WORDS * (FORMATION_MASK + 1))
        self.materials: Final = _table(MATERIAL_WORDS * (MATERIAL_MASK + 1))

    def score(
        self, board: vec[i64], phase: i64, weights: vec[i64], places: vec[vec[i64]], has_later: bool = True
    ) -> i64:
        """Return White's score minus Black's by the weights of one phase.

        `places` are the tables of place_tables(). Without `has_later` no gene from Own Wing on has a weight, and what
        those genes alone need is not counted.
        """
        assert len(board) == mg.WORDS and len(weights) == pw.WEIGHTS and len(places) == 4
        self.pawns_left = bb.count(board[mg.PAWNS] | board[6 + mg.PAWNS])
        white, black = bb.lowest(board[mg.KINGS]), bb.lowest(board[6 + mg.KINGS])
        kings = white * 64 + black
        sides = wings(white, black)
        ours, theirs = places[sides], places[wings(black, white)]
        pawns = board[0] * MIX + board[6] * MIX_2 + (phase * 4 + sides + 1) * 4096 * MIX_3
        key = pawns + (kings + 1) * MIX_3
        key ^= (key >> 32) & 0xFFFFFFFF
        table = self.pawns
        assert len(table) == PAWN_WORDS * (PAWN_MASK + 1)
        at = (key & PAWN_MASK) * PAWN_WORDS
        prefetch(table, at)
        score = self._pieces(board, 0, weights, ours) - self._pieces(board, 1, weights, theirs)
        if table[at] != key:
            formations = self.formations
            inner = ((pawns >> 40) & FORMATION_MASK) * PAWN_WORDS
            if formations[inner] != pawns:
                formations[inner] = pawns
                formations[inner + 1] = pawn_score(board, 0, weights, ours) - pawn_score(
                    board, 1, weights, theirs
                )
                passed = passed_pawns(board[0], board[6], 0) | passed_pawns(board[6], board[0], 1)
                formations[inner + 2] = passed
            passed = formations[inner + 2]
            around = king_score(board, 0, weights, ours, passed) - king_score(
                board, 1, weights, theirs, passed
            )
            table[at] = key
            table[at + 1] = formations[inner + 1] + around
            table[at + 2] = passed
        score += table[at + 1]
        passed = table[at + 2]
        score += self._relations(board, 0, weights) - self._relations(board, 1, weights)
        if has_later:
            score += self._material(board, phase, weights)
            score += self._weak_points(board, 0, weights) - self._weak_points(board, 1, weights)
        if passed:
            score += self._passed(board, 0, weights, passed) - self._passed(board, 1, weights, passed)
        turn = weights[pw.TEMPO] + weights[pw.PAWNS_LEFT + self.pawns_left]
        return score + turn * (1 - 2 * board[mg.TURN])

    def score_of(self, board: vec[i64], side: i64, weights: vec[i64], places: vec[vec[i64]]) -> i64:
        """Return the share of one side in the score."""
        self.pawns_left = bb.count(board[mg.PAWNS] | board[6 + mg.PAWNS])
        white, black = bb.lowest(board[mg.KINGS]), bb.lowest(board[6 + mg.KINGS])
        tables = [places[wings(white, black)], places[wings(black, white)]]
        own = tables[side]
        pieces = [self._pieces(board, which, weights, tables[which]) for which in (i64(0), i64(1))]
        passed = passed_pawns(board[side * 6], board[6 - side * 6], side)
        score = pawn_score(board, side, weights, own) + king_score(board, side, weights, own, passed)
        score += pieces[side] + self._relations(board, side, weights)
        score += self._weak_points(board, side, weights)
        score += self._passed(board, side, weights, passed)
        numbers = _numbers_of_pieces(board)
        score += pairs_score(numbers, side, weights)
        if board[mg.TURN] == side:
            score += weights[pw.TEMPO] + weights[pw.PAWNS_LEFT + self.pawns_left]
        return score

    def _material(self, board: vec[i64], phase: i64, weights: vec[i64]) -> i64:
        """Return the score of both sides' material, White's minus Black's."""
        numbers = _numbers_of_pieces(board)
        key = numbers + (phase + 1) * MATERIAL_PHASE
        table = self.materials
        assert len(table) == MATERIAL_WORDS * (MATERIAL_MASK + 1)
        at = ((key * MIX >> 40) & MATERIAL_MASK) * MATERIAL_WORDS
        if table[at] != key:
            table[at] = key
            table[at + 1] = pairs_score(numbers, 0, weights) - pairs_score(numbers, 1, weights)
        return table[at + 1]

    def _pieces(self, board: vec[i64], side: i64, weights: vec[i64], places: vec[i64]) -> i64:
        """Return the score of a side's pieces by square, mobility and king attack; record what the side attacks."""
        assert 0 <= side <= 1 and len(board) == mg.WORDS and len(weights) == pw.WEIGHTS and len(places) == 384
        base = side * 6
        other = 1 - side
        mirror = side * 56
        pawns, enemy_pawns = board[base], board[6 - base]
        occupied = board[mg.SIDE] | board[mg.SIDE + 1]
        queens = board[base + mg.QUEENS]
        rooks = board[base + mg.ROOKS]
        guarded = mg.pawn_attacks(pawns, side)
        free = ~(pawns | board[base + mg.KINGS] | mg.pawn_attacks(enemy_pawns, other))
        enemy_king = bb.lowest(board[other * 6 + mg.KINGS])
        near = bb.KING[enemy_king] | bb.BIT[enemy_king]
        near |= bb.forward(near, other)
        everything = guarded
        twice: i64 = 0
        union: i64 = 0
        attackers: i64 = 0
        score: i64 = 0
        by_knights: i64 = 0
        pieces = board[base + mg.KNIGHTS]
        while pieces:
            square = bb.lowest(pieces)
            pieces &= pieces - 1
            seen = bb.KNIGHT[square]
            score += places[64 + (square ^ mirror)] + weights[pw.MOBILITY + bb.count(seen & free)]
            twice |= everything & seen
            everything |= seen
            union |= seen
            if seen & near:
                attackers += 1
                by_knights += bb.count(seen & near)
        attacks = self.attacks
        assert len(attacks) == 16
        at = side * 8
        attacks[at + mg.KNIGHTS] = union
        union = 0
        by_bishops: i64 = 0
        through = occupied ^ queens
        pieces = board[base + mg.BISHOPS]
        while pieces:
            square = bb.lowest(pieces)
            pieces &= pieces - 1
            seen = bb.bishop_attacks(square, through)
            score += places[128 + (square ^ mirror)] + weights[pw.BISHOP_MOBILITY + bb.count(seen & free)]
            twice |= everything & seen
            everything |= seen
            union |= seen
            if seen & near:
                attackers += 1
                by_bishops += bb.count(seen & near)
        attacks[at + mg.BISHOPS] = union
        union = 0
        by_rooks: i64 = 0
        through ^= rooks
        pieces = rooks
        while pieces:
            square = bb.lowest(pieces)
            pieces &= pieces - 1
            seen = bb.rook_attacks(square, through)
            score += places[192 + (square ^ mirror)] + weights[pw.ROOK_MOBILITY + bb.count(seen & free)]
            twice |= everything & seen
            everything |= seen
            union |= seen
            if seen & near:
                attackers += 1
                by_rooks += bb.count(seen & near)
            file = bb.FILES[square & 7]
            if not pawns & file:
                score += weights[pw.ROOK_FILES] if not enemy_pawns & file else weights[pw.ROOK_FILES + 1]
        if rooks & SEVENTH[side]:
            score += bb.count(rooks & SEVENTH[side]) * weights[pw.ROOK_FILES + 2]
        attacks[at + mg.ROOKS] = union
        union = 0
        by_queens: i64 = 0
        pieces = queens
        while pieces:
            square = bb.lowest(pieces)
            pieces &= pieces - 1
            seen = bb.rook_attacks(square, occupied) | bb.bishop_attacks(square, occupied)
            score += places[256 + (square ^ mirror)] + weights[pw.QUEEN_MOBILITY + bb.count(seen & free)]
            twice |= everything & seen
            everything |= seen
            union |= seen
            if seen & near:
                attackers += 1
                by_queens += bb.count(seen & near)
        attacks[at + mg.QUEENS] = union
        attacks[at + mg.PAWNS] = guarded
        attacks[at + NON_KING_ATTACKS] = everything
        around = bb.KING[bb.lowest(board[base + mg.KINGS])]
        attacks[at + mg.KINGS] = around
        attacks[at + DOUBLE_ATTACKS] = twice | (everything & around)
        self.attackers[side] = attackers
        if attackers:
            row = pw.KING_ATTACK + (attackers if attackers < 4 else i64(4)) - 1
            score += by_knights * weights[row] + by_bishops * weights[row + 4]
            score += by_rooks * weights[row + 8] + by_queens * weights[row + 12]
            all_pieces = by_knights + by_bishops + by_rooks + by_queens
            score += all_pieces * weights[pw.PAWNS_LEFT + 17 + self.pawns_left]
        return score

    def _relations(self, board: vec[i64], side: i64, weights: vec[i64]) -> i64:
        """Return the score of the relations between a side's pieces and the pieces of both sides.

        These are safe checks, threats, outposts and imbalance. _pieces() must have run for both sides.
        """
        assert 0 <= side <= 1 and len(board) == mg.WORDS and len(weights) == pw.WEIGHTS
        attacks, attackers = self.attacks, self.attackers
        assert len(attacks) == 16
        base = side * 6
        other = 1 - side
        at, against = side * 8, other * 8
        pawns = board[base]
        enemy_base = other * 6
        enemies = board[mg.SIDE + other]
        occupied = enemies | board[mg.SIDE + side]
        ours = attacks[at + NON_KING_ATTACKS]
        theirs = attacks[against + NON_KING_ATTACKS]
        defended = theirs | attacks[against + mg.KINGS]
        score: i64 = 0
        left = self.pawns_left
        # King attack.
        king = bb.lowest(board[enemy_base + mg.KINGS])
        if attackers[side]:
            near = bb.KING[king] | bb.BIT[king]
            weak = (near | bb.forward(near, other)) & ours & ~theirs
            if weak:
                row = pw.KING_ATTACK + 16 + (attackers[side] if attackers[side] < 4 else i64(4)) - 1
                score += bb.count(weak) * (weights[row] + weights[pw.PAWNS_LEFT + 34 + left])
        safe = ~board[mg.SIDE + side] & ~(defended & ~(attacks[at + DOUBLE_ATTACKS] & ~theirs))
        diagonal = (bb.RISING[king] | bb.FALLING[king]) & safe
        if diagonal & (attacks[at + mg.BISHOPS] | attacks[at + mg.QUEENS]):
            diagonal &= bb.bishop_attacks(king, occupied)
        straight = bb.rook_attacks(king, occupied) & safe
        by_knights = bb.count(bb.KNIGHT[king] & safe & attacks[at + mg.KNIGHTS])
        by_bishops = bb.count(diagonal & attacks[at + mg.BISHOPS])
        by_rooks = bb.count(straight & attacks[at + mg.ROOKS])
        by_queens = bb.count((diagonal | straight) & attacks[at + mg.QUEENS])
        score += by_knights * weights[pw.SAFE_CHECK] + by_bishops * weights[pw.SAFE_CHECK + 1]
        score += by_rooks * weights[pw.SAFE_CHECK + 2] + by_queens * weights[pw.SAFE_CHECK + 3]
        checks = by_knights + by_bishops + by_rooks + by_queens
        score += checks * weights[pw.PAWNS_LEFT + 51 + left]
        # Threats.
        enemy_pawns = board[enemy_base]
        pieces = enemies & ~enemy_pawns & ~board[enemy_base + mg.KINGS]
        targets = attacks[at] & pieces
        if targets:
            for kind in range(i64(mg.KNIGHTS), i64(mg.KINGS)):
                score += bb.count(targets & board[enemy_base + kind]) * weights[pw.PAWN_THREATS + kind - 1]
        by_pawns = attacks[against]
        minors = board[enemy_base + mg.KNIGHTS] | board[enemy_base + mg.BISHOPS]
        targets = (attacks[at + mg.KNIGHTS] | attacks[at + mg.BISHOPS]) & enemies
        if targets:
            score += bb.count(targets & enemy_pawns & ~defended) * weights[pw.MINOR_THREATS]
            lesser = targets & ~by_pawns
            score += bb.count(lesser & board[enemy_base + mg.KNIGHTS]) * weights[pw.MINOR_THREATS + 1]
            score += bb.count(lesser & board[enemy_base + mg.BISHOPS]) * weights[pw.MINOR_THREATS + 2]
            score += bb.count(targets & board[enemy_base + mg.ROOKS]) * weights[pw.MINOR_THREATS + 3]
            score += bb.count(targets & board[enemy_base + mg.QUEENS]) * weights[pw.MINOR_THREATS + 4]
        targets = attacks[at + mg.ROOKS] & enemies
        if targets:
            score += bb.count(targets & enemy_pawns & ~defended) * weights[pw.ROOK_THREATS]
            score += bb.count(targets & minors & ~by_pawns) * weights[pw.ROOK_THREATS + 1]
            score += bb.count(targets & board[enemy_base + mg.QUEENS]) * weights[pw.ROOK_THREATS + 2]
        loose = (pieces | enemy_pawns) & ~defended
        if loose:
            score += bb.count(loose & attacks[at + mg.KINGS]) * weights[pw.KING_THREATS]
            score += bb.count(loose & ours) * weights[pw.HANGING]
        pushes = bb.forward(pawns, side) & ~occupied
        pushes |= bb.forward(pushes & THIRD[side], side) & ~occupied
        pushes &= ~by_pawns & (ours | ~defended)
        targets = mg.pawn_attacks(pushes, side) & pieces
        if targets:
            score += bb.count(targets) * weights[pw.PUSH_THREATS]
        # Outposts.
        own_minors = board[base + mg.KNIGHTS] | board[base + mg.BISHOPS]
        if own_minors:
            outposts = OUTPOST_RANKS[side] & attacks[at] & ~bb.beside(bb.in_front(enemy_pawns, other))
            score += bb.count(outposts & board[base + mg.KNIGHTS]) * weights[pw.OUTPOSTS]
            score += bb.count(outposts & board[base + mg.BISHOPS]) * weights[pw.OUTPOSTS + 1]
            reachable = outposts & attacks[at + mg.KNIGHTS] & ~board[mg.SIDE + side]
            score += bb.count(reachable) * weights[pw.OUTPOSTS + 2]
            score += bb.count(bb.forward(own_minors, side) & (pawns | enemy_pawns)) * weights[pw.OUTPOSTS + 3]
            # Imbalance.
            bishops = board[base + mg.BISHOPS]
            if bishops:
                if bishops & bb.DARK and bishops & ~bb.DARK:
                    score += weights[pw.IMBALANCE]
                dark = bb.count(bishops & bb.DARK) * bb.count(pawns & bb.DARK)
                light = bb.count(bishops & ~bb.DARK) * bb.count(pawns & ~bb.DARK)
                score += (dark + light) * weights[pw.IMBALANCE + 4]
            score += bb.count(board[base + mg.KNIGHTS]) * bb.count(pawns) * weights[pw.IMBALANCE + 2]
        rooks = board[base + mg.ROOKS]
        if rooks:
            if rooks & (rooks - 1):
                score += weights[pw.IMBALANCE + 1]
            score += bb.count(rooks) * bb.count(pawns) * weights[pw.IMBALANCE + 3]
        return score

    def _weak_points(self, board: vec[i64], side: i64, weights: vec[i64]) -> i64:
        """Return the score of weakly guarded squares, of pins and of the rights to castle.

        _pieces() must have run for both sides.
        """
        attacks = self.attacks
        assert 0 <= side <= 1 and len(board) == mg.WORDS and len(weights) == pw.WEIGHTS and len(attacks) == 16
        base, other = side * 6, 1 - side
        at, against, enemy_base = side * 8, other * 8, other * 6
        own, enemies = board[mg.SIDE + side], board[mg.SIDE + other]
        occupied = own | enemies
        their_twice, our_twice = attacks[against + DOUBLE_ATTACKS], attacks[at + DOUBLE_ATTACKS]
        guarded = attacks[against] | (their_twice & ~our_twice)
        queens = board[enemy_base + mg.QUEENS]
        weak = enemies & ~guarded & (attacks[at + NON_KING_ATTACKS] | attacks[at + mg.KINGS])
        weak &= ~board[enemy_base + mg.KINGS]
        score: i64 = 0
        if weak:
            score += bb.count(weak) * weights[pw.WEAK_POINTS]
            score += bb.count(weak & our_twice) * weights[pw.WEAK_POINTS + 1]
            if queens:
                by_queen = weak & ~board[enemy_base] & attacks[against + mg.QUEENS] & ~their_twice
                score += bb.count(by_queen) * weights[pw.WEAK_POINTS + 2]
        if queens and not queens & (queens - 1):
            queen = bb.lowest(queens)
            safe = ~(own | guarded)
            knights = bb.KNIGHT[queen] & safe & attacks[at + mg.KNIGHTS]
            if knights:
                score += bb.count(knights) * weights[pw.WEAK_POINTS + 3]
            safe &= our_twice
            sliders = safe & (bb.RISING[queen] | bb.FALLING[queen]) & attacks[at + mg.BISHOPS]
            if sliders:
                sliders &= bb.bishop_attacks(queen, occupied)
            straight = safe & bb.RAYS[queen] & attacks[at + mg.ROOKS]
            if straight:
                sliders |= straight & bb.rook_attacks(queen, occupied)
            if sliders:
                score += bb.count(sliders) * weights[pw.WEAK_POINTS + 4]
        king = bb.lowest(board[base + mg.KINGS])
        diagonals = bb.RISING[king] | bb.FALLING[king]
        pinning = diagonals & (board[enemy_base + mg.BISHOPS] | queens)
        pinning |= bb.RAYS[king] & ~diagonals & (board[enemy_base + mg.ROOKS] | queens)
        while pinning:
            between = bb.BETWEEN[king * 64 + bb.lowest(pinning)] & occupied
            pinning &= pinning - 1
            if between & own and not between & (between - 1):
                score += weights[pw.PINS + mg.piece_at(board, bb.lowest(between)) - base]
        rights = (board[mg.FLAGS] >> (side * 2)) & 3
        if rights:
            if rights & 1:
                score += weights[pw.RIGHTS]
            if rights & 2:
                score += weights[pw.RIGHTS + 1]
        return score

    def _passed(self, board: vec[i64], side: i64, weights: vec[i64], passed: i64) -> i64:
        """Return the score of a side's passed pawns by the pieces that block or support them.

        _pieces() must have run for both sides.
        """
        attacks = self.attacks
        base = side * 6
        other = 1 - side
        enemies = board[mg.SIDE + other]
        occupied = enemies | board[mg.SIDE + side]
        theirs = attacks[other * 8 + NON_KING_ATTACKS] | attacks[other * 8 + mg.KINGS]
        pawns = passed & board[base]
        score: i64 = 0
        while pawns:
            pawn = pawns & -pawns
            pawns &= pawns - 1
            rank = ((bb.lowest(pawn) ^ side * 56) >> 3) - 1
            stop = bb.forward(pawn, side)
            if stop & enemies:
                score += weights[pw.BLOCKED + rank]
            elif not stop & (occupied | theirs):
                path = bb.in_front(pawn, side)
                score += (
                    weights[pw.FREE_PATH + rank]
                    if not path & (occupied | theirs)
                    else weights[pw.FREE_STEP + rank]
                )
            behind = bb.in_front(pawn, other)
            if behind & board[base + mg.ROOKS]:
                score += weights[pw.OWN_ROOK]
            if behind & board[other * 6 + mg.ROOKS]:
                score += weights[pw.OWN_ROOK + 1]
        return score


def _table(words: int) -> vec[i64]:
    return vec[i64](memoryview(bytes(8 * words)).cast("q"))


# -- Pieces on squares, by the kings' wings ----------------------------------------------------------


def wings(king: i64, enemy: i64) -> i64:
    """Return the kings' halves of the board, 0 for files a to d and 1 for the others: 2 * the own + the enemy's."""
    return ((king >> 1) & 2) + ((enemy >> 2) & 1)


def place_tables(weights: vec[i64], bonuses: vec[i64]) -> vec[vec[i64]]:
    """Return the tables [kind * 64 + square] of the worth of White's pieces, one for each value of wings().

    `bonuses` is such a table, to which the positional weights are added.
    """
    tables = [_place_table(weights, bonuses, 0)]
    has_wings = any(weights[index] != 0 for index in range(i64(pw.OWN_WING), i64(pw.PAIRS)))
    for each in range(i64(1), i64(4)):
        tables.append(_place_table(weights, bonuses, each) if has_wings else tables[0])
    return vec[vec[i64]](tables)


def _place_table(weights: vec[i64], bonuses: vec[i64], kings: i64) -> vec[i64]:
    table = vec[i64]([0] * 384)
    for kind in range(i64(6)):
        for square in range(i64(64)):
            worth = bonuses[kind * 64 + square]
            index: i64 = pw.square_index(kind, square)
            if index >= 0:
                half = (square >> 2) & 1
                worth += weights[index]
                if kind != mg.KINGS:
                    worth += weights[pw.OWN_WING + index] * (1 if half == kings >> 1 else -1)
                worth += weights[pw.ENEMY_WING + index] * (1 if half == kings & 1 else -1)
            table[kind * 64 + square] = worth
    return table


# -- Material ----------------------------------------------------------------------------------------

NUMBER_BITS: Final = 4  # of a side's number of pieces of a kind, at most 10
SIDE_BITS: Final = 24  # of a side's numbers: P, N, B, R, Q, bishop pairs
ONE_PAIR: Final = 1048576  # one bishop pair
USUAL: Final = vec[i64]([5, 1, 1, 2, 1])  # P, N, B, R, Q of a side
assert len(USUAL) == 5
MATERIAL_PHASE: Final = i64(
    0x1000000000000
)  # a phase in the key of the table, after the numbers of both sides


def _numbers_of_pieces(board: vec[i64]) -> i64:
    """Return the numbers of pieces, NUMBER_BITS each: White's pawns, knights, ... bishop pairs, then Black's."""
    assert len(board) == mg.WORDS
    return _numbers_of_side(board, 0) | (_numbers_of_side(board, 6) << SIDE_BITS)


def _numbers_of_side(board: vec[i64], base: i64) -> i64:
    """Return the numbers of the pieces of the side whose first piece set is `base`, 0 or 6."""
    assert 0 <= base <= 6
    bishops = board[base + mg.BISHOPS]
    numbers = bb.count(board[base]) | (bb.count(board[base + mg.KNIGHTS]) << NUMBER_BITS)
    numbers |= bb.count(bishops) << 2 * NUMBER_BITS
    numbers |= bb.count(board[base + mg.ROOKS]) << 3 * NUMBER_BITS
    numbers |= bb.count(board[base + mg.QUEENS]) << 4 * NUMBER_BITS
    if bishops & bb.DARK and bishops & ~bb.DARK:
        numbers |= ONE_PAIR
    return numbers


def _number(numbers: i64, kind: i64, side: i64) -> i64:
    return (numbers >> (side * SIDE_BITS + kind * NUMBER_BITS)) & 15


def pairs_score(numbers: i64, side: i64, weights: vec[i64]) -> i64:
    """Return the score of a side's pairs of pieces."""
    knights, bishops = _number(numbers, 1, side), _number(numbers, 2, side)
    rooks, queens, pair = _number(numbers, 3, side), _number(numbers, 4, side), _number(numbers, 5, side)
    score = _number(numbers, 0, side) * _surplus(numbers, 0, side) * weights[pw.PAIRS]
    score += knights * _surplus(numbers, 1, side) * weights[pw.PAIRS + 1]
    at: i64 = pw.PAIRS + 2
    for kind in range(i64(3)):
        score += bishops * _surplus(numbers, kind, side) * weights[at + kind]
        score += rooks * _surplus(numbers, kind + 1, side) * weights[at + 3 + kind]
    for kind in range(i64(5)):
        score += queens * _surplus(numbers, kind, side) * weights[at + 6 + kind]
    score += pair * _surplus(numbers, 0, side) * weights[at + 11]
    score += pair * _surplus(numbers, 1, side) * weights[at + 12]
    score += pair * _surplus(numbers, 3, side) * weights[at + 13]
    score += pair * _surplus(numbers, 4, side) * weights[at + 14]
    at += 15
    other = 1 - side
    for kind in range(i64(5)):
        enemies = _surplus(numbers, kind, other)
        if kind < 1:
            score += knights * enemies * weights[at]
        if kind < 2:
            score += bishops * enemies * weights[at + 1 + kind]
        if kind < 3:
            score += rooks * enemies * weights[at + 3 + kind]
        if kind < 4:
            score += queens * enemies * weights[at + 6 + kind]
        score += pair * enemies * weights[at + 10 + kind]
    return score


def _surplus(numbers: i64, kind: i64, side: i64) -> i64:
    """Return the number of a side's pieces of a kind, less the usual number."""
    return _number(numbers, kind, side) - USUAL[kind]


# -- The counts, from scores alone -------------------------------------------------------------------

SCORE_BITS: Final = 60  # of a score that has several counts as its digits
# The weights up to an index, and the bits of their counts' digits: a count of b bits is -2 ** (b - 1) to
# 2 ** (b - 1) - 1.
DIGITS: Final = (
    (pw.MOBILITY, 4),
    (pw.KING_ATTACK, 5),
    (pw.OWN_WING, 10),
    (pw.PAIRS, 4),
    (pw.WEIGHTS, 10),
)


@final
class Counter:
    """A counter of features: for each weight, White's count minus Black's.

    A score by weights of 1, 2 ** b, 2 ** (2 * b) ... has one count in each of its digits of b bits.
    """

    def __init__(self) -> None:
        self.scorer = PositionalScorer()
        self.groups: list[tuple[vec[i64], vec[vec[i64]]]] = []
        self.digits: list[tuple[int, int]] = []  # of each group: their number, and their bits
        nothing = vec[i64]([0] * 384)
        first = 0
        for end, bits in DIGITS:
            while first < end:
                number = min(SCORE_BITS // bits, end - first)
                weights = vec[i64]([0] * pw.WEIGHTS)
                for digit in range(number):
                    weights[first + digit] = bb.BIT[digit * bits]
                self.groups.append((weights, place_tables(weights, nothing)))
                self.digits.append((number, bits))
                first += number

    def counts(self, board: vec[i64]) -> list[int]:
        """Return 5 + WEIGHTS counts, each clipped to a signed byte: P, N, B, R, Q, then the weights in order."""
        found = [int(bb.count(board[kind]) - bb.count(board[6 + kind])) for kind in range(5)]
        for group, (weights, places) in enumerate(self.groups):
            score = self.scorer.score(board, group, weights, places)
            number, digit_bits = self.digits[group]
            bits: i64 = digit_bits
            half = bb.BIT[bits - 1]
            for _digit in range(number):
                count = ((score + half) & (2 * half - 1)) - half
                score = (score - count) >> bits
                found.append(int(max(min(count, 127), -128)))
        return found
