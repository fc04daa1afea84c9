"""The task of a search: its depth, the moves to search, and whether a mate ends it."""

from typing import Final, final

MAX_DEPTH: Final = 100

# When a mate ends the search: when it is seen within the depth searched, when it is proved to be the shortest, or
# never.
MATE_SEEN: Final = 0
MATE_PROVED: Final = 1
ENDLESS: Final = 2


@final
class SearchTask:
    """A search to `depth` plies of the moves in `actions`, or of all legal moves if `actions` is empty.

    `recalled` is a line expected by an earlier search: its moves are tried first (section 3.4). The genetic search
    uses these three fields only. The alpha-beta search also ranks the best `lines` moves. `ending` is MATE_SEEN,
    MATE_PROVED or ENDLESS; if `mate` is not 0, only a mate in at most `mate` moves ends the search.
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
