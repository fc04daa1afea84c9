"""Advanced Protection on the wire: what the human and Chaos may do in a turn, and what each has to keep to."""

from typing import Annotated

from msgspec import Meta, Struct

from core.protection.rules import MINIONS, MOST_MINIONS
from protocols.jsonl.messages.values import Integer

Square = tuple[Integer, Integer]  # x, y
MOST_ITEMS = 600  # of a setup: more than there are squares


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
