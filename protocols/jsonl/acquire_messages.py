"""Acquire on the wire: observations, actions, what is legal, events with their sentences, results."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Final, get_args

from msgspec import Meta, Raw, Struct

from protocols.jsonl.messages import GameEvent, Integer, enumeration


class Observation(Struct, kw_only=True, omit_defaults=True, gc=False):
    """The game as a seat sees it; arrays are indexed by chain or by seat."""

    board: list[str]  # rows from A down
    size: list[int]
    price: list[int]  # dollars
    bank: list[int]
    cash: list[int | None]  # null: hidden holdings
    shares: list[list[int] | None]
    bag_left: int
    turn: int  # the seat
    idle: int  # turns in a row without a playable tile
    hand: list[tuple[str, str]] | None = None  # tile and class, of the own seat


class Opening(Struct, kw_only=True, omit_defaults=True):
    """What `start` tells besides."""

    position: list[str]  # the position tile of each seat
    rules: dict[str, Any] | None = None  # of a custom game, as `describe` has those of a variant


# -- Actions ---------------------------------------------------------------------------------------


class Action(Struct, kw_only=True, omit_defaults=True, tag_field="kind"):
    """An action; its tag is the phase in which it is due."""


class Place(Action, kw_only=True, tag="place"):
    """Put a tile on the board."""

    tile: str
    end: bool | None = None


class Found(Action, kw_only=True, tag="found"):
    chain: str


class Survivor(Action, kw_only=True, tag="survivor"):
    chain: str


class Order(Action, kw_only=True, tag="order"):
    """The next defunct chain."""

    chain: str


class Dispose(Action, kw_only=True, tag="dispose"):
    """Of the defunct shares `trade` are traded two for one and `sell` sold; the rest is held."""

    trade: Integer
    sell: Integer


class Buy(Action, kw_only=True, tag="buy"):
    shares: Annotated[list[str], Meta(max_length=64)]
    end: bool | None = None


class Pass(Action, kw_only=True, tag="pass"):
    """Buy nothing."""


AcquireAction = Place | Found | Survivor | Order | Dispose | Buy | Pass
ACTIONS: Final[tuple[Any, ...]] = get_args(AcquireAction)


class Legal(Struct, kw_only=True, omit_defaults=True, tag_field="form", tag="list"):
    """All actions, and what one has to know to choose."""

    actions: list[Raw]
    may_end: bool | None = None
    defunct: str = ""
    survivor: str = ""
    held: int | None = None
    price: int | None = None


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
    seat: int


class Turn(Seated, kw_only=True, tag="turn"):
    def text(self, names: Sequence[str]) -> str:
        return f"It is {names[self.seat]}'s turn."


class NoTile(Seated, kw_only=True, tag="no_tile"):
    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} has no tile that can be placed."


class Placed(Seated, kw_only=True, tag="placed"):
    tile: str
    effect: str

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} places {self.tile}; {EFFECTS[self.effect]}."


class Grew(Seated, kw_only=True, tag="grew"):
    chain: str
    size: int

    def text(self, names: Sequence[str]) -> str:
        return f"{self.chain} grows to {self.size} tiles."


class Founded(Seated, kw_only=True, tag="founded"):
    chain: str
    size: int
    share: bool  # whether the bank had one for the founder

    def text(self, names: Sequence[str]) -> str:
        share = " and takes a share" if self.share else ""
        return f"{names[self.seat]} founds {self.chain} with {self.size} tiles{share}."


class Merger(Seated, kw_only=True, tag="merger"):
    survivor: str
    defunct: tuple[str, ...]
    size: int

    def text(self, names: Sequence[str]) -> str:
        return f"{self.survivor} takes over {enumeration(self.defunct)} and has {self.size} tiles."


class Bonus(Seated, kw_only=True, tag="bonus"):
    chain: str
    place: str
    amount: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} receives {PLACES[self.place]} of {self.chain}, ${self.amount:,}."


class Disposed(Seated, kw_only=True, tag="disposed"):
    chain: str
    hold: int
    trade: int
    sell: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} holds {self.hold}, trades {self.trade} and sells {self.sell} of {self.chain}."


class Bought(Seated, kw_only=True, tag="bought"):
    shares: tuple[str, ...]
    cost: int

    def text(self, names: Sequence[str]) -> str:
        bought = enumeration([f"{count} {chain}" for chain, count in Counter(self.shares).items()])
        return (
            f"{names[self.seat]} buys {bought} for ${self.cost:,}."
            if bought
            else f"{names[self.seat]} buys nothing."
        )


class EndAnnounced(Seated, kw_only=True, tag="end_announced"):
    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} announces the end of the game."


class Drew(Seated, kw_only=True, tag="drew"):
    count: int
    tiles: tuple[str, ...] | None = None  # for the owner

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} draws {enumeration(self.tiles) if self.tiles else self.count}."


class DeadTile(Seated, kw_only=True, tag="dead_tile"):
    tile: str

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} shows {self.tile}, which can never be placed, and draws another."


class FinalBonus(Seated, kw_only=True, tag="final_bonus"):
    chain: str
    place: str
    amount: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} receives {PLACES[self.place]} of {self.chain}, ${self.amount:,}."


class FinalSale(Seated, kw_only=True, tag="final_sale"):
    chain: str
    shares: int
    amount: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} sells {self.shares} of {self.chain} for ${self.amount:,}."


EVENTS = (
    Turn, NoTile, Placed, Grew, Founded, Merger, Bonus, Disposed, Bought, EndAnnounced, Drew, DeadTile,
    FinalBonus, FinalSale,
)  # fmt: skip


# -- The end ---------------------------------------------------------------------------------------


class Result(Struct, kw_only=True):
    worth: list[int]  # dollars
    rank: list[int]  # equal worth shares the rank
    reason: str


class Reveal(Struct, kw_only=True):
    bag: list[str]  # in draw order
