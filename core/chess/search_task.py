"""What a search is asked for: how deep, which moves, and when a mate ends it."""

from typing import Final, final

MAX_DEPTH: Final = 100

# What a mate ends: the search that sees it within its depth, the search that proves it the shortest, or nothing.
MATE_SEEN: Final = 0
MATE_PROVED: Final = 1
ENDLESS: Final = 2


@final
class SearchTask:
    """A search to `depth` plies of the moves in `actions`, or of all legal moves if that is empty.

    `recalled` is a line expected earlier: its moves are tried first (section 3.4). The genetic search knows these three.
    The alpha-beta search also ranks the best `lines` moves. `ending` is MATE_SEEN, MATE_PROVED or ENDLESS; where `mate`
    is not 0, only a mate in at most that many moves ends the search.
    """

    def __init__(
        self,
        depth: int = MAX_DEPTH,
        *,
        actions: tuple[int, ...] = (),
        recalled: tuple[int, ...] = (),
        lines: int = 1,
        ending: int = MATE_SEEN,
        mate: int = 0,
    ) -> None:
        self.depth: Final = depth
        self.actions: Final = actions
        self.recalled: Final = recalled
        self.lines: Final = lines
        self.ending: Final = ending
        self.mate: Final = mate
