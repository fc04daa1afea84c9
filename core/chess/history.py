"""Move statistics from the searches of a game: which moves caused cutoffs, and after which other moves.

Methods, as named on chessprogramming.org: killer heuristic, countermove heuristic, history heuristic with gravity (a
bonus minus the entry times the bonus over the limit), continuation history, capture history. A place is a kind of
piece and the square to which it moves: kind * 64 + square.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64

from core.chess import movegen as mg
from core.chess.transposition import MAX_PLY

LIMIT_BITS: Final = 14
PLACES: Final = 384  # the number of places: six kinds of piece on 64 squares
NO_PLACE: Final = 384  # the place of a move that does not exist
ROWS: Final = 385  # places, and NO_PLACE
# Where the tables start in History.entries, and its length. They share one vector since compiled code has few
# registers.
QUIETS: Final = 0
CAPTURES: Final = 8192  # after 2 * 64 * 64
REPLIES: Final = 14_336  # after 12 * 64 * 8
FOLLOW_UPS: Final = 310_016  # after 2 * ROWS * PLACES, and as long itself
ENTRIES: Final = 605_696


@final
class History:
    """The move statistics of one player in one game; every entry lies within -2**LIMIT_BITS..2**LIMIT_BITS.

    Two tables in `entries` rate a move by itself: a quiet move at QUIETS + side * 4096 + to * 64 + from, a capture at
    CAPTURES + (piece * 64 + to) * 8 + kind of the captured piece. Two rate a quiet move after another: with `last`
    the place of the opponent's last move, REPLIES + (side * ROWS + last) * PLACES + place; FOLLOW_UPS likewise, with
    the place of the side's own last move. The move that last refuted `last` is
    counters[side * ROWS + last].
    """

    def __init__(self) -> None:
        self.killers: Final = vec[i64]([0] * int(2 * MAX_PLY + 4))  # two for each ply
        self.counters: Final = vec[i64]([0] * int(2 * ROWS))
        self.entries: Final = vec[i16](memoryview(bytes(int(ENTRIES) * 2)).cast("h"))

    def new_search(self) -> None:
        """Forget the killers, which are numbered by their distance from the root of the search."""
        for index in range(len(self.killers)):
            self.killers[index] = 0

    def touch(self, side: i64, last: i64, own_last: i64) -> None:
        """Prefetch the two rows that rate quiet moves after `last` and `own_last`."""
        prefetch_row(self.entries, REPLIES + (side * ROWS + last) * PLACES)
        prefetch_row(self.entries, FOLLOW_UPS + (side * ROWS + own_last) * PLACES)

    def reward(self, side: i64, move: i64, place: i64, last: i64, own_last: i64, bonus: i64) -> None:
        """Add a bonus to the entries of a quiet move; a negative bonus lowers them."""
        entries = self.entries
        _learn(entries, QUIETS + side * 4096 + (move & 4095), bonus)
        _learn(entries, REPLIES + (side * ROWS + last) * PLACES + place, bonus)
        _learn(entries, FOLLOW_UPS + (side * ROWS + own_last) * PLACES + place, bonus)

    def reward_capture(self, index: i64, bonus: i64) -> None:
        """Add a bonus to the entry of a capture or promotion, given its capture_index()."""
        _learn(self.entries, index, bonus)

    def keep_killer(self, ply: i64, move: i64) -> None:
        """Keep a quiet move that caused a cutoff as the newest of the two killers of its ply from the root."""
        killers = self.killers
        if killers[ply * 2] != move:
            killers[ply * 2 + 1] = killers[ply * 2]
            killers[ply * 2] = move


def prefetch_row(entries: vec[i16], at: i64) -> None:
    """Load PLACES entries into the processor's cache; without effect unless compiled (tools/mypyc_patches)."""


def place_of(board: vec[i64], move: i64) -> i64:
    """Return the place of a move that has not been made yet: the kind of its piece * 64 + its target."""
    return mg.kind_of(mg.piece_at(board, move & 63)) * 64 + ((move >> 6) & 63)


def capture_index(board: vec[i64], move: i64) -> i64:
    """Return the index in History.entries of a capture or promotion that has not been made yet."""
    assert len(board) == mg.WORDS
    target = (move >> 6) & 63
    victim = mg.piece_at(board, target)
    row = CAPTURES + (mg.piece_at(board, move & 63) * 64 + target) * 8
    return row + mg.kind_of(victim) if victim != mg.EMPTY else row


def _learn(entries: vec[i16], index: i64, bonus: i64) -> None:
    known = i64(entries[index])
    entries[index] = i16(known + bonus - ((known * (bonus if bonus > 0 else -bonus)) >> LIMIT_BITS))
