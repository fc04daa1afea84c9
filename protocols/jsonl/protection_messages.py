"""Advanced Protection on the wire: observations, actions, what is legal, results; and squares, units and maps as text."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field

from core.protection.board import Map
from core.protection.rules import MINIONS, MOST_MINIONS, SIDE, SQUARES
from core.protection.state import ProtectionState
from engines.protection.boardfiles import LETTERS, UNITS
from protocols.jsonl.messages import Integer, enumeration

Square = tuple[Integer, Integer]  # x, y
MOST_ITEMS = 600  # of a setup: more than there are squares
CODES: Final[Mapping[str, int]] = MappingProxyType({name: code for code, name in enumerate(UNITS) if code})
KINDS: Final = tuple(minion.name for minion in MINIONS)
UNCHANGED: Final = frozenset(("amphibious", "armored", "infantry", "armor", "artillery"))  # in the plural
NOWHERE: Final = -1  # a square that is not on the board


# -- Observations ------------------------------------------------------------------------------------


class OwnUnit(Struct, kw_only=True, gc=False):
    """A unit of the human's; `yield` is what it makes a phase, in dollars."""

    id: int
    unit: str
    at: tuple[int, int]
    made: int = field(name="yield")


class Observation(Struct, kw_only=True, omit_defaults=True, gc=False):
    """The game as a seat sees it, in dollars; the own treasury, units and string are private."""

    turn: int
    treasury: int | None = None
    units: list[OwnUnit] | None = None
    human_value: int
    chaos_value: int
    string: str | None = None  # of the last turn


class Opening(Struct, kw_only=True):
    """What `start` tells besides: the map, which never changes."""

    map: list[str]
    gold: list[tuple[int, int]]


# -- Actions -----------------------------------------------------------------------------------------


class Placing(Struct, kw_only=True, forbid_unknown_fields=True):
    """A unit to buy, and where it is to stand."""

    unit: str
    at: Square


class Setup(Struct, kw_only=True, omit_defaults=True, tag_field="kind", tag="setup"):
    """All that the human does before a turn; what is salvaged counts first."""

    place: Annotated[list[Placing], Meta(max_length=MOST_ITEMS)] = []
    salvage: Annotated[list[Integer], Meta(max_length=MOST_ITEMS)] = []


class Aim(Struct, kw_only=True, omit_defaults=True):
    """Why Chaos chose a string: the rating that it looked for, and what it found."""

    mode: str
    target: float | None = None
    rating: int | None = None
    done: int = 0  # strings that were rated on the last arrangement
    of: int = 0
    ms: int = 0
    best: int | None = None  # the lowest rating
    due: str | None = None  # who is to win, human or chaos, where the game is piloted
    ratio: float | None = None  # of the human's value to Chaos's, wanted after the turn
    expected: float | None = None  # what the string brought that to in its tests


Purchase = Annotated[dict[str, Annotated[int, Meta(ge=0, le=MOST_MINIONS)]], Meta(max_length=len(MINIONS))]


class Strategy(Struct, kw_only=True, omit_defaults=True, tag_field="kind", tag="strategy"):
    """The string of Chaos for the turn, its 264 hex digits or its number in the pool; without `buy` its preferences buy."""

    string: Annotated[str, Meta(max_length=264)] | None = None
    pool: Annotated[int, Meta(ge=0, lt=250)] | None = None
    hybrid: bool = False
    buy: Purchase | None = None  # minions by kind, where the game allows that
    aim: Aim | None = None


# -- What is legal ---------------------------------------------------------------------------------


class Price(Struct, kw_only=True):
    """Of a unit, in dollars."""

    cost: int
    salvage: int


class Salvage(Struct, kw_only=True, gc=False):
    """What a unit would bring now."""

    id: int
    refund: int


class SetupRules(Struct, kw_only=True):
    """What a setup has to keep to; bit k of `free`, row by row, is set where a unit may be placed."""

    treasury: int
    units: dict[str, Price]
    free: str  # 144 hex digits
    salvage: list[Salvage]


class StrategyRules(Struct, kw_only=True, omit_defaults=True):
    """What Chaos can choose from: any string of so many hex digits, or one of so many of the pool; minions by their cost."""

    treasury: int
    digits: int
    pool: int
    minions: dict[str, int] | None = None  # what each costs, where Chaos may buy what it wants
    most: int | None = None  # minions


class LegalSetup(Struct, kw_only=True, tag_field="form", tag="rules"):
    """There are far too many actions to list."""

    rules: SetupRules


class LegalStrategy(Struct, kw_only=True, tag_field="form", tag="rules"):
    """There are 2 ** 1056."""

    rules: StrategyRules


# -- The end, and profiles ---------------------------------------------------------------------------


class Result(Struct, kw_only=True):
    winner: str  # human, chaos or none
    reason: str
    turns: int  # played
    values: list[int]
    score: list[float]


class Played(Struct, kw_only=True):
    """A string that was played; its number, unless it is one of nobody's pool."""

    turn: int
    index: int | None
    hybrid: bool


class Reveal(Struct, kw_only=True):
    strings: list[Played]
    pool_hash: str
    mode: str


class KnownProfile(Struct, kw_only=True):
    """What Chaos remembers of somebody; `file` is their `.apu`, as lines."""

    name: str
    wins: int
    losses: int
    best: int  # the lowest rating
    worst: int
    mean: int
    negative: int  # ratings
    hybrids: int
    pool: str
    rules: Any
    mode: str
    aim: str
    file: list[str]


# -- Notation ----------------------------------------------------------------------------------------


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
    """`4 scouts, 1 common and 2 armored`."""
    return enumeration([number(count, name) for name, count in counts.items()])


def number(count: int, name: str) -> str:
    """`4 scouts`, `1 scout`."""
    return f"{count:,} {name if count == 1 else plural(name)}"


def plural(name: str) -> str:
    return name if name in UNCHANGED else f"{name}s"
