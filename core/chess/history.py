"""What the searches of a game have learnt: which moves were too good, where, and after which others.

Methods, as named on chessprogramming.org: killer heuristic, countermove heuristic, history heuristic with gravity (a
bonus minus the entry times the bonus over the limit), continuation history, capture history.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64

from core.chess import movegen as mg
from core.chess.transposition import MAX_PLY

LIMIT_BITS: Final = 14
PLACES: Final = 384  # kind of piece * 64 + square: where a move has brought what
NO_PLACE: Final = 384  # there is no such move
ROWS: Final = 385
# Where in History.entries begin, and its length. They are in one table since compiled code has few registers for tables.
QUIETS: Final = 0
CAPTURES: Final = 8192  # after 2 * 64 * 64
REPLIES: Final = 14_336  # after 12 * 64 * 8
FOLLOW_UPS: Final = 310_016  # after 2 * ROWS * PLACES, as are its own
ENTRIES: Final = 605_696


@final
class History:
    """Of one game of one player: every entry follows from its searches so far, and is within 2**LIMIT_BITS.

    Of `entries`, QUIETS + side * 4096 + to * 64 + from and CAPTURES + (piece * 64 + to) * 8 + kind of the captured are of a
    move alone. `last` being the opponent's last place, counters[side * ROWS + last] is the move that refuted it, and
    REPLIES + (side * ROWS + last) * PLACES + place are after it; FOLLOW_UPS, likewise, after the side's own last.
    """

    def __init__(self) -> None:
        self.killers: Final = vec[i64]([0] * int(2 * MAX_PLY + 4))  # two a ply
        self.counters: Final = vec[i64]([0] * int(2 * ROWS))
        self.entries: Final = vec[i16](memoryview(bytes(int(ENTRIES) * 2)).cast("h"))

    def new_search(self) -> None:
        """A new root: killers are by distance from the old one."""
        for index in range(len(self.killers)):
            self.killers[index] = 0

    def reward(self, side: i64, move: i64, place: i64, last: i64, own_last: i64, bonus: i64) -> None:
        """A quiet move was too good, or with a negative bonus it was not."""
        entries = self.entries
        _learn(entries, QUIETS + side * 4096 + (move & 4095), bonus)
        _learn(entries, REPLIES + (side * ROWS + last) * PLACES + place, bonus)
        _learn(entries, FOLLOW_UPS + (side * ROWS + own_last) * PLACES + place, bonus)

    def reward_capture(self, index: i64, bonus: i64) -> None:
        """The same for a capture or promotion, by its index."""
        _learn(self.entries, index, bonus)

    def keep_killer(self, ply: i64, move: i64) -> None:
        """A quiet move was too good so many plies from the root: the newest of two."""
        killers = self.killers
        if killers[ply * 2] != move:
            killers[ply * 2 + 1] = killers[ply * 2]
            killers[ply * 2] = move


def place_of(board: vec[i64], move: i64) -> i64:
    """Where a move, not made yet, brings what."""
    return mg.kind_of(mg.piece_at(board, move & 63)) * 64 + ((move >> 6) & 63)


def capture_index(board: vec[i64], move: i64) -> i64:
    """Where History.entries has a capture or promotion that is not made yet."""
    assert len(board) == mg.WORDS
    target = (move >> 6) & 63
    victim = mg.piece_at(board, target)
    row = CAPTURES + (mg.piece_at(board, move & 63) * 64 + target) * 8
    return row + mg.kind_of(victim) if victim != mg.EMPTY else row


def _learn(entries: vec[i16], index: i64, bonus: i64) -> None:
    known = i64(entries[index])
    entries[index] = i16(known + bonus - ((known * (bonus if bonus > 0 else -bonus)) >> LIMIT_BITS))
