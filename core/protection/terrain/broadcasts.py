"""The scouts' broadcasts of one phase, as a bitboard: who hears one, and is it in front?"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.rules import LARGEST_HEARING, SIDE, SQUARES
from core.protection.terrain.torus import is_in_front

WINDOW: Final = 7  # rows and columns that the farthest hearing reaches
WINDOW_MASK: Final = 127
ROWS: Final = 31  # row y of the board is row y + 3, and once more over the edge
BOTH_EDGES: Final = 2**SIDE + 1  # a column's bit, and once more over the edge

UNHEARD: Final = 0
HEARD: Final = 2
FACED: Final = 3


@final
class Broadcasts:
    def __init__(self) -> None:
        self.any = False
        self._rows = vec[i64]([0] * ROWS)
        self._bits = vec[i64]([BOTH_EDGES * 2 ** (square % SIDE) for square in range(SQUARES)])
        self._top = vec[i64]([square // SIDE for square in range(SQUARES)])
        self._left = vec[i64]([(square - LARGEST_HEARING) % SIDE for square in range(SQUARES)])
        self._heard = vec[i64]([_window(radius, -1) for radius in range(LARGEST_HEARING + 1)])
        self._faced = vec[i64](
            [_window(radius, facing) for radius in range(LARGEST_HEARING + 1) for facing in range(4)]
        )

    def clear(self) -> None:
        rows = self._rows
        for row in range(i64(ROWS)):
            rows[row] = 0
        self.any = False

    def send(self, square: i64) -> None:
        rows, bits, top = self._rows, self._bits[square], self._top[square]
        row = top + LARGEST_HEARING
        rows[row] |= bits
        if top < LARGEST_HEARING:
            rows[row + SIDE] |= bits
        elif top >= SIDE - LARGEST_HEARING:
            rows[row - SIDE] |= bits
        self.any = True

    def heard(self, pose: i64, radius: i64) -> i64:
        """What a barbarian senses: FACED if one within `radius` is in its front quadrant, HEARD or UNHEARD."""
        rows = self._rows
        top, left = self._top[pose >> 2], self._left[pose >> 2]
        window: i64 = 0
        for row in range(top, top + WINDOW):
            window = (window << WINDOW) | ((rows[row] >> left) & WINDOW_MASK)
        if not window & self._heard[radius]:
            return UNHEARD
        return FACED if window & self._faced[radius * 4 + (pose & 3)] else HEARD


def _window(radius: int, facing: int) -> int:
    """The bits of a window within a radius: all, or those in front of a facing. The first row has the highest."""
    bits = 0
    for south in range(-radius, radius + 1):
        for east in range(-radius, radius + 1):
            if facing < 0 or is_in_front(facing, east, south):
                place = (LARGEST_HEARING - south) * WINDOW + east + LARGEST_HEARING
                bits |= 2**place
    return bits
