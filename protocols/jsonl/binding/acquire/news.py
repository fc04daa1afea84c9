"""What the rules tell of a game, as events of the protocol."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from core.acquire import events
from core.acquire.action import shares_in
from core.acquire.board import tile_name
from core.acquire.events import RANKS
from core.acquire.ground import KINDS
from core.acquire.rules import Rules
from protocols.jsonl.binding.acquire import shapes
from protocols.jsonl.binding.binding import Happening
from protocols.jsonl.messages.server import GameEvent

News = tuple[int, int, int, int, int, int]  # as core.acquire.events has them
Teller = Callable[[Rules, News], GameEvent]


def happenings(rules: Rules, news: Sequence[News]) -> Iterator[Happening]:
    """Public events in order; tiles drawn together are one, which only their owner sees."""
    at = 0
    while at < len(news):
        kind, seat = news[at][:2]
        if kind == events.DREW:
            tiles = []
            while at < len(news) and news[at][0] in (events.DREW, events.LAST_TILE):
                if news[at][0] == events.DREW:
                    tiles.append(tile_name(rules, news[at][2]))
                at += 1
            yield Happening(
                event=shapes.Drew(seat=seat, count=len(tiles)),
                owner=seat,
                private=shapes.Drew(seat=seat, count=len(tiles), tiles=tiles),
            )
            continue
        teller = TELLERS.get(kind)
        if teller:
            yield Happening(event=teller(rules, news[at]))
        at += 1


def chains_in(rules: Rules, mask: int) -> list[str]:
    """The names of the chains of a set."""
    return [chain.name for index, chain in enumerate(rules.chains) if mask >> index & 1]


def shares_of(rules: Rules, purchase: int) -> list[str]:
    """A chain's name for each share of a purchase."""
    return [chain.name for index, chain in enumerate(rules.chains) for _ in range(shares_in(purchase, index))]


def _merger(rules: Rules, news: News) -> GameEvent:
    return shapes.Merger(
        seat=news[1],
        survivor=rules.chains[news[2]].name,
        defunct=chains_in(rules, news[3]),
        size=news[4],
    )


def _disposed(rules: Rules, news: News) -> GameEvent:
    return shapes.Disposed(
        seat=news[1], chain=rules.chains[news[2]].name, hold=news[3], trade=news[4], sell=news[5]
    )


# What is missing here is told by other events, or concerns programs that compare games.
TELLERS: Final[Mapping[int, Teller]] = {
    events.TURN_BEGINS: lambda rules, news: shapes.Turn(seat=news[1]),
    events.NO_TILE: lambda rules, news: shapes.NoTile(seat=news[1]),
    events.PLACED: lambda rules, news: shapes.Placed(
        seat=news[1], tile=tile_name(rules, news[2]), effect=KINDS[news[3]]
    ),
    events.GREW: lambda rules, news: shapes.Grew(
        seat=news[1], chain=rules.chains[news[2]].name, size=news[3]
    ),
    events.FOUNDED: lambda rules, news: shapes.Founded(
        seat=news[1], chain=rules.chains[news[2]].name, size=news[3], share=bool(news[4])
    ),
    events.MERGED: _merger,
    events.BONUS: lambda rules, news: shapes.Bonus(
        seat=news[1], chain=rules.chains[news[2]].name, place=RANKS[news[3]], amount=news[4]
    ),
    events.DISPOSED: _disposed,
    events.BOUGHT: lambda rules, news: shapes.Bought(
        seat=news[1], shares=shares_of(rules, news[2]), cost=news[3]
    ),
    events.END_ANNOUNCED: lambda rules, news: shapes.EndAnnounced(seat=news[1]),
    events.DEAD_TILE: lambda rules, news: shapes.DeadTile(seat=news[1], tile=tile_name(rules, news[2])),
    events.FINAL_BONUS: lambda rules, news: shapes.FinalBonus(
        seat=news[1], chain=rules.chains[news[2]].name, place=RANKS[news[3]], amount=news[4]
    ),
    events.FINAL_SALE: lambda rules, news: shapes.FinalSale(
        seat=news[1], chain=rules.chains[news[2]].name, shares=news[3], amount=news[4]
    ),
}
