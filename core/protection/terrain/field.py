"""The field: a map with the human's units on it, and what a minion at any pose senses of them.

Units stand still, so what is sensed is kept by pose and changes only around a unit that falls. An entry is the
input of the automaton and flags; there are four tables of entries, one for each way of sensing.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from core.protection.arrangement import Arrangement
from core.protection.rules import (
    ARMOR,
    ARTILLERY,
    BOMBING_RADIUS,
    DRONE,
    FARMER,
    JAMMER,
    JAMMING_RADIUS,
    MINE,
    NO_UNIT,
    SIDE,
    SQUARES,
)
from core.protection.setting import CLOSED, OPEN, Setting
from core.protection.terrain.torus import POSES

# Tables of entries, [table + pose]
SCOUTS: Final = 0
SCAVENGERS: Final = 2304
BARBARIANS: Final = 4608
SWIMMERS: Final = 6912  # the amphibious

# What an entry says
INPUT: Final = 7
BLOCKED: Final = 8  # the square ahead cannot be entered
MINED: Final = 16  # it holds a mine
JAMMED: Final = 32  # no broadcast is heard here

NOTHING: Final = 0
WALL: Final = 1
JAMMING: Final = 2
SHELLING: Final = 3


class Field:
    """Units may fall and stand again; a square holds one at most."""

    def __init__(self, setting: Setting) -> None:
        self.setting: Final = setting
        self.units = vec[i64]([0] * SQUARES)
        self.entries = vec[u8]([u8(0)] * (4 * POSES))
        self.jammers = vec[i64]([0] * SQUARES)  # [square]: how many are near
        self.artilleries = vec[i64]([0] * SQUARES)
        self.standing_artilleries: i64 = 0
        for pose in range(i64(POSES)):
            self._look(pose)

    def arrange(self, arrangement: Arrangement) -> None:
        """Put these units in the place of all that stand. ValueError for one on water or peaks."""
        for square, _ in arrangement.units():
            if not self.setting.map.is_land(square):
                raise ValueError(f"no unit can stand on square {square}")
        for square in range(i64(SQUARES)):
            if self.units[square]:
                self.put(square, NO_UNIT)
        for square, code in arrangement.units():
            self.put(square, code)

    def put(self, square: i64, code: i64) -> None:
        """From now on this unit stands on the square, or none."""
        before = self.units[square]
        self.units[square] = code
        if before == JAMMER or code == JAMMER:
            self._tell(self.jammers, square, JAMMING_RADIUS, 1 if code == JAMMER else -1)
        if before == ARTILLERY or code == ARTILLERY:
            change: i64 = 1 if code == ARTILLERY else -1
            self.standing_artilleries += change
            self._tell(self.artilleries, square, BOMBING_RADIUS, change)
        ahead = self.setting.ahead
        for facing in range(i64(4)):
            behind = ahead[square * 4 + (facing ^ 2)] >> 2
            self._look(behind * 4 + facing)

    def _tell(self, counts: vec[i64], square: i64, radius: i64, change: i64) -> None:
        """One more or less is within the radius of these squares; sensed is only whether there is any."""
        top, left = square // SIDE - radius + SIDE, square % SIDE - radius + SIDE
        for row in range(top, top + 2 * radius + 1):
            for column in range(left, left + 2 * radius + 1):
                other = row % SIDE * SIDE + column % SIDE
                before = counts[other]
                counts[other] = before + change
                if not before or not before + change:
                    for facing in range(i64(4)):
                        self._look(other * 4 + facing)

    def _look(self, pose: i64) -> None:
        """Fill the entries of a pose."""
        setting = self.setting
        ahead = setting.ahead[pose] >> 2
        square = pose >> 2
        unit = self.units[ahead]
        ground = setting.ground[ahead]
        is_jammed = self.jammers[square] > 0
        entries = self.entries
        deaf: i64 = JAMMED if is_jammed else 0
        flags: i64 = 0
        if unit == MINE:
            flags = MINED
        elif unit != NO_UNIT or ground != OPEN:
            flags = BLOCKED

        seen: i64 = NOTHING
        if unit != NO_UNIT:
            seen = _as_scouts_see(unit)
        elif ground != OPEN:
            seen = WALL
        elif self.artilleries[square]:
            seen = SHELLING
        elif is_jammed:
            seen = JAMMING
        entries[SCOUTS + pose] = u8(seen | flags)

        sees_unit = unit != NO_UNIT and unit != MINE
        seen = setting.scents[pose]
        if sees_unit:
            seen = NOTHING
        elif ground != OPEN:
            seen = WALL
        entries[SCAVENGERS + pose] = u8(seen | flags)

        seen = NOTHING
        if sees_unit:
            seen = _as_barbarians_see(unit)
        elif ground != OPEN:
            seen = WALL
        entries[BARBARIANS + pose] = u8(seen | flags | deaf)
        if unit == NO_UNIT and ground != CLOSED:
            seen = NOTHING
            flags = 0
        entries[SWIMMERS + pose] = u8(seen | flags | deaf)


def _as_scouts_see(unit: i64) -> i64:
    if unit == DRONE or unit == FARMER:
        return 4
    if unit == ARMOR:
        return 6
    return 7 if unit == MINE else 5


def _as_barbarians_see(unit: i64) -> i64:
    if unit == DRONE or unit == FARMER:
        return 4
    if unit == ARMOR:
        return 6
    return 7 if unit == JAMMER or unit == ARTILLERY else 5
