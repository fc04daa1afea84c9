"""What the rules tell of a game, as events of the protocol."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from core.acquire import layout
from protocols.jsonl.binding.acquire import shapes
from protocols.jsonl.binding.acquire.lexicon import Lexicon
from protocols.jsonl.binding.binding import Happening
from protocols.jsonl.messages.events import GameEvent

News = tuple[int, int, int, int, int, int]  # as core.acquire.layout has them
Teller = Callable[[Lexicon, News], GameEvent]


def happenings(lexicon: Lexicon, news: Sequence[News]) -> list[Happening]:
    """Public events in order; tiles drawn together are one, which only their owner sees."""
    told: list[Happening] = []
    drawn: list[str] = []
    aside: list[str] = []
    for each in news:
        kind = each[0]
        if kind == layout.DREW:
            if drawn:
                told.pop()
            drawn.append(lexicon.tiles[each[2]])
            told.append(_drew(each[1], drawn))
        elif kind == layout.NEW_HAND:
            if aside:
                told.pop()
            aside.append(lexicon.tiles[each[2]])
            told.append(Happening(event=shapes.NewHand(seat=each[1], tiles=tuple(aside))))
        elif kind != layout.LAST_TILE:
            drawn, aside = [], []
            if teller := TELLERS.get(kind):
                told.append(Happening(event=teller(lexicon, each)))
    return told


def _drew(seat: int, tiles: list[str]) -> Happening:
    return Happening(
        event=shapes.Drew(seat=seat, count=len(tiles)),
        owner=seat,
        private=shapes.Drew(seat=seat, count=len(tiles), tiles=tuple(tiles)),
    )


def _merger(words: Lexicon, news: News) -> GameEvent:
    return shapes.Merger(
        seat=news[1],
        survivor=words.chains[news[2]],
        defunct=tuple(name for index, name in enumerate(words.chains) if news[3] >> index & 1),
        size=news[4],
    )


def _disposed(words: Lexicon, news: News) -> GameEvent:
    return shapes.Disposed(
        seat=news[1], chain=words.chains[news[2]], hold=news[3], trade=news[4], sell=news[5]
    )


# What is missing here is told by other events, or concerns programs that compare games.
TELLERS: Final[Mapping[int, Teller]] = {
    layout.TURN_BEGINS: lambda words, news: shapes.Turn(seat=news[1]),
    layout.NO_TILE: lambda words, news: shapes.NoTile(seat=news[1]),
    layout.PLACED: lambda words, news: shapes.Placed(
        seat=news[1], tile=words.tiles[news[2]], effect=layout.TILE_KINDS[news[3]]
    ),
    layout.GREW: lambda words, news: shapes.Grew(seat=news[1], chain=words.chains[news[2]], size=news[3]),
    layout.FOUNDED: lambda words, news: shapes.Founded(
        seat=news[1], chain=words.chains[news[2]], size=news[3], share=bool(news[4])
    ),
    layout.MERGED: _merger,
    layout.BONUS: lambda words, news: shapes.Bonus(
        seat=news[1], chain=words.chains[news[2]], place=layout.BONUS_RANKS[news[3]], amount=news[4]
    ),
    layout.DISPOSED: _disposed,
    layout.BOUGHT: lambda words, news: shapes.Bought(
        seat=news[1], shares=tuple(words.shares(news[2])), cost=news[3]
    ),
    layout.END_ANNOUNCED: lambda words, news: shapes.EndAnnounced(seat=news[1]),
    layout.DEAD_TILE: lambda words, news: shapes.DeadTile(seat=news[1], tile=words.tiles[news[2]]),
    layout.PHANTOM_DRAWN: lambda words, news: shapes.Phantom(
        seat=news[1], tile=words.tiles[news[2]], holding=news[3]
    ),
    layout.FINAL_BONUS: lambda words, news: shapes.FinalBonus(
        seat=news[1], chain=words.chains[news[2]], place=layout.BONUS_RANKS[news[3]], amount=news[4]
    ),
    layout.FINAL_SALE: lambda words, news: shapes.FinalSale(
        seat=news[1], chain=words.chains[news[2]], shares=news[3], amount=news[4]
    ),
}
