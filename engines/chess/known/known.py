"""What is known about a position without thinking: moves of an opening book, values of a tablebase."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from core.chess.position import Position
from core.random import Random
from engines.chess.known.book import Book, PolyglotBook, chosen
from engines.chess.known.tablebase import DRAWN, LOST, WON, SyzygyTables, Tablebase, is_small, verdict
from engines.engine import Limit, Option, Thought

OPTIONS: Final = (
    Option(name="OwnBook", kind="check", default="false", needs="BookFile"),
    Option(name="BookFile", kind="file"),  # of the Polyglot form
    Option(name="BestBookMove", kind="check", default="false", needs="BookFile"),
    Option(name="SyzygyPath", kind="path"),  # folders, separated as those of PATH
    Option(name="SyzygyProbeLimit", kind="spin", default="7", minimum=0, maximum=7, needs="SyzygyPath"),
)
WIN_CENTS: Final = 20_000  # of a solved position, beyond what any evaluation says
SOLVING_SECONDS: Final = 0.25  # forty moves on a busy machine take half of it


class Known:
    """A book and a tablebase, as the options set them; neither to begin with."""

    def __init__(self) -> None:
        self.book: Book | None = None
        self.tables: Tablebase | None = None
        self._has_own_book = False
        self._is_best_only = False
        self._most_pieces = 7

    def configure(self, name: str, value: str) -> None:
        """Set one of OPTIONS to a value in its normal form; others are passed over.

        ValueError for a file that cannot be used; nothing has changed then.
        """
        match name:
            case "OwnBook":
                self._has_own_book = value == "true"
            case "BestBookMove":
                self._is_best_only = value == "true"
            case "SyzygyProbeLimit":
                self._most_pieces = int(value)
            case "BookFile":
                book = PolyglotBook(Path(value)) if value else None
                if self.book is not None:
                    self.book.close()
                self.book = book
            case "SyzygyPath":
                tables = SyzygyTables(value) if value else None
                if self.tables is not None:
                    self.tables.close()
                self.tables = tables

    def book_move(self, position: Position, limit: Limit, rng: Random) -> Thought | None:
        """The move to play at once; none in analysis, which asks for thought."""
        if self.book is None or not self._has_own_book or limit.is_infinite:
            return None
        moves = [move for move in self.book.moves(position) if not limit.actions or move[0] in limit.actions]
        if not moves:
            return None
        move = chosen(moves, None if self._is_best_only else rng)
        return Thought(action=move, line=(move,), text="book")

    def may_solve(self, position: Position, limit: Limit) -> bool:
        """Whether solve() is worth asking."""
        if self.tables is None or limit.actions or _is_hurried(limit):
            return False
        return is_small(position, self.tables, self._most_pieces)

    async def solve(self, position: Position, limit: Limit) -> Thought | Limit:
        """The move of the tables, or the limit to think within: only such moves as hold a draw, if it is one."""
        known = await verdict(position, self.tables) if self.tables is not None else None
        if known is None:
            return limit
        if known.value == DRAWN:
            return replace(limit, actions=known.moves)
        cents = {WON: WIN_CENTS, LOST: -WIN_CENTS}.get(known.value, 0)
        # A depth that was asked for counts as reached: python-chess may wait for it.
        return Thought(
            action=known.moves[0], line=known.moves, cents=cents, depth=limit.depth or 1, text="tablebase"
        )

    def close(self) -> None:
        """Give the files back."""
        for files in (self.book, self.tables):
            if files is not None:
                files.close()
        self.book = self.tables = None


def _is_hurried(limit: Limit) -> bool:
    """Whether tables might cost more real time than there is."""
    if limit.nodes_per_second is not None:
        return False
    left = limit.clock.seconds if limit.clock is not None else SOLVING_SECONDS
    return min(left, limit.seconds if limit.seconds is not None else left) < SOLVING_SECONDS
