"""Endgames that are solved: what each move of a position with few pieces comes to, from Syzygy's tables.

Reference: R. de Man's tables, as python-chess reads them. A value counts plies to the next capture, pawn move or
mate (DTZ), so that the least of a won position's makes progress and keeps the win under the fifty-move rule.
"""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from core.chess.bitboard import count
from core.chess.movegen import FLAGS, HALFMOVES, SIDE
from core.chess.notation import fen
from core.chess.position import Position
from core.random import Random
from engines.chess.opening_book import Book, PolyglotBook, chosen
from engines.engine import Info, Limit, Option

WON: Final = 2
CURSED: Final = 1  # won, but for the fifty-move rule; -1: lost but for it
DRAWN: Final = 0
LOST: Final = -2
FIFTY_MOVES: Final = 100  # plies
CASTLING: Final = 15  # the rights, among a position's flags
MAGIC: Final = {".rtbw": bytes.fromhex("71e8235d"), ".rtbz": bytes.fromhex("d7660ca5")}


class Tablebase(Protocol):
    most_pieces: int

    def dtz(self, position: Position) -> int | None:
        """Plies to the next zeroing move of a position that is not over, positive for who is to move and wins;
        beyond 100 it is a draw by the fifty-move rule. 0: drawn. None: not in the tables."""
        ...

    def close(self) -> None: ...


class SyzygyTables:
    """The tables of some folders."""

    def __init__(self, folders: str) -> None:
        """`folders` are separated as those of PATH. ValueError if one cannot be read, or there is no table."""
        # Here: whoever plays without tables does not wait for python-chess.
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
        self.most_pieces = max(len(name) - 1 for name in self._tables.wdl)

    def dtz(self, position: Position) -> int | None:
        from chess import Board

        try:
            return self._tables.probe_dtz(Board(fen(position)))
        except Exception:  # of a damaged table anything may come; the search knows what to do without
            return None

    def close(self) -> None:
        self._tables.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a position is worth to who is to move, and the moves that keep it."""

    value: int  # 2 won, 1 won but for the fifty-move rule, 0 drawn, -1 and -2 lost
    moves: tuple[int, ...]  # the best first; where it is drawn all that draw, else one


def is_small(position: Position, tables: Tablebase, most_pieces: int) -> bool:
    """Whether the tables may know a position: few pieces, and nobody can castle."""
    board = position.board
    pieces = count(board[SIDE] | board[SIDE + 1])
    return pieces <= min(most_pieces, tables.most_pieces) and not board[FLAGS] & CASTLING


async def verdict(position: Position, tables: Tablebase) -> Verdict | None:
    """Of a position that has a legal move; None if a table is missing.

    A move takes some 2 ms, and the loop has its turn after each.
    """
    ranks: dict[int, tuple[int, int, int]] = {}
    child = position.clone()
    for move in position.legal_moves():
        child.make(move)
        rank = _rank(child, tables.dtz)
        child.undo()
        if rank is None:
            return None
        ranks[move] = rank
        await asyncio.sleep(0)
    best = max(ranks.values())
    moves = tuple(move for move, rank in ranks.items() if rank == best)
    return Verdict(value=best[0], moves=moves if best[0] == DRAWN else moves[:1])


def _rank(child: Position, dtz: Callable[[Position], int | None]) -> tuple[int, int, int] | None:
    """What a move to `child` comes to, for who makes it: (value, progress, progress after a zeroing move)."""
    if child.is_checkmate():
        return WON, 0, 0
    if child.is_terminal():
        return DRAWN, 0, 0
    plies = dtz(child)
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


# What is known about a position without thinking: moves of an opening book, values of a tablebase.


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

    def book_move(self, position: Position, limit: Limit, rng: Random) -> Info | None:
        """The move to play at once; none in analysis, which asks for thought."""
        if self.book is None or not self._has_own_book or limit.is_infinite:
            return None
        moves = [move for move in self.book.moves(position) if not limit.actions or move[0] in limit.actions]
        if not moves:
            return None
        move = chosen(moves, None if self._is_best_only else rng)
        return Info(action=move, line=(move,), text="book")

    def may_solve(self, position: Position, limit: Limit) -> bool:
        """Whether solve() is worth asking."""
        if self.tables is None or limit.actions or _is_hurried(limit):
            return False
        return is_small(position, self.tables, self._most_pieces)

    async def solve(self, position: Position, limit: Limit) -> Info | Limit:
        """The move of the tables, or the limit to think within: only such moves as hold a draw, if it is one."""
        known = await verdict(position, self.tables) if self.tables is not None else None
        if known is None:
            return limit
        if known.value == DRAWN:
            return replace(limit, actions=known.moves)
        cents = {WON: WIN_CENTS, LOST: -WIN_CENTS}.get(known.value, 0)
        # A depth that was asked for counts as reached: python-chess may wait for it.
        return Info(
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
