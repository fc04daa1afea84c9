"""Endgame tables: what a position with few pieces comes to with the best play, and by which move, from Syzygy files.

Reference: R. de Man's tables, as python-chess reads them. A value counts plies to the next capture, pawn move or
mate (DTZ), so that the least of a won position's makes progress and keeps the win under the fifty-move rule.
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
CURSED: Final = 1  # won, but for the fifty-move rule; -1: lost but for it
DRAWN: Final = 0
LOST: Final = -2
FIFTY_MOVES: Final = 100  # plies
MATING: Final = (WON, 0, 0)  # the rank of a move that mates: any other that wins has less progress
CASTLING: Final = 15  # the rights, among a position's flags
MAGIC: Final = {".rtbw": bytes.fromhex("71e8235d"), ".rtbz": bytes.fromhex("d7660ca5")}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMove:
    """A move, and the value that it keeps for its side."""

    move: int
    value: int  # 2 won, 1 won but for the fifty-move rule, 0 drawn, -1 and -2 lost
    is_mate: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The moves of a position by their values: best first, of equal values those that make most progress."""

    ranking: tuple[RankedMove, ...]  # not empty

    @property
    def value(self) -> int:
        """The value of the position to the side to move."""
        return self.ranking[0].value

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves to play: all that draw where none wins, else the best."""
        if self.value != DRAWN:
            return (self.ranking[0].move,)
        return tuple(ranked.move for ranked in self.ranking if ranked.value == DRAWN)


class Tablebase:
    """The tables of some folders, open."""

    def __init__(self, folders: str) -> None:
        """`folders` are separated as those of PATH. ValueError if one cannot be read, or there is no table."""
        # Late: who plays without tables does not wait for python-chess.
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
            raise ValueError(f"no Syzygy tables, .rtbw and .rtbz, in {folders[:100]!r}")
        self._most_pieces = max(len(name) - 1 for name in self._tables.wdl)

    def may_hold(self, position: Position, most_pieces: int) -> bool:
        """Whether the position has few enough pieces for the tables and the caller, and nobody can castle."""
        board = position.board
        pieces = count(board[SIDE] | board[SIDE + 1])
        return pieces <= min(most_pieces, self._most_pieces) and not board[FLAGS] & CASTLING

    async def solve(self, position: Position, actions: tuple[int, ...] = ()) -> Solution | None:
        """Rank `actions`, or all legal moves, of which there must be one; None if a table is missing.

        Each move takes some 2 ms, after which the event loop has its turn.
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
        """Plies to the next zeroing move of a position that is not over, positive for who is to move and wins;
        beyond 100 it is a draw by the fifty-move rule. 0: drawn. None: not in the tables."""
        from chess import Board

        try:
            return self._tables.probe_dtz(Board(fen(position)))
        except Exception:  # of a damaged table anything may come; the search knows what to do without
            return None

    def close(self) -> None:
        self._tables.close()

    def _rank(self, child: Position) -> tuple[int, int, int] | None:
        """What a move to `child` comes to, for who makes it: (value, progress, progress after a zeroing move)."""
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
    """ValueError if a file cannot be a table: a wrong one is found now, not in the middle of a game."""
    with path.open("rb") as file:
        head = file.read(4)
        size = file.seek(0, os.SEEK_END)
    if head != MAGIC[path.suffix] or size % 64 != 16:
        raise ValueError(f"{str(path)[-100:]!r} is no Syzygy table, or torn")
