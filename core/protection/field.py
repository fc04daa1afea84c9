"""The field: a map with the human's units on it, the inputs that minions sense at every pose, and scouts' broadcasts.

Units stand still, so the inputs are kept in tables by pose, and only the entries around a unit that is destroyed
change. An entry is the input of the automaton and flags. There are four tables, one for each way of sensing: of
scouts, of scavengers, of barbarians, and of amphibious barbarians, for whom water is no obstacle.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from core.protection.board import CLOSED, OPEN, POSES, Arrangement, Scenario, is_in_front
from core.protection.rules import (
    ARMOR,
    ARTILLERY,
    BOMBING_RADIUS,
    DRONE,
    FARMER,
    JAMMER,
    JAMMING_RADIUS,
    LARGEST_HEARING,
    MINE,
    NO_UNIT,
    SIDE,
    SQUARES,
)

# Tables of entries, [table + pose]
SCOUTS: Final = 0
SCAVENGERS: Final = 2304
BARBARIANS: Final = 4608
SWIMMERS: Final = 6912  # the amphibious

# The bits of an entry.
INPUT: Final = 7
BLOCKED: Final = 8  # the square ahead cannot be entered
MINED: Final = 16  # the square ahead holds a mine
JAMMED: Final = 32  # no broadcast reaches the square of the pose

NOTHING: Final = 0
WALL: Final = 1
JAMMING: Final = 2
SHELLING: Final = 3

# Broadcasts
WINDOW: Final = 7  # rows and columns that the farthest hearing reaches
WINDOW_MASK: Final = 127
ROWS: Final = 31  # row y of the board is row y + 3; rows near an edge have a copy beyond the other edge
BOTH_EDGES: Final = 2**SIDE + 1  # the bit of a column and its copy beyond the edge

SILENCE: Final = 0
RECEIVED: Final = 2
FACED: Final = 3


@final
class Field:
    """The units on a map, at most one on a square, and the tables of entries. Units may be removed and put back."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario: Final = scenario
        self.units = vec[i64]([0] * SQUARES)
        self.sensors = vec[u8]([u8(0)] * (4 * POSES))
        self.jammers = vec[i64]([0] * SQUARES)  # [square]: jammers within their radius
        self.artilleries = vec[i64]([0] * SQUARES)  # [square]: artilleries within their radius
        self.standing_artilleries: i64 = 0
        for pose in range(i64(POSES)):
            self._sense(pose)

    def arrange(self, arrangement: Arrangement) -> None:
        """Replace all units by those of an arrangement. Raises ValueError if a unit is on water or peaks."""
        for square, _ in arrangement.units():
            if not self.scenario.map.is_land(square):
                raise ValueError(f"no unit can stand on water or peaks, such as square {square}")
        for square in range(i64(SQUARES)):
            if self.units[square]:
                self.put(square, NO_UNIT)
        for square, code in arrangement.units():
            self.put(square, code)

    def put(self, square: i64, code: i64) -> None:
        """Put a unit on a square, or remove the unit there (code 0), and update all entries that change."""
        before = self.units[square]
        self.units[square] = code
        if before == JAMMER or code == JAMMER:
            self._count_around(self.jammers, square, JAMMING_RADIUS, 1 if code == JAMMER else -1)
        if before == ARTILLERY or code == ARTILLERY:
            change: i64 = 1 if code == ARTILLERY else -1
            self.standing_artilleries += change
            self._count_around(self.artilleries, square, BOMBING_RADIUS, change)
        ahead = self.scenario.ahead
        for facing in range(i64(4)):
            behind = ahead[square * 4 + (facing ^ 2)] >> 2
            self._sense(behind * 4 + facing)

    def _count_around(self, counts: vec[i64], square: i64, radius: i64, change: i64) -> None:
        """Add `change` to the counts of all squares within the radius of a square.

        Minions sense only whether a count is above 0, so entries are computed anew only where that changes.
        """
        top, left = square // SIDE - radius + SIDE, square % SIDE - radius + SIDE
        for row in range(top, top + 2 * radius + 1):
            for column in range(left, left + 2 * radius + 1):
                other = row % SIDE * SIDE + column % SIDE
                before = counts[other]
                counts[other] = before + change
                if not before or not before + change:
                    for facing in range(i64(4)):
                        self._sense(other * 4 + facing)

    def _sense(self, pose: i64) -> None:
        """Compute the entries of a pose in all four tables."""
        scenario = self.scenario
        ahead = scenario.ahead[pose] >> 2
        square = pose >> 2
        unit = self.units[ahead]
        ground = scenario.ground[ahead]
        is_jammed = self.jammers[square] > 0
        sensors = self.sensors
        jammed: i64 = JAMMED if is_jammed else 0
        flags: i64 = 0
        if unit == MINE:
            flags = MINED
        elif unit != NO_UNIT or ground != OPEN:
            flags = BLOCKED

        seen: i64 = NOTHING
        if unit != NO_UNIT:
            seen = _scout_input(unit)
        elif ground != OPEN:
            seen = WALL
        elif self.artilleries[square]:
            seen = SHELLING
        elif is_jammed:
            seen = JAMMING
        sensors[SCOUTS + pose] = u8(seen | flags)

        sees_unit = unit != NO_UNIT and unit != MINE
        seen = scenario.scavenger_senses[pose]
        if sees_unit:
            seen = NOTHING
        elif ground != OPEN:
            seen = WALL
        sensors[SCAVENGERS + pose] = u8(seen | flags)

        seen = NOTHING
        if sees_unit:
            seen = _barbarian_input(unit)
        elif ground != OPEN:
            seen = WALL
        sensors[BARBARIANS + pose] = u8(seen | flags | jammed)
        if unit == NO_UNIT and ground != CLOSED:
            seen = NOTHING
            flags = 0
        sensors[SWIMMERS + pose] = u8(seen | flags | jammed)


def _scout_input(unit: i64) -> i64:
    if unit == DRONE or unit == FARMER:
        return 4
    if unit == ARMOR:
        return 6
    return 7 if unit == MINE else 5


def _barbarian_input(unit: i64) -> i64:
    if unit == DRONE or unit == FARMER:
        return 4
    if unit == ARMOR:
        return 6
    return 7 if unit == JAMMER or unit == ARTILLERY else 5


@final
class Broadcasts:
    """The squares from which scouts have broadcast in a phase, as bits by row.

    All columns, and the rows near an edge, are stored twice, so that the window of 7 x 7 squares around any square
    is read without wrapping.
    """

    def __init__(self) -> None:
        self.any = False
        self._rows = vec[i64]([0] * ROWS)
        self._bits = vec[i64]([BOTH_EDGES * 2 ** (square % SIDE) for square in range(SQUARES)])
        self._top = vec[i64]([square // SIDE for square in range(SQUARES)])
        self._left = vec[i64]([(square - LARGEST_HEARING) % SIDE for square in range(SQUARES)])
        self._received = vec[i64]([_window(radius, -1) for radius in range(LARGEST_HEARING + 1)])
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

    def received(self, pose: i64, radius: i64) -> i64:
        """Return FACED if a broadcast within `radius` is in the front quadrant, else RECEIVED or SILENCE."""
        rows = self._rows
        top, left = self._top[pose >> 2], self._left[pose >> 2]
        window: i64 = 0
        for row in range(top, top + WINDOW):
            window = (window << WINDOW) | ((rows[row] >> left) & WINDOW_MASK)
        if not window & self._received[radius]:
            return SILENCE
        return FACED if window & self._faced[radius * 4 + (pose & 3)] else RECEIVED


def _window(radius: int, facing: int) -> int:
    """Return the bits of the squares within a radius that are in front of a facing, or of all if `facing` is below 0.

    The first row has the highest bits.
    """
    bits = 0
    for south in range(-radius, radius + 1):
        for east in range(-radius, radius + 1):
            if facing < 0 or is_in_front(facing, east, south):
                place = (LARGEST_HEARING - south) * WINDOW + east + LARGEST_HEARING
                bits |= 2**place
    return bits
