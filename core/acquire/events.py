"""The events of a game of Acquire, for observers and records.

A position that records events appends one for everything that happens, in order. Seats and chains are indices, a set
of chains is a mask (core.acquire.board), amounts and costs are in dollars, sizes in tiles. Code that passes events on
must hide what a seat may not see: a drawn tile is known to its owner alone. These are plain classes, not dataclasses,
because code compiled by mypyc creates an instance of a plain class in 30 ns, and one of a dataclass in 150 ns.
"""

from typing import Final, final

from mypy_extensions import i64

# The ranks of a bonus: the reason for which a seat receives it.
FIRST: Final = 0  # the most shares
SECOND: Final = 1  # the second most shares
BOTH: Final = 2  # both bonuses, as the only seat with shares
TIE: Final = 3  # a part of both bonuses, because several seats have the most shares
TIE_SECOND: Final = 4  # a part of the second bonus, because several seats have the second most shares
BONUS_RANKS: Final = ("first", "second", "both", "tie", "tie_second")


class Event:
    """Something that a seat has done, or that has happened to the seat."""

    def __init__(self, seat: i64) -> None:
        self.seat: Final = seat


@final
class TurnStarted(Event):
    """The turn of a seat has started."""


@final
class NoTile(Event):
    """No tile in the hand of a seat can be placed."""


@final
class Placed(Event):
    """A seat has placed a tile; `kind` is what the tile does there, LONE to MERGES (core.acquire.board)."""

    def __init__(self, seat: i64, tile: i64, kind: i64) -> None:
        super().__init__(seat)
        self.tile: Final = tile
        self.kind: Final = kind


@final
class Grew(Event):
    """A chain has grown to `size` tiles by the tile that the seat placed."""

    def __init__(self, seat: i64, chain: i64, size: i64) -> None:
        super().__init__(seat)
        self.chain: Final = chain
        self.size: Final = size


@final
class Founded(Event):
    """A seat has founded a chain and received `shares` of it for free: 1, or 0 if the bank has none."""

    def __init__(self, seat: i64, chain: i64, size: i64, shares: i64) -> None:
        super().__init__(seat)
        self.chain: Final = chain
        self.size: Final = size
        self.shares: Final = shares


@final
class MergerStarted(Event):
    """A seat has placed a tile that joins the chains in the mask `chains`."""

    def __init__(self, seat: i64, chains: i64) -> None:
        super().__init__(seat)
        self.chains: Final = chains


@final
class Merged(Event):
    """The chains in the mask `defunct` have become part of the survivor, which now has `size` tiles."""

    def __init__(self, seat: i64, survivor: i64, defunct: i64, size: i64) -> None:
        super().__init__(seat)
        self.survivor: Final = survivor
        self.defunct: Final = defunct
        self.size: Final = size


@final
class BonusPaid(Event):
    """A seat has received a bonus for a defunct chain; `rank` is one of the ranks above."""

    def __init__(self, seat: i64, chain: i64, rank: i64, amount: i64) -> None:
        super().__init__(seat)
        self.chain: Final = chain
        self.rank: Final = rank
        self.amount: Final = amount


@final
class Disposed(Event):
    """A seat has decided how many shares of a defunct chain to keep (`held`), to trade and to sell."""

    def __init__(self, seat: i64, chain: i64, held: i64, traded: i64, sold: i64) -> None:
        super().__init__(seat)
        self.chain: Final = chain
        self.held: Final = held
        self.traded: Final = traded
        self.sold: Final = sold


@final
class Bought(Event):
    """A seat has made a purchase (core.acquire.actions) and paid its cost."""

    def __init__(self, seat: i64, purchase: i64, cost: i64) -> None:
        super().__init__(seat)
        self.purchase: Final = purchase
        self.cost: Final = cost


@final
class CannotBuy(Event):
    """A seat has too little cash for any of the shares that the bank could sell."""


@final
class EndAnnounced(Event):
    """A seat has announced that the game ends with its turn."""


@final
class Drew(Event):
    """A seat has drawn a tile."""

    def __init__(self, seat: i64, tile: i64) -> None:
        super().__init__(seat)
        self.tile: Final = tile


@final
class LastTileDrawn(Event):
    """A seat has drawn the last tile of the bag."""


@final
class DeadTile(Event):
    """A tile in the hand of a seat is out of play, because it would merge two safe chains."""

    def __init__(self, seat: i64, tile: i64) -> None:
        super().__init__(seat)
        self.tile: Final = tile


@final
class FinalBonus(Event):
    """A seat has received a bonus for a chain at the end of the game."""

    def __init__(self, seat: i64, chain: i64, rank: i64, amount: i64) -> None:
        super().__init__(seat)
        self.chain: Final = chain
        self.rank: Final = rank
        self.amount: Final = amount


@final
class FinalSale(Event):
    """A seat has sold its shares of a chain at the end of the game."""

    def __init__(self, seat: i64, chain: i64, shares: i64, amount: i64) -> None:
        super().__init__(seat)
        self.chain: Final = chain
        self.shares: Final = shares
        self.amount: Final = amount
