"""The evaluation of a position by a genome: the board-scoring genes, weighted in whole numbers.

Reference: Genetic Chess, sections 4.1.1 and 4.2: score(side) = sum of priority x gene(side). The scales are those of
the program of 2017. Every gene counts something, so a score is a sum of counts times integer weights: exact, and the
same on every machine. The eight genes of 2017 come first, then the optional genes.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess import positional as ps
from core.chess import positional_weights as pw
from core.chess.pawn_structure import guarded_pawns, passed_pawns, pawn_islands, stacked_pawns
from core.chess.transposition import prefetch

# -- Scores: winning is infinite (section 3.1), and a mate is worth one unit more for each ply it comes earlier -----

PRIORITY_UNITS: Final = 16_777_216.0  # all priorities of a genome together
LIMIT: Final = 134_217_728  # evaluations are at most this, scores of mates are larger
MATE: Final = 268_435_456  # mate on the board; one unit less for each ply until the mate
INFINITE: Final = 536_870_912


def is_mate(score: i64) -> bool:
    return score > LIMIT or score < -LIMIT


def moves_to_mate(score: i64) -> int:
    """Return the moves until the mate that a score announces: negative if its owner is mated, 0 without a mate."""
    if score > LIMIT:
        return int(MATE - score + 1) // 2
    if score < -LIMIT:
        return -(int(MATE + score + 1) // 2)
    return 0


# -- The genes as numbers --------------------------------------------------------------------------

GENES: Final = (
    "Total Force",
    "Freedom to Move",
    "Pawn Advancement",
    "Opponent Pieces Targeted",
    "Sphere of Influence",
    "King Confinement",
    "King Protection",
    "Castling Possible",
    "Placement",
    "Passed Pawn",
    "Pawn Structure",
    "Stacked Pawns",
    "Pawn Islands",
    "Bishop Pair",
)
PLACEMENT: Final = 8
NO_BONUSES: Final[tuple[float, ...]] = (0.0,) * 6  # no bonus for any kind


@final
class PhaseParams:
    """The evaluation's numbers for one phase of the game: the opening, the endgame, or a blend of both.

    `priorities` are those of GENES, with 0 for a gene that is switched off or missing. `centre` and `advance` are the
    bonuses of the Placement Gene for pawn, knight, bishop, rook, queen and king in the middle of the board and on the
    last rank. `positional` holds the weights of core.chess.positional_weights, or is empty if the genome has none.
    """

    def __init__(
        self,
        priorities: tuple[float, ...],
        centre: tuple[float, ...] = NO_BONUSES,
        advance: tuple[float, ...] = NO_BONUSES,
        positional: tuple[float, ...] = (),
    ) -> None:
        self.priorities = priorities
        self.centre = centre
        self.advance = advance
        self.positional = positional

    def effective_priorities(self) -> list[float]:
        """Return the priorities, with that of Placement multiplied by its largest bonus.

        A Placement Gene without bonuses therefore takes nothing from the other genes.
        """
        priorities = list(self.priorities)
        priorities[PLACEMENT] *= max([abs(bonus) for bonus in self.centre + self.advance])
        return priorities

    def total(self) -> float:
        """Return the sum of the absolute effective priorities, plus the largest absolute positional weight."""
        total = 0.0  # since Python 3.12 sum() rounds differently, and a run must not depend on the version
        for priority in self.effective_priorities():
            total += abs(priority)
        return total + max([abs(number) for number in self.positional]) if self.positional else total

    def interpolate(self, other: "PhaseParams", share: float) -> "PhaseParams":
        """Return a blend: `share` (0 to 1) of these numbers and the rest of the other's."""
        return PhaseParams(
            _interpolate(self.priorities, other.priorities, share),
            _interpolate(self.centre, other.centre, share),
            _interpolate(self.advance, other.advance, share),
            _interpolate(self.positional, other.positional, share),
        )

    def equals(self, other: "PhaseParams") -> bool:
        return (
            self.priorities == other.priorities
            and self.centre == other.centre
            and self.advance == other.advance
            and self.positional == other.positional
        )


@final
class EvalParams:
    """The numbers of opening and endgame, and the internal factors of the genes.

    `strengths` are those of pawn, knight, bishop, rook and queen, scaled so that a whole army is worth 1.
    """

    def __init__(
        self,
        *,
        strengths: tuple[float, float, float, float, float],
        opening: PhaseParams,
        endgame: PhaseParams | None = None,
        legal_bonus: float = 1.0,
        king_target_factor: float = 0.0,
        guards: bool = True,
        kingside_preference: float = 0.5,
        scaling: tuple[float, ...] = (1.0, 1.0, 1.0),
    ) -> None:
        """Create the parameters; without `endgame`, the endgame has the numbers of the opening.

        With `guards`, squares that own pieces guard do not expose the king (the text of section 4.2.7).
        `scaling` is the share of a score that remains in each of DRAWISH_ENDINGS.
        """
        self.strengths = strengths
        self.opening = opening
        self.endgame = endgame or opening
        self.has_phases = not self.opening.equals(self.endgame)
        self.legal_bonus = legal_bonus
        self.king_target_factor = king_target_factor
        self.guards = guards
        self.kingside_preference = kingside_preference
        self.scaling = scaling

    def stage(self, share: float) -> PhaseParams:
        """Return the numbers for a position in which `share` of the opening is left, from 1 to 0."""
        return self.opening.interpolate(self.endgame, share) if self.has_phases else self.opening

    def total(self) -> float:
        """Return the mean of the totals of opening and endgame."""
        return (self.opening.total() + self.endgame.total()) / 2

    def with_gene_only(self, gene: str) -> "EvalParams":
        """Return a copy with priority 1 for one of GENES and 0 for the others, or with one positional gene."""
        priorities = tuple([1.0 if name == gene else 0.0 for name in GENES])
        return EvalParams(
            strengths=self.strengths,
            opening=_stage_for_gene(self.opening, priorities, gene),
            endgame=_stage_for_gene(self.endgame, priorities, gene),
            legal_bonus=self.legal_bonus,
            king_target_factor=self.king_target_factor,
            guards=self.guards,
            kingside_preference=self.kingside_preference,
        )


def _stage_for_gene(stage: PhaseParams, priorities: tuple[float, ...], gene: str) -> PhaseParams:
    """Return the numbers of a phase with these priorities, and with only the positional weights of `gene`."""
    numbers = [0.0] * len(stage.positional)
    if numbers and gene in pw.OFFSETS:
        begin, end = pw.OFFSETS[gene], pw.end_of(gene)
        numbers[begin:end] = stage.positional[begin:end]
    return PhaseParams(priorities, stage.centre, stage.advance, tuple(numbers))


def _interpolate(numbers: tuple[float, ...], others: tuple[float, ...], share: float) -> tuple[float, ...]:
    return tuple([a * share + b * (1.0 - share) for a, b in zip(numbers, others, strict=True)])


# -- Placement: a bonus by square for each kind of piece, the sum of two patterns ------------------


def _centrality(square: int) -> float:
    """Return 0 on the edge of the board, 1 on its four central squares, thirds between them."""
    file, rank = square % 8, square // 8
    return min([file, 7 - file, rank, 7 - rank]) / 3


CENTRE: Final = [_centrality(square) for square in range(64)]


def places(centre: tuple[float, ...], advance: tuple[float, ...]) -> list[float]:
    """Return the table [kind * 64 + square] of bonuses for White's pieces, from the two bonuses of each kind."""
    bonuses: list[float] = []
    for middle, last in zip(centre, advance, strict=True):
        ranks = [last * rank / 7 for rank in range(8)]
        bonuses += [middle * CENTRE[square] + ranks[square >> 3] for square in range(64)]
    return bonuses


def placed(board: vec[i64], side: i64, table: vec[i64]) -> i64:
    """Return the sum of a side's bonuses; for Black the ranks of the table are mirrored."""
    mirror = side * 56
    score: i64 = 0
    for kind in range(i64(6)):
        pieces = board[side * 6 + kind]
        while pieces:
            score += table[kind * 64 + (bb.lowest(pieces) ^ mirror)]
            pieces &= pieces - 1
    return score


# -- The weights of one phase, ready to be multiplied with counts ----------------------------------

OPENING: Final = 24  # the phase at the start of the game; 0 is the pure endgame
FREEDOM_SCALE: Final = 20.0  # legal moves at the start
PAWN_SCALE: Final = 48.0  # eight pawns about to promote
SPHERE_SCALE: Final = 64.0
CONFINEMENT_SCALE: Final = 58.0 / 3.0  # a king on e4 of an empty board: 1 + 8/2 + 16/3 + 24/4 + 15/5
PROTECTION_SCALE: Final = 35.0  # 8 knight leaps, 14 rook and 13 bishop squares from d4 or e4
ISLANDS_SCALE: Final = 4.0  # pawn islands: the most that fit on eight files


def phase(board: vec[i64]) -> i64:
    """Return the phase, 0 to OPENING: the sum of both sides' pieces, with N = B = 1, R = 2, Q = 4."""
    assert len(board) == mg.WORDS
    minor = board[mg.KNIGHTS] | board[mg.BISHOPS] | board[6 + mg.KNIGHTS] | board[6 + mg.BISHOPS]
    rooks = board[mg.ROOKS] | board[6 + mg.ROOKS]
    queens = board[mg.QUEENS] | board[6 + mg.QUEENS]
    left = bb.count(minor) + 2 * bb.count(rooks) + 4 * bb.count(queens)
    return min(left, OPENING)


@final
class PhaseWeights:
    """The integer weight of each count in one phase of the game, in units; `unit` is the value of priority 1."""

    def __init__(self, params: EvalParams, stage: PhaseParams, unit: float, phase: i64) -> None:
        self.phase = phase
        (
            force, freedom, advancement, targeted, sphere, confinement, protection, castling,
            placement, passed, structure, stacked, islands, pair,
        ) = stage.priorities  # fmt: skip
        strengths = params.strengths
        self.material: Final = rounded([unit * force * strength for strength in strengths] + [0.0, 0.0])
        self.freedom: i64 = round(unit * freedom / FREEDOM_SCALE)
        self.advance: i64 = round(unit * advancement / PAWN_SCALE)
        self.targeted: Final = rounded([unit * targeted * strength for strength in strengths] + [0.0, 0.0])
        square = unit * sphere / SPHERE_SCALE
        self.legal_bonus: i64 = round(square * (params.legal_bonus - 1.0))
        self.sphere: Final = rounded([square * (1.0 + params.king_target_factor / (1 + d)) for d in range(8)])
        step = unit * confinement / CONFINEMENT_SCALE
        self.king_mobility: Final = rounded([step / (1 + d) for d in range(64)])
        self.protection: i64 = round(unit * protection)
        self.king_exposure: i64 = round(unit * protection / PROTECTION_SCALE)
        self.guards = params.guards
        self.castled: i64 = round(unit * castling)
        kingside = unit * castling * params.kingside_preference
        queenside = unit * castling * (1.0 - params.kingside_preference)
        # [empty squares between king and rook] on the king's, then the queen's wing
        self.castling: Final = rounded(
            [kingside * n / 3 for n in range(4)] + [queenside * n / 4 for n in range(4)]
        )
        bonuses = rounded([unit * placement * bonus for bonus in places(stage.centre, stage.advance)])
        self.needs_positional = any(number != 0.0 for number in stage.positional)
        self.has_later = any(number != 0.0 for number in stage.positional[pw.OWN_WING :])
        self.positional: Final = rounded([unit * number for number in stage.positional])
        # The bonuses of pieces by square, for each value of positional.wings().
        self.places: Final = (
            ps.place_tables(self.positional, bonuses)
            if self.needs_positional
            else vec[vec[i64]]([bonuses] * 4)
        )
        self.passed: Final = rounded(
            [unit * passed * ((1 + n) / 6) ** 2 / 8 for n in range(6)]
        )  # ranks advanced
        self.guarded: i64 = round(unit * structure / 8)
        self.stacked: i64 = round(unit * stacked / 8)
        self.island: i64 = round(unit * islands / ISLANDS_SCALE)
        self.pair: i64 = round(unit * pair)
        self.needs_progress = any([self.advance, self.castled])
        self.needs_moves = any([self.freedom, self.legal_bonus, targeted, sphere])
        self.needs_targets = targeted != 0.0
        self.needs_sphere = sphere != 0.0
        self.needs_king = any([confinement, protection])
        # With positional genes the bonuses by square are counted while the pieces' attacks are computed.
        self.needs_places = placement != 0.0 and not self.needs_positional
        self.needs_pawns = any([passed, structure, stacked, islands])
        self.needs_structure = any([self.needs_places, self.needs_pawns, self.pair])


def rounded(numbers: list[float]) -> vec[i64]:
    return vec[i64]([round(number) for number in numbers])


# -- The evaluation --------------------------------------------------------------------------------

# The ranks a pawn has advanced (0 to 5), in binary: sets of the squares whose number has the bit 1, 2 or 4, for
# White's pawns, then for Black's.
ADVANCED: Final = vec[i64]([
    0x00FF00FF00FF0000, 0x000000FFFF000000, 0x00FFFF0000000000,
    0x0000FF00FF00FF00, 0x000000FFFF000000, 0x0000000000FFFF00,
])  # fmt: skip
# Masks: the part of a hash that is the index of its word in the cache; the part that the word keeps; the word's
# score, counted from 1 since 0 is an empty word. With 256 KiB, which stay in the second-level cache, the search is 1.03
# times as fast as with 1 MiB.
CACHE_INDEX: Final = 0x7FFF
CACHE_KEY: Final = -0x20000000
CACHE_SCORE: Final = 0x1FFFFFFF
NOTHING: Final = 1e-200  # a total of priorities up to this counts as 0, so that the unit stays finite


@final
class Evaluator:
    """The evaluation of positions by a genome's parameters, with a cache of recent scores."""

    def __init__(self, params: EvalParams) -> None:
        self.unit: Final = unit_of(params)
        total = params.total()
        material = (abs(params.opening.priorities[0]) + abs(params.endgame.priorities[0])) / 2
        self.pawn: Final = max(1, round((material or total) * self.unit / 39.0))  # 1/39 of an army
        self.has_phases: Final = params.has_phases
        shares = [left / int(OPENING) for left in range(int(OPENING) + 1)] if self.has_phases else [1.0]
        self.phases: Final = [
            PhaseWeights(params, params.stage(share), self.unit, number)
            for number, share in enumerate(shares)
        ]
        self.material: Final = self.phases[
            len(shares) // 2
        ].material  # the values of the pieces, halfway through the game
        self.scaling: Final = vec[i64]([round(64 * share) for share in params.scaling])
        self.has_scaling: Final = any(share != 1.0 for share in params.scaling)
        self.positional: Final = ps.PositionalScorer()
        self.cache: Final = vec[i64](memoryview(bytes(8 * (int(CACHE_INDEX) + 1))).cast("q"))

    def touch(self, key: i64) -> None:
        """Prefetch the cache word of the position with this hash, so that score() need not wait for it."""
        prefetch(self.cache, key & CACHE_INDEX)

    def score(self, board: vec[i64]) -> i64:
        """Return Score(side to move) - Score(opponent) in units, clipped to -LIMIT..LIMIT."""
        cache = self.cache
        key = board[mg.HASH]
        known = cache[key & CACHE_INDEX]
        if not (known ^ key) & CACHE_KEY and known & CACHE_SCORE:
            return (known & CACHE_SCORE) - LIMIT - 1
        weights = self.phase_weights(board)
        side = board[mg.TURN]
        other = 1 - side
        material = weights.material
        score = _force(board, side * 6, material) - _force(board, other * 6, material)
        if weights.needs_progress:
            score += _progress(board, side, weights) - _progress(board, other, weights)
        if weights.needs_structure:
            score += _structure(board, side, weights) - _structure(board, other, weights)
        if weights.needs_moves or weights.needs_king:
            ours = _survey(board, side)
            theirs = _survey(board, other)
            score += _activity(board, side, weights, ours, theirs)
            score -= _activity(board, other, weights, theirs, ours)
        if weights.needs_positional:
            advantage = self.positional.score(
                board, weights.phase, weights.positional, weights.places, weights.has_later
            )
            score += advantage if side == 0 else -advantage
        if self.has_scaling:
            score = self._scaled(board, score)
        if score > LIMIT:
            score = LIMIT
        elif score < -LIMIT:
            score = -LIMIT
        cache[key & CACHE_INDEX] = (key & CACHE_KEY) | (score + LIMIT + 1)
        return score

    def _scaled(self, board: vec[i64], score: i64) -> i64:
        """Return the score scaled down in endings that are drawn more often than the material suggests."""
        stronger = board[mg.TURN] if score > 0 else 1 - board[mg.TURN]
        ending = drawish_ending(board, stronger)
        if ending < 0:
            return score
        share = self.scaling[ending]
        return (score * share) >> 6 if score > 0 else -((-score * share) >> 6)

    def centipawns(self, score: i64) -> int:
        """Return units as hundredths of a pawn, where a pawn is 1/39 of an army's Total Force."""
        pawn: i64 = self.pawn
        half = pawn // 2
        return int((score * 100 + half) // pawn) if score >= 0 else -int((half - score * 100) // pawn)

    def phase_weights(self, board: vec[i64]) -> PhaseWeights:
        """Return the weights for the board's phase of the game."""
        return self.phases[phase(board)] if self.has_phases else self.phases[0]

    def places(self, board: vec[i64]) -> vec[i64]:
        """Return the table [kind * 64 + square] of bonuses for the pieces of the side to move, as White's."""
        tables = self.phase_weights(board).places
        assert len(tables) == 4
        base = board[mg.TURN] * 6
        return tables[ps.wings(bb.lowest(board[base + mg.KINGS]), bb.lowest(board[6 - base + mg.KINGS]))]


def unit_of(params: EvalParams) -> float:
    """Return the value of priority 1, the same in all phases, since a search compares scores of different phases."""
    total = params.total()
    return PRIORITY_UNITS / total if total > NOTHING else 0.0


def _weights_alone(params: EvalParams, unit: float, board: vec[i64]) -> PhaseWeights:
    """Return the weights for the board's phase alone: an Evaluator, with all phases, takes 20 times as long."""
    left = phase(board) if params.has_phases else i64(0)
    return PhaseWeights(params, params.stage(int(left) / int(OPENING)), unit, left)


def gene_scores(board: vec[i64], side: i64, params: EvalParams) -> list[float]:
    """Return the score of each of GENES for one side; sections 4.2.1 to 4.2.8 define the first eight.

    Each gene is weighted alone, by the same functions that the search uses.
    """
    scores: list[float] = []
    ours, theirs = _survey(board, side), _survey(board, 1 - side)
    for gene in GENES:
        alone = params.with_gene_only(gene)
        unit = unit_of(alone)
        weights = _weights_alone(alone, unit, board)
        units = _force(board, side * 6, weights.material) + _progress(board, side, weights)
        units += _structure(board, side, weights)
        units += _activity(board, side, weights, ours, theirs)
        scores.append(float(units) / unit if unit else 0.0)
    return scores


def positional_scores(board: vec[i64], side: i64, params: EvalParams) -> list[float]:
    """Return the score of each of the genes of core.chess.positional_weights for one side, each weighted alone."""
    scores: list[float] = []
    scorer = ps.PositionalScorer()
    for gene in pw.NAMES:
        alone = params.with_gene_only(gene)
        unit = unit_of(alone)
        weights = _weights_alone(alone, unit, board)
        units: i64 = 0
        if weights.needs_positional:
            units = scorer.score_of(board, side, weights.positional, weights.places)
        scores.append(float(units) / unit if unit else 0.0)
    return scores


DRAWISH_ENDINGS: Final = ("No Pawns", "Opposite Bishops", "Opposite Bishops and Pieces")  # often drawn


def drawish_ending(board: vec[i64], stronger: i64) -> i64:
    """Return the index in DRAWISH_ENDINGS of the board's ending, or -1 if it is none of them.

    In the first the stronger side has no pawns and leads by no more than a minor piece. In the second each side has
    one bishop, of opposite colours, and no other piece; in the third there are other pieces too.
    """
    base = stronger * 6
    if not board[base]:
        lead = _pieces(board, base) - _pieces(board, 6 - base)
        if lead <= 3:
            return 0
    bishops, others = board[mg.BISHOPS], board[6 + mg.BISHOPS]
    if not bishops or not others or bishops & (bishops - 1) or others & (others - 1):
        return -1
    if (bishops & bb.DARK == 0) == (others & bb.DARK == 0):
        return -1
    rest = board[mg.SIDE] | board[mg.SIDE + 1]
    rest &= ~(board[0] | board[6] | bishops | others | board[mg.KINGS] | board[6 + mg.KINGS])
    return 2 if rest else i64(1)


def _pieces(board: vec[i64], base: i64) -> i64:
    """Return the value of a side's pieces in pawns, without its pawns: N = B = 3, R = 5, Q = 9."""
    minors = bb.count(board[base + mg.KNIGHTS] | board[base + mg.BISHOPS])
    return 3 * minors + 5 * bb.count(board[base + mg.ROOKS]) + 9 * bb.count(board[base + mg.QUEENS])


def _force(board: vec[i64], base: i64, material: vec[i64]) -> i64:
    """Return the score of Total Force for the side whose first piece set is `base`, 0 or 6."""
    assert len(board) == mg.WORDS and 0 <= base <= 6 and len(material) == 7
    score = bb.count(board[base]) * material[mg.PAWNS]
    score += bb.count(board[base + mg.KNIGHTS]) * material[mg.KNIGHTS]
    score += bb.count(board[base + mg.BISHOPS]) * material[mg.BISHOPS]
    score += bb.count(board[base + mg.ROOKS]) * material[mg.ROOKS]
    return score + bb.count(board[base + mg.QUEENS]) * material[mg.QUEENS]


def _progress(board: vec[i64], side: i64, weights: PhaseWeights) -> i64:
    """Return the score of the other genes that need no attacks: Pawn Advancement and Castling Possible."""
    pawns = board[side * 6]
    score: i64 = 0
    if weights.advance:
        rank = side * 3
        ones = bb.count(pawns & ADVANCED[rank])
        twos = bb.count(pawns & ADVANCED[rank + 1])
        fours = bb.count(pawns & ADVANCED[rank + 2])
        score += (ones + 2 * twos + 4 * fours + 6 * board[mg.PROMOTIONS + side]) * weights.advance
    if weights.castled:
        flags = board[mg.FLAGS]
        if flags & bb.BIT[4 + side]:
            score += weights.castled
        else:
            occupied = board[mg.SIDE] | board[mg.SIDE + 1]
            if flags & bb.BIT[side * 2]:
                left = 2 - bb.count(occupied & board[mg.CASTLING_EMPTY + side * 2])
                score += weights.castling[left if left > 0 else i64(0)]
            if flags & bb.BIT[side * 2 + 1]:
                left = 3 - bb.count(occupied & board[mg.CASTLING_EMPTY + side * 2 + 1])
                score += weights.castling[4 + left if left > 0 else i64(4)]
    return score


def _structure(board: vec[i64], side: i64, weights: PhaseWeights) -> i64:
    """Return the score of the genes added since 2017: Placement, Bishop Pair and those of pawns."""
    base = side * 6
    score: i64 = 0
    if weights.needs_places:
        score += placed(board, side, weights.places[0])
    bishops = board[base + mg.BISHOPS]
    if bishops & (bishops - 1):
        score += weights.pair
    pawns = board[base]
    if weights.needs_pawns and pawns:
        score += bb.count(guarded_pawns(pawns, side)) * weights.guarded
        score += bb.count(stacked_pawns(pawns, side)) * weights.stacked
        score += pawn_islands(pawns) * weights.island
        passed = passed_pawns(pawns, board[6 - base], side)
        while passed:
            score += weights.passed[((bb.lowest(passed) ^ side * 56) >> 3) - 1]
            passed &= passed - 1
    return score


def _survey(board: vec[i64], side: i64) -> tuple[i64, i64, i64, i64, i64]:
    """Return (guarded, reach, legal, moves, checkers) of a side as if it were to move, leaving out its king's moves.

    `guarded` are the squares that its pieces attack, `reach` those that they would attack on an empty board, `legal`
    those that pieces may legally move to and pawns legally capture on, `moves` the number of legal moves, and
    `checkers` the pieces that give check to its king.
    """
    base = side * 6
    own = board[mg.SIDE + side]
    enemies = board[mg.SIDE + 1 - side]
    occupied = own | enemies
    king = bb.lowest(board[base + mg.KINGS])
    checkers, pinned = mg.checks_and_pins(board, side)
    allowed = ~own
    if checkers:
        allowed = 0
        if not checkers & (checkers - 1):
            allowed = checkers | bb.BETWEEN[king * 64 + bb.lowest(checkers)]
    pawns = board[base]
    guarded = mg.pawn_attacks(pawns, side)
    reach = guarded
    pawns &= ~pinned
    legal = mg.pawn_attacks(pawns, side) & enemies & allowed
    moves = mg.count_pawn_moves(side, pawns, enemies & allowed, ~occupied, allowed)
    pieces = board[base + mg.KNIGHTS]
    while pieces:
        square = bb.lowest(pieces)
        pieces &= pieces - 1
        seen = bb.KNIGHT[square]
        guarded |= seen
        reach |= seen
        if not pinned & bb.BIT[square]:
            seen &= allowed
            legal |= seen
            moves += bb.count(seen)
    queens = board[base + mg.QUEENS]
    rooks = board[base + mg.ROOKS]
    pieces = board[base + mg.BISHOPS] | rooks | queens
    while pieces:
        bit = pieces & -pieces
        square = bb.lowest(pieces)
        pieces &= pieces - 1
        if bit & rooks:
            seen = bb.rook_attacks(square, occupied)
            reach |= bb.rook_attacks(square, 0)
        else:
            seen = bb.bishop_attacks(square, occupied)
            reach |= bb.bishop_attacks(square, 0)
            if bit & queens:
                seen |= bb.rook_attacks(square, occupied)
                reach |= bb.rook_attacks(square, 0)
        guarded |= seen
        seen &= allowed
        if pinned & bit:
            seen &= bb.LINE[king * 64 + square]
        legal |= seen
        moves += bb.count(seen)
    pieces = board[base] & pinned
    while pieces:
        bit = pieces & -pieces
        line = bb.LINE[king * 64 + bb.lowest(pieces)] & allowed
        pieces &= pieces - 1
        legal |= mg.pawn_attacks(bit, side) & enemies & line
        moves += mg.count_pawn_moves(side, bit, enemies & line, ~occupied, line)
    if board[mg.EN_PASSANT] and board[mg.TURN] == side:
        legal |= bb.BIT[board[mg.EN_PASSANT]]
        moves += bb.count(mg.en_passant_captors(board, side, board[mg.EN_PASSANT]))
    return guarded, reach, legal, moves, checkers


def _activity(
    board: vec[i64],
    side: i64,
    weights: PhaseWeights,
    ours: tuple[i64, i64, i64, i64, i64],
    theirs: tuple[i64, i64, i64, i64, i64],
) -> i64:
    """Return the score of the genes that need both sides' attacks.

    These are Freedom to Move, Opponent Pieces Targeted, Sphere of Influence, King Confinement and King Protection.
    """
    guarded, reach, legal, moves, checkers = ours
    other = 1 - side
    king = bb.lowest(board[side * 6 + mg.KINGS])
    other_king = bb.lowest(board[other * 6 + mg.KINGS])
    own = board[mg.SIDE + side]
    occupied = own | board[mg.SIDE + other]
    danger = theirs[0] | bb.KING[other_king]
    score: i64 = 0
    if weights.needs_moves:
        steps = bb.KING[king] & ~own & ~danger
        if checkers:  # a sliding piece also attacks the squares behind a king that moves along its line
            steps &= ~mg.attacked(board, other, occupied ^ bb.BIT[king])
        else:
            wings = mg.legal_castling(board, mg.castling_candidates(board, side), side, danger)
            moves += (wings & 1) + (wings >> 1)
        legal |= steps
        score += (moves + bb.count(steps)) * weights.freedom
        if weights.needs_targets:
            targeted = weights.targeted
            targets = legal & board[mg.SIDE + other]
            while targets:
                score += targeted[board[mg.MAILBOX + bb.lowest(targets)] - other * 6]
                targets &= targets - 1
            if board[mg.EN_PASSANT] and board[mg.TURN] == side:
                score += targeted[mg.PAWNS]
        if weights.needs_sphere:
            reach |= bb.KING[king]
            sphere = weights.sphere
            ring = other_king * 8
            for away in range(i64(8)):
                squares = bb.RING[ring + away] & reach
                if squares:
                    score += bb.count(squares) * sphere[away]
            score += bb.count(reach & legal) * weights.legal_bonus
    if weights.needs_king:
        king_mobility = weights.king_mobility
        if not checkers:
            score += king_mobility[0]
        free = ~own & ~danger
        reached = bb.BIT[king]
        edge = bb.KING[king] & free
        distance: i64 = 1
        while edge:
            score += bb.count(edge) * king_mobility[distance]
            reached |= edge
            edge = bb.spread(edge) & free & ~reached
            distance += 1
        views = bb.rook_attacks(king, occupied) | bb.bishop_attacks(king, occupied) | bb.KNIGHT[king]
        views &= ~occupied
        if weights.guards:
            views &= ~guarded
        score += weights.protection - bb.count(views) * weights.king_exposure
    return score
