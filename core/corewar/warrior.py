"""A warrior: a program in Redcode, assembled for a core of a certain size."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64


@final
class Warrior:
    """A program in Redcode: `cells` are its instructions, and `start` is the index of the first to be executed.

    `pin` is the number by which a warrior shares its P-space with others, or None. A warrior without cells can fight:
    it executes the cells that lie at its position.
    """

    def __init__(
        self, name: str, author: str, cells: tuple[int, ...], start: int, pin: int | None = None
    ) -> None:
        self.name: Final = name
        self.author: Final = author
        self.cells: Final = cells
        self.start: Final = start
        self.pin: Final = pin
        self.words: Final = vec[i64](cells)  # the same cells, in the form that the MARS copies

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Warrior) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[object, tuple[str, str, tuple[int, ...], int, int | None]]:
        return Warrior, self._values()

    def _values(self) -> tuple[str, str, tuple[int, ...], int, int | None]:
        return self.name, self.author, self.cells, self.start, self.pin
