"""Advanced Protection as objects on the wire: observations, actions, what is legal, events, results."""

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from core.protection.rules import MINIONS, MOST_MINIONS
from protocols.jsonl.messages.events import GameEvent
from protocols.jsonl.messages.values import Integer

Square = tuple[Integer, Integer]  # x, y
MOST_ITEMS = 600  # of a setup: more than there are squares


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


# -- Actions ---------------------------------------------------------------------------------------


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
    """The string of Chaos for the turn: its 264 hex digits, or its number in the pool.

    `buy` has minions by kind, where the game allows that; without it the string's preferences buy.
    """

    string: Annotated[str, Meta(max_length=264)] | None = None
    pool: Annotated[int, Meta(ge=0, lt=250)] | None = None
    hybrid: bool = False
    buy: Purchase | None = None
    aim: Aim | None = None


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
    """What Chaos can choose from: any string of so many hex digits, or one of so many of the pool.

    `minions` has what each costs where Chaos may buy what it wants, and `most` how many it may have.
    """

    treasury: int
    digits: int
    pool: int
    minions: dict[str, int] | None = None
    most: int | None = None


class LegalSetup(Struct, kw_only=True, tag_field="form", tag="rules"):
    """There are far too many actions to list."""

    rules: SetupRules


class LegalStrategy(Struct, kw_only=True, tag_field="form", tag="rules"):
    """There are 2 ** 1056."""

    rules: StrategyRules


class Preview(Struct, kw_only=True):
    """What a setup would cost and bring, in dollars."""

    cost: int
    refund: int
    treasury: int
    human_value: int
    income: int  # a phase, if every unit lives


# -- Events ----------------------------------------------------------------------------------------


class SetupDone(GameEvent, kw_only=True, tag="setup_done"):
    seat: int
    turn: int


class Ratings(GameEvent, kw_only=True, tag="ratings"):
    """In the laboratory: what Chaos has chosen by."""

    turn: int
    done: int
    of: int
    ms: int
    best: int | None
    chosen: int | None
    stale: bool  # the ratings are not all of the last arrangement


class Stood(Struct, kw_only=True, gc=False):
    """A unit that was placed or taken away."""

    id: int
    unit: str
    at: tuple[int, int]


Mustered = tuple[int, int, int, int, int]  # number, kind, x, y, facing; -1 for those off the board


class TurnStart(GameEvent, kw_only=True, tag="turn_start"):
    """What both sides have done; from now on all of it is public."""

    turn: int
    placed: list[Stood]
    salvaged: list[Stood]
    bought: dict[str, int]
    kept: int  # dollars that Chaos has not spent
    left_off: int  # minions that found no free square
    guard: bool = False
    roster: list[Mustered] | None = None


class Roster(GameEvent, kw_only=True, tag="roster"):
    """More minions than a line has room for."""

    turn: int
    roster: list[Mustered]


class Fight(Struct, kw_only=True, omit_defaults=True, gc=False):
    """A die of `of` sides showed `n`; 0 of 0 where none was rolled."""

    phase: int
    by: int  # the minion's number
    at: tuple[int, int]  # the unit's square
    kind: str
    n: int
    of: int
    win: bool  # of who attacked
    plunder: int = 0


class Phases(GameEvent, kw_only=True, tag="phases", rename={"from_": "from"}):
    """Phases of a turn, a string of `acts` each; without acts the fights of the phase before go on."""

    turn: int
    from_: int
    to: int
    acts: list[str]
    fights: list[Fight]


class Fallen(Struct, kw_only=True, gc=False):
    id: int
    unit: str
    phase: int


class HumanTurn(Struct, kw_only=True):
    """The human's side of a turn; `value` is that at its end."""

    treasury: int
    produced: int
    plundered: int
    lost: list[Fallen]
    value: int


class ChaosTurn(Struct, kw_only=True):
    treasury: int
    carried: int
    refund: int
    lost: dict[str, int]
    value: int


class TurnEnd(GameEvent, kw_only=True, tag="turn_end"):
    turn: int
    human: HumanTurn
    chaos: ChaosTurn
    change: tuple[int, int]  # of both values; their difference is the rating of the string


class Grant(GameEvent, kw_only=True, tag="grant"):
    turn: int
    amount: int
    chaos_treasury: int


EVENTS = (SetupDone, Ratings, TurnStart, Roster, Phases, TurnEnd, Grant)


# -- The end ---------------------------------------------------------------------------------------


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
