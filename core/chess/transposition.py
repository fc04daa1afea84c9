"""What a search remembers: the transposition table, and the best line below each ply.

A bucket of the table has four entries. An entry is two words, the position's hash and the packed knowledge. Scores of mates are stored as
seen from the position itself, so that they hold at any distance from the root.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2

ENTRIES: Final = 4
WORDS: Final = 8  # of a bucket: one cache line
AGES: Final = 63


@final
class TranspositionTable:
    """Knowledge by position hash. `find` gives 0 or a packed word that move() and the others open."""

    def __init__(self, megabytes: int) -> None:
        """At most `megabytes` MiB, at least one bucket; memory is touched as it fills."""
        buckets = 1
        while buckets * 2 * WORDS * 8 <= megabytes << 20:
            buckets *= 2
        # Copied from a buffer: a list of so many zeros would take as much memory again.
        self.words: Final = vec[i64](memoryview(bytes((buckets + 1) * WORDS * 8)).cast("q"))
        use_large_pages(self.words)
        self.first: Final[i64] = first_of_line(self.words)
        self.mask: Final[i64] = buckets - 1
        self.age: i64 = 0

    def new_search(self) -> None:
        """A new search begins: entries of earlier ones are the first to go."""
        self.age = (self.age + 1) & AGES

    def permille_full(self) -> int:
        """How much of it this search has filled: of its first thousand entries, or of all if they are fewer."""
        entries = min(int(self.mask + 1) * int(ENTRIES), 1000)
        filled = 0
        for entry in range(entries):
            known = self.words[self.first + entry * 2 + 1]
            if known and age_of(known) == self.age:
                filled += 1
        return 1000 * filled // entries

    def touch(self, key: i64) -> None:
        """Have the memory of a key brought near, so that find() need not wait for all of it."""
        prefetch(self.words, self.first + (key & self.mask) * WORDS)

    def find(self, key: i64) -> i64:
        words = self.words
        at = self.first + (key & self.mask) * WORDS
        for _entry in range(i64(ENTRIES)):
            if words[at] == key:
                return words[at + 1]
            at += 2
        return 0

    def store(self, key: i64, move: i64, depth: i64, bound: i64, score: i64) -> None:
        """Keep what a search of `depth` found; the shallowest of the oldest entries makes room."""
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
    """Nothing in Python; compiled, the processor's instruction to bring a word near (tools/mypyc_patches)."""


def first_of_line(words: vec[i64]) -> i64:
    """0 in Python; compiled, the first word from which on buckets are cache lines, and not the ends of two."""
    return 0


def use_large_pages(zeros: vec[i64]) -> None:
    """Nothing in Python; compiled for Linux, has words that are all 0 lie in large pages, which are found faster."""


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
    """The best line of play below each ply, kept while a tree is walked."""

    def __init__(self) -> None:
        self.moves: Final = vec[i64]([0] * int(MAX_PLY * MAX_PLY))
        self.lengths: Final = vec[i64]([0] * int(MAX_PLY + 2))

    def clear(self, ply: i64) -> None:
        self.lengths[ply] = 0

    def extend(self, ply: i64, move: i64) -> None:
        """The best line at `ply` is now `move`, then the best line one ply deeper."""
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
        """The line at the root."""
        return [int(self.moves[index]) for index in range(self.lengths[0])]
