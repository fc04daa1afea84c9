"""The weights of the positional genes: what each one counts, and its index.

A weight is a number of a genome's file; core.chess.positional multiplies it with a count. A row is a line of the file.
"""

from typing import Final

RANKS: Final = "2 3 4 5 6 7"
Rows = tuple[tuple[str, str], ...]  # name, and a label for each weight


PIECES: Final = ("Knight", "Bishop", "Rook", "Queen")


def _square_rows(kinds: tuple[str, ...]) -> Rows:
    pawns = [(f"Pawn {rank}", "a b c d") for rank in range(2, 8)]
    pieces = [(f"{kind} {rank}", "a b c d") for kind in kinds for rank in range(1, 9)]
    return tuple(pawns + pieces)


def _numbers(most: int) -> str:
    return " ".join([str(number) for number in range(most + 1)])


ROWS: Final[tuple[tuple[str, Rows], ...]] = (
    # A piece of the kind on a square; the other half of the board is the mirror image.
    ("Squares", _square_rows((*PIECES, "King"))),
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
    # A piece of the kind on a square: plus 1 on the half of the board (files a to d, or e to h) on which its own king
    # stands, minus 1 on the other half; and the same for the enemy's king.
    ("Own Wing", _square_rows(PIECES)),
    ("Enemy Wing", _square_rows((*PIECES, "King"))),
    # The number of the side's pieces of a kind times the number of its own, or of the enemy's, of another kind above or
    # below the usual one: 5 pawns, 2 rooks, 1 of other pieces, and no bishop pair. So these weights change the worth of
    # a piece by what else is on the board, and leave its mean worth to the genes of material. A bishop pair has bishops
    # on squares of both colours.
    (
        "Material Pairs",
        (
            ("Pawns with Own", "P"),
            ("Knights with Own", "N"),
            ("Bishops with Own", "P N B"),
            ("Rooks with Own", "N B R"),
            ("Queens with Own", "P N B R Q"),
            ("Bishop Pair with Own", "P N R Q"),
            ("Knights with Enemy", "P"),
            ("Bishops with Enemy", "P N"),
            ("Rooks with Enemy", "P N B"),
            ("Queens with Enemy", "P N B R"),
            ("Bishop Pair with Enemy", "P N B R Q"),
        ),
    ),
    # A square is weakly guarded if no enemy pawn guards it, and at most one enemy piece or king unless two of the own
    # side attack it too. Counted are: an enemy piece or pawn on such a square that is attacked, one that is attacked
    # twice, and a piece that its queen alone guards; a weakly guarded square from which a knight, or a supported bishop
    # or rook, could attack the only enemy queen.
    (
        "Weak Points",
        (
            ("Attacked", ""),
            ("Attacked Twice", ""),
            ("Guarded by Queen", ""),
            ("Knight to Queen", ""),
            ("Slider to Queen", ""),
        ),
    ),
    # A piece or pawn that alone stands between its king and an enemy bishop, rook or queen which would give check
    # without it.
    ("Pins", (("Pinned", "P N B R Q"),)),
    ("Castling Rights", (("King Side", ""), ("Queen Side", ""))),
    # Counts of the genes Tempo and King Attack, with a weight for each number of pawns on the board: the turn; a square
    # near the enemy's king that a piece attacks, for each such piece; a weak one of these squares; a safe check.
    (
        "Pawns Left",
        (
            ("Turn", _numbers(16)),
            ("Attacked Square", _numbers(16)),
            ("Weak Square", _numbers(16)),
            ("Safe Check", _numbers(16)),
        ),
    ),
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
WEIGHTS: Final = 816
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
OWN_WING: Final = 368
ENEMY_WING: Final = 520
PAIRS: Final = 704
WEAK_POINTS: Final = 736
PINS: Final = 741
RIGHTS: Final = 746
PAWNS_LEFT: Final = 748


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
