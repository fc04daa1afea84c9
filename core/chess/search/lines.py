"""The best line of play below each ply, kept while a tree is walked: the triangular PV table."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

MAX_PLY: Final = 128


@final
class Lines:
    def __init__(self) -> None:
        self.moves = vec[i64]([0] * int(MAX_PLY * MAX_PLY))
        self.lengths = vec[i64]([0] * int(MAX_PLY + 2))

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
