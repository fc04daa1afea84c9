"""What never changes on a chessboard: leaps, lines, magic attack tables and hash keys.

Squares count from a1 = 0 along the ranks to h8 = 63; a set of squares is an i64 with bit n for
square n. Tables are typed vectors, since module-level lists of ints would stay boxed.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.magics import BISHOP_MAGICS, ROOK_MAGICS
from core.random import Random

ALL: Final = -1
FILE_A: Final = 0x0101010101010101
FILE_H: Final = i64(-0x7F7F7F7F7F7F7F80)
RANK_1: Final = 0xFF
RANK_3: Final = 0xFF0000
RANK_6: Final = 0xFF0000000000
RANK_8: Final = -0x100000000000000
# What a logical shift right by 7, 8 or 9 may leave, since >> keeps the sign.
UNDER_7: Final = 0x01FFFFFFFFFFFFFF
UNDER_8: Final = 0x00FFFFFFFFFFFFFF
UNDER_9: Final = 0x007FFFFFFFFFFFFF
LOW_63: Final = i64(0x7FFFFFFFFFFFFFFF)
EVEN_BITS: Final = i64(0x5555555555555555)
EVEN_PAIRS: Final = 0x3333333333333333
EVEN_NIBBLES: Final = 0x0F0F0F0F0F0F0F0F
DE_BRUIJN: Final = 0x03F79D71B4CB0A89


def count(squares: i64) -> i64:
    """How many squares are in the set."""
    x = squares - ((squares >> 1) & EVEN_BITS)
    x = (x & EVEN_PAIRS) + ((x >> 2) & EVEN_PAIRS)
    x = (x + (x >> 4)) & EVEN_NIBBLES
    return ((x * FILE_A) >> 56) & 0xFF


def lowest(squares: i64) -> i64:
    """The lowest square of a set that is not empty."""
    return LOWEST[(((squares & -squares) * DE_BRUIJN) >> 58) & 63]


def rook_attacks(square: i64, occupied: i64) -> i64:
    """The squares a rook sees, the first occupied one of each line included."""
    at = square * 4
    shift = ROOK[at + 2]
    index = (((occupied & ROOK[at]) * ROOK[at + 1]) >> shift) & (LOW_63 >> (shift - 1))
    return ROOK_SEES[ROOK[at + 3] + index]


def bishop_attacks(square: i64, occupied: i64) -> i64:
    """The squares a bishop sees, the first occupied one of each line included."""
    at = square * 4
    shift = BISHOP[at + 2]
    index = (((occupied & BISHOP[at]) * BISHOP[at + 1]) >> shift) & (LOW_63 >> (shift - 1))
    return BISHOP_SEES[BISHOP[at + 3] + index]


def spread(squares: i64) -> i64:
    """The squares of the set and all that touch one of them."""
    wide = squares | ((squares << 1) & ~FILE_A) | ((squares >> 1) & ~FILE_H)
    return wide | (wide << 8) | ((wide >> 8) & UNDER_8)


def _bits() -> vec[i64]:
    bits = vec[i64]([0] * 64)
    bit: i64 = 1
    for square in range(i64(64)):
        bits[square] = bit
        bit += bit
    return bits


BIT: Final = _bits()


def _lowest() -> vec[i64]:
    numbers = vec[i64]([0] * 64)
    for square in range(i64(64)):
        numbers[((BIT[square] * DE_BRUIJN) >> 58) & 63] = square
    return numbers


LOWEST: Final = _lowest()


def _ray(square: i64, files: i64, ranks: i64, blockers: i64) -> i64:
    """The squares from `square` in one direction, up to the first blocker, that one included."""
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


def _seen(square: i64, blockers: i64, diagonal: i64) -> i64:
    """What a bishop (diagonal 1) or a rook (0) sees; the slow way, to fill the tables."""
    one: i64 = 1
    if diagonal:
        return (
            _ray(square, one, one, blockers) | _ray(square, one, -one, blockers)
            | _ray(square, -one, one, blockers) | _ray(square, -one, -one, blockers)
        )  # fmt: skip
    return (
        _ray(square, one, 0, blockers) | _ray(square, -one, 0, blockers)
        | _ray(square, 0, one, blockers) | _ray(square, 0, -one, blockers)
    )  # fmt: skip


def _inner(square: i64, diagonal: i64) -> i64:
    """The squares whose occupation matters to a slider: the last one of a ray blocks nothing."""
    edges: i64 = 0
    if square >> 3 != 0:
        edges |= RANK_1
    if square >> 3 != 7:
        edges |= RANK_8
    if square & 7 != 0:
        edges |= FILE_A
    if square & 7 != 7:
        edges |= FILE_H
    return _seen(square, 0, diagonal) & ~edges


def _magics(magics: tuple[int, ...], diagonal: i64) -> vec[i64]:
    """Four words a square: mask, magic, shift, offset into the table of attacks."""
    words = vec[i64]([0] * 256)
    offset: i64 = 0
    for square in range(i64(64)):
        magic = magics[square]
        mask = _inner(square, diagonal)
        words[square * 4] = mask
        words[square * 4 + 1] = magic - (1 << 64) if magic >> 63 else magic
        words[square * 4 + 2] = 64 - count(mask)
        words[square * 4 + 3] = offset
        offset += BIT[count(mask)]
    return words


def _attacks(words: vec[i64], size: int, diagonal: i64) -> vec[i64]:
    attacks = vec[i64]([0] * size)
    for square in range(i64(64)):
        mask, magic = words[square * 4], words[square * 4 + 1]
        shift, offset = words[square * 4 + 2], words[square * 4 + 3]
        blockers: i64 = 0
        while True:
            index = ((blockers * magic) >> shift) & (LOW_63 >> (shift - 1))
            attacks[offset + index] = _seen(square, blockers, diagonal)
            blockers = (blockers - mask) & mask
            if not blockers:
                break
    return attacks


ROOK: Final = _magics(ROOK_MAGICS, 0)
ROOK_SEES: Final = _attacks(ROOK, 102_400, 0)
BISHOP: Final = _magics(BISHOP_MAGICS, 1)
BISHOP_SEES: Final = _attacks(BISHOP, 5_248, 1)


def _knights() -> vec[i64]:
    leaps = vec[i64]([0] * 64)
    for square in range(i64(64)):
        for target in range(i64(64)):
            files, ranks = (square & 7) - (target & 7), (square >> 3) - (target >> 3)
            if files * files + ranks * ranks == 5:
                leaps[square] |= BIT[target]
    return leaps


def _rings() -> vec[i64]:
    """[square * 8 + d]: the squares d king moves away."""
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
RING: Final = _rings()
KING: Final = vec[i64]([int(RING[square * 8 + 1]) for square in range(64)])


def _pawns() -> vec[i64]:
    """[side * 64 + square]: the two squares that a pawn of the side attacks."""
    attacks = vec[i64]([0] * 128)
    for square in range(i64(64)):
        bit = BIT[square]
        attacks[square] = ((bit << 9) & ~FILE_A) | ((bit << 7) & ~FILE_H)
        attacks[64 + square] = ((bit >> 7) & UNDER_7 & ~FILE_A) | ((bit >> 9) & UNDER_9 & ~FILE_H)
    return attacks


PAWN: Final = _pawns()


def _lines(whole: bool) -> vec[i64]:
    """[a * 64 + b]: the squares between two aligned ones; with `whole`, their line edge to edge."""
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

# Hash keys: a piece on a square, castling rights and castled sides, en passant file, promotions
# made so far by a side, Black to move.
KEY_FLAGS: Final = 768
KEY_EN_PASSANT: Final = 832
KEY_PROMOTIONS: Final = 840
KEY_BLACK: Final = 872


def _keys() -> vec[i64]:
    rng = Random(20170613)
    keys = vec[i64]([0] * 873)
    for index in range(i64(873)):
        keys[index] = rng.bits()
    return keys


KEYS: Final = _keys()
