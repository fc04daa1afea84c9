"""The transposition table of a search, and its table of principal variations.

The transposition table keeps what searches have found out about positions, by hash. A position that is reached again,
by other moves or in a later iteration or search, is answered from the table, or at least its best move is tried
first.

Layout. The table is one vector of words. A bucket has four entries of two words: 64 bytes, one line of the
processor's cache. An entry is the whole key of a position, and a packed word: the move in bits 0 to 15, the depth in
16 to 23, the bound in 24 and 25, the age in 26 to 31, and the score, signed, in 32 to 63. A packed word of 0 is an
empty entry. The number of buckets is the largest power of two that fits, so the low bits of a key are the index of
its bucket. Keys are compared in full, so positions that share a bucket are not confused.

Bounds. A search with a window often proves only that a score is at least beta (LOWER_BOUND) or at most alpha (UPPER_BOUND).

Keys. The caller chooses them: core.chess.search changes the hash of the board where the same position must have
different entries, which are those of a hunt for a mate, and those near the fifty-move rule.

Mates. Scores of mates are stored as seen from the position itself, so that they hold at any distance from the root;
core.chess.search converts them.

Replacement. An entry with the same key is overwritten, but keeps its move if the new result has none. Otherwise the
entry with the least depth minus 8 for each search since it was stored is replaced, and an empty entry before any
other. The age is counted modulo 64.

Memory. Three functions do nothing in Python and are replaced by the build (tools/mypyc_patches). prefetch() loads a
bucket into the cache while a move is still being made, which gave 7 % more nodes a second. first_of_line() aligns the
buckets with cache lines, for which one bucket more is allocated. use_large_pages() asks Linux for pages of 2 MiB. The
table is not locked, since an engine searches in one thread.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

EXACT: Final = 0
LOWER_BOUND: Final = 1
UPPER_BOUND: Final = 2

ENTRIES: Final = 4  # in a bucket
WORDS: Final = 8  # in a bucket: one cache line
AGES: Final = 63


@final
class TranspositionTable:
    """The results of searches by the keys of positions, as packed words; move_of() and its siblings unpack them."""

    def __init__(self, megabytes: int) -> None:
        """Create a table of at most `megabytes` MiB, but at least one bucket; memory is used as the table fills."""
        buckets = 1
        while buckets * 2 * WORDS * 8 <= megabytes << 20:
            buckets *= 2
        # Copied from a buffer: a list of the zeros would take as much memory again.
        self.words: Final = vec[i64](memoryview(bytes((buckets + 1) * WORDS * 8)).cast("q"))
        use_large_pages(self.words)
        self.first: Final[i64] = first_of_line(self.words)
        self.mask: Final[i64] = buckets - 1
        self.age: i64 = 0

    def new_search(self) -> None:
        """Start a new search, so that entries of earlier searches are replaced first."""
        self.age = (self.age + 1) & AGES

    def permille_full(self) -> int:
        """Return the share of entries stored by this search in permille, measured on the first thousand entries."""
        entries = min(int(self.mask + 1) * int(ENTRIES), 1000)
        filled = 0
        for entry in range(entries):
            known = self.words[self.first + entry * 2 + 1]
            if known and age_of(known) == self.age:
                filled += 1
        return 1000 * filled // entries

    def touch(self, key: i64) -> None:
        """Prefetch the bucket of a key, so that find() waits less for the memory."""
        prefetch(self.words, self.first + (key & self.mask) * WORDS)

    def find(self, key: i64) -> i64:
        """Return the packed word stored for a key, or 0 if there is none."""
        words = self.words
        at = self.first + (key & self.mask) * WORDS
        for _entry in range(i64(ENTRIES)):
            if words[at] == key:
                return words[at + 1]
            at += 2
        return 0

    def store(self, key: i64, move: i64, depth: i64, bound: i64, score: i64) -> None:
        """Store the result of a search of `depth` (0 to 255) plies; a `move` of 0 keeps an older entry's move."""
        words = self.words
        at = self.first + (key & self.mask) * WORDS
        place = at
        least: i64 = 1 << 20
        for _entry in range(i64(ENTRIES)):
            known = words[at + 1]
            if words[at] == key:
                place = at
                if not move:
                    move = move_of(known)
                break
            worth = depth_of(known) - 8 * ((self.age - age_of(known)) & AGES)
            if not known:
                worth = -1024
            if worth < least:
                least = worth
                place = at
            at += 2
        words[place] = key
        words[place + 1] = move | (depth << 16) | (bound << 24) | (self.age << 26) | (score << 32)


def prefetch(words: vec[i64], at: i64) -> None:
    """Load a word into the processor's cache; without effect unless compiled (tools/mypyc_patches)."""


def first_of_line(words: vec[i64]) -> i64:
    """Return the index of the first word at the start of a cache line; 0 unless compiled."""
    return 0


def use_large_pages(zeros: vec[i64]) -> None:
    """Move a vector of zeros to pages of 2 MiB, whose addresses are translated faster; Linux only, if compiled."""


def move_of(known: i64) -> i64:
    return known & 0xFFFF


def depth_of(known: i64) -> i64:
    return (known >> 16) & 0xFF


def bound_of(known: i64) -> i64:
    return (known >> 24) & 3


def age_of(known: i64) -> i64:
    return (known >> 26) & AGES


def score_of(known: i64) -> i64:
    return known >> 32


# -- The triangular table of principal variations --------------------------------------------------

MAX_PLY: Final = 128


@final
class PvTable:
    """The best line found so far from each ply of the current path, updated while the tree is walked."""

    def __init__(self) -> None:
        self.moves: Final = vec[i64]([0] * int(MAX_PLY * MAX_PLY))
        self.lengths: Final = vec[i64]([0] * int(MAX_PLY + 2))

    def clear(self, ply: i64) -> None:
        self.lengths[ply] = 0

    def extend(self, ply: i64, move: i64) -> None:
        """Set the best line at `ply` to `move`, followed by the best line one ply deeper."""
        moves = self.moves
        row = ply * MAX_PLY
        length = self.lengths[ply + 1]
        if length >= MAX_PLY - 1:
            length = MAX_PLY - 2
        moves[row] = move
        for index in range(length):
            moves[row + index + 1] = moves[row + MAX_PLY + index]
        self.lengths[ply] = length + 1

    def principal(self) -> list[int]:
        """Return the best line at the root."""
        return [int(self.moves[index]) for index in range(self.lengths[0])]
