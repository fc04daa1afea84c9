"""The messages of Acquire: observations, actions, legal actions, events with their English sentences, and results."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Final, get_args

from msgspec import Meta, Raw, Struct

from protocols.jsonl.messages import GameEvent, Integer, enumeration


class Observation(Struct, kw_only=True, omit_defaults=True, gc=False):
    """The game as a seat sees it; lists are indexed by seat or by chain, in the order of `chains` in the rules.

    A square of the board is `.` (empty), `o` (a tile in no chain), the letter of a chain, `x` (out of play), or `*`
    for the tile just placed, while the founding or the merger that it causes is not settled.
    """

    board: list[str]  # the rows from A down, a character for each column
    size: list[int]  # tiles of each chain; 0: not on the board
    price: list[int]  # dollars for a share of each chain; 0: not on the board
    bank: list[int]  # shares of each chain that can be bought
    cash: list[int | None]  # dollars of each seat; null for other seats if holdings are hidden
    shares: list[list[int] | None]  # of each seat, by chain; null for other seats if holdings are hidden
    bag_left: int  # tiles that are still in the bag
    turn: int  # the seat whose turn it is
    idle: int  # consecutive turns without a playable tile
    # The tiles in the own hand, each with its effect now: `lone`, `found`, `grow` or `merge`, or `blocked` (it would
    # found a chain, but all are on the board), or `dead` (it would merge two safe chains). A spectator has no hand.
    hand: list[tuple[str, str]] | None = None


class Opening(Struct, kw_only=True, omit_defaults=True):
    """The fields that Acquire adds to `start`."""

    position: list[str]  # the position tile of each seat
    rules: dict[str, Any] | None = None  # of a variant `custom`, in the form of those in `description`


# -- Actions ---------------------------------------------------------------------------------------


class Action(Struct, kw_only=True, omit_defaults=True, tag_field="kind"):
    """An action; except for `pass`, its tag is the phase that it belongs to."""


class Place(Action, kw_only=True, tag="place"):
    """Place a tile of the own hand on the board."""

    tile: str
    end: bool | None = None  # true: announce the end of the game, if the rules allow it in this phase


class Found(Action, kw_only=True, tag="found"):
    """Choose the chain that the tile just placed founds."""

    chain: str


class Survivor(Action, kw_only=True, tag="survivor"):
    """Choose the chain that survives a merger, if several of its chains are the largest."""

    chain: str


class Order(Action, kw_only=True, tag="order"):
    """Choose the defunct chain of a merger that is settled next."""

    chain: str


class Dispose(Action, kw_only=True, tag="dispose"):
    """Trade and sell shares of a defunct chain; the rest is held.

    The observation and `legal` show how many shares there are.
    """

    trade: Integer  # defunct shares to give for half as many of the survivor; an even number
    sell: Integer  # shares to sell to the bank


class Buy(Action, kw_only=True, tag="buy"):
    """Buy shares of chains on the board; this ends the turn."""

    shares: Annotated[list[str], Meta(max_length=64)]  # a chain's name for each share, in any order
    end: bool | None = None  # true: announce the end of the game; only if `legal` has `may_end`


class Pass(Action, kw_only=True, tag="pass"):
    """Buy nothing, in the phase `buy`."""


AcquireAction = Place | Found | Survivor | Order | Dispose | Buy | Pass
ACTIONS: Final[tuple[Any, ...]] = get_args(AcquireAction)


class Legal(Struct, kw_only=True, omit_defaults=True, tag_field="form", tag="list"):
    """The legal actions of a decision, as `legal` in `decide` lists them.

    If `may_end` is true, each action may also have `"end": true`; the list has only the actions without it.
    """

    actions: list[Raw]
    may_end: bool | None = None  # the end may be announced with this action
    defunct: str = ""  # the chain whose shares are disposed of, in the phase `dispose`
    survivor: str = ""  # the chain that took it over
    held: int | None = None  # shares of the defunct chain that the seat holds
    price: int | None = None  # dollars for a share of the defunct chain


# -- Events ----------------------------------------------------------------------------------------


EFFECTS: Final = {
    "lone": "it lies alone",
    "found": "it founds a chain",
    "grow": "a chain grows",
    "merge": "chains meet",
}
PLACES: Final = {
    "first": "the majority bonus",
    "second": "the minority bonus",
    "both": "both bonuses",
    "tie": "a share of both bonuses",
    "tie_second": "a share of the minority bonus",
}


class Seated(GameEvent, kw_only=True):
    """An event that concerns a seat."""

    seat: int


class Turn(Seated, kw_only=True, tag="turn"):
    """The turn of a seat starts."""

    def text(self, names: Sequence[str]) -> str:
        return f"It is {names[self.seat]}'s turn."


class NoTile(Seated, kw_only=True, tag="no_tile"):
    """A seat has no tile that can be placed."""

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} has no tile that can be placed."


class Placed(Seated, kw_only=True, tag="placed"):
    """A seat has placed a tile."""

    tile: str
    effect: str  # `lone`, `found`, `grow` or `merge`

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} places {self.tile}; {EFFECTS[self.effect]}."


class Grew(Seated, kw_only=True, tag="grew"):
    """A chain has grown by the tile just placed."""

    chain: str
    size: int  # tiles, after the event

    def text(self, names: Sequence[str]) -> str:
        return f"{self.chain} grows to {self.size} tiles."


class Founded(Seated, kw_only=True, tag="founded"):
    """A seat has founded a chain, and receives a share of it from the bank."""

    chain: str
    size: int  # tiles
    share: bool  # false: the bank had no share left

    def text(self, names: Sequence[str]) -> str:
        share = " and takes a share" if self.share else ""
        return f"{names[self.seat]} founds {self.chain} with {self.size} tiles{share}."


class Merger(Seated, kw_only=True, tag="merger"):
    """The tile just placed has merged chains."""

    survivor: str
    defunct: tuple[str, ...]
    size: int  # tiles of the survivor, after the merger

    def text(self, names: Sequence[str]) -> str:
        return f"{self.survivor} takes over {enumeration(self.defunct)} and has {self.size} tiles."


class Bonus(Seated, kw_only=True, tag="bonus"):
    """A seat receives a shareholder's bonus for a defunct chain."""

    chain: str
    place: str  # `first`, `second`, `both`, `tie` (for first) or `tie_second`
    amount: int  # dollars

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} receives {PLACES[self.place]} of {self.chain}, ${self.amount:,}."


class Disposed(Seated, kw_only=True, tag="disposed"):
    """A seat has decided what to do with its shares of a defunct chain."""

    chain: str
    hold: int
    trade: int
    sell: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} holds {self.hold}, trades {self.trade} and sells {self.sell} of {self.chain}."


class Bought(Seated, kw_only=True, tag="bought"):
    """A seat has bought shares, or nothing."""

    shares: tuple[str, ...]  # a chain's name for each share
    cost: int  # dollars

    def text(self, names: Sequence[str]) -> str:
        bought = enumeration([f"{count} {chain}" for chain, count in Counter(self.shares).items()])
        return (
            f"{names[self.seat]} buys {bought} for ${self.cost:,}."
            if bought
            else f"{names[self.seat]} buys nothing."
        )


class EndAnnounced(Seated, kw_only=True, tag="end_announced"):
    """A seat has announced the end of the game, which ends with its turn."""

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} announces the end of the game."


class Drew(Seated, kw_only=True, tag="drew"):
    """A seat has drawn tiles."""

    count: int
    tiles: tuple[str, ...] | None = None  # only in the line to the owner

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} draws {enumeration(self.tiles) if self.tiles else self.count}."


class DeadTile(Seated, kw_only=True, tag="dead_tile"):
    """A seat shows a tile that would merge two safe chains. The tile leaves the game, and the seat draws another."""

    tile: str

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} shows {self.tile}, which can never be placed, and draws another."


class FinalBonus(Seated, kw_only=True, tag="final_bonus"):
    """A seat receives a shareholder's bonus for a chain on the board, at the end of the game."""

    chain: str
    place: str  # as in `bonus`
    amount: int  # dollars

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} receives {PLACES[self.place]} of {self.chain}, ${self.amount:,}."


class FinalSale(Seated, kw_only=True, tag="final_sale"):
    """The shares of a seat in a chain on the board are sold, at the end of the game."""

    chain: str
    shares: int
    amount: int  # dollars

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} sells {self.shares} of {self.chain} for ${self.amount:,}."


EVENTS = (
    Turn, NoTile, Placed, Grew, Founded, Merger, Bonus, Disposed, Bought, EndAnnounced, Drew, DeadTile,
    FinalBonus, FinalSale,
)  # fmt: skip


# -- The end ---------------------------------------------------------------------------------------


class Result(Struct, kw_only=True):
    """The result of a game; lists are indexed by seat.

    The reason is `declared` (a player has announced the end), `all_tiles_played`, `stuck_round` (no tile could
    be placed in a whole round), `resign` or `forfeit`. Seats that resigned or forfeited rank after all others.
    """

    worth: list[int]  # dollars
    rank: list[int]  # 1 is first; seats of equal worth share a rank
    reason: str


class Reveal(Struct, kw_only=True):
    """The fields that Acquire adds to `reveal` in `end`."""

    bag: list[str]  # all tiles, in the order in which they were or would have been drawn
