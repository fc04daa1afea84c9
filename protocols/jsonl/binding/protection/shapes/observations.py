"""Advanced Protection on the wire: the game as a seat sees it, and the map."""

from msgspec import Struct, field


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
