"""Endgame tables: the value of positions with few pieces, and the moves that keep the value, from Syzygy files.

Reference: R. de Man's tables, as python-chess reads them. A table counts the plies to the next capture, pawn move or
mate (DTZ), so that in a won position the move with the fewest plies makes progress and keeps the win under the
fifty-move rule.
"""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.chess.bitboard import count
from core.chess.movegen import FLAGS, HALFMOVES, SIDE
from core.chess.notation import fen
from core.chess.position import Position

WON: Final = 2
CURSED: Final = 1  # won except for the fifty-move rule; -1: lost except for that rule
DRAWN: Final = 0
LOST: Final = -2
FIFTY_MOVES: Final = 100  # plies
MATING: Final = (WON, 0, 0)  # the rank of a move that mates, above all other winning moves
CASTLING: Final = 15  # the bits of castling rights in a position's flags
MAGIC: Final = {".rtbw": bytes.fromhex("71e8235d"), ".rtbz": bytes.fromhex("d7660ca5")}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMove:
    """A move, and the value of the game for its side after the move."""

    move: int
    value: int  # 2 won, 1 won except for the fifty-move rule, 0 drawn, -1 and -2 lost in the same way
    is_mate: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The moves of a position ranked by value, the best first; of equal values the one with most progress first."""

    ranking: tuple[RankedMove, ...]  # not empty

    @property
    def value(self) -> int:
        """The value of the position for the side to move."""
        return self.ranking[0].value

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves to play: all drawing moves if the position is drawn, else the best one."""
        if self.value != DRAWN:
            return (self.ranking[0].move,)
        return tuple(ranked.move for ranked in self.ranking if ranked.value == DRAWN)


class Tablebase:
    """The open tables of some folders."""

    def __init__(self, folders: str) -> None:
        """Open the tables in `folders`, which are separated as in PATH.

        Raises ValueError if a folder or table cannot be read, or if there are no tables.
        """
        # Imported late: an engine without tables does not wait for python-chess.
        from chess.syzygy import Tablebase as Tables

        self._tables = Tables()
        try:
            for folder in filter(None, folders.split(os.pathsep)):
                self._tables.add_directory(folder)
            for table in (*self._tables.wdl.values(), *self._tables.dtz.values()):
                _check(Path(table.path))
        except OSError as error:
            where = str(error.filename)[-100:]
            raise ValueError(f"cannot read the tables in {where!r}: {error.strerror}") from error
        if not self._tables.wdl or not self._tables.dtz:
            raise ValueError(f"no Syzygy tables (.rtbw and .rtbz) in {folders[:100]!r}")
        self._max_pieces = max(len(name) - 1 for name in self._tables.wdl)

    def may_hold(self, position: Position, most_pieces: int) -> bool:
        """Return whether the position has no castling rights, and at most `most_pieces` and the tables' pieces."""
        board = position.board
        pieces = count(board[SIDE] | board[SIDE + 1])
        return pieces <= min(most_pieces, self._max_pieces) and not board[FLAGS] & CASTLING

    async def solve(self, position: Position, actions: tuple[int, ...] = ()) -> Solution | None:
        """Rank `actions`, or all legal moves, of which there must be at least one; None if a table is missing.

        Each move takes some 2 ms, after which the method yields to the event loop.
        """
        ranks: dict[int, tuple[int, int, int]] = {}
        child = position.clone()
        for move in actions or position.legal_moves():
            child.make(move)
            rank = self._rank(child)
            child.undo()
            if rank is None:
                return None
            ranks[move] = rank
            await asyncio.sleep(0)
        ranked = sorted(
            ranks, key=lambda move: ranks[move], reverse=True
        )  # stable: equal ones in their order
        return Solution(
            ranking=tuple(
                RankedMove(move=move, value=ranks[move][0], is_mate=ranks[move] == MATING) for move in ranked
            )
        )

    def dtz(self, position: Position) -> int | None:
        """Return the plies to the next zeroing move, or None if the tables do not have the position.

        The game must not have ended. The number is positive if the side to move wins, negative if it loses, 0 if the
        position is drawn; beyond 100 plies the fifty-move rule makes it a draw.
        """
        from chess import Board

        try:
            return self._tables.probe_dtz(Board(fen(position)))
        except Exception:  # a damaged table may raise any error; the search works without tables
            return None

    def close(self) -> None:
        self._tables.close()

    def _rank(self, child: Position) -> tuple[int, int, int] | None:
        """Return the rank of a move to `child` for the side that moves, or None if a table is missing.

        The rank is (value, progress, progress after a zeroing move).
        """
        if child.is_checkmate():
            return MATING
        if child.is_terminal():
            return DRAWN, 0, 0
        plies = self.dtz(child)
        if plies is None:
            return None
        if not plies:
            return DRAWN, 0, 0
        clock = int(child.board[HALFMOVES])
        is_soon = clock + abs(plies) <= FIFTY_MOVES
        if plies < 0:
            return WON if is_soon else CURSED, -1 if not clock else plies - 1, plies
        return LOST if is_soon else -CURSED, clock + plies, plies


def _check(path: Path) -> None:
    """Raise ValueError if a file cannot be a table, so that it is found now and not in the middle of a game."""
    with path.open("rb") as file:
        head = file.read(4)
        size = file.seek(0, os.SEEK_END)
    if head != MAGIC[path.suffix] or size % 64 != 16:
        raise ValueError(f"{str(path)[-100:]!r} is not a Syzygy table, or is damaged")
