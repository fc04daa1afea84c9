"""An opening book: moves and their weights by position, read from a Polyglot file.

Reference: M. Noel's description of the format, as python-chess reads it. Entries of 16 bytes are in the order of
their positions' keys; there may be millions of them, so the file is mapped, not loaded.
"""

import os
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.chess.notation import fen
from core.chess.position import Position
from core.random import Random

if TYPE_CHECKING:
    from chess import Board
    from chess.polyglot import MemoryMappedReader

PROBES: Final = 1_000  # entries that are checked before a file is accepted as a book


class OpeningBook:
    """An open file in the Polyglot format."""

    def __init__(self, path: Path) -> None:
        """Open a book. Raises ValueError if the file cannot be read, or is no book."""
        # Imported late: an engine without a book does not wait for python-chess.
        from chess.polyglot import MemoryMappedReader

        shown = repr(str(path)[:100])
        try:
            with path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
            if not size or size % 16:
                raise ValueError(
                    f"{shown} is not a Polyglot book: its size, {size} bytes, is not a multiple of 16"
                )
            self._entries = MemoryMappedReader(path)
        except OSError as error:
            raise ValueError(f"cannot read the book {shown}: {error.strerror}") from error
        if not _are_in_order(self._entries):
            self._entries.close()
            raise ValueError(f"{shown} is not a Polyglot book: its entries are not sorted by key")

    def moves(self, position: Position) -> list[tuple[int, int]]:
        """Return (legal move, weight above 0) for each entry of a position, the heaviest first."""
        from chess.polyglot import zobrist_hash

        found: list[tuple[int, int]] = []
        for entry in self._entries.find_all(zobrist_hash(_board(position))):
            try:
                found.append((position.parse_uci(entry.move.uci()), entry.weight))
            except ValueError:
                continue  # no legal move: the entry belongs to another position with the same key, or is damaged
        return sorted(found, key=lambda move: -move[1])

    def close(self) -> None:
        self._entries.close()


def _board(position: Position) -> "Board":
    """Return the position as Polyglot hashes it.

    Castling rights count wherever king and rooks stand, and the square that a pawn has just passed counts if a pawn
    of the other side stands next to that pawn, even if it is pinned.
    """
    from chess import Board

    board = Board(fen(position), chess960=True)
    board.ep_square = position.passed_square() or None
    return board


def choose(moves: list[tuple[int, int]], rng: Random | None) -> int:
    """Return one of the book's moves, drawn at random in proportion to the weights, or without `rng` the heaviest."""
    if rng is None:
        return moves[0][0]
    at = rng.below(sum(weight for _, weight in moves))
    for move, weight in moves:
        at -= weight
        if at < 0:
            return move
    raise AssertionError("the weights add up to their sum")


def _are_in_order(entries: "MemoryMappedReader") -> bool:
    """Return whether the keys of evenly spread entries are in ascending order."""
    step = max(len(entries) // PROBES, 1)
    keys = [entries[index].key for index in range(0, len(entries), step)]
    return all(first <= second for first, second in pairwise(keys))
