"""The text of an arrangement: lines `UNIT X Y`, say `drone 3 17`; `#` begins a comment."""

from typing import Final

from core.protection.board import Arrangement, arrangement_of
from core.protection.rules import RULES, SIDE
from engines.protection.boards.map_file import BoardError, content, place

UNITS: Final = tuple(unit.name for unit in RULES["seed"].units)  # by code; the first is none


def loads(text: str) -> Arrangement:
    """BoardError names the line. Whether the units can stand there is the map's to say."""
    units: dict[int, int] = {}
    for number, line in content(text):
        unit, square = place(number, line)
        if unit not in UNITS:
            raise BoardError(f"line {number}: no unit is called {unit}; there are {', '.join(UNITS[1:])}")
        if square in units:
            raise BoardError(f"line {number}: a {UNITS[units[square]]} is there already, in {line}")
        units[square] = UNITS.index(unit)
    return arrangement_of(units)


def dumps(arrangement: Arrangement) -> str:
    """The units in order of squares."""
    return "".join(
        f"{UNITS[code]} {square % SIDE} {square // SIDE}\n" for square, code in arrangement.units()
    )
