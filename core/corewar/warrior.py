"""A warrior: a program in Redcode, ready to be loaded into a core of the size it was assembled for."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64


@final
class Warrior:
    """`cells` are its instructions, `start` the first to execute, counted from the first cell.

    `pin` is the number under which it shares its P-space with others, if it does. A warrior without a cell is one
    too, and fights: it executes what lies where it would be.
    """

    def __init__(
        self, name: str, author: str, cells: tuple[int, ...], start: int, pin: int | None = None
    ) -> None:
        self.name: Final = name
        self.author: Final = author
        self.cells: Final = cells
        self.start: Final = start
        self.pin: Final = pin
        self.words: Final = vec[i64](cells)  # the same cells, as the MARS copies them

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Warrior) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[object, tuple[str, str, tuple[int, ...], int, int | None]]:
        return Warrior, self._values()

    def _values(self) -> tuple[str, str, tuple[int, ...], int, int | None]:
        return self.name, self.author, self.cells, self.start, self.pin
