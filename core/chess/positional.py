"""The positional genes: a weight for each of 368 features that can be counted on the board, and their weighted sum.

Most of the features are those that strong engines evaluate, under the same names (chessprogramming.org,
"Evaluation"); their weights come from a genome, and so from evolution. A weight is multiplied with a count and with
nothing else, so a score is linear in the genome's numbers, and counts() can derive all counts from scores alone.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess.transposition import prefetch

# -- The weights, gene by gene; each row is a line of a genome's file ---------------------------------

RANKS: Final = "2 3 4 5 6 7"
Rows = tuple[tuple[str, str], ...]  # name, and a label for each weight


def _square_rows() -> Rows:
    pawns = [(f"Pawn {rank}", "a b c d") for rank in range(2, 8)]
    pieces = [
        (f"{kind} {rank}", "a b c d")
        for kind in ("Knight", "Bishop", "Rook", "Queen", "King")
        for rank in range(1, 9)
    ]
    return tuple(pawns + pieces)


def _numbers(most: int) -> str:
    return " ".join([str(number) for number in range(most + 1)])


ROWS: Final[tuple[tuple[str, Rows], ...]] = (
    # A piece of the kind on a square; the other half of the board is the mirror image.
    ("Squares", _square_rows()),
    # A piece that attacks this number of squares, not counting those with a pawn or the king of its own side and
    # those that an enemy pawn guards.
    (
        "Mobility",
        (("Knight", _numbers(8)), ("Bishop", _numbers(13)), ("Rook", _numbers(14)), ("Queen", _numbers(27))),
    ),
    # A square near the enemy's king that a piece attacks, if this number of pieces attacks such squares (weak: no
    # piece or pawn but the king guards the square); a square from which a piece could safely give check. In all genes
    # bishops attack through queens of their side, rooks through queens and rooks.
    (
        "King Attack",
        (
            ("Knight", "1 2 3 4"),
            ("Bishop", "1 2 3 4"),
            ("Rook", "1 2 3 4"),
            ("Queen", "1 2 3 4"),
            ("Weak Square", "1 2 3 4"),
            ("Safe Check", "N B R Q"),
        ),
    ),
    # On the king's file and the adjacent files: the rank of the nearest pawn ahead, own or enemy; blocked if an own
    # pawn stands directly in front of an enemy pawn.
    (
        "King Shelter",
        (
            ("King File", "none 2 3 4 5 6"),
            ("Side File", "none 2 3 4 5 6"),
            ("Storm", "none 2 3 4 5 6"),
            ("Blocked Storm", "2 3 4 5 6"),
        ),
    ),
    # A piece that a lesser piece attacks, or an attacked one without a guard; a piece that a pawn's next step would
    # attack.
    (
        "Threats",
        (
            ("By Pawn", "N B R Q"),
            ("By Minor", "P N B R Q"),
            ("By Rook", "P minor Q"),
            ("By King", ""),
            ("Hanging", ""),
            ("By Push", ""),
        ),
    ),
    # A minor piece that a pawn guards and no pawn can drive away.
    ("Outposts", (("Knight", ""), ("Bishop", ""), ("Reachable", ""), ("Behind Pawn", ""))),
    ("Rook Files", (("Open", ""), ("Half Open", ""), ("Seventh Rank", ""))),
    # The kings' distances to the pawn's next square are multiplied by 1 for the fourth rank to 4 for the seventh. A
    # pawn that is stopped in another way than by an enemy on the next square has neither Blocked nor Free Step nor
    # Free Path.
    (
        "Passers",
        (
            ("Passed", RANKS),
            ("Blocked", RANKS),
            ("Free Step", "2 3 4 5 6"),
            ("Free Path", RANKS),
            ("Own King", ""),
            ("Enemy King", ""),
            ("Own Rook Behind", ""),
            ("Enemy Rook Behind", ""),
        ),
    ),
    (
        "Pawn Formation",
        (
            ("Isolated", ""),
            ("Isolated Open", ""),
            ("Backward", ""),
            ("Backward Open", ""),
            ("Doubled", ""),
            ("Phalanx", RANKS),
            ("Guarded", "3 4 5 6 7"),
        ),
    ),
    (
        "Imbalance",
        (
            ("Bishop Pair", ""),
            ("Rook Pair", ""),
            ("Knight Pawns", ""),
            ("Rook Pawns", ""),
            ("Bad Bishop", ""),
        ),
    ),
    ("Tempo", (("Turn", ""),)),
)


def _offsets() -> dict[str, int]:
    """Return the index of the first weight of each gene ("Gene") and of each of its rows ("Gene/Row")."""
    found: dict[str, int] = {}
    at = 0
    for gene, rows in ROWS:
        found[gene] = at
        for row, labels in rows:
            found[f"{gene}/{row}"] = at
            at += len(labels.split()) or 1
    found["end"] = at
    return found


OFFSETS: Final = _offsets()
NAMES: Final = tuple([gene for gene, _ in ROWS])

# The offsets of rows as constants, since compiled code would have to look up the entries of OFFSETS.
WEIGHTS: Final = 368
MOBILITY: Final = 184
BISHOP_MOBILITY: Final = 193
ROOK_MOBILITY: Final = 207
QUEEN_MOBILITY: Final = 222
KING_ATTACK: Final = 250
SAFE_CHECK: Final = 270
SHELTER: Final = 274
STORM: Final = 286
BLOCKED_STORM: Final = 292
PAWN_THREATS: Final = 297
MINOR_THREATS: Final = 301
ROOK_THREATS: Final = 306
KING_THREATS: Final = 309
HANGING: Final = 310
PUSH_THREATS: Final = 311
OUTPOSTS: Final = 312
ROOK_FILES: Final = 316
PASSED: Final = 319
BLOCKED: Final = 325
FREE_STEP: Final = 331
FREE_PATH: Final = 336
OWN_KING: Final = 342
OWN_ROOK: Final = 344
FORMATION: Final = 346
PHALANX: Final = 351
GUARDED: Final = 357
IMBALANCE: Final = 362
TEMPO: Final = 367


def end_of(gene: str) -> int:
    """Return the index after the last weight of a gene."""
    following = [OFFSETS[name] for name in NAMES if OFFSETS[name] > OFFSETS[gene]]
    return min([*following, WEIGHTS])


def square_index(kind: int, square: int) -> int:
    """Return the index of the weight of a white piece on a square, or -1 for a pawn on the first or last rank."""
    rank, file = divmod(square, 8)
    column = min(file, 7 - file)
    if kind == 0:
        return (rank - 1) * 4 + column if 1 <= rank <= 6 else -1
    return 24 + ((kind - 1) * 8 + rank) * 4 + column


def square_bonuses(numbers: tuple[float, ...]) -> list[float]:
    """Return the table [kind * 64 + square] of bonuses for White's pieces by the Squares Gene."""
    indices = [square_index(kind, square) for kind in range(6) for square in range(64)]
    return [numbers[index] if index >= 0 else 0.0 for index in indices]


OUTPOST_RANKS: Final = vec[i64]([0x0000FFFFFF000000, 0x000000FFFFFF0000])  # from the fourth to the sixth
SEVENTH: Final = vec[i64]([0x00FF000000000000, 0x000000000000FF00])
THIRD: Final = vec[i64]([0x0000000000FF0000, 0x0000FF0000000000])
assert len(OUTPOST_RANKS) == len(SEVENTH) == len(THIRD) == 2

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


# -- The sum -----------------------------------------------------------------------------------------

# Indices in PositionalScorer.attacks, in addition to side * 8 + kind of piece: all squares that the side's pieces
# other than its king attack, and the squares that two or more pieces attack (all pawns count as one).
NON_KING_ATTACKS: Final = 6
DOUBLE_ATTACKS: Final = 7
PAWN_WORDS: Final = 4  # of an entry: key, score, passed pawns, and one unused
PAWN_MASK: Final = 0x1FFF
FORMATION_MASK: Final = 0xFFF
MIX: Final = i64(-0x61C8864680B583EB)  # multipliers of splitmix64
MIX_2: Final = i64(-0x40A7B892E31B1A47)
MIX_3: Final = i64(-0x6B2FB644ECCEEE15)


@final
class PositionalScorer:
    """The sum of the positional genes; two hash tables keep the parts that depend on pawns and kings only."""

    def __init__(self) -> None:
        self.attacks: Final = vec[i64]([0] * 16)
        self.attackers: Final = vec[i64]([0] * 2)  # by side: pieces that attack squares near the enemy's king
        # Scores by the squares of pawns and kings, and by those of pawns alone.
        self.pawns: Final = _table(PAWN_MASK)
        self.formations: Final = _table(FORMATION_MASK)

    def score(self, board: vec[i64], phase: i64, weights: vec[i64], places: vec[i64]) -> i64:
        """Return White's score minus Black's by the weights of one phase.

        `places` are the bonuses of pieces by square, including those of pawns and kings.
        """
        assert len(board) == mg.WORDS and len(weights) == WEIGHTS
        kings = bb.lowest(board[mg.KINGS]) * 64 + bb.lowest(board[6 + mg.KINGS])
        pawns = board[0] * MIX + board[6] * MIX_2 + (phase + 1) * 4096 * MIX_3
        key = pawns + (kings + 1) * MIX_3
        key ^= (key >> 32) & 0xFFFFFFFF
        table = self.pawns
        assert len(table) == PAWN_WORDS * (PAWN_MASK + 1)
        at = (key & PAWN_MASK) * PAWN_WORDS
        prefetch(table, at)
        score = self._pieces(board, 0, weights, places) - self._pieces(board, 1, weights, places)
        if table[at] != key:
            formations = self.formations
            inner = ((pawns >> 40) & FORMATION_MASK) * PAWN_WORDS
            if formations[inner] != pawns:
                formations[inner] = pawns
                formations[inner + 1] = _pawns(board, 0, weights, places) - _pawns(board, 1, weights, places)
                passed = passed_pawns(board[0], board[6], 0) | passed_pawns(board[6], board[0], 1)
                formations[inner + 2] = passed
            passed = formations[inner + 2]
            around = _king(board, 0, weights, places, passed) - _king(board, 1, weights, places, passed)
            table[at] = key
            table[at + 1] = formations[inner + 1] + around
            table[at + 2] = passed
        score += table[at + 1]
        passed = table[at + 2]
        score += self._relations(board, 0, weights) - self._relations(board, 1, weights)
        if passed:
            score += self._passed(board, 0, weights, passed) - self._passed(board, 1, weights, passed)
        return score + weights[TEMPO] * (1 - 2 * board[mg.TURN])

    def score_of(self, board: vec[i64], side: i64, weights: vec[i64], places: vec[i64]) -> i64:
        """Return the share of one side in the score."""
        pieces = [self._pieces(board, which, weights, places) for which in (i64(0), i64(1))]
        passed = passed_pawns(board[side * 6], board[6 - side * 6], side)
        score = _pawns(board, side, weights, places) + _king(board, side, weights, places, passed)
        score += pieces[side] + self._relations(board, side, weights)
        score += self._passed(board, side, weights, passed)
        return score + weights[TEMPO] if board[mg.TURN] == side else score

    def _pieces(self, board: vec[i64], side: i64, weights: vec[i64], places: vec[i64]) -> i64:
        """Return the score of a side's pieces by square, mobility and king attack; record what the side attacks."""
        assert 0 <= side <= 1 and len(board) == mg.WORDS and len(weights) == WEIGHTS and len(places) == 384
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
            score += places[64 + (square ^ mirror)] + weights[MOBILITY + bb.count(seen & free)]
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
            score += places[128 + (square ^ mirror)] + weights[BISHOP_MOBILITY + bb.count(seen & free)]
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
            score += places[192 + (square ^ mirror)] + weights[ROOK_MOBILITY + bb.count(seen & free)]
            twice |= everything & seen
            everything |= seen
            union |= seen
            if seen & near:
                attackers += 1
                by_rooks += bb.count(seen & near)
            file = bb.FILES[square & 7]
            if not pawns & file:
                score += weights[ROOK_FILES] if not enemy_pawns & file else weights[ROOK_FILES + 1]
        if rooks & SEVENTH[side]:
            score += bb.count(rooks & SEVENTH[side]) * weights[ROOK_FILES + 2]
        attacks[at + mg.ROOKS] = union
        union = 0
        by_queens: i64 = 0
        pieces = queens
        while pieces:
            square = bb.lowest(pieces)
            pieces &= pieces - 1
            seen = bb.rook_attacks(square, occupied) | bb.bishop_attacks(square, occupied)
            score += places[256 + (square ^ mirror)] + weights[QUEEN_MOBILITY + bb.count(seen & free)]
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
            row = KING_ATTACK + (attackers if attackers < 4 else i64(4)) - 1
            score += by_knights * weights[row] + by_bishops * weights[row + 4]
            score += by_rooks * weights[row + 8] + by_queens * weights[row + 12]
        return score

    def _relations(self, board: vec[i64], side: i64, weights: vec[i64]) -> i64:
        """Return the score of the relations between a side's pieces and the pieces of both sides.

        These are safe checks, threats, outposts and imbalance. _pieces() must have run for both sides.
        """
        assert 0 <= side <= 1 and len(board) == mg.WORDS and len(weights) == WEIGHTS
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
        # King attack.
        king = bb.lowest(board[enemy_base + mg.KINGS])
        if attackers[side]:
            near = bb.KING[king] | bb.BIT[king]
            weak = (near | bb.forward(near, other)) & ours & ~theirs
            if weak:
                row = KING_ATTACK + 16 + (attackers[side] if attackers[side] < 4 else i64(4)) - 1
                score += bb.count(weak) * weights[row]
        safe = ~board[mg.SIDE + side] & ~(defended & ~(attacks[at + DOUBLE_ATTACKS] & ~theirs))
        diagonal = (bb.RISING[king] | bb.FALLING[king]) & safe
        if diagonal & (attacks[at + mg.BISHOPS] | attacks[at + mg.QUEENS]):
            diagonal &= bb.bishop_attacks(king, occupied)
        straight = bb.rook_attacks(king, occupied) & safe
        score += bb.count(bb.KNIGHT[king] & safe & attacks[at + mg.KNIGHTS]) * weights[SAFE_CHECK]
        score += bb.count(diagonal & attacks[at + mg.BISHOPS]) * weights[SAFE_CHECK + 1]
        score += bb.count(straight & attacks[at + mg.ROOKS]) * weights[SAFE_CHECK + 2]
        score += bb.count((diagonal | straight) & attacks[at + mg.QUEENS]) * weights[SAFE_CHECK + 3]
        # Threats.
        enemy_pawns = board[enemy_base]
        pieces = enemies & ~enemy_pawns & ~board[enemy_base + mg.KINGS]
        targets = attacks[at] & pieces
        if targets:
            for kind in range(i64(mg.KNIGHTS), i64(mg.KINGS)):
                score += bb.count(targets & board[enemy_base + kind]) * weights[PAWN_THREATS + kind - 1]
        by_pawns = attacks[against]
        minors = board[enemy_base + mg.KNIGHTS] | board[enemy_base + mg.BISHOPS]
        targets = (attacks[at + mg.KNIGHTS] | attacks[at + mg.BISHOPS]) & enemies
        if targets:
            score += bb.count(targets & enemy_pawns & ~defended) * weights[MINOR_THREATS]
            lesser = targets & ~by_pawns
            score += bb.count(lesser & board[enemy_base + mg.KNIGHTS]) * weights[MINOR_THREATS + 1]
            score += bb.count(lesser & board[enemy_base + mg.BISHOPS]) * weights[MINOR_THREATS + 2]
            score += bb.count(targets & board[enemy_base + mg.ROOKS]) * weights[MINOR_THREATS + 3]
            score += bb.count(targets & board[enemy_base + mg.QUEENS]) * weights[MINOR_THREATS + 4]
        targets = attacks[at + mg.ROOKS] & enemies
        if targets:
            score += bb.count(targets & enemy_pawns & ~defended) * weights[ROOK_THREATS]
            score += bb.count(targets & minors & ~by_pawns) * weights[ROOK_THREATS + 1]
            score += bb.count(targets & board[enemy_base + mg.QUEENS]) * weights[ROOK_THREATS + 2]
        loose = (pieces | enemy_pawns) & ~defended
        if loose:
            score += bb.count(loose & attacks[at + mg.KINGS]) * weights[KING_THREATS]
            score += bb.count(loose & ours) * weights[HANGING]
        pushes = bb.forward(pawns, side) & ~occupied
        pushes |= bb.forward(pushes & THIRD[side], side) & ~occupied
        pushes &= ~by_pawns & (ours | ~defended)
        targets = mg.pawn_attacks(pushes, side) & pieces
        if targets:
            score += bb.count(targets) * weights[PUSH_THREATS]
        # Outposts.
        own_minors = board[base + mg.KNIGHTS] | board[base + mg.BISHOPS]
        if own_minors:
            outposts = OUTPOST_RANKS[side] & attacks[at] & ~bb.beside(bb.in_front(enemy_pawns, other))
            score += bb.count(outposts & board[base + mg.KNIGHTS]) * weights[OUTPOSTS]
            score += bb.count(outposts & board[base + mg.BISHOPS]) * weights[OUTPOSTS + 1]
            reachable = outposts & attacks[at + mg.KNIGHTS] & ~board[mg.SIDE + side]
            score += bb.count(reachable) * weights[OUTPOSTS + 2]
            score += bb.count(bb.forward(own_minors, side) & (pawns | enemy_pawns)) * weights[OUTPOSTS + 3]
            # Imbalance.
            bishops = board[base + mg.BISHOPS]
            if bishops:
                if bishops & bb.DARK and bishops & ~bb.DARK:
                    score += weights[IMBALANCE]
                dark = bb.count(bishops & bb.DARK) * bb.count(pawns & bb.DARK)
                light = bb.count(bishops & ~bb.DARK) * bb.count(pawns & ~bb.DARK)
                score += (dark + light) * weights[IMBALANCE + 4]
            score += bb.count(board[base + mg.KNIGHTS]) * bb.count(pawns) * weights[IMBALANCE + 2]
        rooks = board[base + mg.ROOKS]
        if rooks:
            if rooks & (rooks - 1):
                score += weights[IMBALANCE + 1]
            score += bb.count(rooks) * bb.count(pawns) * weights[IMBALANCE + 3]
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
                score += weights[BLOCKED + rank]
            elif not stop & (occupied | theirs):
                path = bb.in_front(pawn, side)
                score += (
                    weights[FREE_PATH + rank] if not path & (occupied | theirs) else weights[FREE_STEP + rank]
                )
            behind = bb.in_front(pawn, other)
            if behind & board[base + mg.ROOKS]:
                score += weights[OWN_ROOK]
            if behind & board[other * 6 + mg.ROOKS]:
                score += weights[OWN_ROOK + 1]
        return score


def _table(mask: i64) -> vec[i64]:
    return vec[i64](memoryview(bytes(8 * int(PAWN_WORDS * (mask + 1)))).cast("q"))


def _king(board: vec[i64], side: i64, weights: vec[i64], places: vec[i64], passed: i64) -> i64:
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
            score += (rank - 1) * (own * weights[OWN_KING] + enemy * weights[OWN_KING + 1])
    return score


def _pawns(board: vec[i64], side: i64, weights: vec[i64], places: vec[i64]) -> i64:
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
            score += weights[GUARDED + rank - 1]  # no pawn guards the second rank
        if pawn & phalanx:
            score += weights[PHALANX + rank]
        elif not pawn & guarded:
            files = bb.FILES[square & 7]
            if not pawns & bb.beside(files):
                score += weights[FORMATION] if pawn & opposed else weights[FORMATION + 1]
            elif not pawn & guardable and bb.forward(pawn, side) & (by_enemies | enemies):
                score += weights[FORMATION + 2] if pawn & opposed else weights[FORMATION + 3]
        if pawn & passed:
            score += weights[PASSED + rank]
    doubled = pawns & bb.in_front(pawns, side)
    return score + bb.count(doubled) * weights[FORMATION + 4]


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
        score += weights[SHELTER + rank] if file == (king & 7) else weights[SHELTER + 6 + rank]
        storm = enemies & ahead & bb.FILES[file]
        near = _nearest(storm, mirror)
        if near and storm & bb.forward(own, side):
            score += weights[BLOCKED_STORM + near - 1]
        else:
            score += weights[STORM + near]
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


# -- The counts, from scores alone -------------------------------------------------------------------

DIGIT_BITS: Final = 10
DIGITS: Final = 6  # counts in one score; the absolute value of a count is at most 255


@final
class Counter:
    """A counter of features: for each weight, White's count minus Black's.

    A score by weights of 1, 2 ** DIGIT_BITS, 2 ** (2 * DIGIT_BITS) ... has one count in each of its digits.
    """

    def __init__(self) -> None:
        self.scorer = PositionalScorer()
        self.groups: list[tuple[vec[i64], vec[i64]]] = []
        indices = [square_index(kind, square) for kind in range(6) for square in range(64)]
        for first in range(0, WEIGHTS, DIGITS):
            weights = vec[i64]([0] * WEIGHTS)
            digit: i64 = 1
            for index in range(first, min(first + DIGITS, WEIGHTS)):
                weights[index] = digit
                digit <<= DIGIT_BITS
            places = vec[i64]([int(weights[index]) if index >= 0 else 0 for index in indices])
            self.groups.append((weights, places))

    def counts(self, board: vec[i64]) -> list[int]:
        """Return 5 + WEIGHTS counts, each clipped to a signed byte: P, N, B, R, Q, then the weights in order."""
        found = [int(bb.count(board[kind]) - bb.count(board[6 + kind])) for kind in range(5)]
        half: i64 = bb.BIT[DIGIT_BITS - 1]
        for number, (weights, places) in enumerate(self.groups):
            score = self.scorer.score(board, number, weights, places)
            for _digit in range(min(DIGITS, WEIGHTS - number * DIGITS)):
                count = ((score + half) & (2 * half - 1)) - half
                score = (score - count) >> DIGIT_BITS
                found.append(int(max(min(count, 127), -128)))
        return found
