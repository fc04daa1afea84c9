"""The words of Advanced Protection on the wire: units, squares, maps, free squares."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from core.protection.board import Map
from core.protection.rules import MINIONS, SIDE, SQUARES
from core.protection.state import ProtectionState
from engines.protection.boardfiles import LETTERS, UNITS

CODES: Final[Mapping[str, int]] = MappingProxyType({name: code for code, name in enumerate(UNITS) if code})
KINDS: Final = tuple(minion.name for minion in MINIONS)
UNCHANGED: Final = frozenset(
    ("amphibious", "armored", "infantry", "armor", "artillery")
)  # of which many are called so too
NOWHERE: Final = -1  # a square that is not on the board


def place_of(square: int) -> tuple[int, int]:
    """(x, y)."""
    return square % SIDE, square // SIDE


def square_at(x: int, y: int) -> int:
    """NOWHERE if that is off the board."""
    return y * SIDE + x if 0 <= x < SIDE and 0 <= y < SIDE else NOWHERE


def map_of(lines: Sequence[str], gold: Sequence[Sequence[int]]) -> Map:
    """ValueError says what is no map."""
    if len(lines) != SIDE or not all(isinstance(line, str) and len(line) == SIDE for line in lines):
        raise ValueError(f"a map has {SIDE} lines of {SIDE} letters of terrain")
    strange = sorted(set("".join(lines)) - set(LETTERS))
    if strange:
        raise ValueError(f"{strange[0]!r} is no terrain; there are {LETTERS}")
    squares = []
    for each in gold:
        x, y = each
        if type(x) is not int or type(y) is not int or square_at(x, y) == NOWHERE:
            raise ValueError(f"gold lies on a square [x,y], 0 to {SIDE - 1} each")
        squares.append(square_at(x, y))
    return Map(bytes(LETTERS.index(letter) for letter in "".join(lines)), tuple(squares))


def free_squares(state: ProtectionState) -> str:
    """144 hex digits; a bit for each square where a unit may be placed, the first one high."""
    taken = {unit.square for unit in state.units.values()}
    bits = 0
    for square in range(SQUARES):
        bits = bits << 1 | (state.scenario.map.is_land(square) and square not in taken)
    return f"{bits:0{SQUARES // 4}x}"


def by_kind(counts: Sequence[int]) -> dict[str, int]:
    """Minions by name, those of which there are any."""
    return {name: count for name, count in zip(KINDS, counts, strict=True) if count}


def counted(counts: Mapping[str, int]) -> str:
    """4 scouts, 1 common and 2 armored."""
    return listed([number(count, name) for name, count in counts.items()])


def number(count: int, name: str) -> str:
    """4 scouts, 1 scout."""
    return f"{count:,} {name if count == 1 else plural(name)}"


def plural(name: str) -> str:
    return name if name in UNCHANGED else f"{name}s"


def listed(words: Sequence[str]) -> str:
    """With commas and `and`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
