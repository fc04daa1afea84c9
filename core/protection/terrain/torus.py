"""The board's geometry: squares, facings, and what lies how far around a square, over the edge.

A square is y * 24 + x. A pose is a square and a facing in one number, square * 4 + facing: north (y - 1), east,
south, west. A distance is the larger of rows and columns, the short way round.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.rules import SIDE, SQUARES

POSES: Final = 2304
STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # (x, y) by facing


def poses_ahead() -> vec[i64]:
    """[pose]: the pose one square further, facing the same way."""
    poses = []
    for square in range(SQUARES):
        for facing, (east, south) in enumerate(STEPS):
            poses.append(shifted_square(square, east, south) * 4 + facing)
    return vec[i64](poses)


def shifted_square(square: int, east: int, south: int) -> int:
    return (square // SIDE + south) % SIDE * SIDE + (square + east) % SIDE


def around(square: int, radius: int) -> list[int]:
    """All squares within `radius`, its own too, in order of their numbers."""
    offsets = range(-radius, radius + 1)
    return sorted([shifted_square(square, east, south) for south in offsets for east in offsets])


def distance(one: int, other: int) -> int:
    rows = (one // SIDE - other // SIDE) % SIDE
    columns = (one - other) % SIDE
    return max(min(rows, SIDE - rows), min(columns, SIDE - columns))


def is_in_front(facing: int, east: int, south: int) -> bool:
    """Whether what lies so far east and south is in the front quadrant; a diagonal is in two."""
    step_east, step_south = STEPS[facing]
    forward = east * step_east + south * step_south
    sideways = east * step_south + south * step_east
    return forward >= 1 and forward >= abs(sideways)
