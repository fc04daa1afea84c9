"""The messages of Advanced Protection (observations, actions, rules, results); squares, units and maps as text."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field

from core.protection.board import Map
from core.protection.rules import MAX_MINIONS, MINIONS, SIDE, SQUARES
from core.protection.state import ProtectionState
from engines.protection.boardfiles import LETTERS, UNITS
from protocols.jsonl.messages import Integer, enumeration

Square = tuple[Integer, Integer]  # x, y
MAX_ITEMS = 600  # in a setup: more than there are squares
CODES: Final[Mapping[str, int]] = MappingProxyType({name: code for code, name in enumerate(UNITS) if code})
KINDS: Final = tuple(minion.name for minion in MINIONS)
UNCHANGED: Final = frozenset(("amphibious", "armored", "infantry", "armor", "artillery"))  # in the plural
NO_SQUARE: Final = -1  # a square that is not on the board


# -- Observations ------------------------------------------------------------------------------------


class OwnUnit(Struct, kw_only=True, gc=False):
    """A unit of the human; `yield` is its income in dollars for each phase."""

    id: int  # the number of the unit, for `salvage`
    unit: str
    at: tuple[int, int]  # x, y
    made: int = field(name="yield")


class Observation(Struct, kw_only=True, omit_defaults=True, gc=False):
    """The game as a seat sees it; all amounts are in dollars.

    The value of a side is its treasury, for the human plus the prices of all units. Turn, values, map and gold are
    public; a treasury, the units and the string are shown to their own side only.
    """

    turn: int  # from 1
    treasury: int | None = None  # of the own side
    units: list[OwnUnit] | None = None  # of the human, for the human
    human_value: int
    chaos_value: int
    string: str | None = None  # of the last turn, for Chaos; in the first turn, the starter of the pool


class Opening(Struct, kw_only=True):
    """The fields that Advanced Protection adds to `start`: the map, which never changes."""

    map: list[str]  # 24 rows of 24 letters of terrain
    gold: list[tuple[int, int]]  # x, y of the squares with gold


# -- Actions -----------------------------------------------------------------------------------------


class Placing(Struct, kw_only=True, forbid_unknown_fields=True):
    """A unit to buy, and its square."""

    unit: str
    at: Square  # x, y, from 0 to 23 each


class Setup(Struct, kw_only=True, omit_defaults=True, tag_field="kind", tag="setup"):
    """Place and salvage units before a turn, as the human.

    The setup is accepted or refused as a whole; an empty one is legal. Units are salvaged first, so their money and
    squares are available for the new ones. A unit bought in the same turn gives its full price back.
    """

    place: Annotated[list[Placing], Meta(max_length=MAX_ITEMS)] = []
    salvage: Annotated[list[Integer], Meta(max_length=MAX_ITEMS)] = []  # IDs of units


class Aim(Struct, kw_only=True, omit_defaults=True):
    """The reasons for which a built-in Chaos chose a string: the rating that it looked for, and the one it found.

    A rating is the human's change of value in a turn minus that of Chaos, so a low one is good for Chaos. The fields
    `due`, `ratio` and `expected` belong to the mode `pilot`.
    """

    mode: str
    target: float | None = None  # the rating that Chaos looked for
    rating: int | None = None  # of the string that it chose
    done: int = 0  # strings that had been rated on the last arrangement
    of: int = 0  # strings in all; 0 if there were none to rate
    ms: int = 0  # milliseconds that the last part of the ratings took
    best: int | None = None  # the lowest rating
    due: str | None = None  # the side that should win, `human` or `chaos`
    ratio: float | None = None  # of the human's value to that of Chaos, as wanted after the turn
    expected: float | None = None  # the ratio that the string led to in its tests


Purchase = Annotated[dict[str, Annotated[int, Meta(ge=0, le=MAX_MINIONS)]], Meta(max_length=len(MINIONS))]


class Strategy(Struct, kw_only=True, omit_defaults=True, tag_field="kind", tag="strategy"):
    """Choose the string that Chaos plays in a turn, by its digits or by its number in the pool.

    Without `buy` the preferences in the string determine which minions are bought.
    """

    string: Annotated[str, Meta(max_length=264)] | None = None  # 264 hexadecimal digits
    pool: Annotated[int, Meta(ge=0, lt=250)] | None = None  # needed if `string` is missing
    hybrid: bool = False  # the string is a hybrid of Chaos's profile; only recorded
    buy: Purchase | None = None  # the number of minions of each kind, if the option `chaos_buys` is `free`
    aim: Aim | None = None  # the reasons of a built-in Chaos; only recorded


# -- What is legal ---------------------------------------------------------------------------------


class Price(Struct, kw_only=True):
    """The prices of a kind of unit, in dollars."""

    cost: int
    salvage: int  # refund after its first turn; before that it is the cost


class Salvage(Struct, kw_only=True, gc=False):
    """The refund for a unit on the map, if it is salvaged now."""

    id: int
    refund: int  # dollars


class SetupRules(Struct, kw_only=True):
    """The data that determine which setups are legal.

    `free` has a bit for each of the 576 squares, row by row and the highest bit of each digit first. A bit is set if
    a unit may be placed on the square.
    """

    treasury: int  # dollars
    units: dict[str, Price]  # by the name of the unit
    free: str  # 144 hexadecimal digits
    salvage: list[Salvage]  # for each unit on the map


class StrategyRules(Struct, kw_only=True, omit_defaults=True):
    """The data that determine which strategies are legal."""

    treasury: int  # dollars
    digits: int  # hexadecimal digits of a string; any digits make a string
    pool: int  # strings in the pool, numbered from 0
    minions: dict[str, int] | None = None  # the cost of each kind, if the client may choose what Chaos buys
    most: int | None = None  # minions that may be bought in a turn


class LegalSetup(Struct, kw_only=True, tag_field="form", tag="rules"):
    """The rules for a setup, as `legal` in the human's `decide`; there are too many setups to list them."""

    rules: SetupRules


class LegalStrategy(Struct, kw_only=True, tag_field="form", tag="rules"):
    """The rules for a strategy, as `legal` in the `decide` of Chaos; there are 2 ** 1056 strings."""

    rules: StrategyRules


# -- The end, and profiles ---------------------------------------------------------------------------


class Result(Struct, kw_only=True):
    """The result of a game; lists are indexed by seat: the human, then Chaos.

    The reason is `surrender` (the human's value is too many times that of Chaos), `eliminated` (the human has no unit
    and too little money), `chaos_twenty` (the value of Chaos is too many times the human's), `turn_cap`, `resign` or
    `forfeit`.
    """

    winner: str  # `human`, `chaos` or `none`
    reason: str
    turns: int  # that were played
    values: list[int]  # dollars
    score: list[float]  # 1 for a win, 1/2 for a draw, 0 for a loss


class Played(Struct, kw_only=True):
    """A string that Chaos has played."""

    turn: int
    index: int | None  # in the pool; from 250 on, a hybrid; null if a client chose a string without a number
    hybrid: bool


class Reveal(Struct, kw_only=True):
    """The fields that Advanced Protection adds to `reveal` in `end`."""

    strings: list[Played]
    pool_hash: str  # of the pool of strings
    mode: str  # of the built-in Chaos; `client` if a client played Chaos


class KnownProfile(Struct, kw_only=True):
    """The profile of a user, by which Chaos adapts to the user; `listing` contains it after `profile_show`.

    A rating belongs to a string of the pool: the human's change of value in a turn minus that of Chaos, in dollars,
    averaged over tests. Negative ratings are good for Chaos.
    """

    name: str
    wins: int
    losses: int
    best: int  # the lowest rating
    worst: int  # the highest rating
    mean: int  # of all ratings, rounded toward zero
    negative: int  # how many ratings are negative
    hybrids: int  # how many strings Chaos has bred for this user
    pool: str  # the hash of the pool of strings
    rules: Any  # their name and hash
    mode: str  # in which Chaos played last
    aim: str  # the share of games that the user should win
    agrees: bool  # whether the user agrees to be studied (the option `study`)
    file: list[str]  # the profile as a file `.apu`, line by line


# -- Notation ----------------------------------------------------------------------------------------


def place_of(square: int) -> tuple[int, int]:
    """Return the coordinates (x, y) of a square."""
    return square % SIDE, square // SIDE


def square_at(x: int, y: int) -> int:
    """Return the square at (x, y), or NO_SQUARE if the point is off the board."""
    return y * SIDE + x if 0 <= x < SIDE and 0 <= y < SIDE else NO_SQUARE


def map_of(lines: Sequence[str], gold: Sequence[Sequence[int]]) -> Map:
    """Return the map of these rows of terrain letters and squares with gold.

    Raises ValueError, with the reason, if they do not describe a map.
    """
    if len(lines) != SIDE or not all(isinstance(line, str) and len(line) == SIDE for line in lines):
        raise ValueError(f"a map must have {SIDE} lines of {SIDE} letters of terrain")
    strange = sorted(set("".join(lines)) - set(LETTERS))
    if strange:
        raise ValueError(f"{strange[0]!r} is not a terrain; the letters are {LETTERS}")
    squares = []
    for each in gold:
        x, y = each
        if type(x) is not int or type(y) is not int or square_at(x, y) == NO_SQUARE:
            raise ValueError(f"gold must be on squares [x,y], with x and y from 0 to {SIDE - 1}")
        squares.append(square_at(x, y))
    return Map(bytes(LETTERS.index(letter) for letter in "".join(lines)), tuple(squares))


def free_squares(state: ProtectionState) -> str:
    """Return the squares on which a unit may be placed, as 144 hexadecimal digits: a bit each, the first one high."""
    taken = {unit.square for unit in state.units.values()}
    bits = 0
    for square in range(SQUARES):
        bits = bits << 1 | (state.scenario.map.is_land(square) and square not in taken)
    return f"{bits:0{SQUARES // 4}x}"


def by_kind(counts: Sequence[int]) -> dict[str, int]:
    """Return the counts by the names of the minions, without those that are 0."""
    return {name: count for name, count in zip(KINDS, counts, strict=True) if count}


def counted(counts: Mapping[str, int]) -> str:
    """Return counts in words, as in `4 scouts, 1 common and 2 armored`."""
    return enumeration([number(count, name) for name, count in counts.items()])


def number(count: int, name: str) -> str:
    """Return a count with its noun, as in `4 scouts` or `1 scout`."""
    return f"{count:,} {name if count == 1 else plural(name)}"


def plural(name: str) -> str:
    return name if name in UNCHANGED else f"{name}s"
