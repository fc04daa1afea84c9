"""Advanced Protection on the wire: what happens in a turn."""

from msgspec import Struct

from protocols.jsonl.messages.events import GameEvent


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
