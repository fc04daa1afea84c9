"""A turn in Acquire: a tile and its consequences, a purchase, the draw; and the ways in which a game ends.

play() applies an action and continues until a seat has a real decision, or until the game ends. So if only one chain
can be founded, it is founded without an action, and a turn without any decision is passed over. The parts of a turn,
with the decisions that they ask for:

    _begin_turn()      PLACE, if the seat has a playable tile
    _place()           FOUND, or a merger (core.acquire.merger): SURVIVOR, ORDER, DISPOSE
    _begin_purchase()  BUY, if the seat can buy, or announce the end
    _end_turn()        none: the game ends, or the seat draws and its dead tiles are replaced, and the next turn starts

In a trial (AcquireState.mark) play() always stops before the purchase, even if nothing can be bought, and a purchase
does not end the turn.
"""

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import events, layout, merger
from core.acquire.actions import (
    ALL_TILES_PLAYED,
    BUY,
    DECLARE_END,
    DECLARED,
    DISPOSE,
    FOUND,
    OVER,
    PLACE,
    STUCK_ROUND,
    SURVIVOR,
    TILE_BITS,
)
from core.acquire.board import (
    ANY_CHAIN,
    BIT,
    DEAD,
    FOUNDS,
    GROWS,
    LONE,
    LOWEST,
    MERGES,
    OFF_BOARD,
    UNINCORPORATED,
)
from core.acquire.bonus import bonuses, paid_seats
from core.acquire.chains import ask_for_chain, flood_fill, put, resize
from core.acquire.position import Position
from core.acquire.purchase import buy, report_poverty


def begin(position: Position, seat: i64) -> None:
    """Start the first turn, after the deal; `seat` plays first."""
    position.fields[layout.TURN] = seat
    if not _begin_turn(position):
        _end_turn(position)


def play(position: Position, action: i64) -> None:
    """Play an action and everything that follows without a decision. Raises ValueError if the action is illegal."""
    if not position.is_trial:
        position.undo_size = 0
    phase = position.fields[layout.PHASE]
    if phase == PLACE:
        _place(position, action)
    elif phase == BUY:
        buy(position, action)
        if action & DECLARE_END:
            _announce(position)
        if not position.is_trial:
            _end_turn(position)
    elif phase == DISPOSE:
        if merger.dispose(position, action):
            _end_placement(position)
    elif (
        phase == OVER
        or not 0 <= action < position.spec.chains
        or not position.fields[layout.OPTIONS] & BIT[action]
    ):
        raise ValueError(f"illegal action: {action}")
    elif phase == FOUND:
        _found(position, action)
    elif phase == SURVIVOR:
        if merger.choose_survivor(position, action):
            _end_placement(position)
    elif merger.choose_defunct(position, action):
        _end_placement(position)


def score_final(position: Position) -> None:
    """Set the final worth of each seat: its cash, with the bonuses and the price of its shares of all chains."""
    worths = vec[i64]([0] * 8)
    position.value(worths)
    for seat in range(position.spec.seats):
        position.fields[layout.NET_WORTH + seat] = worths[seat]


# -- The tile --------------------------------------------------------------------------------------


def _place(position: Position, action: i64) -> None:
    fields = position.fields
    tile = action & TILE_BITS
    slot = _slot(position, tile)
    ends = action != tile
    if slot < 0 or (
        ends and not (action == tile | DECLARE_END and position.spec.ends_any_time and position.may_end())
    ):
        raise ValueError(f"illegal action: {action}")
    kind = position.kind(tile)
    if kind > MERGES:
        raise ValueError(f"illegal action: {action}")
    seat = fields[layout.TURN]
    fields[slot] = 0
    fields[layout.TILE] = tile
    if ends:
        _announce(position)
    if position.records_events:
        position.events.append(events.Placed(seat, tile, kind))
    if kind == LONE:
        put(position, tile, UNINCORPORATED)
        _end_placement(position)
    elif kind == GROWS:
        chain = LOWEST[position.around(tile) & ANY_CHAIN]
        gained = flood_fill(position, tile, UNINCORPORATED, BIT[chain])
        resize(position, chain, fields[layout.SIZE + chain] + gained)
        if position.records_events:
            position.events.append(events.Grew(seat, chain, fields[layout.SIZE + chain]))
        _end_placement(position)
    elif kind == FOUNDS:
        put(position, tile, UNINCORPORATED)
        only = ask_for_chain(position, FOUND, position.spec.all_chains & ~fields[layout.ON_BOARD])
        if only >= 0:
            _found(position, only)
    else:
        chains = position.around(tile) & ANY_CHAIN
        put(position, tile, UNINCORPORATED)
        if position.records_events:
            position.events.append(events.MergerStarted(seat, chains))
        if merger.begin(position, chains):
            _end_placement(position)


def _found(position: Position, chain: i64) -> None:
    """Found a chain at the tile just placed; the founder gets a free share if the bank has one."""
    fields = position.fields
    resize(position, chain, flood_fill(position, fields[layout.TILE], UNINCORPORATED, BIT[chain]))
    free = min(fields[layout.BANK + chain], i64(1))
    fields[layout.BANK + chain] -= free
    fields[layout.SHARES + fields[layout.TURN] * layout.STRIDE + chain] += free
    if position.records_events:
        position.events.append(events.Founded(fields[layout.TURN], chain, fields[layout.SIZE + chain], free))
    _end_placement(position)


def _slot(position: Position, tile: i64) -> i64:
    """Return the index of the field that holds a tile in the hand of the seat whose turn it is, or -1."""
    fields = position.fields
    at = layout.HANDS + fields[layout.TURN] * layout.STRIDE
    if tile:
        for slot in range(at, at + position.spec.hand):
            if fields[slot] == tile:
                return slot
    return -1


def _end_placement(position: Position) -> None:
    """Start the purchase, or end the turn if there is nothing to decide."""
    if not _begin_purchase(position):
        _end_turn(position)


# -- The purchase ----------------------------------------------------------------------------------


def _begin_purchase(position: Position) -> bool:
    """Ask the seat whose turn it is for a purchase and return True, or return False if there is nothing to decide."""
    fields = position.fields
    fields[layout.SEAT] = fields[layout.TURN]
    if position.is_trial or position.can_buy() or (position.may_end() and not fields[layout.ANNOUNCED]):
        fields[layout.PHASE] = BUY
        return True
    if position.records_events:
        report_poverty(position)
    return False


def _announce(position: Position) -> None:
    position.fields[layout.ANNOUNCED] = 1
    if position.records_events:
        position.events.append(events.EndAnnounced(position.fields[layout.TURN]))


# -- From turn to turn -----------------------------------------------------------------------------


def _begin_turn(position: Position) -> bool:
    """Start a turn and ask for its first decision; return False if there is nothing to decide."""
    fields = position.fields
    seat = fields[layout.TURN]
    fields[layout.SEAT] = seat
    fields[layout.TILE] = 0
    fields[layout.PURCHASE + seat] = 0
    if position.records_events:
        position.events.append(events.TurnStarted(seat))
    if position.has_tile():
        fields[layout.PHASE] = PLACE
        fields[layout.TURNS_WITHOUT_TILE] = 0
        return True
    fields[layout.TURNS_WITHOUT_TILE] += 1
    if position.records_events:
        position.events.append(events.NoTile(seat))
    return _begin_purchase(position)


def _end_turn(position: Position) -> None:
    """End the game, or draw and start turns until a seat has something to decide."""
    fields = position.fields
    seats = position.spec.seats
    while True:
        if fields[layout.ANNOUNCED]:
            return _finish(position, DECLARED)
        if _tiles_are_out(position):
            return _finish(position, ALL_TILES_PLAYED)
        if fields[layout.TURNS_WITHOUT_TILE] >= seats:
            return _finish(position, STUCK_ROUND)
        _draw(position)
        if _tiles_are_out(position):
            return _finish(position, ALL_TILES_PLAYED)
        turn = fields[layout.TURN] + 1
        fields[layout.TURN] = turn if turn < seats else 0
        if _begin_turn(position):
            return None


def _draw(position: Position) -> None:
    """Fill the hand of the seat whose turn it is, and replace its dead tiles."""
    fields = position.fields
    spec = position.spec
    first = layout.HANDS + fields[layout.TURN] * layout.STRIDE
    _fill(position, first)
    if fields[layout.SAFE] & (fields[layout.SAFE] - 1) == 0:
        return
    while True:
        found = False
        for slot in range(first, first + spec.hand):
            tile = fields[slot]
            if tile and position.kind(tile) == DEAD:
                found = True
                fields[slot] = 0
                position.cells[tile] = OFF_BOARD
                if position.records_events:
                    position.events.append(events.DeadTile(fields[layout.TURN], tile))
                if spec.replaces_until_clean:
                    break
        if not found:
            return
        _fill(position, first)
        if not spec.replaces_until_clean:
            return


def _fill(position: Position, first: i64) -> None:
    """Draw tiles into the empty slots of the hand whose first field is `first`, while the bag lasts."""
    fields = position.fields
    bag = position.bag
    squares = position.spec.squares
    for slot in range(first, first + position.spec.hand):
        drawn = fields[layout.DRAWN]
        if fields[slot] == 0 and drawn < squares:
            fields[slot] = bag[drawn]
            fields[layout.DRAWN] = drawn + 1
            if position.records_events:
                position.events.append(events.Drew(fields[layout.TURN], bag[drawn]))
                if drawn + 1 == squares:
                    position.events.append(events.LastTileDrawn(fields[layout.TURN]))


def _tiles_are_out(position: Position) -> bool:
    """Return whether the bag and all hands are empty."""
    fields = position.fields
    spec = position.spec
    if fields[layout.DRAWN] < spec.squares:
        return False
    tiles: i64 = 0
    for slot in range(layout.HANDS, layout.HANDS + spec.seats * layout.STRIDE):
        tiles |= fields[slot]
    return tiles == 0


# -- The end ---------------------------------------------------------------------------------------


def _finish(position: Position, reason: i64) -> None:
    """End the game and set the final worths; cash and shares stay as they were before the final payments."""
    position.fields[layout.PHASE] = OVER
    position.fields[layout.REASON] = reason
    score_final(position)
    if position.records_events:
        _report_final(position)


def _report_final(position: Position) -> None:
    """Record the final payments as events: bonuses of all chains on the board, and the sale of all shares."""
    fields = position.fields
    seats, chains = position.spec.seats, position.spec.chains
    amounts, ranks = position.amounts, position.ranks
    for chain in range(chains):
        if fields[layout.ON_BOARD] & BIT[chain]:
            bonuses(fields, seats, chain, fields[layout.PRICE + chain], amounts, ranks)
            for paid in paid_seats(seats, amounts, ranks):
                position.events.append(events.FinalBonus(paid, chain, ranks[paid], amounts[paid]))
    for seat in range(seats):
        for chain in range(chains):
            shares = fields[layout.SHARES + seat * layout.STRIDE + chain]
            if shares and fields[layout.ON_BOARD] & BIT[chain]:
                amount = shares * fields[layout.PRICE + chain]
                position.events.append(events.FinalSale(seat, chain, shares, amount))
