"""The view that a seat has of a game of Acquire, and games drawn at random that agree with a view.

A seat sees neither the hands of the other seats nor the bag; by some rules their shares and cash are hidden, too.
hide() removes everything that a seat may not see. resample() draws it at random, for players that look ahead.

With hidden holdings, the shares that neither the bank nor the seat has are held by the other seats together. hide()
gives all of them to one other seat, and sets the cash of all other seats to 0, so that code that reads hidden numbers
by mistake learns nothing. resample() deals each of these shares to one of the other seats with equal chances, and
gives every other seat as much cash as the seat itself has.
"""

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.board import EMPTY, HIDDEN
from core.acquire.position import Position
from core.random import Random


def hide(position: Position, seat: i64) -> None:
    """Remove from a position what the seat may not see; hidden tiles become HIDDEN."""
    fields = position.fields
    spec = position.spec
    position.bag = spec.hidden_bag
    for index in range(layout.HANDS, layout.HANDS + spec.seats * layout.STRIDE):
        if fields[index] and (index - layout.HANDS) >> 3 != seat:
            fields[index] = HIDDEN
    if spec.hides_holdings:
        _pool_holdings(position, seat)


def resample(position: Position, seat: i64, rng: Random) -> None:
    """Draw at random what the seat may not see; the hidden values are never read, so that nothing can leak."""
    fields = position.fields
    spec = position.spec
    bag = spec.hidden_bag[:]
    start = spec.squares  # unseen tiles start here: first those for hands, then the rest of the bag
    seen: i64 = 0
    own = layout.HANDS + seat * layout.STRIDE
    for tile in spec.tiles:
        unseen = position.cells[tile] == EMPTY
        for slot in range(own, own + spec.hand):
            if fields[slot] == tile:
                unseen = False
        if unseen:
            start -= 1
            bag[start] = tile
        else:
            bag[seen] = tile
            seen += 1
    shuffle_tiles(bag, start, spec.squares, rng)
    for index in range(layout.HANDS, layout.HANDS + spec.seats * layout.STRIDE):
        if fields[index] and (index - layout.HANDS) >> 3 != seat:
            fields[index] = bag[start]
            start += 1
    position.bag = bag
    if spec.hides_holdings:
        _pool_holdings(position, seat)
        _deal_holdings(position, seat, rng)


def shuffle_tiles(tiles: vec[i64], start: i64, end: i64, rng: Random) -> None:
    """Shuffle tiles[start:end] in place (R. Durstenfeld, CACM 7, 1964)."""
    for last in range(end - 1, start, i64(-1)):
        other = start + rng.below(last - start + 1)
        tiles[last], tiles[other] = tiles[other], tiles[last]


def _pool_holdings(position: Position, seat: i64) -> None:
    """Give one of the other seats all their shares, and none of them cash."""
    fields = position.fields
    holder: i64 = 1 if seat == 0 else 0
    for other in range(position.spec.seats):
        if other == seat:
            continue
        fields[layout.CASH + other] = 0
        if other == holder:
            continue
        for chain in range(position.spec.chains):
            shares = layout.SHARES + chain
            fields[shares + holder * layout.STRIDE] += fields[shares + other * layout.STRIDE]
            fields[shares + other * layout.STRIDE] = 0


def _deal_holdings(position: Position, seat: i64, rng: Random) -> None:
    """Deal pooled shares to the other seats at random."""
    fields = position.fields
    seats = position.spec.seats
    holder: i64 = 1 if seat == 0 else 0
    for other in range(seats):
        if other != seat:
            fields[layout.CASH + other] = fields[layout.CASH + seat]
    for chain in range(position.spec.chains):
        shares = layout.SHARES + chain
        pooled = fields[shares + holder * layout.STRIDE]
        fields[shares + holder * layout.STRIDE] = 0
        for _ in range(pooled):
            other = rng.below(seats - 1)
            if other >= seat:
                other += 1
            fields[shares + other * layout.STRIDE] += 1
