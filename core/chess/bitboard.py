"""What never changes on a chessboard: sets of squares, leaps, lines, attack tables and hash keys.

Squares count from a1 = 0 along the ranks to h8 = 63; a set of squares is an i64 with bit n for
square n. Tables are typed vectors, since module-level lists of ints would stay boxed.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.random import Random

ALL: Final = -1
FILE_A: Final = 0x0101010101010101
FILE_H: Final = i64(-0x7F7F7F7F7F7F7F80)
DARK: Final = i64(-0x55AA55AA55AA55AB)  # the squares coloured like a1
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


def beside(squares: i64) -> i64:
    """The squares to the left and to the right of any."""
    return ((squares << 1) & ~FILE_A) | ((squares >> 1) & ~FILE_H)


def forward(squares: i64, side: i64) -> i64:
    """The squares one rank ahead, as the side moves."""
    return squares << 8 if side == 0 else (squares >> 8) & UNDER_8


def in_front(squares: i64, side: i64) -> i64:
    """All squares ahead of any on their files, as the side moves."""
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


FILES: Final = _files()  # the squares of each


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


# Magic multipliers: (occupied & mask) * magic >> shift numbers every set of blockers of a sliding piece. Found by a
# seeded random search for this program; any set without harmful collisions would do. Method:
# chessprogramming.org/Magic_Bitboards.
# fmt: off
ROOK_MAGICS: Final = (
    0x1080004008801020, 0x0840092002C03000, 0x1900200010400900, 0x0880100008000480,
    0x4200100420080200, 0x8100020100080400, 0x0200040110886200, 0x0200008040220411,
    0x0404800084400220, 0x0000401000402000, 0x0086001081220440, 0x0408800800100280,
    0x000A001201040820, 0x8848800200840080, 0x4001000100040200, 0x0442000102105084,
    0x9080010020804100, 0x0040404000201009, 0x0000808010002009, 0x2200090021D00100,
    0x0008008008040080, 0x0004004002010040, 0x0011040008015042, 0x00000A0001768104,
    0x0000800080204009, 0x2010004140002001, 0x9800200280100080, 0x1000100080080080,
    0x0442000A00049020, 0x2100040080020080, 0x0800120400900148, 0x0010040A00128541,
    0x2800804000800030, 0x1010002000400041, 0x4000200011004100, 0x0610008410800800,
    0x0400802402800800, 0xC100020080800400, 0x0002000802000401, 0x0182085882000401,
    0x0220204000808000, 0x2860100040024022, 0x0001002004110040, 0x99101042000A0020,
    0x0004080004008080, 0x0010040002008080, 0x2012004881020004, 0x8300842444820011,
    0x0088403882010200, 0x0820400080210100, 0x0110910040A00300, 0x0801100280080480,
    0x0242009008200600, 0x1002000489500200, 0x0040800200010080, 0x0091800041000080,
    0x0000209300488001, 0x04C1002414824001, 0x020020000B001041, 0x7000100004200901,
    0x8002002004100802, 0x30010002084C0007, 0x0888221800813004, 0x4000002840840112,
)
BISHOP_MAGICS: Final = (
    0xA010041108003100, 0x006082020A002900, 0x6810010619200000, 0x08281A0520000408,
    0x0001104001000400, 0x0018901008048400, 0x00040A0210245280, 0x000200210808A402,
    0x9140048410821200, 0x0800091010820041, 0x20504804832202C0, 0x0100091401081000,
    0x8021011140000012, 0x0810020804450400, 0x208B0542109008A2, 0x0080084A08040204,
    0x0040E2A80811244C, 0x2505022008008108, 0x0430220100420040, 0x010A040420220040,
    0x1105000290400000, 0x0093001200822120, 0x4000A62048043004, 0x280120048A015004,
    0x006090002A020814, 0x44042000240800D0, 0x01102800040A4400, 0x1004080080220040,
    0x0001001011004024, 0x0010044000805040, 0x0914041200820100, 0x0004821012821480,
    0x0024040500C05021, 0x0088611002080200, 0x0116080A00040020, 0x4000020080080080,
    0x2450450140840040, 0x0000880201484100, 0x0222020404020092, 0x8081110600002E00,
    0x2842101105000801, 0x1100809008001025, 0x00020202221C0400, 0x0422014022009020,
    0x0210046102100C00, 0xC004008082029102, 0x00AA461801101200, 0x0404080080201108,
    0x020542108C205002, 0x0410544804100100, 0x0040910841100000, 0x0400200042021100,
    0x00004204850400C0, 0x0200100410A42102, 0x1040020801210102, 0x0805040410420000,
    0x2884804130100200, 0x800C262201242000, 0x1058000194108800, 0x0014221054420204,
    0x0104000012A02200, 0x0200881003300100, 0x0140400202840100, 0x0402020801010201,
)
# fmt: on

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
