"""Bitboards: operations on sets of squares, and the constant tables of attacks, lines and hash keys.

Squares are numbered along the ranks from a1 = 0 to h8 = 63. A set of squares is an i64 whose bit n stands for square
n. Tables are typed vectors, since module-level lists of ints would stay boxed.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.random import Random

ALL: Final = -1
FILE_A: Final = 0x0101010101010101
FILE_B: Final = 0x0202020202020202
FILE_H: Final = i64(-0x7F7F7F7F7F7F7F80)
DARK: Final = i64(-0x55AA55AA55AA55AB)  # the squares coloured like a1
RANK_1: Final = 0xFF
RANK_3: Final = 0xFF0000
RANK_6: Final = 0xFF0000000000
RANK_8: Final = -0x100000000000000
# The bits that a logical shift right by 7, 8 or 9 can set: >> keeps the sign, so its result is masked with them.
UNDER_7: Final = 0x01FFFFFFFFFFFFFF
UNDER_8: Final = 0x00FFFFFFFFFFFFFF
UNDER_9: Final = 0x007FFFFFFFFFFFFF
EVEN_BITS: Final = i64(0x5555555555555555)
EVEN_PAIRS: Final = 0x3333333333333333
EVEN_NIBBLES: Final = 0x0F0F0F0F0F0F0F0F
COLUMN_TO_ROW: Final = 0x0004081020408000  # a2 to f58, a3 to f59, ... a7 to 63
DE_BRUIJN: Final = 0x03F79D71B4CB0A89


def count(squares: i64) -> i64:
    """Return the number of squares in the set."""
    x = squares - ((squares >> 1) & EVEN_BITS)
    x = (x & EVEN_PAIRS) + ((x >> 2) & EVEN_PAIRS)
    x = (x + (x >> 4)) & EVEN_NIBBLES
    return ((x * FILE_A) >> 56) & 0xFF


def lowest(squares: i64) -> i64:
    """Return the lowest square of a set, which must not be empty."""
    return LOWEST[(((squares & -squares) * DE_BRUIJN) >> 58) & 63]


def rook_attacks(square: i64, occupied: i64) -> i64:
    """Return the squares that a rook attacks, including the first occupied square in each direction."""
    file, first = square & 7, square & 56
    row = (occupied >> (first + 1)) & 63
    column = ((((occupied >> file) & FILE_A) * COLUMN_TO_ROW) >> 58) & 63
    return ((ROW_SEEN[row * 8 + file] & RANK_1) << first) | (COLUMN_SEEN[column * 8 + (square >> 3)] << file)


def bishop_attacks(square: i64, occupied: i64) -> i64:
    """Return the squares that a bishop attacks, including the first occupied square in each direction."""
    file = square & 7
    rising, falling = RISING[square], FALLING[square]
    row = (((occupied & rising) * FILE_B) >> 58) & 63
    other = (((occupied & falling) * FILE_B) >> 58) & 63
    return (ROW_SEEN[row * 8 + file] & rising) | (ROW_SEEN[other * 8 + file] & falling)


def spread(squares: i64) -> i64:
    """Return the squares of the set and all squares a king's move away from one of them."""
    wide = squares | ((squares << 1) & ~FILE_A) | ((squares >> 1) & ~FILE_H)
    return wide | (wide << 8) | ((wide >> 8) & UNDER_8)


def beside(squares: i64) -> i64:
    """Return the squares directly to the left and to the right of the squares of the set."""
    return ((squares << 1) & ~FILE_A) | ((squares >> 1) & ~FILE_H)


def forward(squares: i64, side: i64) -> i64:
    """Return the set moved one rank ahead in the direction in which the side's pawns move."""
    return squares << 8 if side == 0 else (squares >> 8) & UNDER_8


def in_front(squares: i64, side: i64) -> i64:
    """Return all squares in front of the squares of the set, on their files and as the side's pawns move."""
    if side == 0:
        ahead = squares << 8
        ahead |= ahead << 8
        ahead |= ahead << 16
        return ahead | (ahead << 32)
    ahead = (squares >> 8) & UNDER_8
    ahead |= ahead >> 8
    ahead |= ahead >> 16
    return ahead | (ahead >> 32)


def _bits() -> vec[i64]:
    bits = vec[i64]([0] * 64)
    bit: i64 = 1
    for square in range(i64(64)):
        bits[square] = bit
        bit += bit
    return bits


BIT: Final = _bits()


def _files() -> vec[i64]:
    files = vec[i64]([0] * 8)
    for square in range(i64(64)):
        files[square & 7] |= BIT[square]
    return files


FILES: Final = _files()  # the squares of each file


def _lowest() -> vec[i64]:
    numbers = vec[i64]([0] * 64)
    for square in range(i64(64)):
        numbers[((BIT[square] * DE_BRUIJN) >> 58) & 63] = square
    return numbers


LOWEST: Final = _lowest()


def _ray(square: i64, files: i64, ranks: i64, blockers: i64) -> i64:
    """Return the squares from `square` in one direction, up to and including the first blocker."""
    ray: i64 = 0
    file, rank = (square & 7) + files, (square >> 3) + ranks
    while 0 <= file < 8 and 0 <= rank < 8:
        bit = BIT[rank * 8 + file]
        ray |= bit
        if blockers & bit:
            break
        file += files
        rank += ranks
    return ray


# Attacks along lines, by Gerd Isenberg's "kindergarten bitboards" (chessprogramming.org): a multiplication brings the
# six squares of a line that can hide others next to each other, and a small table, which stays in the processor's
# first-level cache, has the squares seen along such a row. Magic bitboards look up both lines of a rook at once, but
# need 800 KiB.
def _row_seen() -> vec[i64]:
    """Return the table [row * 8 + file] of the squares seen along a rank from a file, repeated on all eight ranks.

    Bits 0 to 5 of `row` say which of the squares on the files b to g are occupied.
    """
    seen = vec[i64]([0] * 512)
    one: i64 = 1
    for row in range(i64(64)):
        for file in range(i64(8)):
            ranks = _ray(file, one, 0, row << 1) | _ray(file, -one, 0, row << 1)
            seen[row * 8 + file] = ranks * FILE_A
    return seen


def _column_seen() -> vec[i64]:
    """Return the table [column * 8 + rank] of the squares seen along the a-file from a rank.

    Bits 0 to 5 of `column` say which of the squares on the ranks 2 to 7 are occupied.
    """
    seen = vec[i64]([0] * 512)
    one: i64 = 1
    for column in range(i64(64)):
        blockers: i64 = 0
        for rank in range(i64(6)):
            if column & BIT[rank]:
                blockers |= BIT[rank * 8 + 8]
        for rank in range(i64(8)):
            square = rank * 8
            seen[column * 8 + rank] = _ray(square, 0, one, blockers) | _ray(square, 0, -one, blockers)
    return seen


def _diagonals(ranks: i64) -> vec[i64]:
    """Return the table [square] of the other squares on its diagonal, rising to the h-file (1) or falling (-1)."""
    diagonals = vec[i64]([0] * 64)
    one: i64 = 1
    for square in range(i64(64)):
        diagonals[square] = _ray(square, one, ranks, 0) | _ray(square, -one, -ranks, 0)
    return diagonals


ROW_SEEN: Final = _row_seen()
COLUMN_SEEN: Final = _column_seen()
RISING: Final = _diagonals(1)
FALLING: Final = _diagonals(-1)


def _knights() -> vec[i64]:
    leaps = vec[i64]([0] * 64)
    for square in range(i64(64)):
        for target in range(i64(64)):
            files, ranks = (square & 7) - (target & 7), (square >> 3) - (target >> 3)
            if files * files + ranks * ranks == 5:
                leaps[square] |= BIT[target]
    return leaps


def _rings() -> vec[i64]:
    """Return the table [square * 8 + d] of the squares at a distance of d king's moves."""
    rings = vec[i64]([0] * 512)
    for square in range(i64(64)):
        reached = BIT[square]
        rings[square * 8] = reached
        for distance in range(i64(1), i64(8)):
            wider = spread(reached)
            rings[square * 8 + distance] = wider & ~reached
            reached = wider
    return rings


KNIGHT: Final = _knights()
RAYS: Final = vec[i64]([int(rook_attacks(square, 0) | bishop_attacks(square, 0)) for square in range(64)])
RING: Final = _rings()
KING: Final = vec[i64]([int(RING[square * 8 + 1]) for square in range(64)])


def _pawns() -> vec[i64]:
    """Return the table [side * 64 + square] of the squares that a pawn of the side attacks."""
    attacks = vec[i64]([0] * 128)
    for square in range(i64(64)):
        bit = BIT[square]
        attacks[square] = ((bit << 9) & ~FILE_A) | ((bit << 7) & ~FILE_H)
        attacks[64 + square] = ((bit >> 7) & UNDER_7 & ~FILE_A) | ((bit >> 9) & UNDER_9 & ~FILE_H)
    return attacks


PAWN: Final = _pawns()


def _lines(whole: bool) -> vec[i64]:
    """Return the table [a * 64 + b] of the squares between two squares on one line; 0 if no line joins them.

    With `whole`, the entry is the whole line from edge to edge, including both squares.
    """
    lines = vec[i64]([0] * 4096)
    for a in range(i64(64)):
        for files in range(i64(-1), i64(2)):
            for ranks in range(i64(-1), i64(2)):
                ray = _ray(a, files, ranks, 0) if files or ranks else i64(0)
                line = ray | _ray(a, -files, -ranks, 0) | BIT[a] if ray else i64(0)
                while ray:
                    b = lowest(ray)
                    ray &= ray - 1
                    between = _ray(a, files, ranks, BIT[b]) & ~BIT[b]
                    lines[a * 64 + b] = line if whole else between
    return lines


BETWEEN: Final = _lines(False)
LINE: Final = _lines(True)

# Hash keys: a piece on a square, castling rights and castled sides, the en passant file, the promotions a side has
# made, Black to move; and for the search's transposition table a late half-move clock and the hunt for a mate.
KEY_FLAGS: Final = 768
KEY_EN_PASSANT: Final = 832
KEY_PROMOTIONS: Final = 840
KEY_BLACK: Final = 872
KEY_CLOCK: Final = 873
KEY_HUNT: Final = 894


def _keys() -> vec[i64]:
    rng = Random(20170613)
    keys = vec[i64]([0] * 1024)
    for index in range(i64(1024)):
        keys[index] = rng.bits()
    return keys


KEYS: Final = _keys()

# The build passes these lengths on to the C compiler, so that compiled code need not look them up.
assert len(BIT) == len(LOWEST) == len(KNIGHT) == len(KING) == len(RISING) == len(FALLING) == len(RAYS) == 64
assert len(ROW_SEEN) == len(COLUMN_SEEN) == len(RING) == 512
assert len(BETWEEN) == len(LINE) == 4096
assert len(FILES) == 8
assert len(PAWN) == 128
assert len(KEYS) == 1024
